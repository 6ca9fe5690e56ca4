"""Decide whether a constraint already covers words of its sentence, such as an 'or' or a 'not until'.

An order covers 'not until', a denial 'anything except', and a range '6, 7 or 8'.

`qualifying_words` lists known words that change a statement, and there are always others. A plain statement consists of
words of the domain, words for arranging things, and grammar. This module also finds the other words of a sentence. A
clause with several of them, next to names, may say more, and the user is asked about it.

In a masked text, capital letters replace names, values and numbers (`masked_text`). E is an entity of the constraint
that was read, and V is a value of this constraint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue.language.denials_and_limits import denies, own_wordings, without_limits
from holdtrue.language.direction import has_direction
from holdtrue.language.english_patterns import NUMBER_WORDS, masked, words
from holdtrue.language.grounding import everyday_stems, mentions, own_stems, stem
from holdtrue.language.masked_text import clauses, count_entities, mask, without_remarks
from holdtrue.language.names import cached_per_instance
from holdtrue.language.qualifying_words import IDLE, Kind
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer
from holdtrue.world.instance import Constraint, Instance

_LETTERS = re.compile(r"[a-z]+")
_EVERYDAY = frozenset(words("unexplained_words.everyday")) | frozenset(NUMBER_WORDS)


_RELATING = words("unexplained_words.relating")
"""Words that relate two things in any domain."""


def tells_something(instance: Instance, text: str) -> bool:
    """Return whether a text has a value, a number, or a word with which the domain relates two entities."""
    found = mentions(instance, text)
    return bool(found.values or found.numbers) or bool(
        _relating(instance) & {stem(word.removesuffix("ly")) for word in _LETTERS.findall(text.casefold())}
    )


@cached_per_instance
def _relating(instance: Instance) -> frozenset[str]:
    said = [attribute.label for attribute in instance.attributes.values()]
    for kind in instance.types.values():
        if sum(isinstance(argument, Entity) for argument in kind.arguments) > 1:
            said += [kind.sentence, *kind.wordings, *(example.sentence for example in kind.examples)]
            said += [cue.pattern for cue in kind.cues]
    named = {str(arg).casefold() for kind in instance.types.values() for one in kind.examples for arg in one.args}
    words = {word for word in _LETTERS.findall(" ".join(said).casefold()) if len(word) > 1}
    return frozenset(stem(word.removesuffix("ly")) for word in (words - named - _EVERYDAY).union(_RELATING))


MOST_UNEXPLAINED = 1
"""The largest number of unexplained words in a plain statement. One is mostly a harmless noun or adverb; more are rare.
"""

_PLAIN_WORD = re.compile(r"[a-z][a-z']*")
_VERB_OF_A_VALUE = re.compile(r" (?:the |an? |his |her |their )?[VW]\b")
_NAMED = re.compile("[EV]")
_WHOLE = frozenset((*words("everyday.grammar"), *words("everyday.arranging")))
_FAMILIAR = frozenset(words("everyday.grammar")) | everyday_stems()


def is_familiar(word: str) -> bool:
    """Return whether a word in small letters is grammar, or arranges things in any domain."""
    return word in _FAMILIAR or stem(word) in _FAMILIAR


def is_written_like_a_familiar_word(word: str) -> bool:
    """Return whether a word in small letters is familiar in full: 'times' is, but its stem 'tim' is not."""
    return word in _WHOLE or (word != stem(word) and stem(word) in _FAMILIAR)


def find_unexplained(instance: Instance, text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each unexplained word of a masked text, in clauses with an E or a V."""
    own = own_stems(instance)
    for start, end in clauses(text):
        if not _NAMED.search(text, start, end):
            continue
        for found in _PLAIN_WORD.finditer(text, start, end):
            word = found.group()
            if _VERB_OF_A_VALUE.match(text, found.end()) and text[: found.start()].endswith("E "):
                continue  # 'Ann grows tulips' gives her flower
            if not is_familiar(word) and stem(word) not in own and not word.endswith("n't"):
                yield found.span()


def count_strange(instance: Instance, sentence: str, made: Constraint) -> int:
    """Return how many words of a sentence are neither grammar nor words of its domain, in clauses with names.

    'Ann owes me 2 pounds' has two such words, and says nothing about a seat.
    """
    text = mask(instance, sentence, [made]).text
    return len({stem(text[start:end]) for start, end in find_unexplained(instance, text)})


_RANKS = re.compile(r"\b(?:before|earlier|precedes?|ahead|prior|sooner|above|after|later|list)\b")
_RANKED = masked("implied_words.ranked")
_OF_A_LIST = re.compile(r"\b(?:lists?|listed|order|rank\w*|position|number|top|end|place|sequence|value|sorted)\b")
_NUMBERS_JOINED = re.compile(r"\b[NM],? (?:\w+ ){0,2}?or (?:\w+ ){0,3}?[NM]\b")
_BOTH_WAYS = masked("implied_words.both_ways")
_SO_NOT = re.compile(r"\bso (?:please )?(?:don't|do not|avoid|never|keep|not|no)\b")
_WAITING = masked("implied_words.waiting")
_EITHER_OF_THEM = masked("implied_words.either_of_them")


@dataclass(frozen=True)
class ReadWords:
    """The masked text of a sentence without courtesies and number limits, and the constraints that were read in it."""

    instance: Instance
    stated: Sequence[Constraint]
    text: str

    @cached_property
    def main(self) -> str:
        """Return the text with reasons and remarks blanked; every other word keeps its place."""
        return without_remarks(self.text)

    @property
    def kinds(self) -> list[ConstraintType]:
        return [self.instance.types[made.type] for made in self.stated]

    @property
    def own(self) -> str:
        """Return the sentences and wordings of the types that were read, with letters for their arguments."""
        return without_limits(IDLE.sub(" ", "\n".join(map(own_wordings, self.kinds))))

    @property
    def taught(self) -> str:
        """Return all words that teach these types: wordings, definitions, examples and cues."""
        return " ".join(map(_taught, self.kinds))

    @property
    def ranks(self) -> bool:
        """Return whether one of the constraints puts one entity before another."""
        return any(has_direction(kind) and _RANKS.search(_taught(kind)) for kind in self.kinds)

    @property
    def denies(self) -> bool:
        """Return whether every constraint denies something."""
        return all(denies(kind) for kind in self.kinds)

    @property
    def entities(self) -> int:
        """Return the largest number of entities in one constraint."""
        return max(count_entities(self.instance, made) for made in self.stated)


def _taught(kind: ConstraintType) -> str:
    texts = [kind.sentence, *kind.wordings, kind.definition, *(example.sentence for example in kind.examples)]
    return " ".join([*texts, *(cue.pattern.replace("|", " ").replace("?", "") for cue in kind.cues)]).casefold()


def carries(read: ReadWords, kind: Kind, match: re.Match[str]) -> bool:
    """Return whether the constraints cover the words of this kind that were found in the text."""
    words = match.group().strip()
    if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", read.own):
        return True
    match kind:
        case "alternative":
            return _carries_choice(read, match)
        case "condition":
            return _carries_wait(read, match)
        case "quantity":
            return _carries_quantity(read, match)
        case "comparison":
            return _carries_comparison(read, words)
        case "hedge":
            return words.endswith((" fine", " ok", " okay")) and "any" in read.text[: match.start()]
        case "past":
            return bool(re.search(rf"\b{re.escape(words)}\b", read.taught))
    return False


def _carries_choice(read: ReadWords, match: re.Match[str]) -> bool:
    """Return whether 'or' joins the ends of a range, or two things that may be swapped without a change of meaning."""
    if match.group().strip() in ("/", "vs", "versus") and len(read.stated) == 1 and read.entities > 1:
        return True  # 'Ann / Bob: seat 1 apart' only joins the names
    if any(sum(isinstance(argument, Integer) for argument in kind.arguments) > 1 for kind in read.kinds):
        ends = [arg for made in read.stated for arg in made.args if isinstance(arg, int)]
        if max(ends) - min(ends) >= len(re.findall("[NM]", read.text)):
            return False  # '1 or 3' is no range
        near = read.text[max(0, match.start() - 30) : match.end() + 30]
        return bool(_NUMBERS_JOINED.search(near)) or match.group() == "either" or not re.search(r"[EXVW]", near)
    if not all(kind.symmetric for kind in read.kinds):
        return False
    one_of = re.match(r"one of E and E\b", read.text[match.start() :]) and "one of" in read.taught
    return bool(one_of or _BOTH_WAYS.search(read.text) or _EITHER_OF_THEM.match(read.text, match.start()))


def _carries_wait(read: ReadWords, match: re.Match[str]) -> bool:
    """Return whether a word such as 'until', 'while' or 'if' adds no condition that the constraints lack."""
    words, before = match.group(), read.text[: match.start()]
    clause, _, behind = read.text[match.end() :].partition(",")
    rest = f"{before} {behind}"
    if words == "while":
        return read.denies or len(read.stated) > 1
    if words in ("if", "when") and read.denies and _SO_NOT.search(read.text, match.end()):
        return True  # 'they talk when they sit together, so avoid that'
    if words in ("as long as", "provided", "so long as"):
        return read.denies and bool(re.search(r"\b(?:any|anywhere|anyone)\b", before))
    if words == "whether":
        return bool(_BOTH_WAYS.search(read.text))
    if not _WAITING.fullmatch(words):
        return False
    if read.entities == 1:
        return words == "once" and bool(re.match(r" E (?:has |is )?\w+$", clause)) and " it " in rest
    denied = words == "unless" and re.search(r"n't\b|\bnot\b|\bnever\b|\brefuses\b|\bno\b", before)
    return bool(denied or read.ranks) and clause.count("E") == 1 and rest.count("E") == 1


def _carries_quantity(read: ReadWords, match: re.Match[str]) -> bool:
    """Return whether 'one of' names things that may be swapped, or 'except' or 'other than' only denies."""
    words, before = match.group().strip(), read.text[: match.start()]
    if words.startswith("one of") and any(kind.symmetric for kind in read.kinds) and "one of" in read.taught:
        return True
    if words.startswith(("nobody", "no one", "no-one", "none")):
        return False
    if words == "other than" and re.search(r"\b(?:no|nobody|none|nothing|not)\b[^,]*$", before):
        return True
    return read.denies and not words.startswith(("every", "all", "most", "some of"))


def _carries_comparison(read: ReadWords, words: str) -> bool:
    """Return whether the constraints, such as an order, already say all that a comparison says."""
    if words.endswith(("after", "before", "earlier", "later")) and words in read.taught:
        return True
    if words.startswith("same "):
        return all(kind.symmetric for kind in read.kinds)
    if "than" in words and ("other" in words or "rather" in words or words == "than"):
        return True  # the denial or the remaining names decide
    if not read.ranks:
        return False
    if words.endswith(" than") and any(isinstance(one, AttributeName) for kind in read.kinds for one in kind.arguments):
        return True  # 'older than' of a list of ages: the reader chooses the direction
    if words.endswith("than") and words.startswith(("earlier", "later", "sooner", "lower", "higher")):
        return True
    return bool(_RANKED.match(words) and _OF_A_LIST.search(read.text))
