"""Find what supports a call in a conversation: a yes to just its arguments, or words and results for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from holdtrue.guard.conversation.happenings import same_call
from holdtrue.guard.conversation.mentions import leaves, left_out, names_another
from holdtrue.guard.conversation.said import Said
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.policy_parts import ConsentWay, Tool
from holdtrue.language.yes_words import denies
from holdtrue.rules.types import FLAG, Flag, Name, Type, without_null
from holdtrue.rules.values import NotSeen, show, to_json


def yes_to(state: ConversationState, tool: str, arguments: Any) -> ConsentWay | Literal[""]:
    """Return the surest way in which a yes of the user to just this call is known, "" where there is none."""
    ways = {state.answered[id].way for id in answers_for(state, tool, arguments, "confirm")}
    return next((own for own in reversed(get_args(ConsentWay)) if own in ways), "")


def lists_just(said: Said, state: ConversationState, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether code finds all of a call in a text, and nothing else in the place of any of it, and no denial.

    That is what a model's reading of a text as the listing of a call has to stand.
    """
    whole = not said.is_cut and not left_out(said, tool, call, frozenset(state.facts.written))
    text = said.text.casefold()
    for _, _, value, type in leaves(call, tool.arguments, ""):
        # A reason such as 'no longer needed' denies nothing.
        text = text.replace(value.casefold(), " ") if isinstance(type, Name) and value else text
    return whole and not names_another(said, tool, call) and not denies(text)


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


def with_doubt(
    state: ConversationState, commitments: Iterable[CallCommitment], tool: Tool, call: Mapping[str, Any]
) -> Iterator[CallCommitment]:
    """Yield commitments, those only told of that may have been misread, where what is called was spoken of as well."""
    for own in commitments:
        value = call.get(own.argument)
        type = tool.arguments.fields[own.argument].type if own.argument in tool.arguments.fields else None
        # Of a flag both values have one name, and of words that clash both are said.
        is_clear = own.value is not None and own.relation == "is" and not isinstance(without_null(type or FLAG), Flag)
        is_open = own.severity == "ask" and is_clear and value is not None and not isinstance(value, NotSeen)
        is_open = is_open and not _was_replaced(state, own, tool.name, value)
        if is_open and type and any(said.says(own.argument, value, type) for said in _beside(state, own)):
            yield replace(own, severity="warn")
        else:
            yield own


def _was_replaced(state: ConversationState, own: CallCommitment, tool: str, value: Any) -> bool:
    """Return whether a value is what somebody's words put another in the place of: naming it again lifts no doubt."""
    slots = {slot.id for slot in state.world.slots.values() if slot.name == own.argument and tool in slot.tools}
    type = {state.world.slots[id].type for id in slots}
    shown = {str(to_json(value, each)) for each in type}
    return any(
        each.slot in slots and each.turn < own.turn and str(each.value) in shown
        for each in state.ledger.known.values()
        if each.id not in state.ledger.active
    )


def _beside(state: ConversationState, own: CallCommitment) -> Iterator[Said]:
    """Yield what the user said when something was agreed, or later, and what of the assistant they said yes to.

    What an assistant says by itself lifts no doubt of what the user said.
    """
    yield from (said.without_questions() for said in state.words.texts("user", own.turn))
    yield from state.words.said_or_agreed("assistant", own.turn + (own.source == "user"))
    if own.source == "assistant":
        yield from state.words.texts("assistant", own.turn, own.turn)


def unfounded(state: ConversationState, tool: Tool, call: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the arguments of a call that nobody agreed to and nothing shows, by their names.

    What the user spoke of, what the assistant listed before a yes, what a result has shown, and what a call has by
    default anyway is founded.
    """
    found = []
    for name, value in call.items():
        type = tool.arguments.fields[name].type
        default = name in tool.schema.defaults and tool.schema.defaults[name] == to_json(value, type)
        if not default and not state.is_agreed(tool.name, name) and not _is_founded(state, name, value, type):
            found.append(name)
    return tuple(found)


def _is_founded(state: ConversationState, name: str, value: Any, type: Type) -> bool:
    for _, own, each, kind in leaves(value, type, name, name):
        shown = {str(to_json(each, kind)), show(each, kind)} & state.shown.texts
        if not shown and not any(said.mentions(own, each, kind) for said in state.words.said_or_agreed()):
            return False
    return True
