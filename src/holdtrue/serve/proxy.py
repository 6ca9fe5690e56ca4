"""Serve a model behind a guard: requests of unchanged clients go to the upstream, and only allowed calls come back.

An answer is read whole before any of it goes out. Streams are written again from the answer that was decided on. A
caller that waits for a stream gets comments meanwhile. Nothing passes on an error.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError, InputError, StoreConflict, StoreError
from holdtrue.guard.clients import forms
from holdtrue.guard.clients.blocking import CallStopped
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.clients.guarded_turn import Form, GuardedTurn, PlayedTurn, take_back
from holdtrue.guard.conversation.event_log import gathered_writes
from holdtrue.serve.api_keys import Keys
from holdtrue.serve.asking import Asking, UnreadAnswer, UpstreamBroke, UpstreamRefused
from holdtrue.serve.callers import KEY_HEADER, Admission, BadRequest, bound_tenant, check_json
from holdtrue.serve.exchange import Exchange, SlowReader
from holdtrue.serve.protocols import CHAT, EXTENSION, Protocol, check_parameters, with_verdict
from holdtrue.serve.proxy_request import ProxyRequest, ServerSettings, check_apart, read_request
from holdtrue.serve.stored_responses import note_response, stored_items
from holdtrue.serve.telemetry import Served, Telemetry
from holdtrue.serve.upstream import Headers, Upstream, UpstreamFault
from holdtrue.serve.verdicts import of_decisions, undecided_verdict, verdict_headers, verdict_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.guard import Guard

_MOST_CONFLICTS = 8
_JSON, _STREAM = ("content-type", "application/json"), ("content-type", "text/event-stream; charset=utf-8")
_PLAIN_PATH = re.compile(r"(/(?!\.+(/|$))[\w.:@+-]+)+", re.ASCII)
"""A path that the upstream cannot understand as another one, which may show calls that nobody decided on."""
_log = logging.getLogger(__name__)


class Proxy:
    """A `Proxy` plays the turns of callers with an upstream.

    `guard` returns the guard for the next request, because its policy may have been replaced.
    """

    def __init__(
        self,
        guard: Callable[[], Guard],
        upstream: Upstream,
        keys: Keys | None,
        settings: ServerSettings,
        telemetry: Telemetry,
    ) -> None:
        self.guard, self.upstream, self.keys, self.settings = guard, upstream, keys, settings
        self.telemetry, self.admission = telemetry, Admission(settings)

    async def pass_on(self, exchange: Exchange) -> None:
        """Pass on a request whose answer can have no call, such as the list of models."""
        request = exchange.request
        try:
            with self.admission.admitted() as body:
                bound = bound_tenant(request.headers, self.keys)
                if not _PLAIN_PATH.fullmatch(request.scope["path"]):
                    raise BadRequest(404, "the path has signs by which it could lead to another one")
                sent = None
                if request.method == "POST":
                    check_json(request.headers)
                    sent = await body.read(request)
                headers = self._headers(request, bound)
                work = asyncio.ensure_future(self.upstream.send(request.method, _path(request), headers, sent))
                gone = asyncio.ensure_future(exchange.gone())
                await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
                gone.cancel()
                if not work.done():
                    work.cancel()
                    return
                answer = await work
                await exchange.answer(answer.status, answer.headers, answer.body)
        except Exception as error:  # noqa: BLE001  every caller gets an answer
            await self._fail(exchange, CHAT, error)

    async def play(self, exchange: Exchange, protocol: Protocol) -> None:
        """Answer a request for a model's answer. Errors have the form of the protocol."""
        with self.telemetry.request(protocol.name, exchange.request.headers) as served:
            await self._play(exchange, protocol, served)
            served.status = exchange.status

    async def _play(self, exchange: Exchange, protocol: Protocol, served: Served) -> None:
        request = exchange.request
        try:
            with self.admission.admitted() as body:
                check_json(request.headers)
                guard, bound = self.guard(), bound_tenant(request.headers, self.keys)
                sent = await body.read(request)
                own = await read_request(protocol, sent, request.headers, self.settings, bound, guard.store)
                served.tenant, served.conversation, served.given = own.tenant, own.conversation, own.given
                check_parameters(protocol, own.given)
                if self.keys is not None and self.upstream.has_own_key:
                    check_apart(own.given)
                previous = own.given.get("previous_response_id")
                items = await stored_items(guard.store, own.tenant, own.conversation, previous)
                own = replace(own, continues=items)
                form = protocol.form(guard.policy)
                asking = Asking(self.upstream, _path(request), self._headers(request, bound), own, form, served)
                work = asyncio.create_task(self._played(guard, own, asking, form))
                try:
                    if await self._waited(exchange, own, asking, work):
                        answer, served.verdict, is_same = await work
                        served.answer = {} if answer is None else forms.as_given(answer)
                        await self._tell(exchange, own, asking, answer, served.verdict, is_same)
                finally:
                    work.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await work
        except Exception as error:  # noqa: BLE001  whatever fails, nothing passes
            served.code = _status_of(error)[1]
            served.verdict = of_decisions(error.decisions) if isinstance(error, CallStopped) else {}
            await self._fail(exchange, protocol, error)

    async def _waited(self, exchange: Exchange, own: ProxyRequest, asking: Asking, work: asyncio.Task[Any]) -> bool:
        """Wait for a turn, and return False if the caller has gone. Comments keep a stream alive meanwhile."""
        gone = asyncio.create_task(exchange.gone())
        try:
            while not work.done():
                pause = self.settings.keep_alive_s if own.is_stream else None
                await asyncio.wait({work, gone}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                if gone.done() and not work.done():
                    return False
                if not work.done() and asking.begun is not None:
                    # Errors of the upstream have a status of their own, so the stream begins only after its headers.
                    await exchange.begin(200, _with(asking.begun, _STREAM))
                    await exchange.write(b": the guard reads the answer\n\n")
            return True
        finally:
            gone.cancel()

    async def _played(
        self, guard: Guard, own: ProxyRequest, asking: Asking, form: Form
    ) -> tuple[Any, dict[str, Any], bool]:
        """Play a turn. Return the answer, the verdict, and whether the answer is just that of the upstream."""
        settings = self.settings
        turn = GuardedTurn(form, settings.way, settings.attempts, settings.hold_claims, as_refusal=True)
        for attempt in range(1, _MOST_CONFLICTS + 1):
            talk = current_of(guard, own.conversation, own.tenant)
            asking.begin()
            try:
                played, answer = await _noted(turn, talk, own, asking)
                is_same = played.ending == "passed" and played.attempts == 1
                return answer, verdict_of(talk, played), is_same
            except StoreConflict:  # Another process has written to the conversation, so its events are read anew.
                if attempt == _MOST_CONFLICTS:
                    raise
                await asyncio.sleep(0.01 * attempt)
            except (InputError, StoreError, UnreadAnswer) as error:
                if guard.mode != "observe":
                    raise
                asking.begin()
                await asking.asked(own.given)
                return None, undecided_verdict(own.conversation, str(error)), True
        raise AssertionError("the last attempt returns or raises")

    async def _tell(
        self, exchange: Exchange, own: ProxyRequest, asking: Asking, answer: Any, verdict: dict[str, Any], is_same: bool
    ) -> None:
        """Send an answer with its verdict."""
        last = asking.last
        assert last is not None
        headers = _with(last.headers, *verdict_headers(verdict))
        if answer is None:
            await exchange.answer(last.status, headers, last.body)
        elif own.is_stream:
            events = asking.form.events(answer, own.given)
            await exchange.answer(200, _with(headers, _STREAM), own.protocol.stream(events, verdict))
        else:
            body = forms.as_given(answer)
            is_kept = is_same and not last.is_stream and EXTENSION not in body
            told = last.body if is_kept else json.dumps({n: v for n, v in body.items() if n != EXTENSION}).encode()
            await exchange.answer(200, headers if is_kept else _with(headers, _JSON), with_verdict(told, verdict))

    async def _fail(self, exchange: Exchange, protocol: Protocol, error: Exception) -> None:
        """Answer with an error. One of the upstream goes out as it came, if the answer has not begun yet."""
        if isinstance(error, UpstreamRefused) and not exchange.has_begun:
            own = error.answer
            await exchange.answer(own.status, own.headers, own.body)
            return
        if isinstance(error, UpstreamBroke):
            # The error of a stream goes out as it came, too.
            await exchange.begin(200, _with(error.headers, _STREAM))
            await exchange.end(protocol.event(error.event))
            return
        if isinstance(error, SlowReader):
            return
        status, code = _status_of(error)
        if status == 500:
            _log.error("a request could not be answered", exc_info=error)
        message = str(error) if isinstance(error, HoldtrueError) else "the guard failed, and its log says why"
        if exchange.has_begun:
            await exchange.end(protocol.error_event(status, message, code))
            return
        body = protocol.error(status, message, code)
        headers: Headers = (_JSON, ("retry-after", "1")) if status in (429, 503) else (_JSON,)
        if isinstance(error, BadRequest):
            headers += (("connection", "close"),)  # Parts of the body may still come.
        if isinstance(error, CallStopped):
            verdict = {"conversation": "", "verdict": "refused", **of_decisions(error.decisions)}
            body[EXTENSION] = verdict
            headers += verdict_headers(verdict)
        await exchange.answer(status, headers, json.dumps(body).encode())

    def _headers(self, request: Request, bound: str | None) -> Headers:
        has_key = bound is not None and not request.headers.get(KEY_HEADER)
        own = (self.settings.tenant_header, self.settings.conversation_header)
        return self.upstream.headers(request.headers.raw, has_key=has_key, own=own)


async def _noted(
    turn: GuardedTurn, talk: GuardedConversation, own: ProxyRequest, asking: Asking
) -> tuple[PlayedTurn, Any]:
    """Play a turn, and return it with its answer when all of its events are written.

    If they cannot be written, the calls of the answer are taken back, because nobody gets them.
    """
    played: PlayedTurn | None = None
    try:
        with gathered_writes():
            played = await turn.play(talk, own.given, asking.send)
            answer = await note_response(talk, own, played)
            await talk.save()
        return played, answer
    except BaseException:
        if played is not None:
            await take_back(talk, played.made)
        await talk.save()
        raise


def _status_of(error: Exception) -> tuple[int, str]:
    """Return the HTTP status and the code of an error."""
    match error:
        case BadRequest():
            return error.status, "bad_request" if error.status != 401 else "unknown_key"
        case CallStopped():
            return 422, "call_stopped"
        case UpstreamFault():
            return error.status, "upstream_unreachable" if error.status == 504 else "upstream_failed"
        case UpstreamRefused():
            return 502, "upstream_refused"
        case StoreConflict() | StoreError():
            return 503, "store_unavailable"
        case InputError():
            return 422, "not_decidable"
    return 500, "guard_failed"


def _path(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _with(headers: Headers, *more: tuple[str, str]) -> Headers:
    """Return headers with others in place of those of the same names."""
    names = {name for name, _ in more}
    return (*(own for own in headers if own[0].lower() not in names), *more)
