"""Find who is named in a sentence that could not be read, and is not known, and ask whether they shall join.

>>> from holdtrue.world.seating import SEATING
>>> table = SEATING.instance(["Ann", "Bob"], {"num_entities": 4})
>>> find_newcomers(table, "Please put Zoe right next to Ann")
('Zoe',)
>>> find_newcomers(table, "Thank you, Zoe!")
()

A capital letter tells a name from other words, and the domain whether the sentence could state anything about it: with
the name among the entities there is a constraint that takes it up. At the beginning of a sentence, where every word has
a capital letter, a verb for one person has to follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdtrue.errors import DomainError
from holdtrue.language.asking_back import Question
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.hedge_words import HEDGE
from holdtrue.language.names import names_of
from holdtrue.language.qualifying_words import ALTERNATIVE, CONDITION
from holdtrue.language.reading import Reading
from holdtrue.language.sentences import is_question
from holdtrue.language.small_talk import is_small_talk, plain
from holdtrue.language.unexplained_words import is_written_like_a_familiar_word
from holdtrue.world.instance import Instance
from holdtrue.world.joined_instance import join

MOST = 3
"""Of a sentence that names more who are not known, nobody is asked about: it is about something else."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_OF_ONE = re.compile(r"\w+s|\w+n't|must|should|shall|will|would|can|cannot|could|may|might|and", re.IGNORECASE)
_WHEN = frozenset(
    "january february march april may june july august september october november december tomorrow yesterday "
    "tonight".split()
)


def find_newcomers(instance: Instance, sentence: str) -> tuple[str, ...]:
    """Return the names in a sentence that the instance does not know and could take in, in order; () for none.

    With all of them among the entities there has to be a constraint about each that the sentence can have stated.
    """
    said = plain(sentence)
    folded = said.casefold()
    if is_question(said) or said.isupper() or CONDITION.search(folded) or ALTERNATIVE.search(folded):
        return ()
    names = tuple({name.casefold(): name for name in reversed(list(_unknown_names(instance, said)))}.values())[::-1]
    without = said
    for name in names:
        without = without.replace(name, " ")
    if not 0 < len(names) <= MOST or is_small_talk(without):
        return ()
    joined = instance
    try:
        for name in names:
            joined = join(joined, name)
    except DomainError:
        return ()
    told = {arg for lists in candidates(joined, said).part.values() for args in lists for arg in args}
    return names if told.issuperset(names) else ()


def _unknown_names(instance: Instance, said: str) -> Iterator[str]:
    """Yield the runs of words with capital letters that neither name something known nor are familiar."""
    hidden = names_of(instance).hide(said).text
    words = list(_WORD.finditer(hidden))
    at = 0
    while at < len(words):
        if not _is_name_word(words[at].group()):
            at += 1
            continue
        first = last = at
        while (
            not words[last].group().endswith("'s")
            and last + 1 < len(words)
            and hidden[words[last].end() : words[last + 1].start()] == " "
            and _is_name_word(words[last + 1].group())
        ):
            last += 1
        at = last + 1
        name = hidden[words[first].start() : words[last].end()]
        behind = words[at].group() if at < len(words) else ""
        if first > 0 or name.endswith("'s") or _OF_ONE.fullmatch(behind):
            yield name.removesuffix("'s")


def _is_name_word(word: str) -> bool:
    own = word.removesuffix("'s")
    folded = own.casefold()
    if not own[0].isupper() or folded in _WHEN or HEDGE.search(folded):
        return False
    return not is_written_like_a_familiar_word(folded)


def ask_to_join(
    instance: Instance, readings: Iterable[Reading], asked_before: Sequence[str], turn: int, number: int
) -> tuple[Question, ...]:
    """Return a question for each newcomer of the sentences that state what could not be read; `number` is the first's.

    Nobody is asked about twice. A question has all sentences that name its newcomer.
    """
    before = {name.casefold() for name in asked_before}
    named: dict[str, dict[str, None]] = {}
    for reading in readings:
        if reading.status == "rejected" and reading.act == "states":
            for name in find_newcomers(instance, reading.sentence):
                if name.casefold() not in before:
                    named.setdefault(name, {})[_ended(reading.sentence)] = None
    return tuple(
        Question(f"q{turn}.{place}", turn, Reading(" ".join(sentences), "rejected", None, 0.0), joins=name)
        for place, (name, sentences) in enumerate(named.items(), number)
    )


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
