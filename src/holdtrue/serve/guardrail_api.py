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
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError, InputError, SettingsError, StoreConflict
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
from holdtrue.serve.api_keys import Keys, tenant_of

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from holdtrue.guard.guard import Guard

ROUTE = "/beta/litellm_basic_guardrail_api"
_NONE = {"action": "NONE"}
_MOST_KEPT = 10_000
_log = logging.getLogger(__name__)


def guardrail_app(guard: Guard, keys: Keys | None = None, settings: wire.GuardrailSettings | None = None) -> Starlette:
    """Return an ASGI app with the guardrail API and `/health`. It closes the guard when it ends.

    `keys` are the keys of its callers; without keys, each caller is let in. Raises `SettingsError` for a policy of
    structured answers, because the API does not distinguish them from other texts.
    """
    from starlette.applications import Starlette
    from starlette.routing import Route

    shaped = [own.name for own in guard.policy.tools.values() if own.is_answer]
    if shaped:
        raise SettingsError(f"the policy decides on answers of the form {shaped[0]}, which the API cannot tell apart")
    api = GuardrailApi(guard, keys, settings or wire.GuardrailSettings())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await guard.aclose()

    routes = [Route(ROUTE, api.judge, methods=["POST"]), Route("/health", api.health)]
    return Starlette(routes=routes, lifespan=lifespan)


class GuardrailApi:
    """A `GuardrailApi` answers the requests of gateways with the decisions of a guard."""

    def __init__(self, guard: Guard, keys: Keys | None, settings: wire.GuardrailSettings) -> None:
        self.guard, self.keys, self.settings = guard, keys, settings
        self._under_way = 0
        self._answers: OrderedDict[tuple[str, ...], dict[str, Any]] = OrderedDict()
        """The answers on calls, because gateways send a request again. A second decision would stop a pending call."""

    async def health(self, request: Request) -> Response:
        """Say that the server runs, with its mode and the hash of its policy."""
        return _json({"status": "ok", "mode": self.guard.mode, "policy": self.guard.policy.digest})

    async def judge(self, request: Request) -> Response:
        """Answer a request with an action, or with an error and its HTTP status."""
        if self._under_way >= self.settings.most_requests:
            return _json({"error": "too many requests are under way; send it again later"}, 429, {"Retry-After": "1"})
        self._under_way += 1
        try:
            async with asyncio.timeout(self.settings.timeout_s):
                return _json(await self._answered(request))
        except wire.BadRequest as error:
            return _json({"error": str(error)}, error.status)
        except TimeoutError:
            return self._refused(f"it was not decided within {self.settings.timeout_s:g} seconds", 500)
        except HoldtrueError as error:
            return self._refused(str(error), 422 if isinstance(error, InputError) else 500)
        except Exception:  # noqa: BLE001  whatever fails, nothing passes
            _log.exception("a request could not be decided on")
            return self._refused("the guard failed, and its log says why", 500)
        finally:
            self._under_way -= 1

    def _refused(self, reason: str, status: int) -> Response:
        """Return the answer to a request that nobody can decide on. In mode `observe` it passes, with the reason."""
        _log.warning("refused: %s", reason)
        if self.guard.mode == "observe":
            return _json({**_NONE, "refused": reason})
        if self.settings.errors == "status":
            return _json({"error": reason}, status)
        return _json({"action": "BLOCKED", "blocked_reason": f"The guard refused this: {reason}", "refused": reason})

    async def _answered(self, request: Request) -> dict[str, Any]:
        bound, headers = self._bound_to(request.headers), request.headers
        own = wire.read_request(await wire.body_of(request, self.settings.most_bytes))
        tenant = wire.tenant_in(own, headers, self.settings, bound)
        talk = current_of(self.guard, wire.conversation_in(own, headers, self.settings), tenant)
        try:
            return await self._decided(talk, own)
        except StoreConflict:  # Another server has written to the conversation, so its events are read anew.
            return await self._decided(talk, own)

    def _bound_to(self, headers: Mapping[str, str]) -> str | None:
        """Return the tenant of the caller's key, or None without keys. Raises `BadRequest` for an unknown key."""
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise wire.BadRequest(
                415, "content-type: application/json is needed"
            )  # Pages of other sites cannot send it.
        if self.keys is None:
            return None
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")
        tenant = tenant_of(self.keys, given)
        if tenant is None:
            raise wire.BadRequest(401, "the key in x-api-key (or Authorization: Bearer) is missing or unknown")
        return tenant

    async def _decided(self, talk: GuardedConversation, own: wire.GuardrailRequest) -> dict[str, Any]:
        """Take in the history of a request, or decide on the calls of a response."""
        if own.input_type == "request":
            check_decidable(self.guard.policy, {"tools": own.tools or []}, ChatForm.read)
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
