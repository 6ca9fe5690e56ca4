"""Servers on loopback for tests: a guardrail server, and a model that answers by a script."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdtrue.guard.guard import Guard
from holdtrue.serve.api_keys import Keys
from holdtrue.serve.guardrail_api import GuardrailApi
from holdtrue.serve.guardrail_request import GuardrailSettings
from holdtrue.serve.proxy import Proxy
from holdtrue.serve.proxy_request import ServerSettings
from holdtrue.serve.service import GuardInUse, service_app
from holdtrue.serve.telemetry import Telemetry
from holdtrue.serve.upstream import Upstream


def in_use(guard: Guard) -> GuardInUse:
    """Return a guard as a server has it."""

    async def check() -> str:
        return ""

    return GuardInUse(lambda _: guard, lambda: guard.policy, check)


def guardrail_app(guard: Guard, keys: Keys | None = None, settings: GuardrailSettings | None = None) -> Starlette:
    """Return a server with the guardrail API only."""
    own = in_use(guard)
    return service_app(own, keys, None, GuardrailApi(own, keys, settings or GuardrailSettings()))


def proxy_app(guard: Guard, upstream: str, keys: Keys | None = None, key: str | None = None, **given: Any) -> Starlette:
    """Return a server with a proxy before an upstream."""
    own, settings = in_use(guard), ServerSettings(**given)
    to = Upstream(upstream, key, settings.upstream_timeout_s, settings.most_answer_bytes)
    return service_app(own, keys, Proxy(own, to, keys, settings, Telemetry()), None)


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Serve an app in a thread, and yield its address. At the end the server stops as after an interrupt."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    wait_until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()


def wait_until(is_so: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def scripted_model(replies: list[dict[str, Any]]) -> Starlette:
    """Return a server of chat completions that gives the replies in order, as a stream if that is wanted."""

    async def complete(request: Request) -> Response:
        message = replies.pop(0)
        body = {"id": "a", "object": "chat.completion", "created": 1, "model": "scripted"}
        ended = "tool_calls" if message.get("tool_calls") else "stop"
        if not (await request.json()).get("stream"):
            return JSONResponse({**body, "choices": [{"index": 0, "message": message, "finish_reason": ended}]})
        calls = [{**own, "index": place} for place, own in enumerate(message.get("tool_calls") or ())]
        deltas: list[tuple[dict[str, Any], str | None]] = [
            ({**message, **({"tool_calls": calls} if calls else {})}, None),
            ({}, ended),
        ]
        body["object"] = "chat.completion.chunk"
        lines = [{**body, "choices": [{"index": 0, "delta": own, "finish_reason": why}]} for own, why in deltas]
        text = "".join(f"data: {json.dumps(own)}\n\n" for own in lines) + "data: [DONE]\n\n"
        return Response(text, media_type="text/event-stream")

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])
