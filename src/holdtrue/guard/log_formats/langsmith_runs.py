"""Read runs of LangSmith: a row each, or trees of runs. Traces of one thread are one conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.log_formats.log_format import LogFormat, keys_of
from holdtrue.guard.log_formats.span_threads import Span, conversations, moment_in

_KINDS = {"llm": "model", "tool": "tool"}
_THREADS = ("thread_id", "session_id", "conversation_id")
"""Keys of a run's metadata that name its thread."""


def _runs(value: Any, where: str, trace: Any = None) -> Iterator[Span]:
    """Yield a run and its children."""
    own = expect(value, dict, where)
    if missing := next((key for key in ("id", "run_type", "inputs") if own.get(key) is None), None):
        raise RecordError(f"{where}: {missing} is missing; {keys_of(own)}")
    trace = own.get("trace_id") or trace or own["id"]
    metadata = (own.get("extra") or {}).get("metadata") or {}
    thread = next((str(metadata[key]) for key in _THREADS if metadata.get(key)), None)
    at, kind = (moment_in(own, "start_time", where), str(own.get("dotted_order"))), _KINDS.get(own["run_type"], "other")
    said = own["inputs"], own.get("outputs"), ("inputs", "outputs")
    yield Span(f"run {own['id']}", str(trace), thread, at, kind, str(own.get("name")), *said, error=own.get("error"))
    for place, child in enumerate(own.get("child_runs") or ()):
        yield from _runs(child, f"{where}.child_runs[{place}]", trace)


LANGSMITH = LogFormat(
    "langsmith",
    "runs of LangSmith, a row each, or trees of runs",
    lambda value: isinstance(value, dict) and "run_type" in value,
    lambda values: conversations(values, _runs),
)
