"""Find what supports a call in a conversation: a yes to just its arguments, or words and results for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from holdtrue.guard.conversation.happenings import same_call
from holdtrue.guard.conversation.mentions import is_chosen, leaves
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.policy_parts import ConsentWay, Tool
from holdtrue.ledger.requests import Request
from holdtrue.record import ALL_REQUESTS
from holdtrue.rules.types import Type
from holdtrue.rules.values import show, to_json


def yes_to(state: ConversationState, tool: str, arguments: Any) -> ConsentWay | Literal[""]:
    """Return the surest way in which a yes of the user to just this call is known, "" where there is none."""
    ways = {state.answered[id].way for id in answers_for(state, tool, arguments, "confirm")}
    return next((own for own in reversed(get_args(ConsentWay)) if own in ways), "")


def answers_for(state: ConversationState, tool: str, arguments: Any, kind: str) -> tuple[str, ...]:
    """Return the decisions of a kind on just this call that a person answered with yes, and that still count."""
    return tuple(
        id
        for id, yes in state.answered.items()
        if id not in state.spent
        and (own := state.decisions.get(id)) is not None
        and own.kind == kind
        and same_call(own, tool, arguments)
        and state.last_change(tool) <= yes.seq
    )


def is_unasked(state: ConversationState, tool: Tool, request: Request | None) -> bool:
    """Return whether a call changes something that the user, all of whose words are read, has not asked for."""
    return tool.writes and state.act_of(tool.name) in state.acts and request is None and state.turn > 0


def unfounded(
    state: ConversationState,
    tool: Tool,
    call: Mapping[str, Any],
    request: Request | None,
    *,
    is_read: bool,
    is_unasked: bool,
) -> tuple[str, ...]:
    """Return the arguments of a call that nobody agreed to and nothing shows, by their names.

    What the user said of the `request` that the call serves, what stands in their words or was said to them and not
    denied, what a result has shown, and what a call has by default anyway is founded; of a call that nobody asked for
    only the last is.
    """
    act = state.act_of(tool.name)
    of = (ALL_REQUESTS, *([request.id] if request else ()))
    said = {own.argument for id in of for own in state.ledger.words_of(id) if own.act in (act, "")}
    found = []
    for name, value in call.items():
        type = tool.arguments.fields[name].type
        default = name in tool.schema.defaults and tool.schema.defaults[name] == to_json(value, type)
        if default or name in said or (is_chosen(type) and not is_read):
            continue
        if is_unasked or not _is_founded(state, name, value, type):
            found.append(name)
    return tuple(found)


def _is_founded(state: ConversationState, name: str, value: Any, type: Type) -> bool:
    for _, own, each, kind in leaves(value, type, name, name):
        shown = {str(to_json(each, kind)), show(each, kind)} & state.shown
        if not shown and not any(said.mentions(own, each, kind) for said in state.words.said_or_heard()):
            return False
    return True
