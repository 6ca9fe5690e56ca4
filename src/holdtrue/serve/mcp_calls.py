"""Decide on the `tools/call` requests of an MCP client before they reach the server, and take in the results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anyio
from mcp import types
from mcp.shared.exceptions import MCPError

from holdtrue.errors import HoldtrueError, InputError
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.fetching import call_text
from holdtrue.guard.result_forms import stop_mark
from holdtrue.serve.mcp_naming import CONVERSATION, OWN, TENANT, USER, Naming, history_needed, one_of
from holdtrue.serve.mcp_questions import answer_in, elicitation, question, take_answer

if TYPE_CHECKING:
    from holdtrue.guard import Guard
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.outcome import Outcome

_ALONE = "alone-"
_NEVER_RUN = (
    *(types.PARSE_ERROR, types.INVALID_REQUEST, types.METHOD_NOT_FOUND, types.INVALID_PARAMS, types.HEADER_MISMATCH),
    *(types.MISSING_REQUIRED_CLIENT_CAPABILITY, types.URL_ELICITATION_REQUIRED),
)
"""Errors with which a server refuses a call. After any other error the call may have had an effect."""
_MOST_WAITING = 1_000
_NOBODY = f"\nBut no yes can come: the client neither asks (elicitation) nor sends the words of the user ({USER}).\n"
Forward = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Caller:
    """A `Caller` is the client of a call, as far as the call depends on it.

    Attributes:
        conversations: The ids of conversations in the headers of its HTTP request, and `tenants` the tenants there.
        is_modern: Whether it speaks the protocol without sessions, in which a server asks by its result.
        can_ask: Whether the client can show a question to a person.
        ask: A function that shows a question and returns the answer, or None if a server cannot ask meanwhile.
    """

    conversations: tuple[str, ...] = ()
    tenants: tuple[str, ...] = ()
    is_modern: bool = False
    can_ask: bool = False
    ask: Forward | None = None


class GuardedCalls:
    """`GuardedCalls` decide on the calls to one server. A call that goes on is sent as it came."""

    def __init__(self, guard: Guard, naming: Naming) -> None:
        self._guard, self._naming = guard, naming
        self._needs = history_needed(guard.policy)
        sources = {own.tool for kind in guard.policy.facts.values() for own in kind.sources}
        self._free = {own for own in guard.policy.tools if own not in sources and not guard.policy.decides_on(own)}
        self._waiting: OrderedDict[tuple[str, ...], Outcome] = OrderedDict()
        """Allowed calls that the server answered by a question of its own, by conversation, call and state."""

    async def answer(self, params: Mapping[str, Any], caller: Caller, forward: Forward) -> dict[str, Any]:
        """Return the result of a call: the server's, a question to a person, or the reason why it was not made.

        `forward` sends the parameters to the server. It is not called for a stopped call, nor if deciding fails.
        """
        tool, given, meta = params.get("name"), params.get("arguments"), params.get("_meta") or {}
        if not (isinstance(tool, str) and isinstance(given, dict | None) and isinstance(meta, dict)):
            raise MCPError(types.INVALID_PARAMS, "tools/call needs a name and an object of arguments")
        sent = {**params, "_meta": {key: own for key, own in meta.items() if not key.startswith(OWN)}}
        arguments = self._naming.taken_out(self._guard.policy, tool, given or {})
        if given is not None:
            sent["arguments"] = arguments
        asked, reply = take_answer(sent)
        try:
            in_argument = None if self._naming.argument is None else (given or {}).get(self._naming.argument)
            named = [meta.get(CONVERSATION), *caller.conversations, in_argument, self._naming.fixed]
            id, tenant = one_of("conversation", named), one_of("tenant", [meta.get(TENANT), *caller.tenants])
            talk = await self._talk(tool, id, tenant, meta.get(USER), asked)
            outcome = self._waiting.pop(_key(talk, sent, sent), None)
            if outcome is None and asked is not None and reply is not None:
                outcome = await talk.resume(asked, reply)
            elif outcome is None:
                outcome = await talk.decide(tool, arguments)
                if outcome.kind == "interrupt" and asked is None and caller.can_ask:
                    if caller.is_modern:
                        return question(outcome)
                    outcome = await _asked(talk, outcome, caller)
        except HoldtrueError as error:
            if self._guard.mode == "observe":
                return await forward(sent)
            return _stopped(f"{stop_mark('block')} {tool} was not called: {error}", caller)
        if not outcome.goes_on:
            is_lost = outcome.kind == "interrupt" and not caller.can_ask and meta.get(USER) is None
            text = outcome.for_model.replace("\n", _NOBODY, 1) if is_lost else outcome.for_model
            return _stopped(text, caller, outcome)
        return await self._made(talk, outcome, sent, forward, caller)

    async def _talk(
        self, tool: str, id: Any, tenant: Any, said: Any, asked: Mapping[str, Any] | None
    ) -> GuardedConversation:
        """Return the conversation with an id, with the user's message taken in.

        A call that needs no conversation, and names none, gets one of its own. Raises `InputError` if it needs one.
        """
        if id is None and said is None and (not self._needs or tool in self._free or self._guard.mode == "observe"):
            again = str((asked or {}).get("conversation"))
            id = again if again.startswith(_ALONE) else f"{_ALONE}{uuid4().hex}"
        if id is None:
            raise InputError(
                "nobody said which conversation it is part of, and that is needed for "
                f"{', '.join(self._needs) or f'_meta {USER!r}'}. Send the id as _meta {CONVERSATION!r}, over HTTP also "
                "as header Holdtrue-Conversation, or start the gateway with --conversation-argument, --conversation or "
                "--one-conversation"
            )
        talk = current_of(self._guard, id, tenant or "")
        if said is not None:
            await talk.take_in(_messages(said))
        return talk

    async def _made(
        self, talk: GuardedConversation, outcome: Outcome, sent: dict[str, Any], forward: Forward, caller: Caller
    ) -> dict[str, Any]:
        """Send an allowed call to the server, take the result in, and return it unchanged."""
        try:
            result = await forward(sent)
        except MCPError as error:
            never_run = error.code in _NEVER_RUN
            await talk.ran(outcome, f"error {error.code}: {error}", ending="failed" if never_run else "unknown")
            if error.code != types.CONNECTION_CLOSED:
                raise
            why = "the MCP server ended before it answered, so nobody knows whether the call took effect"
            return _stopped(f"{outcome.decision.tool}: {why}. It stays pending.", caller, outcome)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await talk.ran(outcome, "the call was cancelled", ending="unknown")
            raise
        if "content" in result or "structuredContent" in result:
            await talk.ran(outcome, result)
        elif result.get("resultType") == "input_required":
            self._waiting[_key(talk, sent, result)] = outcome
            while len(self._waiting) > _MOST_WAITING:
                self._waiting.popitem(last=False)
        return result


def _key(talk: GuardedConversation, call: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, ...]:
    arguments = call_text(call.get("arguments") or {})
    return talk.tenant, talk.id, str(call["name"]), arguments, str(state.get("requestState"))


def _messages(said: Any) -> list[dict[str, Any]]:
    """Return the messages of the user and of the assistant. Calls and results among them are known already."""
    given = said if isinstance(said, list) else [{"role": "user", "content": said}]
    if not given or not all(isinstance(own, dict) for own in given):
        raise InputError(f"_meta {USER!r} is a text, or a list of messages with role and content")
    words = (own for own in given if own.get("role") in ("user", "assistant") and own.get("content"))
    return [{"role": own["role"], "content": own["content"]} for own in words]


async def _asked(talk: GuardedConversation, outcome: Outcome, caller: Caller) -> Outcome:
    """Ask a person while the call waits, and return how to go on. Without a yes the call stays stopped."""
    try:
        reply = None if caller.ask is None else answer_in(await caller.ask(elicitation(outcome)))
    except MCPError:
        return outcome
    return outcome if reply is None else await talk.resume(outcome.to_interrupt(), reply)


def _stopped(text: str, caller: Caller, outcome: Outcome | None = None) -> dict[str, Any]:
    kind = {"resultType": "complete"} if caller.is_modern else {}
    meta = {} if outcome is None else {"_meta": {f"{OWN}decision": str(outcome.decision.id)}}
    return {**kind, **meta, "content": [{"type": "text", "text": text}], "isError": True}
