"""Ask a user about a doubtful sentence, and read the answer: yes, no, or which of several.

>>> read_confirmation("Yes, and Ann takes seat 2.", asked=1)
Confirmation(answers=(True,), rest='Ann takes seat 2.')
>>> read_confirmation("No idea.", asked=1)
Confirmation(answers=(None,), rest='No idea.')

Words count as an answer only if they say nothing else. 'Yes, if it fits', 'yes, I think so' and 'right next to Ann'
leave a question open. The question then stays visible, and the doubtful reading stays out of the ledger. A *reading* is
a constraint that was read in a sentence.

A user is also asked about *newcomers*, unknown names in an unread sentence: shall they join? A capital letter marks a
name. The domain decides whether the sentence could state anything about that name. At the start of a sentence, where
every word has a capital, a verb in the singular must follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.errors import DomainError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.english_patterns import english, fragment
from holdtrue.language.implied_words import is_written_like_a_familiar_word
from holdtrue.language.names import names_of
from holdtrue.language.qualifying_words import ALTERNATIVE, CONDITION, HEDGE
from holdtrue.language.reading import Reading
from holdtrue.language.sentence_parts import may_state_something, unread_part
from holdtrue.language.sentences import is_question, is_small_talk, plain
from holdtrue.record import QuestionRecord
from holdtrue.world.instance import Instance, with_entity
from holdtrue.world.world import Constraint, World

MOST = 3
"""The largest number of newcomers in one sentence. A sentence with more is about something else, and no question is
asked.
"""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_OF_ONE = re.compile(r"\w+s|\w+n't|must|should|shall|will|would|can|cannot|could|may|might|and", re.IGNORECASE)
_WHEN = frozenset(
    "january february march april may june july august september october november december tomorrow yesterday "
    "tonight".split()
)


def find_newcomers(instance: Instance, sentence: str) -> tuple[str, ...]:
    """Return the unknown names in a sentence that could join the instance, in order.

    If all of them were entities, the sentence must be able to state a constraint about each.
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
            joined = with_entity(joined, name)
    except DomainError:
        return ()
    told = {arg for lists in candidates(joined, said).part.values() for args in lists for arg in args}
    return names if told.issuperset(names) else ()


def _unknown_names(instance: Instance, said: str) -> Iterator[str]:
    """Yield the runs of capitalized words that are neither known names nor familiar words."""
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
    """Return a question for each newcomer in the unread sentences. `number` is that of the first question.

    No newcomer is asked about twice. A question has all sentences that name its newcomer.
    """
    before = {name.casefold() for name in asked_before}
    named: dict[str, dict[str, None]] = {}
    for reading in readings:
        if reading.status == "rejected" and reading.act == "states":
            for name in find_newcomers(instance, reading.sentence):
                if name.casefold() not in before:
                    mark = "" if reading.sentence.endswith((".", "!", "?")) else "."
                    named.setdefault(name, {})[f"{reading.sentence}{mark}"] = None
    return tuple(
        Question(f"q{turn}.{place}", turn, Reading(" ".join(sentences), "rejected", None, 0.0), joins=name)
        for place, (name, sentences) in enumerate(named.items(), number)
    )


AskBack = Literal[False, "beside", "alone"]
"""The way to ask about a doubtful reading: `beside` an answer, `alone` in place of one, or not at all (False)."""

_LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Question:
    """A `Question` asks whether a doubtful reading is right. `turn` is the turn in which it was asked.

    If `joins` is set, it asks instead whether that newcomer shall join. Its `reading` then has the sentences with the
    name, and no constraint. Any other question without a constraint asks the user to rephrase; a yes does not answer
    it.
    """

    id: str
    turn: int
    reading: Reading
    joins: str | None = None

    @property
    def asks_to_rephrase(self) -> bool:
        """Return whether the question asks the user to say something in other words."""
        return self.joins is None and self.reading.constraint is None

    def text(self, world: World) -> str:
        """Return the question in one line."""
        if self.joins is not None:
            return f"I do not know {self.joins}. Shall {self.joins} join?"
        made = self.reading.constraint
        said = " ".join((unread_part(self.reading) if made is None else self.reading.sentence).split())
        said = said if len(said) <= _LONGEST_QUOTE else f"{said[:_LONGEST_QUOTE]} ..."
        if made is None:
            return f'I did not understand "{said}". What shall hold?'
        old = self.reading.replaces
        instead = "" if old is None else f", in the place of: {world.sentence(old)}"
        return f'By "{said}", did you mean: {world.sentence(made)}{instead}?'

    def confirmed(self) -> Reading:
        """Return the reading as certain, after the user's yes."""
        return replace(self.reading, status="accepted", confidence=1.0, reason=None)

    def record(self, world: World) -> QuestionRecord:
        """Return the question as a record for the journal."""
        made = self.reading.constraint
        type, args = (made.type, made.args) if made else (None, ())
        said = unread_part(self.reading) if self.asks_to_rephrase else self.reading.sentence
        return QuestionRecord(self.id, self.turn, self.text(world), said, type, args, self.joins)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A `Confirmation` is the analysis of a message after some questions.

    `answers` has one entry for each question in order: True for yes, False for no, None if it stays open. `rest` is the
    part of the message that still has to be read.
    """

    answers: tuple[bool | None, ...]
    rest: str


_YES_WORDS = fragment("asking_back.yes_words")
_NO_WORDS = fragment("asking_back.no_words")
_POLITE = (
    r"(?:[\s,]+(?:please|thanks|thank you|thx|pls|sir|madam|mate|bitte|danke|por favor|gracias|thank you very much))*"
)
_END = r"(?=\s*(?:$|[.!,;:\u2013\u2014]|\s-\s|\s+(?:and|but)\b))"
_OPENING = r"\s*(?:(?:oh|ah|hm+|um+|well|so|hi|hello|sorry)[\s,!.]+)*"
_YES = re.compile(rf"{_OPENING}(?:{_YES_WORDS}){_POLITE}{_END}", re.IGNORECASE)
_NO = re.compile(rf"{_OPENING}(?:{_NO_WORDS}){_POLITE}{_END}", re.IGNORECASE)
# These may only mean that the user has heard. They answer nothing if more words follow.
_WEAK = re.compile(rf"{_OPENING}(?:ok|okay|sure|right|true|indeed|sounds good){_POLITE}{_END}", re.IGNORECASE)
_BUT_NOT_ALL = re.compile(r"\W*but (?:only|not|just|except|if|when|never)\b", re.IGNORECASE)
_JOINT = re.compile(r"\s*(?:[.!,;:\u2013\u2014]+|-\s)?\s*(?:(?:and|but)\b\s*)?", re.IGNORECASE)
_TAKEN_BACK = re.compile(r"\W*(?:and|or|but) (?:no|yes|not)\b", re.IGNORECASE)
_ORDINALS = {"first": 0, "1": 0, "1st": 0, "second": 1, "2": 1, "2nd": 1, "third": 2, "3": 2, "3rd": 2}
_WHICH = english("asking_back.which")
_END_OF_SENTENCE = re.compile(r"(?<=[.!;])\s+|$")
_BETWEEN = re.compile(r"\s*(?:[.!,;]|\band\b|\bbut\b)+\s*", re.IGNORECASE)


def read_confirmation(message: str, asked: int) -> Confirmation:
    """Return how a message answers the `asked` questions just before it.

    A yes or no counts for all of them. "The first yes, the second no" and "only the second" tell them apart.
    """
    unanswered = Confirmation((None,) * asked, message)
    if asked == 0:
        return unanswered
    # 'The first yes, the second no. Ann takes seat 2.': the second sentence still has to be read.
    for answers, rest in ((message, ""), _END_OF_SENTENCE.split(message, maxsplit=1)):
        if (told := _each_told(answers, asked)) is not None:
            return Confirmation(told, rest)
    for pattern, answer in ((_YES, True), (_NO, False)):
        found = pattern.match(message)
        if found is None:
            continue
        rest, said = message[found.end() :], [found.group()]
        while (more := pattern.match(_JOINT.sub("", rest, count=1))) is not None:
            rest = _JOINT.sub("", rest, count=1)[more.end() :]
            said.append(more.group())
        open_still = _TAKEN_BACK.match(rest) or _BUT_NOT_ALL.match(rest) or rest.lstrip().startswith("?")
        rest = _JOINT.sub("", rest, count=1)
        weak = bool(rest) and all(_WEAK.fullmatch(one) for one in said)
        return unanswered if open_still or weak or _holds_back(rest) else Confirmation((answer,) * asked, rest)
    return unanswered


def _each_told(message: str, asked: int) -> tuple[bool | None, ...] | None:
    """Return the answers of a message that distinguishes the questions by number and says nothing else."""
    if asked < 2:
        return None
    answers: list[bool | None] = [None] * asked
    only = False
    text = message.strip().rstrip(".!")
    for part in (part for part in _BETWEEN.split(text) if part.strip()):
        found = _WHICH.fullmatch(part)
        if found is None or (place := _ORDINALS[found["which"].casefold()]) >= asked:
            return None
        word = (found["behind"] or found["before"] or "").casefold()
        only = only or word in ("only", "just")
        answers[place] = word not in ("no", "nope", "wrong") if word else True
    if all(answer is None for answer in answers):
        return None
    return tuple(False if only and answer is None else answer for answer in answers)


def _holds_back(rest: str) -> bool:
    """Return whether the words behind an answer weaken it: 'yes, if it fits', 'yes, I think so'."""
    first = re.split(r"[.!;]|,\s*and\b", rest.casefold(), maxsplit=1)[0]
    return any(words.search(first) for words in (CONDITION, ALTERNATIVE, HEDGE)) or rest.rstrip().endswith("?")


@dataclass(frozen=True, slots=True)
class Answered:
    """An `Answered` is a message with the questions that it answers.

    It has the readings that the message confirms, the questions that stay open, and the rest to be read. `joining` has
    the questions whose newcomers the message lets join.
    """

    confirmed: tuple[Reading, ...]
    open: tuple[Question, ...]
    rest: str
    joining: tuple[Question, ...] = ()

    @classmethod
    def of(cls, questions: Sequence[Question], message: str, turn: int) -> Answered:
        """Return how a message of a turn answers the open questions. Words answer only questions of the turn before."""
        asked = [one for one in questions if one.turn == turn - 1]
        told = read_confirmation(message, len(asked))
        answers = dict(zip((one.id for one in asked), told.answers, strict=True))
        meant = [one for one in asked if answers[one.id]]
        confirmed = tuple(one.confirmed() for one in meant if one.reading.constraint is not None)
        left = tuple(
            one for one in questions if answers.get(one.id) is None or (answers[one.id] and one.asks_to_rephrase)
        )
        return cls(confirmed, left, told.rest, tuple(one for one in meant if one.joins is not None))


def ask_about(
    world: World, readings: Sequence[Reading], known: Sequence[Constraint], turn: int
) -> tuple[tuple[Question, ...], tuple[Reading, ...]]:
    """Return a question for each doubtful reading that would add a constraint to the `known` ones, and the other
    readings.

    An unread sentence that may state something is asked about too; its reading also stays among the others.
    """
    asked: list[Question] = []
    others: list[Reading] = []
    for reading in readings:
        if _was_not_understood(world, reading):
            asked.append(Question(f"q{turn}.{len(asked) + 1}", turn, reading))
        if reading.status != "doubtful" or reading.constraint is None or reading.act == "withdraws":
            others.append(reading)
        elif reading.constraint not in known and all(one.reading.constraint != reading.constraint for one in asked):
            asked.append(Question(f"q{turn}.{len(asked) + 1}", turn, reading))
    return tuple(asked), tuple(others)


def _was_not_understood(world: World, reading: Reading) -> bool:
    """Return whether a reading was rejected without an 'if' or 'or', though it may state something."""
    if reading.status != "rejected" or reading.act != "states" or reading.weighed or reading.held_back:
        return False
    said = unread_part(reading)
    return isinstance(world, Instance) and not said.rstrip().endswith("?") and may_state_something(world, said)


def still_open(questions: Sequence[Question], readings: Sequence[Reading]) -> tuple[Question, ...]:
    """Return the questions that no certain reading has settled since."""
    return tuple(one for one in questions if not _settles(one, readings))


def _settles(question: Question, readings: Sequence[Reading]) -> bool:
    """Return whether a certain reading settles the question: it has the same type and the same names.

    A request to rephrase is settled by any certain reading that shares a name with its sentence. A question about a
    newcomer is never settled this way.
    """
    if question.joins is not None:
        return False
    asked = question.reading.constraint
    if asked is None:
        said = question.reading.sentence.casefold()
        certain = [one.constraint for one in readings if one.status == "accepted" and one.constraint is not None]
        return any(str(arg).casefold() in said for made in certain for arg in made.args if isinstance(arg, str))
    mine = {arg for arg in asked.args if isinstance(arg, str)}
    return any(
        one.status == "accepted"
        and one.constraint is not None
        and one.constraint.type == asked.type
        and {arg for arg in one.constraint.args if isinstance(arg, str)} == mine
        for one in readings
    )
