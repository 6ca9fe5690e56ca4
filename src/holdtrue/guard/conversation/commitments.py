"""Commit a conversation to what was not read from words: values of slots, and rules, as events have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.conversation.given_values import slot_value, tool_names
from holdtrue.guard.conversation.happenings import Speaker
from holdtrue.guard.conversation.kept_events import Telling
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.ledger.slot_ledger import SlotEntry
from holdtrue.record import SlotRelation

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def value_telling(
    world: SlotWorld, slot: str, relation: SlotRelation, value: Any, source: Speaker, quote: str
) -> Telling:
    """Return what makes the event of a slot that has a value. Raises `InputError` for one that it cannot have."""
    given = slot_value(world, slot, relation, value)
    entry = {"act": "states", "slot": slot, "relation": relation, "value": given, "quote": quote}
    body = {"entry": {**entry, "source": source, "confidence": 1.0}}
    return lambda _: ("committed", body)


def rule_telling(policy: Policy, rule: str, on: Sequence[str], say: str, source: Speaker, quote: str) -> Telling:
    """Return what makes the event of a rule on tools. Raises `InputError` for one that cannot be on them."""
    tools = tool_names(on)
    for tool in tools:
        check_expression(policy, rule, tool)
    own = CallCommitment("", tools, say or f"It was agreed that {rule}.", source, 0, quote, rule=rule)
    return lambda state: ("committed", _rule_body(state, own))


def _rule_body(state: ConversationState, own: CallCommitment) -> dict[str, Any]:
    id = f"R{1 + sum(each.startswith('R') for each in state.expressions) + state.seq:03d}"
    fields = {name: getattr(own, name) for name in own.__dataclass_fields__}
    return {"rule": True, "commitment": {**fields, "id": id, "turn": state.turn, "on": list(own.on)}}


def committed_id(state: ConversationState, body: Mapping[str, Any]) -> str:
    """Return the id of what was just committed; what is said again has the id that it has already."""
    if "commitment" in body:
        id: str = body["commitment"]["id"]
        return id
    return state.ledger.events[-1].entry.id


def amended(world: SlotWorld, entry: SlotEntry, value: Any) -> dict[str, Any]:
    """Return an entry with another value, as an event has it. Raises `InputError` for one that it cannot have."""
    given = slot_value(world, entry.slot, entry.relation, value)
    own = {"act": "states", "slot": entry.slot, "relation": entry.relation, "value": given}
    return {"entry": {**own, "source": entry.source.value}, "replaces": entry.id}


def active_entry(state: ConversationState, id: str) -> SlotEntry:
    """Return what holds and has an id. Raises `InputError` where nothing has it."""
    if id not in state.ledger.active:
        holds = ", ".join((*state.ledger.active, *state.expressions))
        raise InputError(f"nothing that holds has the id {id!r}; there is {holds or 'none'}")
    return state.ledger.active[id]
