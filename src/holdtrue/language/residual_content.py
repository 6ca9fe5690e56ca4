"""Find the words of a sentence that the constraint read from it leaves out.

A domain cannot say 'or', 'if', 'maybe' or 'Bob thinks'. A reader that is restricted to the domain still finds a
constraint in such a sentence, and loses the important word. So each reading is compared with the words of its sentence.
Words left over *hold it back*: they make it doubtful or, if they certainly change the meaning, rejected. No model is
called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holdtrue.errors import ConstraintError
from holdtrue.language.denials_and_limits import (
    affirm_limit,
    find_limits,
    find_lost_denials,
    is_bounded,
    is_within,
    lifts,
    without_limits,
)
from holdtrue.language.english_patterns import masked
from holdtrue.language.grounding import stem
from holdtrue.language.implied_words import MOST_UNEXPLAINED, ReadWords, carries, find_unexplained
from holdtrue.language.masked_text import MaskedText, blanked, find_reasons, mask, without_remarks
from holdtrue.language.matching import match_sentence, peel_lead
from holdtrue.language.qualifying_words import (
    ALTERNATIVE,
    COMPARISON,
    CONDITION,
    HEDGE,
    IDLE,
    LIMITED,
    PAST,
    PERMISSION,
    QUANTITY,
    REPORT,
    REQUEST,
    SOFT_CONDITION,
    SPEECH,
    TAIL,
    Kind,
)
from holdtrue.language.reading import Reading, Why
from holdtrue.language.withdrawals import OPENING
from holdtrue.world.instance import Constraint, Instance

DOUBTFUL_AT_MOST = 0.4
"""The highest confidence of a reading that leaves words out. It is an estimate."""

ASIDES: frozenset[Kind] = frozenset({"alternative", "condition", "hedge"})
"""The kinds of words that hold a statement back at any place."""

REMARKS: frozenset[Kind] = frozenset({"report", "question", "past", "quantity"})
"""The kinds of words that give the sentence in which they occur another meaning."""

_LONGEST_SENTENCE = 1000  # patterns stay quick, and the user is asked about longer sentences
_CLASSES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("alternative", ALTERNATIVE),
    ("condition", CONDITION),
    ("hedge", HEDGE),
    ("report", REPORT),
    ("past", PAST),
    ("quantity", QUANTITY),
    ("comparison", COMPARISON),
)
_ANYWHERE: frozenset[Kind] = frozenset({"alternative", "condition", "hedge", "report"})  # in remarks, too
_CERTAIN = frozenset({"alternative", "condition", "report", "past"})
_SAID: dict[Kind, str] = {
    "alternative": "an alternative",
    "condition": "a condition",
    "hedge": "no plain statement",
    "report": "an opinion or a report",
    "comparison": "a comparison or a limit",
    "negation": "a denial",
    "quantity": "a quantity or an exception",
    "question": "a question",
    "past": "about what was, or is only imagined",
    "name": "also named",
    "unexplained": "more than the domain has words for",
    "length": "how a sentence begins that is too long to be sure of",
}
# A past form that may state a fact, such as the clue of a puzzle.
_TOLD = re.compile(r"(?:was|were|wasn't|weren't|had|hadn't|last (?:time|night))")
_ORDER = masked("residual_content.order")
_ORDER_WORDS = re.compile(r"\b(?:before|after|earlier|later|preced|follow|prior|ahead|sooner|behind|until|once)")
_NEAR = re.compile(r"\b(?:next to|beside|adjacent to|neighbou?r\w*|alongside|nearest to|near)\b")
_SIDE = masked("residual_content.side")
_SIDES = re.compile(r"\b(?:left|right|clockwise|in front|behind|north|south|east|west|beneath|underneath|under)\b")
_LENGTH = re.compile(r"\b(?:duration|lasts?|lasting|takes? (?:up )?[NM]|(?<=[NM] )(?:\w+ )?long|length)\b")
_END = masked("residual_content.end")
_ENDS = re.compile(r"\b(?:end|ends|finish\w*|over|before|after|precedes?)\b")
_LENGTHS = re.compile(r"\b(?:duration|last|lasts|long|length|take|takes)\b")
_OWN_PART = re.compile(r"(?:asks?|asked) for\b|promised? |(?:told|tells|said|says) (?:me|us) to\b")
_ASKS_FOR_ITSELF = re.compile(r"\bE(?: has| have| had| was| is| were)?(?: been)?(?: \w+ly)?$")
_RELATIONS = ((_ORDER, _ORDER_WORDS), (_NEAR, _NEAR), (_SIDE, _SIDES), (_LENGTH, _LENGTHS), (_END, _ENDS))
_SELF = re.compile(r"\b(?:i|we|i'd|we'd|i've|we've|let me|let us|let's|to|please|you)(?: \w+)?$")
_SETTLED = masked("residual_content.settled")
_ENDS_SPEECH = re.compile(r"\W*$|[,.;)]| that\b")
_NOUN = re.compile(r"\b(?:an?|the|in|of|for|at|to|no)$")
_OWNER = re.compile(r"E(?:'s)? $")
_PART_OF = masked("residual_content.part_of")
_ASKS_HOW_IT_STANDS = re.compile(r"\b(?:yet|already|or not|by any chance|at all|by now|still)\W*\?$")
_REQUEST_END = re.compile(r"\b(?:please|ok|okay|alright|all right|thanks|thank you|(?:would|will|could|can) you)\s*\?$")


@dataclass(frozen=True, slots=True)
class Leftover:
    """A `Leftover` holds words of a sentence that a constraint leaves out.

    If `certain` is true, they surely give the sentence another meaning than the constraint.
    """

    kind: Kind
    words: str
    certain: bool

    @property
    def holds_back(self) -> bool:
        """Return whether the words may also hold back neighbouring statements: an 'or', an opinion, a question."""
        return self.kind in ASIDES | REMARKS


def words_not_carried(instance: Instance, sentence: str, *stated: Constraint) -> tuple[Leftover, ...]:
    """Return the words of a sentence that the constraints read in it (one, or several together) leave out.

    A constraint covers every word of its type's wordings, 'or more' if it gives a least number, and 'not' if it denies.
    A sentence in the domain's wording has no words left over.
    """
    if not stated or _is_own_wording(instance, sentence, stated):
        return ()
    if len(sentence) > _LONGEST_SENTENCE:
        return (Leftover("length", f"{sentence[:40]} ...", False),)
    masked = mask(instance, sentence, stated)
    text = IDLE.sub(" ", masked.text)
    kinds = [instance.types[made.type] for made in stated]
    found = [*_find_question(masked.text)]
    found += [Leftover("comparison", masked.find_original(text, *span), False) for span in find_limits(kinds, text)]
    permits = PERMISSION.search(without_remarks(text))
    if permits and not LIMITED.search(text) and not any(permits.group() in kind.sentence.casefold() for kind in kinds):
        found.append(Leftover("hedge", permits.group(), False))
    # A reason does not qualify the statement: 'he cannot hear a thing, so Ann sits by him'.
    reasons = tuple(find_reasons(text))
    if reasons and _are_named_outside(reasons, masked, text, instance, stated):
        text = blanked(text, reasons)
    read = ReadWords(instance, stated, without_limits(text))
    found += _find_classes(read, masked)
    # The denial of a limit is the opposite limit: 'cannot start before slot 3'.
    denying = without_limits(affirm_limit(text)) if all(map(is_bounded, kinds)) else read.text
    for span, sure in find_lost_denials(instance, denying, without_remarks(denying), stated):
        words = masked.find_original(denying, *span) if span else ""
        # 'Ann need not sit by Bob' forbids nothing.
        kind: Kind = "hedge" if span and lifts(denying[slice(*span)]) else "negation"
        found.append(Leftover(kind, words, sure))
    found += _find_unexplained(instance, masked)
    found += [Leftover("name", name, False) for name in masked.others if not is_within(name, kinds, stated)]
    return tuple(dict.fromkeys(found))


def _are_named_outside(
    reasons: Sequence[tuple[int, int]], masked: MaskedText, text: str, instance: Instance, stated: Sequence[Constraint]
) -> bool:
    """Return whether all entities of the constraints occur outside of the reasons, so that the reasons can be blanked.

    'Cy is not sure yet, so Ann takes seat 2' states nothing of Cy.
    """
    places = [found.start() for found in re.finditer("[A-Z]", text)]
    written = " ".join(
        word.casefold()
        for place, word in zip(places, masked.masked, strict=False)
        if not any(start <= place < end for start, end in reasons)
    )
    return all(
        name.casefold() in written or stem(name) in map(stem, written.split())
        for made in stated
        for name in instance.entities_in(made)
    )


def hold_to_words(
    instance: Instance,
    sentence: str,
    readings: Sequence[Reading],
    tail: str = "",
    kinds: frozenset[Kind] | None = None,
) -> list[Reading]:
    """Return the readings of a sentence, made doubtful or rejected if they leave words out. The reason names the words.

    `tail` is the next sentence if it continues this one ('Otherwise ...'). If `kinds` is given, only words of these
    kinds count.
    """
    stated = [one.constraint for one in readings if one.constraint is not None and one.status != "rejected"]
    weighed = bool(readings) and all(one.weighed for one in readings)
    left = () if weighed else words_not_carried(instance, sentence, *stated)
    # If a part of the sentence was rejected, names that were left out may be in that part.
    known_kinds = frozenset({"name"}) if any(one.status == "rejected" for one in readings) else frozenset()
    left = tuple(one for one in left if one.kind not in known_kinds and (kinds is None or one.kind in kinds))
    left += words_holding_back(instance, tail, stated)
    if not left:
        return list(readings)
    meaning = " and ".join(f'"{instance.sentence(made)}"' for made in stated)
    reason = f"{tell_left(left)}, which {meaning} does not say"
    held = any(one.holds_back for one in left)
    if any(one.certain for one in left):
        others = [one for one in readings if one.constraint is None or one.status == "rejected"]
        return [Reading(sentence, "rejected", None, 0.0, reason, held_back=held, why=why_left(left)), *others]
    return [
        replace(doubtful(one, reason, why_left(left)), held_back=held)
        if one.constraint is not None and one.status != "rejected"
        else one
        for one in readings
    ]


def words_holding_back(instance: Instance, beside: str, stated: Sequence[Constraint]) -> tuple[Leftover, ...]:
    """Return the words of a neighbouring text that may hold back the constraints."""
    return tuple(one for one in words_not_carried(instance, beside, *stated) if one.holds_back) if beside else ()


def doubtful(reading: Reading, reason: str, why: Why | None = None) -> Reading:
    """Return the reading as doubtful, with at most the confidence `DOUBTFUL_AT_MOST`."""
    sure = min(reading.confidence, DOUBTFUL_AT_MOST)
    return replace(reading, status="doubtful", confidence=sure, reason=reason, why=why)


def find_tails(sentences: Sequence[str]) -> list[str]:
    """Return for each sentence the next one if that continues it ('Otherwise ...', 'Maybe.'), else ''."""
    tails = [following if TAIL.match(following.casefold()) else "" for following in sentences[1:]]
    return [*tails, ""][: len(sentences)]


def why_left(left: Sequence[Leftover]) -> Why | None:
    """Return the code for the reason that `tell_left` gives: `PERMISSION` if it begins with 'can' or 'may'."""
    told = next((one for one in left if one.certain), left[0])
    return Why.PERMISSION if told.words in ("can", "may") else None


def tell_left(left: Sequence[Leftover]) -> str:
    """Return the leftover words as a reason; if some are certain, only those."""
    chosen = [one for one in left if one.certain] or left
    parts = (
        f'"{one.words}" is {_SAID[one.kind]}' if one.words else "nothing in the sentence denies anything"
        for one in chosen[:3]
    )
    return "; ".join(dict.fromkeys(parts))


def _is_own_wording(instance: Instance, sentence: str, stated: Sequence[Constraint]) -> bool:
    """Return whether the sentence gives `stated` in the domain's wording, perhaps after an opening such as 'please'."""
    for _, behind in peel_lead(instance, sentence, OPENING):
        try:
            made = match_sentence(instance, behind)
        except ConstraintError:
            continue
        if made is not None:
            return [instance.canonical(made)] == [instance.canonical(one) for one in stated]
    return False


def _find_question(text: str) -> Iterator[Leftover]:
    text = text.rstrip()
    asks_for = REQUEST.match(text) and not _ASKS_HOW_IT_STANDS.search(text)
    if text.endswith("?") and not (asks_for or "please" in text or _REQUEST_END.search(text)):
        yield Leftover("question", "?", True)


def _find_unexplained(instance: Instance, masked: MaskedText) -> Iterator[Leftover]:
    spans = list(find_unexplained(instance, masked.text))
    words = {stem(masked.text[start:end]): masked.text[start:end] for start, end in spans}
    part = next(
        (span for span in spans if _PART_OF.match(masked.text, span[1]) and _OWNER.search(masked.text[: span[0]])), None
    )
    if part is not None:  # 'Ann's speech is on day 2' states nothing of Ann
        yield Leftover("name", masked.text[slice(*part)], False)
    # An unknown owner may be the owner of an opinion: 'on the caterer's list'.
    if len(words) + sum(word.endswith("'s") for word in words.values()) > MOST_UNEXPLAINED:
        yield Leftover("unexplained", " ... ".join([*words.values()][:3]), False)


def _find_classes(read: ReadWords, masked: MaskedText) -> Iterator[Leftover]:
    for kind, pattern in _CLASSES:
        for match in pattern.finditer(read.text if kind in _ANYWHERE else read.main):
            if carries(read, kind, match):
                continue
            soft = {"condition": SOFT_CONDITION, "past": _TOLD}.get(kind)
            sure = kind in _CERTAIN and not (soft and soft.fullmatch(match.group().strip()))
            yield Leftover(kind, masked.find_original(read.text, *match.span()), sure)
    yield from _find_speech(read, masked)
    for relation, vocabulary in _RELATIONS:
        known = read.own if relation is _LENGTH else read.taught  # starts are defined by lengths, too
        if (found := relation.search(read.text)) and not vocabulary.search(known):
            yield Leftover("comparison", masked.find_original(read.text, *found.span()), False)


def _find_speech(read: ReadWords, masked: MaskedText) -> Iterator[Leftover]:
    """Yield the words with which somebody other than the speaker says, thinks or asks something."""
    for match in SPEECH.finditer(read.text):
        if read.main[match.start()] != read.text[match.start()] and not _ENDS_SPEECH.match(read.text, match.end()):
            continue  # 'the cook knows of it'
        before = read.text[: match.start()].rstrip()
        if not before or _SELF.search(before) or match.group() in read.own or _NOUN.search(before):
            continue
        if _SETTLED.search(read.text[: match.end()]):
            continue
        if _ASKS_FOR_ITSELF.search(before) and _OWN_PART.match(read.text, match.start()):
            continue
        start = max(before.rfind(","), before.rfind(":")) + 1
        yield Leftover("report", masked.find_original(read.text, start, match.end()), True)
