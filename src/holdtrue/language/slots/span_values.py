"""Tell what a span means as a value of a slot, by the talk around it: the day that was offered, the hour by day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from holdtrue.language.reading import Said
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slots.number_sense import counted
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import is_past
from holdtrue.language.slots.slot_world import Slot
from holdtrue.language.slots.spans import Span, spans_in
from holdtrue.logic.value_sorts import TIME, WEEKDAYS, Calendar
from holdtrue.rules.types import Number

MOST_EARLIER = 2
"""So many messages of the assistant before the last one can hold an offer that is accepted later."""
_DAY, _NOON = ("07:00", "21:59"), "12:00"
_HALF_A_YEAR = timedelta(180)


def values_of(
    slot: Slot, span: Span, text: str, type: Calendar | Number, said: Said, context: SlotContext
) -> tuple[Sequence[str], int]:
    """Return what a span of a text probably means as a value of a type, and how many other meanings it has."""
    values = _values(slot, span, text, type, said, context)
    shown = _by_day(values, slot, context) if type == TIME else [own for own in values if "/" not in own]
    return shown, len(values) - 1


def _values(
    slot: Slot, span: Span, text: str, type: Calendar | Number, said: Said, context: SlotContext
) -> Sequence[str]:
    """Return what a span means as a value of a type; a day of the week is the one that was offered, if one was."""
    if isinstance(type, Number) or span.kind != type.kind:
        return read_slot_value(span.text, type, context.now, context.locale).shown
    offered = None
    if type.kind == "date" and said == "user":
        offered = _day_of_held_week(slot, span, text, context) or _offered_day(span, context)
    values = span.values if offered is None else (offered,)
    return tuple(_last_time(own, context) for own in values) if type.kind == "date" and is_past(slot) else values


_THAT_WEEK = re.compile(r",? (?:of|in) (?:that|the same) week\b|,? (?:the )?same week\b", re.IGNORECASE)


def _day_of_held_week(slot: Slot, span: Span, text: str, context: SlotContext) -> str | None:
    """Return 'the Thursday of that week': the day in the week of the date that the slot has."""
    match, held = _VAGUE_DAY.fullmatch(span.text), str(context.held.get(slot.id, ""))
    is_of_it = match is not None and match["day"] is None and _THAT_WEEK.match(text[span.end :]) is not None
    if not is_of_it or not span.values or re.fullmatch(r"\d{4}-\d\d-\d\d", held) is None:
        return None
    day = date.fromisoformat(held)
    return (day + timedelta(date.fromisoformat(span.values[0]).weekday() - day.weekday())).isoformat()


def _last_time(day: str, context: SlotContext) -> str:
    """Return a day of the past: who says in March what happened on the 16th means the last one."""
    own = date.fromisoformat(day)
    if own <= context.now.date() or (own.month, own.day) == (2, 29):
        return day
    return own.replace(year=own.year - 1).isoformat() if own - context.now.date() > _HALF_A_YEAR else day


def _by_day(times: Sequence[str], slot: Slot, context: SlotContext) -> Sequence[str]:
    """Return the times of twelve hours that are by day, if any is: who means eleven at night says so.

    Who changes a time means the same half of the day.
    """
    held = str(context.held.get(slot.id, ""))
    same = [own for own in times if held and (own < _NOON) is (held < _NOON)]
    if len(times) > 1 and len(same) == 1:
        return same
    return [own for own in times if _DAY[0] <= own <= _DAY[1]] or times


_VAGUE_DAY = re.compile(
    rf"(?:(?:on|the|this|that|a|for|by|until|before|after) )*"
    rf"(?:{'|'.join(WEEKDAYS)}|(?P<day>\d{{1,2}})(?:st|nd|rd|th))",
    re.IGNORECASE,
)


def _offered_day(span: Span, context: SlotContext) -> str | None:
    """Return the date that a day of the week, or of the month, takes up: the one such date that was offered last."""
    match = _VAGUE_DAY.fullmatch(span.text)
    if match is None or not span.values:
        return None
    said = date.fromisoformat(span.values[0])
    for text in (context.assistant, *context.earlier[:MOST_EARLIER]):
        spans = spans_in(text or "", context.now, context.locale)
        days = {own.values[0] for own in spans if own.kind == "date" and len(own.values) == 1}
        like = [own for own in days if _is_like(date.fromisoformat(own), said, match["day"])]
        if like:
            return like[0] if len(like) == 1 else None
    return None


def _is_like(offered: date, said: date, day: str | None) -> bool:
    return offered.day == int(day) if day is not None else offered.weekday() == said.weekday()


_OTHER = re.compile(r"\b(?:other|remaining|last|first|next|previous|every) $", re.IGNORECASE)
_NAME_BEFORE = re.compile(r"(?<![.!?] )(?<!^)\b(?:[A-Z][a-z]+|[a-z]+[A-Z]\w*) $")
_STREET = re.compile(
    r" (?:[A-Z][\w'.-]+ ){0,2}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Court|Row|Drive|Dr|Way|Place|Pl|Square|Sq|Close|"
    r"Terrace|Crescent|Hill|Gardens?|Park|Boulevard|Blvd|Quay|Walk|Mews|Grove|Green|Yard|Parade|Alley)\b"
)
_NAMED_BY, _NAME_BEHIND = re.compile(r"\bthe \d{1,3}$"), re.compile(r" [A-Z][a-z]+ [A-Z][a-z]")
_CALLED = frozenset("at on for in by from to the under over about around platform room table gate of and or".split())


_COUNTS_ONE = re.compile(
    r"(?:^|[^\w ] *|\b(?:just the|only the|just|only|for|need|want|take|like|have|is|it's|to|or|and|about|order|book|"
    r"plus|of|at|on|in|make it|yes|no|please|be|are|get|room|floor|number|zone|size|gate|table|court|than|least|"
    r"most) )$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:that|this|another|which|each|every) $", re.IGNORECASE)
_NO_COUNT = re.compile(
    r" (?:of (?:those|these|them|the|you)|(?:on|in|that|with|where|who|which|is|was)\b)", re.IGNORECASE
)


def _is_pronoun(text: str, span: Span) -> bool:
    """Return whether 'one' stands for a thing, and counts none: 'the one on the terrace', 'a monthly one'."""
    before = text[: span.start]
    if span.text.strip().casefold() != "one" or (counted(text, span) and not _POINTS.search(before)):
        return False
    return _COUNTS_ONE.search(before) is None or _NO_COUNT.match(text[span.end :]) is not None


def is_of_something(text: str, span: Span, said: Said, context: SlotContext) -> bool:
    """Return whether a number is a part of a name, or is the hour of the one time that the assistant has offered."""
    if _is_pronoun(text, span):
        return True
    return _is_of_a_name(text, span) or (said == "user" and offered_hour(text, span, context) is not None)


def offered_hour(text: str, span: Span, context: SlotContext) -> str | None:
    """Return the time that a bare number takes up: '8 is fine' after '8 pm would be possible'."""
    number = re.fullmatch(r"\d{1,2}", span.text)
    if number is None or context.assistant is None or counted(text, span):
        return None
    offered = [own for own in spans_in(context.assistant, context.now, context.locale) if own.kind == "time"]
    found = [value for own in offered for value in own.values if int(value[:2]) % 12 == int(number[0]) % 12]
    return found[0] if len(found) == 1 and found[0].endswith(":00") else None


def _is_of_a_name(text: str, span: Span) -> bool:
    """Return whether a number is a part of a name, as in 'my Pixel 8' and '12 Mill Lane'."""
    if _OTHER.search(text[: span.start]) is not None:
        return True  # 'The other two' counts what is left.
    if re.search(r"\b\d+$", span.text) is not None and _STREET.match(text[span.end :]) is not None:
        return True
    if _NAMED_BY.search(text[: span.end]) is not None and _NAME_BEHIND.match(text[span.end :]) is not None:
        return True  # 'The 1 Hotel Brooklyn Bridge' is no first of the month.
    before = _NAME_BEFORE.search(text[: span.start])
    return before is not None and span.text.isdigit() and before[0].strip().casefold() not in _CALLED
