"""Weigh what a conversation knows beside the words of a message: what tools showed, and which doubts it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from holdtrue.language.slots.candidates import Candidate, Scored
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import is_open, stems
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.spans import spans_in
from holdtrue.language.slots.talk import is_in_question
from holdtrue.language.slots.value_grounding import plain
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Name, without_null

_SHOWN = 20.0
"""The odds of a value for the slot under whose name a tool showed it grow so much, and those for others shrink."""
_ANSWER = 0.97
"""The probability of a value that answers which of two values was meant."""
_WHICH = re.compile(r"\b(?:or|which|what|how)\b[^.!]*\?", re.IGNORECASE)
"""A question of which of two values was meant."""
_LAST = 600
"""A question stands among so many last characters of a message."""
_FACT_WORDS = re.compile(r"\s*(?:(?:and|but|so|oh|by the way|btw),? )?(?:who|why|whose)\b", re.IGNORECASE)


def weigh(world: SlotWorld, scored: Sequence[Scored], context: SlotContext) -> list[Scored]:
    """Return candidates with their probabilities, those of values that tools showed or that answer a doubt changed."""
    names = {slot.id: frozenset(stems(slot.name)) for slot in world.slots.values()}
    weighed = [(_shown(own, probability, names, context), own) for probability, own in scored]
    answers = [own for _, own in weighed if _is_answer(own, context)]
    if not answers:
        return weighed
    # Who corrects it names what it is to be first, and then perhaps what it was taken for.
    first = {slot: min(_start(own) for own in answers if own.slot.id == slot) for slot in {a.slot.id for a in answers}}
    return [
        (max(probability, _ANSWER) if own in answers and _start(own) == first[own.slot.id] else probability, own)
        for probability, own in weighed
        if own in answers or not any(_overlap(own, each) for each in answers)
    ]


def _start(own: Candidate) -> int:
    return own.span.start if own.span is not None else 0


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.span is not None and other.span is not None and one.said == other.said and one.span.overlaps(other.span)


def _shown(own: Candidate, probability: float, names: Mapping[str, frozenset[str]], context: SlotContext) -> float:
    if own.act != "set" or not isinstance(without_null(own.slot.type), Name | Calendar):
        return probability
    under = context.shown.get(plain(str(own.value)), frozenset())
    if names[own.slot.id] in under:
        return with_odds(probability, _SHOWN)
    is_of_another = any(name in under for name in names.values())
    return with_odds(probability, 1 / _SHOWN) if is_of_another and is_open(own.slot) else probability


def with_odds(probability: float, factor: float) -> float:
    """Return a probability whose odds grow by a factor."""
    odds = factor * probability / max(1e-9, 1 - probability)
    return odds / (1 + odds)


def _is_answer(own: Candidate, context: SlotContext) -> bool:
    """Return whether a value answers which of two was meant, as the assistant asked: '12 or 18?' '18!'"""
    if own.act != "set" or own.said != "user" or own.slot.id not in context.doubted or own.span is None:
        return False
    if is_open(own.slot) and own.span.kind == "words":
        return False
    said = context.assistant or ""
    asked = f" {plain(said)} " if _WHICH.search(said[-_LAST:]) is not None else ""
    # Both what was taken down and what the user says now stand in the question.
    meant = _meant(said, context) if asked else frozenset()
    now, before = str(own.value), str(context.held.get(own.slot.id, ""))
    is_named = _is_in(asked, now) or _is_in(asked, own.span.text) or _without_year(now) in meant
    return is_named and (_is_in(asked, before) or _without_year(before) in meant)


def _meant(text: str, context: SlotContext) -> frozenset[str]:
    """Return the days, without their years, times and numbers that a text names: '19 June' means 06-19."""
    spans = spans_in(text, context.now, context.locale)
    named = (span for span in spans if span.kind in ("date", "time", "number"))
    return frozenset(_without_year(value) for span in named for value in span.values)


def _without_year(value: str) -> str:
    return value[5:] if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else value


def _is_in(text: str, value: str) -> bool:
    """Return whether a plain text has a value; of a time on the hour the hour is enough."""
    forms = [plain(value), *([value.removesuffix(":00").lstrip("0")] if value.endswith(":00") else [])]
    return any(own and f" {own} " in text for own in forms)


def only_wonders(text: str, end: int) -> bool:
    """Return whether what ends at a place stands in a question of who, or why, which settles nothing."""
    start = max(text.rfind(mark, 0, end) for mark in ".?!") + 1
    return is_in_question(text, end) and _FACT_WORDS.match(text[start:]) is not None
