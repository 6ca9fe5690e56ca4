"""Find where one message says two things of one slot: one corrects the other, or they clash and nobody knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.language.slots.candidates import Candidate, Scored
from holdtrue.language.slots.number_sense import counted
from holdtrue.language.slots.slot_words import is_open
from holdtrue.language.slots.spans import Span
from holdtrue.language.slots.talk import sentence_at
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, without_null

CLASH = "the same message also says"
"""The beginning of the reason of a reading beside which its message says something else of the same slot."""
_CORRECTING = re.compile(
    r"\b(?:no(?=[,.!?;\u2013-]| wait\b| sorry\b| make\b|$)|nope|wait|actually|instead|rather|sorry|mean|meant|"
    r"make (?:it|that)|change|better|scratch|correction|or|oops|"
    r"nein|doch|lieber|mejor|perd[o\u00f3]n)\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"[,.;!?\u2013\u2014-] *(?:(?:oh|um|uh|er|hm+|ah|ok|wait|no|nope|sorry|actually|rather|oops|argh|i mean|i meant|"
    r"make (?:it|that)|scratch that|correction)[,.!]? *)+(?:(?:make (?:it|that)|it'?s|for|at|on|in|the|a) )*$",
    re.IGNORECASE,
)
"""What stands between a value and the one that takes its place: '2 hours, no, sorry, 3 hours'."""
_NEAR = 60
_NAMES = 0.8
"""Names are said of many things, so that what else may be one of a slot has to be surer."""
CLASHING = 0.5
"""A reading is at most so sure, if the same message says something else of its slot, and takes neither back."""
_RIVAL, _ALONE = 0.4, 0.1
"""What is at least so probable is a rival; a day, an hour, or a count of the same things sooner, for nothing else in
a message can be meant by them."""


def with_corrections(chosen: Sequence[Scored], scored: Sequence[Scored], message: str) -> list[Scored]:
    """Return what was chosen, with the value that a message puts in the place of one that it just said."""
    found = []
    for probability, own in chosen:
        later = next((each for _, each in scored if _corrects(each, own, message)), None)
        found.append((probability, own if later is None else later))
    return found


def _corrects(other: Candidate, own: Candidate, message: str) -> bool:
    if other.slot is not own.slot or not _is_said(other) or not _is_said(own) or other.value == own.value:
        return False
    if other.span is None or own.span is None or other.span.start < own.span.end:
        return False
    between = message[own.span.end : other.span.start]
    return len(between) < _NEAR and _CORRECTED.search(between.rstrip() + " ") is not None


def _is_said(own: Candidate) -> bool:
    return own.act == "set" and own.said == "user" and own.span is not None


def rival_of(own: Candidate, scored: Sequence[Scored], message: str) -> Candidate | None:
    """Return what else a message says of the same slot, where neither takes the other back."""
    if not _is_said(own) or own.span is None:
        return None
    for probability, other in scored:
        beside = other.slot is own.slot and _is_said(other) and other.value != own.value
        if not beside or other.span is None or other.span.overlaps(own.span):
            continue
        around = (sentence_at(message, each.start, each.end) for each in (own.span, other.span))
        if _CORRECTING.search(" ".join(around)):
            continue
        least = _least(own, own.span, other.span, scored, message)
        if probability < least:
            continue
        first, second = sorted((own.span, other.span), key=lambda span: span.start)
        is_one_name = is_open(own.slot) and message[first.end : second.start].strip(" ") == ","
        if not is_one_name and (least == _ALONE or not _is_rather_another(other, probability, scored)):
            return other
    return None


def _least(own: Candidate, span: Span, other: Span, scored: Sequence[Scored], message: str) -> float:
    """Return how probable another value has to be to be a rival."""
    if is_open(own.slot):
        return _NAMES
    type = without_null(own.slot.type)
    if isinstance(type, Calendar) and span.kind == other.kind == type.kind:
        like = {each.slot.id for _, each in scored if without_null(each.slot.type) == type}
        return _ALONE if len(like) == 1 else _RIVAL
    if isinstance(type, Number) and counted(message, span) and counted(message, span) == counted(message, other):
        return _ALONE
    return _RIVAL


def _is_rather_another(own: Candidate, probability: float, scored: Sequence[Scored]) -> bool:
    """Return whether a span is rather a value of another slot: of two dates one can be the first day of a stay."""
    return any(
        more >= probability
        and other.slot is not own.slot
        and other.act == "set"
        and other.span is not None
        and own.span is not None
        and other.span.overlaps(own.span)
        for more, other in scored
    )
