"""Answers and modes of the misbehaving server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.models.fake_server import Mode, Turn


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
    """Return the bytes of an answer. A body that is an object is written as JSON."""
    if isinstance(body, str):
        body = body.encode()
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "Content-Length": str(len(data) if length is None else length)}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in (given | dict(headers or {})).items())]
    return "\r\n".join([*lines, "", ""]).encode() + data


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: object) -> bytes:
    return http({"error": {"message": message, **more}}, status, headers)


def always(answer: bytes | Callable[[], bytes]) -> Mode:
    """Send this answer to every request. A function makes a large one on demand."""

    async def mode(turn: Turn) -> None:
        await turn.send(answer() if callable(answer) else answer)

    return mode


def first(answer: bytes | None) -> Mode:
    """Send this answer to the first request, or close the connection. All others get a good reply."""

    async def mode(turn: Turn) -> None:
        if turn.number:
            await turn.send(http(completion()))
        elif answer is None:
            turn.writer.close()
        else:
            await turn.send(answer)

    return mode


def slowly(start: bytes, piece: bytes, wait_s: float = 0.05, times: int = 10**9) -> Mode:
    """Send `start`, and then `piece` very often."""

    async def mode(turn: Turn) -> None:
        await turn.send(start)
        for _ in range(times):
            await turn.send(piece, wait_s=wait_s)

    return mode


def broken(answer: bytes) -> Mode:
    """Send `answer`, and close the connection."""

    async def mode(turn: Turn) -> None:
        await turn.send(answer)
        turn.writer.close()

    return mode


def unless(words: str, answer: bytes) -> Mode:
    """Send `answer` to requests that contain one of these words, and a good reply to all others."""

    async def mode(turn: Turn) -> None:
        asked = json.dumps(turn.body)
        await turn.send(answer if any(word in asked for word in words.split()) else http(completion()))

    return mode
