"""Encode paid calls as lines of JSON, and find calls in a file of such lines without parsing all of it.

Every line begins with the key and the token counts, so that a log is indexed at the speed of the disk. Prompts and
replies are nearly all of its bytes, and are parsed only on demand.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from holdtrue.errors import InfrastructureError, RecordError
from holdtrue.models.chat import SOME_TAKE, Message, Reply, Request
from holdtrue.record import ReplyKind, Usage

_HEAD = re.compile(
    rb'\{"key":"([0-9a-f]+)","prompt_tokens":(\d+),"completion_tokens":(\d+),"latency_s":(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?),'
    rb'(?:"thinking_tokens":(\d+),)?"model":("(?:[^"\\]|\\.)*")'
)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a call in its file (bytes), and the values at the beginning of its line."""

    start: int
    length: int
    key: str
    model: bytes
    usage: Usage


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call from a log. `settings` are the other parts of its key."""

    messages: tuple[Message, ...]
    settings: dict[str, Any]
    reply: Reply


def encode(key: str, model: str, request: Request, reply: Reply) -> bytes:
    """Return the line of a call, with its newline."""
    value = {
        "key": key,
        "prompt_tokens": reply.usage.prompt_tokens,
        "completion_tokens": reply.usage.completion_tokens,
        "latency_s": reply.usage.latency_s,
        **({"thinking_tokens": reply.usage.thinking_tokens} if reply.usage.thinking_tokens else {}),
        "model": model,
        "purpose": request.purpose,
        "kind": reply.kind,
        "note": reply.note,
        "annotations": dict(reply.annotations),
        "text": reply.text,
        **({} if reply.logprob is None else {"logprob": reply.logprob}),
        **({"thoughts": reply.thoughts} if reply.thoughts else {}),
        "messages": [message.to_json() for message in request.messages],
        "settings": settings_of(request),
    }
    # With surrogatepass, a reply that was cut inside a character is read back unchanged.
    return f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n".encode("utf-8", "surrogatepass")


def decode(line: bytes) -> LoggedCall:
    """Return the call on a line. Raises `ValueError`, `KeyError` or `TypeError` if there is none."""
    value = json.loads(line)
    thinking = value.get("thinking_tokens", 0)
    usage = Usage(1, value["prompt_tokens"], value["completion_tokens"], value["latency_s"], thinking)
    messages = tuple(Message(message["role"], message["content"]) for message in value["messages"])
    said = (value["note"], value["annotations"], value.get("logprob"), value.get("thoughts", ""))
    reply = Reply(value["text"], usage, ReplyKind(value["kind"]), *said)
    return LoggedCall(messages, value["settings"], reply)


def settings_of(request: Request) -> dict[str, Any]:
    """Return the parts of a request's key besides its messages. The schema is given by a hash."""
    schema = None if request.schema is None else json.dumps(request.schema, sort_keys=True)
    return {
        "schema": None if schema is None else hashlib.sha256(schema.encode()).hexdigest()[:16],
        "temperature": request.temperature,
        "seed": request.seed,
        "sample": request.sample,
        "max_tokens": request.max_tokens,
        **({"likelihood": True} if request.likelihood else {}),
        **{name: getattr(request, name) for name in SOME_TAKE if getattr(request, name) is not None},
    }


def scan(file: BinaryIO, path: Path) -> Iterator[Place]:
    """Yield the calls in the file, and skip an incomplete last line. Raises `RecordError` for a line without a call."""
    start = 0
    for number, line in enumerate(file, start=1):
        if not line.endswith(b"\n"):
            return
        head = _HEAD.match(line)
        if head is None or not line.endswith(b"}\n"):
            raise RecordError(f"{path}, line {number}: this is no call")
        key, prompt, completion, latency, thinking, model = head.groups()
        usage = Usage(1, int(prompt), int(completion), float(latency), int(thinking or 0))
        yield Place(start, len(line), key.decode(), model, usage)
        start += len(line)


def read_call(file: BinaryIO, start: int, length: int, path: Path) -> LoggedCall:
    """Return the call at a place.

    Raises `RecordError` if the call is damaged, and `InfrastructureError` if the file cannot be read.
    """
    try:
        file.seek(start)
        return decode(file.read(length))
    except OSError as error:
        raise InfrastructureError(f"{path}: the call log cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}, at byte {start}: a damaged call: {error!r}") from error
