"""Commit a conversation to what was not read from words: values of arguments, and rules, as events have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.conversation.given_values import argument_value, tool_names
from holdtrue.guard.conversation.happenings import Speaker
from holdtrue.guard.conversation.kept_events import Telling
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.language.requests.operation import Act
from holdtrue.ledger.requests import RequestWord
from holdtrue.record import ALL_REQUESTS, SlotRelation

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def value_telling(
    acts: Mapping[str, Act], argument: str, relation: SlotRelation, value: Any, source: Speaker, quote: str
) -> Telling:
    """Return what makes the event of an argument that has a value. Raises `InputError` for one that it cannot have."""
    given = argument_value(acts, argument, relation, value)
    act, _, name = argument.rpartition(".")
    of = {"request": ALL_REQUESTS, "act": act, "argument": name}
    entry = {**of, "relation": relation, "value": given, "quote": quote, "source": source}
    return lambda _: ("committed", {"entry": entry})


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


def amended(acts: Mapping[str, Act], entry: RequestWord, value: Any) -> dict[str, Any]:
    """Return an entry with another value, as an event has it. Raises `InputError` for one that it cannot have."""
    given = argument_value(acts, f"{entry.act}.{entry.argument}", entry.relation, value)
    own = {name: getattr(entry, name) for name in ("request", "act", "argument", "relation", "quote")}
    return {"entry": {**own, "value": given, "source": entry.source.value}, "replaces": entry.id}


def active_entry(state: ConversationState, id: str) -> RequestWord:
    """Return what holds and has an id. Raises `InputError` where nothing has it."""
    if id not in state.ledger.active:
        holds = ", ".join((*state.ledger.active, *state.expressions))
        raise InputError(f"nothing that holds has the id {id!r}; there is {holds or 'none'}")
    return state.ledger.active[id]
