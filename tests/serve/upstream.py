"""A fake upstream of all three protocols, whose answers a test plans, and which notes each request."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.guard.clients.served import Raw, chat, message, response, tool_call
from tests.guard.clients.stream_forms import Part, chat_stream, message_stream, response_stream

LIMITS = {"x-ratelimit-remaining-requests": "41", "x-request-id": "req-7"}


@dataclass(frozen=True)
class Reply:
    """A planned answer: its parts, and what goes wrong with it."""

    parts: list[Part] = field(default_factory=list)
    status: int = 200
    is_cut: bool = False
    wait_s: float = 0.0
    more: dict[str, Any] = field(default_factory=dict)
    raw: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Fake:
    """The upstream: the planned replies, also those by the name of a model, and the requests that came."""

    replies: list[Reply] = field(default_factory=list)
    plans: dict[str, list[Reply]] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def asked(self, model: str) -> list[dict[str, Any]]:
        """Return the requests to a model, in order."""
        return [own for own in map(json.loads, self.bodies) if own.get("model") == model]

    def app(self) -> Starlette:
        names = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}
        routes = [Route(path, self._answer(name), methods=["POST"]) for name, path in names.items()]
        return Starlette(routes=[*routes, Route("/v1/models", self._models)])

    async def _models(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        return JSONResponse({"object": "list", "data": [{"id": "m"}]}, headers=LIMITS)

    def _answer(self, name: str) -> Any:
        async def answer(request: Request) -> Response:
            body = await request.body()
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
            asked = json.loads(body)
            number, own = len(self.bodies), self.plans.get(str(asked.get("model")), self.replies).pop(0)
            await asyncio.sleep(own.wait_s)
            if own.status != 200:
                return Response(error(own.status), own.status, LIMITS | own.headers, "application/json")
            is_stream = asked.get("stream")
            data = streamed(name, own) if is_stream else json.dumps(whole(name, own, number)).encode()
            data = own.raw or data
            kind = "text/event-stream" if is_stream else "application/json"
            return Response(data[: len(data) // 2] if own.is_cut else data, 200, LIMITS | own.headers, kind)

        return answer


def error(status: int) -> bytes:
    """Return the body of an upstream's error, with odd spaces that have to arrive as they are."""
    return json.dumps({"error": {"message": f"upstream says {status}", "type": "odd", "x": 1.50}}, indent=3).encode()


def whole(name: str, own: Reply, number: int) -> dict[str, Any]:
    """Return the body of an answer that is no stream."""
    maker = {"chat": chat, "responses": response, "messages": message}[name]
    return maker(Raw(_raw(name, own.parts, number)), number) | own.more


def _raw(name: str, parts: list[Part], number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{}]
    for place, (kind, own) in enumerate(parts):
        id = f"call_{number}_{place}"
        if kind == "choice":
            found.append({})
        elif name == "chat" and kind == "text":
            found[-1]["content"] = own
        elif name == "chat":
            found[-1].setdefault("tool_calls", []).append(tool_call(own[0], own[1], id))
        elif kind == "text" and name == "responses":
            content = [{"type": "output_text", "text": own, "annotations": []}]
            more = {"id": f"m{place}", "role": "assistant", "status": "completed", "content": content}
            found.append({"type": "message", **more})
        elif kind == "text":
            found.append({"type": "text", "text": own})
        elif name == "responses":
            call = {"call_id": id, "name": own[0], "arguments": json.dumps(own[1])}
            found.append({"type": "function_call", "id": f"f{place}", **call})
        else:
            found.append({"type": "tool_use", "id": id, "name": own[0], "input": own[1]})
    return found if name == "chat" else found[1:]


def streamed(name: str, own: Reply) -> bytes:
    """Return an answer as a stream."""
    write = {"chat": chat_stream, "responses": response_stream, "messages": message_stream}[name]
    has_call = any(kind == "call" for kind, _ in own.parts)
    reason = {"chat": ("stop", "tool_calls"), "responses": ("", ""), "messages": ("end_turn", "tool_use")}[name]
    events = write(own.parts, reason[has_call], 9)
    lines = [f"event: {each['type']}\n" if "type" in each else "" for each in events]
    text = "".join(f"{line}data: {json.dumps(each)}\n\n" for line, each in zip(lines, events, strict=True))
    return (text + ("data: [DONE]\n\n" if name == "chat" else "")).encode()
