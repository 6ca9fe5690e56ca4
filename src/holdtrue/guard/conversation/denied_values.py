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
    """Yield that the user denied a name, if that is the last that was said of it."""
    heard = state.ledger.latest_turn(slot.id)
    for place, turn, said in reversed(state.words.spoken_against()):
        quote = said.denial_of(value)
        if quote is None:
            continue
        is_last = bool(quote) and heard <= turn
        if is_last and not state.words.is_said_behind(place, slot.name, value, slot.type):
            say = f"The user said that {slot.name.replace('_', ' ')} is not {value}, in turn {turn}: {quote!r}."
            yield CallCommitment(_id(turn, slot), slot.tools, say, "user", turn, quote, slot.name, "not", value)
        return


def _on_denied_day(state: ConversationState, slot: Slot, value: Any, beside: list[Slot]) -> Iterator[CallCommitment]:
    """Yield that the user denied a day of the week, whichever week it is in."""
    if without_null(slot.type) != DATE:
        return
    is_alone = sum(without_null(own.type) == DATE for own in beside) == 1
    for _, turn, said in state.words.spoken_against():
        for day, quote in said.denied_days():
            if WEEKDAYS[int(value) % 7] == day and state.ledger.latest_turn(slot.id) < turn:
                say = f"The user said in turn {turn}: {quote!r}."
                severity: Severity = "block" if is_alone else "ask"
                yield CallCommitment(
                    _id(turn, slot), slot.tools, say, "user", turn, quote, slot.name, "not", day, severity=severity
                )


def _outside(
    state: ConversationState, slot: Slot, type: Calendar | Number, value: Any, beside: list[Slot]
) -> Iterator[CallCommitment]:
    """Yield a limit that no reader took up and that a value is outside of, if only this argument can be meant."""
    alike = [own for own in beside if without_null(own.type) == type or isinstance(type, Number)]
    heard = state.ledger.latest_turn(slot.id)
    for _, turn, said in state.words.spoken_against():
        for limit in said.limits(type):
            fits = [own for own in alike if isinstance(type, Calendar) or can_count(own, said.text, limit.span, beside)]
            if heard >= turn or slot not in fits or limit.allows(value):
                continue
            say = f"The user said in turn {turn}: {limit.quote!r}, which may be about {slot.name.replace('_', ' ')}."
            severity: Severity = "block" if fits == [slot] else "ask"
            shown = to_json(limit.value, type)
            quote, relation = limit.quote, limit.relation
            yield CallCommitment(
                _id(turn, slot), slot.tools, say, "user", turn, quote, slot.name, relation, shown, severity=severity
            )


def _id(turn: int, slot: Slot) -> str:
    return f"W{turn:03d}-{slot.name}"
