"""Read exports of Langfuse: traces with their observations, or the observations alone, a row each.

Traces of one session are one conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.log_formats.log_format import LogFormat, keys_of
from holdtrue.guard.log_formats.span_threads import Span, conversations, moment_in

_KINDS = {"GENERATION": "model", "TOOL": "tool"}


def _observations(value: Any, where: str) -> Iterator[Span]:
    """Yield the observations of a trace, or one that stands alone."""
    if not _knows(value):
        raise RecordError(f"{where}: observations or traceId is missing; {keys_of(value)}")
    trace = value["trace"] if isinstance(value.get("trace"), dict) else value
    found = expect(value.get("observations", [value]), list, f"{where}.observations")
    if not found:
        raise RecordError(f"{where}: observations is empty: export the trace with its observations")
    for place, each in enumerate(found):
        at = f"{where}.observations[{place}]"
        own = expect(each, dict, at)
        id, session = own.get("traceId") or trace.get("id"), own.get("sessionId") or trace.get("sessionId")
        if not id or not own.get("type"):
            raise RecordError(f"{at}: {'type' if id else 'traceId'} is missing; {keys_of(own)}")
        error = (own.get("statusMessage") or True) if own.get("level") == "ERROR" else None
        kind, said = _KINDS.get(own["type"], "other"), (own.get("input"), own.get("output"))
        named = str(session or "") or None, moment_in(own, "startTime", at), kind, str(own.get("name"))
        yield Span(at, str(id), *named, *said, ("input", "output"), error=error)


def _knows(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("observations"), list) or ("traceId" in value and "type" in value)


LANGFUSE = LogFormat(
    "langfuse",
    "traces of Langfuse with their observations, or rows of observations",
    _knows,
    lambda values: conversations(values, _observations),
)
