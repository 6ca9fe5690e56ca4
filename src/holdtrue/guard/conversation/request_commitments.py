"""The commitments that a call has to keep, and its support: the request that it serves, and the user's yes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from holdtrue.guard.conversation.open_requests import broken, is_on
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.state_parts import same_call
from holdtrue.guard.conversation.utterance import is_chosen, leaves
from holdtrue.guard.fetching import call_text
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.policy_parts import ConsentWay, Severity, Tool
from holdtrue.language.requests.operation import Act
from holdtrue.language.requests.plain_reader import SAID
from holdtrue.ledger.entries import Source
from holdtrue.ledger.requests import Request, RequestWord
from holdtrue.record import ALL_REQUESTS
from holdtrue.rules.types import Type
from holdtrue.rules.values import show, to_json

SURE_TO_BLOCK = 0.98
"""A call that contradicts a message is blocked if the reader of the message is at least this confident.

With a confidence between the guard's `sure` and this value, the guard asks.
"""
_DONE = "This was done already, and the user has not asked for it again."


def agreed_on(
    state: ConversationState,
    tool: str,
    call: Mapping[str, Any],
    request: Request | None,
    sure: float,
    *,
    has_yes: bool,
) -> Iterator[CallCommitment]:
    """Yield the commitments on a call. The arguments in `call` are JSON values.

    Args:
        request: The request that the call serves, or None.
        has_yes: Whether the user said yes to this call. That outweighs earlier readings of its request.
    """
    act = state.act_of(tool)
    for own in _words_on(state, act, tool, call, request):
        if own.value is None:
            continue  # The user accepts any value.
        committed = own.id in state.committed
        if committed or not has_yes:
            on = state.acts[act].arguments[own.argument].tools
            yield replace(_commitment(own, on, sure), read=not committed)
    if not has_yes and request is None and act in state.acts:
        yield from _of_none(state, state.acts[act], call, tool, sure)
    if not has_yes and request is not None and (request.id, call_text(call)) in state.done_of:
        yield _on_request(request, tool, _DONE, "ask")
    # The rules of pending calls have to hold after this call, too.
    tools = {tool, *(own.call.tool for own in state.pending.values())}
    yield from (own for own in state.expressions.values() if not tools.isdisjoint(own.on))


def _words_on(
    state: ConversationState, act: str, tool: str, call: Mapping[str, Any], request: Request | None
) -> Iterator[RequestWord]:
    """Yield the statements on the call's request, then those for all requests, then the assistant's promises."""
    if act not in state.acts:
        return
    takes = {name for name, own in state.acts[act].arguments.items() if tool in own.tools}
    own_words = list(state.ledger.words_of(request.id)) if request is not None else []
    for_all = [own for own in state.ledger.words_of(ALL_REQUESTS) if own.act != SAID and own.argument in takes]
    later = {own.argument: own.turn for own in for_all if own.argument in call and _is_shared(state, own, act)}
    settled = {own.argument for own in own_words if own.turn >= later.get(own.argument, 0)}
    yield from (own for own in own_words if own.argument in takes & settled)
    for own in for_all:
        is_of_act = own.act == act and (own.id in state.committed or own.relation == "not")
        if is_of_act or (own.argument in later and own.argument not in settled and _is_shared(state, own, act)):
            yield own
    yield from _promised(state, tool, settled)


def _is_shared(state: ConversationState, own: RequestWord, act: str) -> bool:
    """Return whether a user's statement for all requests fits this act, whose argument has the same type."""
    if own.id in state.committed:
        return False
    said = state.acts[own.act].arguments.get(own.argument) if own.act in state.acts else None
    return said is not None and said.type == state.acts[act].arguments[own.argument].type


def _of_none(
    state: ConversationState, act: Act, call: Mapping[str, Any], tool: str, sure: float
) -> Iterator[CallCommitment]:
    """Yield objections to a call without an open request: its request was withdrawn or done, or has another object."""
    ledger = state.ledger
    mine = [own for own in ledger.requests.values() if own.act == act.name]
    if not mine:
        return
    closed = [
        own for own in mine if not own.is_open and is_on(act, ledger, own, call) and not broken(ledger, own, call)
    ]
    named = {str(value): own for own in mine if own.is_open and (value := ledger.value_of(own.id, act.object))}
    if closed and closed[-1].status == "withdrawn":
        last = closed[-1]
        say = f"The user does not want this: {last.quote!r}." if last.quote else "The user does not want this."
        yield _on_request(last, tool, say, _severity(last.confidence, sure))
    elif closed:
        yield _on_request(closed[-1], tool, _DONE, "ask")
    elif named and not _is_named(state, act, str(call.get(act.object))):
        about = act.object.replace("_", " ")
        say = f"The user asked for this on {about} {' and '.join(named)}, and not on {call.get(act.object)}."
        yield _on_request([*named.values()][-1], tool, say, "ask")


def _is_named(state: ConversationState, act: Act, id: str) -> bool:
    others = (
        own for own in state.ledger.known.values() if own.act not in (act.name, SAID) and own.request != ALL_REQUESTS
    )
    return id in state.facts.written and all(str(own.value) != id for own in others)


def _on_request(own: Request, tool: str, say: str, severity: Severity) -> CallCommitment:
    return CallCommitment(own.id, (tool,), say, "user", own.turn, own.quote, rule="false", severity=severity)


def _promised(state: ConversationState, tool: str, settled: set[str]) -> Iterator[RequestWord]:
    """Yield the assistant's promised values for a call, for arguments that the user has not settled."""
    known = set(settled)
    for promise in reversed(state.promises.values()):
        if promise.tool == tool and not promise.done:
            yield from (own for own in promise.values if own.argument not in known)
            # The later of two promises holds.
            known.update(own.argument for own in promise.values)


def _severity(confidence: float, sure: float) -> Severity:
    return "block" if confidence >= SURE_TO_BLOCK else "ask" if confidence >= sure else "warn"


def _commitment(own: RequestWord, on: tuple[str, ...], sure: float) -> CallCommitment:
    severity = _severity(own.confidence, sure)
    turn = f", in turn {own.turn}" if own.turn else ""
    words = f"{turn}: {own.quote!r}" if own.quote else turn
    doubt = "" if severity == "block" else f" (read with probability {own.confidence:.2f})"
    said, agreed = ("said", "was") if severity == "block" else ("may have said", "may have been")
    who = f"The user {said}" if own.source is Source.USER else f"It {agreed} offered and agreed"
    if own.id.startswith("P"):
        who, doubt = "The assistant promised", ""
    sentence = own.sentence.removeprefix(own.argument).strip()
    say = f"{who} that {own.argument.replace('_', ' ')} {sentence}{words}{doubt}."
    source: Literal["user", "assistant"] = "assistant" if own.source is Source.ASSISTANT else "user"
    return CallCommitment(
        own.id,
        on,
        say,
        source,
        own.turn,
        own.quote,
        own.argument,
        own.relation,
        own.value,
        severity=severity,
        others=own.others,
    )


def yes_to(state: ConversationState, tool: str, arguments: Any) -> ConsentWay | Literal[""]:
    """Return the strongest kind of the user's yes to this call, or ""."""
    ways = {state.answered[id].way for id in answers_for(state, tool, arguments, "confirm")}
    return next((own for own in reversed(get_args(ConsentWay)) if own in ways), "")


def answers_for(state: ConversationState, tool: str, arguments: Any, kind: str) -> tuple[str, ...]:
    """Return the decisions of a kind on this call that a person answered with yes and that still count."""
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
    """Return whether a call changes something that no message asks for."""
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
    """Return the names of the arguments that nothing supports.

    An argument is supported if it is stated for the `request`, or was mentioned and not denied. A value from a tool
    result and a default also count. If nobody asked for the call, a mention or a tool result does not count.
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
