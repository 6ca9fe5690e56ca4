"""What the answer of a server to one request says: a reply, or a fault, whatever its status and its bytes are."""

from __future__ import annotations

from dataclasses import replace

from holdtrue.models.error_objects import fault_in, filtered_prompt
from holdtrue.models.exchange import Answered
from holdtrue.models.json_body import NoJson, decode
from holdtrue.models.reply_kinds import ServerReply, classify_body
from holdtrue.models.retry_policy import ONE_REQUEST, Fault, FaultKind, asked_wait_s, kind_of_status
from holdtrue.record import ReplyKind

# Bytes of an answer that cannot be read as JSON, of which some are shown.
_SHOWN = 4096


def read_answer(answered: Answered) -> ServerReply:
    """Return what the answer says; raises `Fault` where that is no reply."""
    try:
        body, mended = decode(answered.body)
    except NoJson as error:
        raise _no_json(answered, error) from None
    if not 200 <= answered.status < 300:
        return _turned_down(answered, body)
    told = classify_body(body)
    if not mended:
        return told
    note = "bytes that are no text became U+FFFD"
    return replace(told, note=note if told.note is None else f"{told.note}; {note}")


def _no_json(answered: Answered, error: NoJson) -> Fault:
    """The fault of an answer that is no JSON."""
    start = answered.body[:_SHOWN].decode("utf-8", "replace")
    if not 200 <= answered.status < 300:
        said = f"status {answered.status}: {start}" if start.strip() else f"status {answered.status} without a word"
        return Fault(kind_of_status(answered.status), said, asked_wait_s=asked_wait_s(answered.headers))
    streams = "text/event-stream" in answered.headers.get("content-type", "") or start.lstrip().startswith("data:")
    why = "the server streams its answer, though it was not asked to" if streams else f"the answer is no JSON: {error}"
    return Fault(FaultKind.GARBLED, f"{why} (status {answered.status}): {start}")


def _turned_down(answered: Answered, body: object) -> ServerReply:
    """What an answer without success says: that a filter turned the prompt down, or a fault, which is raised."""
    told = body if isinstance(body, dict) else {}
    filtered = filtered_prompt(told) if answered.status in (*ONE_REQUEST, 403) else None
    if filtered is not None:
        return ServerReply("", ReplyKind.FILTERED, filtered)
    kind = kind_of_status(answered.status)
    fault = fault_in(told, answered.status) or Fault(kind, answered.body[:_SHOWN].decode("utf-8", "replace"))
    fault.said = f"status {answered.status}: {fault.said}"
    fault.asked_wait_s = asked_wait_s(answered.headers)
    raise fault
