"""Find what a sentence says beyond the constraint that was read in it.

A domain cannot say 'or', 'if', 'maybe' or 'Bob thinks'. A reader that is held to what a domain can say finds a
constraint in such a sentence all the same and loses the word that matters. So every reading is held to the words of
its sentence: what is left over when the constraint has been said makes it doubtful or, where the sentence certainly
says something else, rejects it. No model is asked.
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
"""The greatest confidence of a reading that leaves words out; it is an estimate, like that of all readings."""

ASIDES: frozenset[Kind] = frozenset({"alternative", "condition", "hedge"})
"""What holds a statement back wherever it stands."""

REMARKS: frozenset[Kind] = frozenset({"report", "question", "past", "quantity"})
"""What makes something else of the sentence in which it stands."""

_LONGEST_SENTENCE = 1000  # patterns stay quick; who says more at once is asked again
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
# The past in which a fact may be told, such as the clue of a puzzle.
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
    """A `Leftover` holds words of a sentence that a constraint does not say.

    If `certain`, the sentence surely means something else than the constraint because of them.
    """

    kind: Kind
    words: str
    certain: bool

    @property
    def holds_back(self) -> bool:
        """Return whether the words may hold back what is said beside them, too: an 'or', an opinion, a question."""
        return self.kind in ASIDES | REMARKS


def words_not_carried(instance: Instance, sentence: str, *stated: Constraint) -> tuple[Leftover, ...]:
    """Return what the sentence says that the constraints read in it (one, or several together) do not say.

    A constraint says every word of its type's sentence and wordings, 'or more' if it gives a least number, and 'not'
    if it denies something. A sentence in the domain's own wording leaves nothing over.
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
    # A reason holds nothing back, and denies nothing: 'he cannot hear a thing, so Ann sits by him'.
    reasons = tuple(find_reasons(text))
    if reasons and _are_named_outside(reasons, masked, text, instance, stated):
        text = blanked(text, reasons)
    read = ReadWords(instance, stated, without_limits(text))
    found += _find_classes(read, masked)
    # What is denied of a limit is the other limit: 'cannot start before slot 3'.
    denying = without_limits(affirm_limit(text)) if all(map(is_bounded, kinds)) else read.text
    for span, sure in find_lost_denials(instance, denying, without_remarks(denying), stated):
        words = masked.find_original(denying, *span) if span else ""
        # 'Ann need not sit by Bob' denies no seat: it only demands none.
        kind: Kind = "hedge" if span and lifts(denying[slice(*span)]) else "negation"
        found.append(Leftover(kind, words, sure))
    found += _find_unexplained(instance, masked)
    found += [Leftover("name", name, False) for name in masked.others if not is_within(name, kinds, stated)]
    return tuple(dict.fromkeys(found))


def _are_named_outside(
    reasons: Sequence[tuple[int, int]], masked: MaskedText, text: str, instance: Instance, stated: Sequence[Constraint]
) -> bool:
    """Return whether all entities of the constraints are named outside of the reasons, so that these can be left out.

    'Cy is not sure yet, so Ann takes seat 2' says nothing of Cy.
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
    """Return the readings of a sentence, made doubtful or rejected if they leave words of it out; a reason names these.

    `tail` is the next sentence, if it continues this one ('Otherwise ...'). With `kinds`, only words of these kinds
    count.
    """
    stated = [one.constraint for one in readings if one.constraint is not None and one.status != "rejected"]
    weighed = bool(readings) and all(one.weighed for one in readings)
    left = () if weighed else words_not_carried(instance, sentence, *stated)
    # Where a part of the sentence was rejected, that says already what was left out.
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
    """Return the words of a text that may hold back what was stated beside it; none of an empty text."""
    return tuple(one for one in words_not_carried(instance, beside, *stated) if one.holds_back) if beside else ()


def doubtful(reading: Reading, reason: str, why: Why | None = None) -> Reading:
    """Return a reading in doubt, and no surer than one that leaves words out."""
    sure = min(reading.confidence, DOUBTFUL_AT_MOST)
    return replace(reading, status="doubtful", confidence=sure, reason=reason, why=why)


def find_tails(sentences: Sequence[str]) -> list[str]:
    """Return for each sentence the next one where that goes on with it: 'Otherwise ...', 'Maybe.'; else ''."""
    tails = [following if TAIL.match(following.casefold()) else "" for following in sentences[1:]]
    return [*tails, ""][: len(sentences)]


def why_left(left: Sequence[Leftover]) -> Why | None:
    """Return the code of what `tell_left` says: whether it begins with a mere permission."""
    told = next((one for one in left if one.certain), left[0])
    return Why.PERMISSION if told.words in ("can", "may") else None


def tell_left(left: Sequence[Leftover]) -> str:
    """Say in words what was left over: only what is certain, where anything is."""
    chosen = [one for one in left if one.certain] or left
    parts = (
        f'"{one.words}" is {_SAID[one.kind]}' if one.words else "nothing in the sentence denies anything"
        for one in chosen[:3]
    )
    return "; ".join(dict.fromkeys(parts))


def _is_own_wording(instance: Instance, sentence: str, stated: Sequence[Constraint]) -> bool:
    """Return whether the sentence states this in the domain's own wording, behind an opening such as 'please'."""
    for _, behind in peel_lead(instance, sentence, OPENING):
        try:
            made = match_sentence(instance, behind)
        except ConstraintError:
            continue
        if made is not None:
            return [instance.canonical(made)] == [instance.canonical(one) for one in stated]
    return False


def _find_question(text: str) -> Iterator[Leftover]:
    """The question that a sentence is, if it is no request in the form of one."""
    text = text.rstrip()
    asks_for = REQUEST.match(text) and not _ASKS_HOW_IT_STANDS.search(text)
    if text.endswith("?") and not (asks_for or "please" in text or _REQUEST_END.search(text)):
        yield Leftover("question", "?", True)


def _find_unexplained(instance: Instance, masked: MaskedText) -> Iterator[Leftover]:
    """The words that nothing explains, if they are several."""
    spans = list(find_unexplained(instance, masked.text))
    words = {stem(masked.text[start:end]): masked.text[start:end] for start, end in spans}
    part = next(
        (span for span in spans if _PART_OF.match(masked.text, span[1]) and _OWNER.search(masked.text[: span[0]])), None
    )
    if part is not None:  # 'Ann's speech is on day 2' says nothing of Ann
        yield Leftover("name", masked.text[slice(*part)], False)
    # An owner whom nobody knows may well be the owner of an opinion: 'on the caterer's list'.
    if len(words) + sum(word.endswith("'s") for word in words.values()) > MOST_UNEXPLAINED:
        yield Leftover("unexplained", " ... ".join([*words.values()][:3]), False)


def _find_classes(read: ReadWords, masked: MaskedText) -> Iterator[Leftover]:
    """Words of the closed classes that no type carries."""
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
    """Find the words by which somebody else than the speaker says, thinks or asks something."""
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
