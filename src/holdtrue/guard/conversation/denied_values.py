"""Find what a call has though the user spoke against it: a name that they denied, a value outside of a limit they set.

A reader has to tell of which argument words are; here the call tells it, so that a denial is heard though no reader
took it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.policy_parts import Severity, Tool
from holdtrue.language.slots.number_sense import can_count
from holdtrue.language.slots.slot_world import Slot
from holdtrue.logic.value_sorts import DATE, WEEKDAYS, Calendar
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Name, Number, without_null
from holdtrue.rules.values import NotSeen, to_json


def denied_on(state: ConversationState, tool: Tool, call: Mapping[str, Any]) -> Iterator[CallCommitment]:
    """Yield commitments that a call breaks by a value which the user spoke against, where no reader has told so."""
    if not state.words.spoken_against():
        return
    beside = [own for own in state.world.slots.values() if tool.name in own.tools]
    for slot in beside:
        value = call.get(slot.name)
        if value is None or isinstance(value, NotSeen):
            continue
        match without_null(slot.type):
            case Name():
                yield from _denied(state, slot, value)
            case Calendar() | Number() as type:
                yield from _on_denied_day(state, slot, value, beside)
                yield from _outside(state, slot, type, value, beside)


def _denied(state: ConversationState, slot: Slot, value: str) -> Iterator[CallCommitment]:
    """Yield that the user denied a name, unless they asked for it after that."""
    heard = _heard(state, slot, "not")
    for place, turn, said in reversed(state.words.spoken_against()):
        quote = said.denial_of(value)
        if quote is None:
            continue
        if quote and heard < turn and not state.words.is_wanted_behind(place, value, slot.type):
            say = f"The user said that {slot.name.replace('_', ' ')} is not {value}, in turn {turn}: {quote!r}."
            yield CallCommitment(_id(turn, slot), slot.tools, say, "user", turn, quote, slot.name, "not", value)
        return


def _on_denied_day(state: ConversationState, slot: Slot, value: Any, beside: list[Slot]) -> Iterator[CallCommitment]:
    """Yield the days of the week that the user denied, whichever week they are in."""
    if without_null(slot.type) != DATE:
        return
    is_alone = sum(without_null(own.type) == DATE for own in beside) == 1
    for place, turn, said in state.words.spoken_against():
        for day, quote in said.denied_days():
            falls_on = WEEKDAYS[int(value) % 7] == day
            if _heard(state, slot, "not") >= turn or (falls_on and _is_wanted(state, place, slot, value)):
                continue
            say = f"The user said in turn {turn}: {quote!r}."
            severity: Severity = "block" if is_alone else "ask"
            id = f"{_id(turn, slot)}-{day.casefold()}"
            yield CallCommitment(id, slot.tools, say, "user", turn, quote, slot.name, "not", day, severity=severity)


def _outside(
    state: ConversationState, slot: Slot, type: Calendar | Number, value: Any, beside: list[Slot]
) -> Iterator[CallCommitment]:
    """Yield the limits that no reader took up, and the values that were denied, if they can be about an argument."""
    alike = [own for own in beside if without_null(own.type) == type or isinstance(type, Number)]
    for place, turn, said in state.words.spoken_against():
        for number, limit in enumerate(said.limits(type)):
            fits = [own for own in alike if isinstance(type, Calendar) or can_count(own, said.text, limit.span, beside)]
            if slot not in fits or _heard(state, slot, *_SIDES[limit.relation]) >= turn:
                continue
            if not limit.allows(value) and _is_wanted(state, place, slot, value):
                continue
            say = f"The user said in turn {turn}: {limit.quote!r}, which may be about {slot.name.replace('_', ' ')}."
            # Where something else was said of the argument before, the words may be about another thing.
            severity: Severity = "block" if fits == [slot] and not _heard(state, slot, "is") else "ask"
            shown, id = to_json(limit.value, type), f"{_id(turn, slot)}-{number}"
            quote, relation = limit.quote, limit.relation
            yield CallCommitment(
                id, slot.tools, say, "user", turn, quote, slot.name, relation, shown, severity=severity
            )


_SIDES: Mapping[SlotRelation, tuple[SlotRelation, ...]] = {
    "at_most": ("at_most", "less_than"),
    "less_than": ("at_most", "less_than"),
    "at_least": ("at_least", "more_than"),
    "more_than": ("at_least", "more_than"),
    "not": ("not",),
}
"""Limits on one side: a reader that took up one end of a span of time says nothing of the other."""


def _heard(state: ConversationState, slot: Slot, *relations: SlotRelation) -> int:
    """Return the last turn in which a reader took up such words of a slot, or a value, or that any will do.

    Who frees a slot and sets a limit in one message means the limit.
    """
    ledger = state.ledger
    return max(ledger.latest_turn(slot.id, *relations, "is"), ledger.latest_turn(slot.id, None) - 1)


def _is_wanted(state: ConversationState, place: int, slot: Slot, value: Any) -> bool:
    return state.words.is_wanted_behind(place, value, slot.type)


def _id(turn: int, slot: Slot) -> str:
    return f"W{turn:03d}-{slot.name}"
