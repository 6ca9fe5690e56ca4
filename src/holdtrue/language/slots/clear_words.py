"""Weigh what words leave no choice of: numbers of people, what corrects, and what only one slot can be meant by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.language.slots.candidates import Candidate, Scored
from holdtrue.language.slots.evidence import with_odds
from holdtrue.language.slots.limit_words import relation_of
from holdtrue.language.slots.number_sense import PEOPLE, counted, counts_people
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import is_open
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.spans import spans_in
from holdtrue.language.slots.talk import is_in_question
from holdtrue.language.slots.value_grounding import plain
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Name, Number, without_null

_COUNTED = 20.0
"""The odds of a number for a slot that counts people grow so much where people are counted; those for others shrink."""


def with_clear_words(world: SlotWorld, message: str, scored: Sequence[Scored], context: SlotContext) -> list[Scored]:
    """Return candidates of a message, with their probabilities changed where its words leave no choice."""
    found = [(_of_people(own, probability, world, message), own) for probability, own in scored]
    found = [(min(probability, _most(own, world, context)), own) for probability, own in found]
    found = [
        (max(probability, _ANSWER) if _is_whole_answer(own, world, message, context) else probability, own)
        for probability, own in found
    ]
    return _corrected(found, message, context)


_ANSWER = 0.85
"""The probability of a day or a time, the only one that the app has, with which a question is answered."""
_SMALL = frozenset(
    "please thanks thank you yes sure ok okay it the in at for on just be would like that will make with and um bitte "
    "danke ja am im um ich und es passt por favor gracias si el la las los a al en y quiero".split()
)


def _is_whole_answer(own: Candidate, world: SlotWorld, message: str, context: SlotContext) -> bool:
    """Return whether a question is answered with nothing but days and times: 'tomorrow at 10, please'."""
    type = without_null(own.slot.type)
    if own.said != "user" or own.act != "set" or own.span is None or not isinstance(type, Calendar):
        return False
    is_asked = own.span.kind == type.kind and "?" in (context.assistant or "")
    if not is_asked or not _is_only(type, world):
        return False
    rest = message
    for span in spans_in(message, context.now, context.locale):
        if span.kind in ("date", "time"):
            rest = rest.replace(span.text, " ")
    is_alone = relation_of(message, own.span, type) == "is" and "?" not in message
    return is_alone and set(plain(rest).split()) <= _SMALL


_SAID_AGAIN = 0.75
"""A choice is at most so sure, which is not surely, where it may say again what holds for another slot."""


def _most(own: Candidate, world: SlotWorld, context: SlotContext) -> float:
    """Return how sure a candidate can be: 'from my checking account' may name the account that is settled."""
    is_choice = own.said == "user" and own.act == "set" and own.slot.choices is not None
    if not is_choice or own.slot.id in context.held:
        return 1.0
    like = (each for each in world.slots.values() if each.group == own.slot.group and each is not own.slot)
    holds = any(context.held.get(each.id) == own.value and each.choices == own.slot.choices for each in like)
    return _SAID_AGAIN if holds else 1.0


_OF_US = re.compile(r"\s+of (?:us|you|them)\b", re.IGNORECASE)
_WE_ARE = re.compile(
    r"\b(?:we(?:['\u2019]re| are|['\u2019]ll be| will be)|party of|group of)"
    r"(?: (?:now|only|just|all|about|probably))* $",
    re.IGNORECASE,
)


def _of_people(own: Candidate, probability: float, world: SlotWorld, message: str) -> float:
    """Return how probable a number is that counts people: 'just 2 of us', 'we're seven now'."""
    if own.said != "user" or own.span is None or not isinstance(without_null(own.slot.type), Number):
        return probability
    is_of_us = _OF_US.match(message[own.span.end :]) or _WE_ARE.search(message[: own.span.start])
    if own.value == 1 or not (is_of_us or counted(message, own.span) in PEOPLE):
        return probability  # 'One of us works late' counts nobody.
    like = [each for each in world.slots.values() if each.group == own.slot.group and counts_people(each)]
    if not like:
        return probability
    return with_odds(probability, _COUNTED if own.slot in like else 1 / _COUNTED)


def _is_only(type: Calendar, world: SlotWorld) -> bool:
    """Return whether an app has one day, or one time, alone."""
    return sum(without_null(each.type) == type for each in world.slots.values()) == 1


_MAKE_IT = re.compile(
    r"\b(?:make|change) (?:it|that)(?: to)?(?: (?:the|a|an|for|on|at|full|whole|total|even|of))* ?\W?$", re.IGNORECASE
)
_CORRECTION = 0.85
"""The probability of a value that takes the place of the only one that it can replace: 'make it the full 18.99'."""


def _corrected(scored: Sequence[Scored], message: str, context: SlotContext) -> list[Scored]:
    """Return candidates, with those surer that 'make it ...' puts in the place of the only value it can mean."""
    found = []
    for probability, own in scored:
        if _corrects(own, message, context):
            others = [each for each in scored if each[1].span == own.span and each[1].slot is not own.slot]
            if not any(_corrects(each, message, context) or more > probability for more, each in others):
                probability = max(probability, _CORRECTION)
        found.append((probability, own))
    return found


def _corrects(own: Candidate, message: str, context: SlotContext) -> bool:
    type = without_null(own.slot.type)
    is_said = own.act == "set" and own.said == "user" and own.span is not None and not is_open(own.slot)
    if own.span is not None and isinstance(type, Calendar) and own.span.kind != type.kind:
        return False
    is_change = is_said and own.slot.id in context.held and str(context.held[own.slot.id]) != str(own.value)
    return is_change and own.span is not None and _MAKE_IT.search(message[: own.span.start]) is not None


def surely_said(world: SlotWorld, chosen: Sequence[Scored], message: str) -> list[Scored]:
    """Return what was chosen, twice as sure where only one slot can be meant by what a user says.

    Weights are fitted on dialogues with many services, where a day or a name can be of any of them: in an app that has
    just one day, or just one service, they make too little of it.
    """
    return [(1 - (1 - sure) / 2 if _is_unmistakable(world, own, message) else sure, own) for sure, own in chosen]


_LISTED_BEFORE = re.compile(
    r"(?:\d(?:st|nd|rd|th)?|day|[ap]m) ?(?:,|and|or|&|-|to|until) ?(?:on |at |the )*$", re.IGNORECASE
)
_LISTED_AFTER = re.compile(r" ?(?:,|and|or|&|-) ?(?:on |at |the )*(?:\d|\w+day\b)", re.IGNORECASE)


def _is_unmistakable(world: SlotWorld, own: Candidate, message: str) -> bool:
    if own.act != "set" or own.said != "user" or own.span is None or is_in_question(message, own.span.end):
        return False
    if _LISTED_BEFORE.search(message[: own.span.start]) or _LISTED_AFTER.match(message[own.span.end :]):
        return False  # 'On 6 and 7 March' means both.
    type = without_null(own.slot.type)
    if isinstance(type, Calendar):
        return _is_only(type, world)
    if not isinstance(type, Name) or len({each.group for each in world.slots.values()}) > 1:
        return False
    # 'Checking' can be of both accounts of a transfer.
    return not any(own.value in (each.choices or ()) for each in world.slots.values() if each is not own.slot)
