"""Serve the guardrail API that gateways such as litellm's proxy call before and after a request to a model.

Before, the request has the history of the conversation, which is taken in. After, it has the calls of the model's
answer, which are decided on together. The API can carry no changed call. So a stopped call blocks the whole answer, and
the reason says how to change the call. Nothing passes on an error.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError, InputError, StoreConflict
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.clients.forms import given_call
from holdtrue.guard.clients.guarded_turn import decide, take_back
from holdtrue.guard.clients.history_alignment import digest_of
from holdtrue.guard.clients.history_intake import Made, note_answer
from holdtrue.guard.clients.request_checks import check_decidable
from holdtrue.guard.conversation.calls import read_given_call
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.serve import guardrail_request as wire
from holdtrue.serve.api_keys import Keys
from holdtrue.serve.callers import Admission, BadRequest, Body, bound_tenant, check_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from holdtrue.guard.guard import Guard
    from holdtrue.guard.policy import Policy

ROUTE = "/beta/litellm_basic_guardrail_api"
_NONE = {"action": "NONE"}
_MOST_KEPT = 10_000
_log = logging.getLogger(__name__)


def is_decidable(policy: Policy) -> bool:
    """Return whether the API can serve a policy. It does not tell structured answers from other texts."""
    return not any(own.is_answer for own in policy.tools.values())


class GuardrailApi:
    """A `GuardrailApi` answers the requests of gateways with the decisions of a guard.

    `guard` returns the guard for the next request. `keys` are those of callers; without keys, each caller is let in.
    """

    def __init__(self, guard: Callable[[], Guard], keys: Keys | None, settings: wire.GuardrailSettings) -> None:
        self.guard, self.keys, self.settings = guard, keys, settings
        self._admission = Admission(settings)
        self._answers: OrderedDict[tuple[str, ...], dict[str, Any]] = OrderedDict()
        """The answers on calls, because gateways send a request again. A second decision would stop a pending call."""

    async def judge(self, request: Request) -> Response:
        """Answer a request with an action, or with an error and its HTTP status."""
        try:
            with self._admission.admitted() as body:
                async with asyncio.timeout(self.settings.timeout_s):
                    return _json(await self._answered(request, body))
        except BadRequest as error:
            return _json({"error": str(error)}, error.status, {"Retry-After": "1"} if error.status == 429 else {})
        except TimeoutError:
            return self._refused(f"it was not decided within {self.settings.timeout_s:g} seconds", 500)
        except HoldtrueError as error:
            return self._refused(str(error), 422 if isinstance(error, InputError) else 500)
        except Exception:  # noqa: BLE001  whatever fails, nothing passes
            _log.exception("a request could not be decided on")
            return self._refused("the guard failed, and its log says why", 500)

    def _refused(self, reason: str, status: int) -> Response:
        """Return the answer to a request that nobody can decide on. In mode `observe` it passes, with the reason."""
        _log.warning("refused: %s", reason)
        if self.guard().mode == "observe":
            return _json({**_NONE, "refused": reason})
        if self.settings.errors == "status":
            return _json({"error": reason}, status)
        return _json({"action": "BLOCKED", "blocked_reason": f"The guard refused this: {reason}", "refused": reason})

    async def _answered(self, request: Request, body: Body) -> dict[str, Any]:
        headers, guard = request.headers, self.guard()
        check_json(headers)
        bound = bound_tenant(headers, self.keys)
        own = wire.read_request(await body.read(request))
        tenant = wire.tenant_in(own, headers, self.settings, bound)
        talk = current_of(guard, wire.conversation_in(own, headers, self.settings), tenant)
        try:
            return await self._decided(talk, own)
        except StoreConflict:  # Another server has written to the conversation, so its events are read anew.
            return await self._decided(talk, own)

    async def _decided(self, talk: GuardedConversation, own: wire.GuardrailRequest) -> dict[str, Any]:
        """Take in the history of a request, or decide on the calls of a response."""
        if own.input_type == "request":
            check_decidable(talk.guard.policy, {"tools": own.tools or []}, ChatForm.read)
            if own.structured_messages is None and (own.texts or own.tool_calls):
                raise InputError("structured_messages: they are missing, so nobody knows who said the texts")
            await talk.take_in(own.structured_messages or [])
            return _NONE
        if not own.tool_calls:
            return _NONE
        key = (talk.tenant, talk.id, own.litellm_call_id or "", digest_of(json.dumps(own.tool_calls)))
        found = self._answers.get(key) or await _decide(talk, own.tool_calls)
        if own.litellm_call_id:
            self._answers[key] = found
        if len(self._answers) > _MOST_KEPT:
            self._answers.popitem(last=False)
        return found


async def _decide(talk: GuardedConversation, tool_calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Decide on the calls of an answer, in order. If one is stopped, none is made."""
    given = [read_given_call(own) for own in tool_calls]
    decided = await decide(talk, [given_call(own.tool, own.arguments, own.id) for own in given], None, {})
    told = [{"tool": own.tool, "decision": own.kind, "rules": own.rules, "id": own.id} for own in decided.decisions]
    if not decided.stopped:
        await note_answer(talk, "", [Made(known, own.id) for known, own in zip(decided.calls, given, strict=True)])
        return {**_NONE, "decisions": told}
    await take_back(talk, decided)
    reasons = [own.for_model for own in decided.stopped]
    if others := [own.tool for own in decided.decisions if not own.stops]:
        reasons.append(f"No other call of this answer is made either: {', '.join(others)}.")
    return {"action": "BLOCKED", "blocked_reason": "\n".join(reasons), "decisions": told}


def _json(content: dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    from starlette.responses import Response

    # Escapes keep halves of characters, which a message may quote.
    return Response(json.dumps(content), status, headers, "application/json")
