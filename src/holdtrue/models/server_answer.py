"""Read the answer of a server to one request, with any status and any bytes: a reply or a fault."""

from __future__ import annotations

import json
from dataclasses import replace

from holdtrue.models.exchange import Answered
from holdtrue.models.reply_kinds import ServerReply, classify_body
from holdtrue.models.retry_policy import (
    ONE_REQUEST,
    Fault,
    FaultKind,
    fault_in,
    filtered_prompt,
    kind_of_status,
    retry_after_s,
)
from holdtrue.record import ReplyKind

# The most bytes considered of an answer that is not JSON.
_SHOWN = 4096


def read_answer(answered: Answered) -> ServerReply:
    """Return the reply in the answer. Raises `Fault` if it has none."""
    try:
        body, mended = decode(answered.body)
    except NoJson as error:
        raise _no_json(answered, error) from None
    if not 200 <= answered.status < 300:
        return _turned_down(answered, body)
    reply = classify_body(body)
    if not mended:
        return reply
    note = "bytes that are no text became U+FFFD"
    return replace(reply, note=note if reply.note is None else f"{reply.note}; {note}")


def _no_json(answered: Answered, error: NoJson) -> Fault:
    """Return the fault of an answer that is not JSON."""
    start = answered.body[:_SHOWN].decode("utf-8", "replace")
    if not 200 <= answered.status < 300:
        said = f"status {answered.status}: {start}" if start.strip() else f"status {answered.status} without a word"
        return Fault(kind_of_status(answered.status), said, retry_after_s=retry_after_s(answered.headers))
    streams = "text/event-stream" in answered.headers.get("content-type", "") or start.lstrip().startswith("data:")
    why = "the server streams its answer, though it was not asked to" if streams else f"the answer is no JSON: {error}"
    return Fault(FaultKind.GARBLED, f"{why} (status {answered.status}): {start}")


def _turned_down(answered: Answered, body: object) -> ServerReply:
    """Return a reply if a filter rejected the prompt. Raise the fault of any other unsuccessful answer."""
    fields = body if isinstance(body, dict) else {}
    filtered = filtered_prompt(fields) if answered.status in (*ONE_REQUEST, 403) else None
    if filtered is not None:
        return ServerReply("", ReplyKind.FILTERED, filtered)
    kind = kind_of_status(answered.status)
    fault = fault_in(fields, answered.status) or Fault(kind, answered.body[:_SHOWN].decode("utf-8", "replace"))
    fault.words = f"status {answered.status}: {fault.words}"
    fault.retry_after_s = retry_after_s(answered.headers)
    raise fault


class NoJson(ValueError):
    """The body has no JSON value. The message says why."""


def decode(body: bytes) -> tuple[object, bool]:
    """Return the JSON value of `body`, and whether some bytes were invalid and became U+FFFD.

    UTF-8, 16 and 32 are read, with or without a byte order mark. Raises `NoJson`.
    """
    if not body.strip():
        raise NoJson("the body is empty")
    encoding = json.detect_encoding(body)
    try:
        text, mended = body.decode(encoding), False
    except UnicodeDecodeError:
        text, mended = body.decode(encoding, "replace"), True
    try:
        return json.loads(text, strict=False), mended
    except RecursionError:
        raise NoJson("the body is nested too deeply") from None
    except ValueError as error:
        raise NoJson(f"the body is no JSON: {error}") from None
