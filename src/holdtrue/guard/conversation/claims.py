"""Find what an assistant claims to have done and no call shows: never called, called otherwise, or without a result."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.conversation.keeper import Keeper
from holdtrue.guard.conversation.served_requests import is_same_value
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.moments import local_time
from holdtrue.language.requests.operation import Claim
from holdtrue.record import CallRecord
from holdtrue.rules.values import NotSeen, to_json


@dataclass(frozen=True, slots=True)
class UnshownClaim:
    """An `UnshownClaim` is a claim of work that no call shows: its words, the tool, what it names, and why not."""

    quote: str
    tool: str
    arguments: Mapping[str, Any]
    say: str


async def unshown_claims(
    guard: Keeper, state: ConversationState, text: str, calls: list[CallRecord]
) -> tuple[UnshownClaim, ...]:
    """Return the claims in a text of the assistant that no call shows, and add the calls of a model to `calls`.

    Without a reader of claims none is found. Raises `ModelError` and `TimeoutError`.
    """
    reader = guard.claim_reader
    if reader is None or not text.strip():
        return ()
    context = state.context("", local_time(guard.now()))
    acts = {name: own for name, own in state.acts.items() if any(map(guard.policy.writes, own.tools))}
    async with asyncio.timeout(guard.timeout_s):
        found = await reader.read_claims(acts, text, context, calls)
    return tuple(_unshown(state, own) for own in found if not _is_shown(state, own))


def _is_shown(state: ConversationState, own: Claim) -> bool:
    tool = state.policy.tools.get(own.tool)
    if tool is None:
        return True  # What no tool of the policy does, no call can show.
    fields = tool.arguments.fields
    for call in state.facts.done.get(own.tool, ()):
        if isinstance(call, NotSeen):
            return True  # Nobody knows with which arguments it was made, so that nothing shows the claim to be false.
        seen = ((name, each) for name, each in call.items() if name in fields and not isinstance(each, NotSeen))
        if _agree(own, {name: to_json(each, fields[name].type) for name, each in seen if each is not None}):
            return True
    return False


def _agree(own: Claim, call: Mapping[str, Any]) -> bool:
    return all(name in call and is_same_value(value, call[name]) for name, value in own.arguments.items())


def _unshown(state: ConversationState, own: Claim) -> UnshownClaim:
    begun = (each.call for each in state.pending.values() if each.call.tool == own.tool)
    waits = any(_agree(own, arguments_of(each.arguments)) for each in begun)
    named = ", ".join(f"{name} {value}" for name, value in own.arguments.items())
    why = "its result has not come" if waits else "no call that took effect shows it"
    call = f"{own.tool} with {named}" if named else own.tool
    return UnshownClaim(own.quote, own.tool, own.arguments, f"It says {own.quote!r}, but of {call} {why}.")
