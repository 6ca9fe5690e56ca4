"""What the misbehaving server can do: each mode by its name."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from tests.models.fake_server import KEY, Mode, Turn


def completion(text: object = "Hello.", reason: object = "stop", **changed: object) -> dict[str, Any]:
    """A chat completion; `changed` replaces whole members, `message` and `choice` add to these."""
    message = {"role": "assistant", "content": text, **_dict(changed.pop("message", {}))}
    choice = {"index": 0, "message": message, "finish_reason": reason, **_dict(changed.pop("choice", {}))}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    return {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage} | changed


def _dict(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def http(
    body: bytes | str | object, status: int = 200, headers: Mapping[str, str] | None = None, length: int | None = None
) -> bytes:
    """The bytes of an answer; a body that is neither bytes nor text is written as JSON."""
    if isinstance(body, str):
        body = body.encode()
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "Content-Length": str(len(data) if length is None else length)}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in (given | dict(headers or {})).items())]
    return "\r\n".join([*lines, "", ""]).encode() + data


def always(answer: bytes) -> Mode:
    async def mode(turn: Turn) -> None:
        await turn.send(answer)

    return mode


def lazily(make: Callable[[], bytes]) -> Mode:
    """Always the same answer, a large one, that is made when it is asked for."""

    async def mode(turn: Turn) -> None:
        await turn.send(make())

    return mode


def first(answer: bytes, then: bytes | None = None) -> Mode:
    """`answer` to the first request, a good reply (or `then`) to all others."""
    good = http(completion()) if then is None else then

    async def mode(turn: Turn) -> None:
        await turn.send(answer if turn.number == 0 else good)

    return mode


def slowly(start: bytes, piece: bytes, wait_s: float = 0.05) -> Mode:
    """`start`, and then `piece` again and again for ever."""

    async def mode(turn: Turn) -> None:
        await turn.send(start)
        while True:
            await turn.send(piece, wait_s=wait_s)

    return mode


def flood(start: bytes, block: bytes, times: int) -> Mode:
    async def mode(turn: Turn) -> None:
        await turn.send(start)
        for _ in range(times):
            await turn.send(block)

    return mode


def broken(answer: bytes) -> Mode:
    """`answer`, and the connection is closed."""

    async def mode(turn: Turn) -> None:
        await turn.send(answer)
        turn.writer.close()

    return mode


def unless(names: str, answer: bytes) -> Mode:
    """`answer` to requests that have one of these parameters, a good reply to all others."""

    async def mode(turn: Turn) -> None:
        await turn.send(answer if turn.body.keys() & set(names.split()) else http(completion()))

    return mode


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: object) -> bytes:
    return http({"error": {"message": message, **more}}, status, headers)


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_CHUNKED = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
_FINISH_REASONS = (
    *("stop", "STOP", "eos", "end_turn", "stop_sequence", "COMPLETE", None, "", "banana", 7, {"type": "stop"}),
    *("length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "max_output_tokens", {"type": "length"}),
    *("content_filter", "safety", "RECITATION", "content_filter: SAFETY", "guardrail_intervened", "ERROR_TOXIC"),
    *("tool_calls", "function_call", "tool_use", "refusal"),
    *("error", "abort", "cancelled", "network_error", "insufficient_system_resource", "MALFORMED_FUNCTION_CALL"),
)
_HATE = {"hate": {"filtered": True, "severity": "high"}}
_TOOL = {"id": "1", "type": "function", "function": {"name": "book", "arguments": "{}"}}


def _kinds() -> dict[str, Mode]:
    """Answers of the protocol, and of those who resemble it."""
    bodies: dict[str, dict[str, Any]] = {
        **{f"finish_reason {reason!r}": completion("Hello.", reason) for reason in _FINISH_REASONS},
        "finish_reason missing": {"choices": [{"message": {"content": "Hello."}}]},
        "native safety": completion(choice={"native_finish_reason": "SAFETY"}),
        "native stop": completion(reason=None, choice={"native_finish_reason": "STOP"}),
        "finish_details": completion(reason=None, choice={"finish_details": {"type": "max_tokens"}}),
        "refusal": completion(None, message={"refusal": "I cannot."}),
        "refusal and content": completion("Well.", message={"refusal": "I cannot."}),
        "refusal part": completion([{"type": "refusal", "refusal": "I cannot."}]),
        "refusal of another type": completion("I cannot.", message={"refusal": True}),
        "refusal null": completion(message={"refusal": None, "tool_calls": [], "function_call": None}),
        "parts": completion([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]),
        "azure filtered": completion("Hel", choice={"content_filter_results": _HATE}),
        "azure not filtered": completion(choice={"content_filter_results": {"hate": {"filtered": False}}}),
        "azure filter failed": completion(choice={"content_filter_results": {"error": {"code": "failed"}}}),
        "azure prompt filtered": {"choices": [], "prompt_filter_results": [{"content_filter_results": _HATE}]},
        "choice error": completion("Hel", choice={"error": {"message": "the provider died", "code": 502}}),
        "tool call": completion(None, "tool_calls", message={"tool_calls": [_TOOL]}),
        "tool call that stops": completion("", message={"tool_calls": [_TOOL]}),
        "function call": completion(None, message={"function_call": {"name": "book", "arguments": "{}"}}),
        "tool part": completion([{"type": "tool_use", "name": "book", "input": {}}], "stop"),
        "content null": completion(None),
        "content blank": completion(" \n"),
        "content number": completion(12),
        "reasoning, then stop": completion("", message={"reasoning_content": "Hm."}),
        "reasoning, then length": completion("", "length", message={"reasoning_content": "Hm."}),
        "reasoning and answer": completion(message={"reasoning_content": "Hm."}),
        "error under 200": {"error": {"message": "no provider", "code": 503}},
        "error text under 200": {"error": "something broke"},
        "error beside choices": completion(error={"message": "it broke", "code": 500}),
        "invalid request under 200": {"error": {"message": "bad", "code": 400}},
        "no such model under 200": {"object": "error", "message": "no such model", "code": 404},
        "choices empty": completion(choices=[]),
        "choices null": completion(choices=None),
        "choices text": completion(choices=["Hello."]),
        "message text": completion(choices=[{"message": "Hello.", "finish_reason": "stop"}]),
        "streamed choice": completion(choices=[{"delta": {"content": "Hello."}}]),
        "usage wrong": completion(usage={"prompt_tokens": -1, "completion_tokens": "3"}),
        "usage huge": completion(usage={"prompt_tokens": 10**30, "completion_tokens": True}),
        "usage nested": completion(usage={"prompt_tokens": {"a": [1]}, "completion_tokens": [[]]}),
        "usage text": completion(usage="many"),
    }
    return {name: always(http(body)) for name, body in bodies.items()}


def _bodies() -> dict[str, Mode]:
    """Bodies that are no chat completion, or hardly one."""
    good = json.dumps(completion())
    long = 10 * 2**20
    return {
        "html": always(http(f"<html>Welcome, {KEY}</html>", headers={"Content-Type": "text/html"})),
        "no json by type": always(http(good, headers={"Content-Type": "text/plain"})),
        "empty": always(http("")),
        "status 204": always(b"HTTP/1.1 204 No Content\r\n\r\n"),
        "list": always(http("[1]")),
        "null": always(http("null")),
        "two documents": always(http(good + good)),
        "truncated json": always(http(good[:-20])),
        "not utf-8": always(http(good.encode().replace(b"Hello", b"Hell\xff"))),
        "utf-16": always(http(good.encode("utf-16"))),
        "byte order mark": always(http(b"\xef\xbb\xbf" + good.encode())),
        "nan usage": always(http(good.replace("11", "NaN").replace(": 3", ": Infinity"))),
        "deep nesting": always(http("[" * 200_000)),
        "deep object": always(http('{"choices":' * 50_000)),
        "brackets as body": lazily(lambda: http("[]," * 2_000_000)),
        "brackets as content": lazily(lambda: http(completion("[" * (7 * 2**20)))),
        "escapes as content": lazily(lambda: http(completion("\u00e9\n" * 600_000))),
        "10 MB of brackets": lazily(lambda: http(completion("[" * long))),
        "200 MB": flood(_HEAD + b"Content-Length: 209715200\r\n\r\n", b"x" * 2**20, 200),
        "200 MB in chunks": flood(_CHUNKED, b"100000\r\n" + b"x" * 2**20 + b"\r\n", 200),
        "chunks for ever": slowly(_CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n", 0.0),
        "gzip": always(http(gzip.compress(good.encode()), headers={"Content-Encoding": "gzip"})),
        "gzip cut": always(http(gzip.compress(good.encode())[:-12], headers={"Content-Encoding": "gzip"})),
        "gzip that is none": always(http(good, headers={"Content-Encoding": "gzip"})),
        "gzip bomb": lazily(_bomb),
        "another packing": always(http(good, headers={"Content-Encoding": "br"})),
        "stream": always(http(b'data: {"choices": []}\n\n', headers={"Content-Type": "text/event-stream"})),
    }


def _bomb() -> bytes:
    """500 MB of blanks in half a megabyte."""
    packed = b"".join([gzip.compress(b" " * 10_000_000, 1)] * 50)
    return http(packed, headers={"Content-Encoding": "gzip"})


def _connections() -> dict[str, Mode]:
    """Connections that stall, break off or lead elsewhere."""
    good = http(completion())
    return {
        "a byte at a time": slowly(_HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
        "slow headers": slowly(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
        "slow status": slowly(b"", b"H", 10.0),
        "informed for ever": slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.01),
        "keep-alive comments": slowly(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"d\r\n: keep-alive\n\r\n",
        ),
        "silence": slowly(b"", b"", 10.0),
        "closed at once": broken(b""),
        "closed in headers": broken(b"HTTP/1.1 200 OK\r\nContent-"),
        "closed in the body": broken(good[:-30]),
        "length too long": broken(http(completion(), length=100_000)),
        "closed, then fine": _closed_then_fine,
        "no http": broken(b"220 mail.example ready " + KEY.encode() + b"\r\n"),
        "huge headers": broken(b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 2_000_000 + b"\r\n\r\n"),
        "redirect to another host": always(http("", 307, {"Location": f"http://localhost:9/?key={KEY}"})),
    }


async def _closed_then_fine(turn: Turn) -> None:
    if turn.number == 0:
        turn.writer.close()
    else:
        await turn.send(http(completion()))


def _statuses() -> dict[str, Mode]:
    """Answers that say no."""
    soon = {"Retry-After-Ms": "5"}
    late = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    no = "Unsupported value: '{0}' does not support 0 with this model. Only the default (1) value is supported."
    context = "This model's maximum context length is 4096 tokens; reduce max_tokens."
    both = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    extra = {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}
    return {
        "401 with the key": always(error(401, f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}")),
        "401 with a masked key": always(error(401, "Incorrect API key provided: sk-test-****************6Hs3.")),
        "401 in html": always(http(f"<html>{KEY}</html>", 401, {"Content-Type": "text/html"})),
        "403 moderation": always(
            error(403, "flagged", code=403, metadata={"reasons": ["violence"], "flagged_input": "..."})
        ),
        "404": always(error(404, "no model m")),
        "400": always(error(400, "no")),
        "400 prompt filtered": always(error(400, "The response was filtered", code="content_filter")),
        "400 context length": always(error(400, context, code="context_length_exceeded", param="messages")),
        "400 temperature": unless("temperature", error(400, no.format("temperature"), param="temperature")),
        "400 temperature and seed": unless("temperature seed", error(400, "unknown fields: temperature, seed")),
        "400 max_tokens": unless("max_tokens", error(400, both, param="max_tokens")),
        "422 seed": unless("seed", http(extra, 422)),
        "400 schema": unless("response_format", error(400, "response_format is not supported")),
        "400 for all": always(error(400, no.format("temperature"), param="temperature")),
        "413": always(error(413, "too large")),
        "429 hour": always(error(429, "slow down", {"Retry-After": "3600"})),
        "429 date": always(error(429, "slow down", {"Retry-After": late})),
        "429 year 9999": always(error(429, "slow down", {"Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"})),
        "429 garbage": first(error(429, "slow down", {"Retry-After": "soon, -1, nan"})),
        "429 negative": first(error(429, "slow down", {"Retry-After": "-5"})),
        "429 infinite": first(error(429, "slow down", {"Retry-After": "inf"})),
        "429 past": first(error(429, "slow down", {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"})),
        "429 soon": first(error(429, "slow down", soon)),
        "500, then fine": first(error(500, "oops", soon)),
        "503 for ever": always(error(503, f"overloaded {KEY}", soon)),
        "500 without a word": always(b"HTTP/1.1 500 X\r\nContent-Length: 0\r\nRetry-After-Ms: 5\r\n\r\n"),
        "500 of 200 MB": flood(b"HTTP/1.1 500 X\r\nContent-Length: 209715200\r\n\r\n", b"x" * 2**20, 200),
        "502 in html": first(http("<html>Bad Gateway</html>", 502, {"Content-Type": "text/html", **soon})),
        "empty, then fine": first(http(completion(""))),
        "error, then fine": first(http({"error": {"message": "no", "code": 500}})),
    }


def modes() -> dict[str, Mode]:
    """Every mode by its name."""
    return {**_kinds(), **_bodies(), **_connections(), **_statuses()}
