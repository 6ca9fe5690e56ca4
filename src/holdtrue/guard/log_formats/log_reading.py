"""Read a file of logged conversations in any known format. The format is found by a look at the first value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.guard.log_formats.inspect_log import INSPECT, samples_in
from holdtrue.guard.log_formats.langfuse_traces import LANGFUSE
from holdtrue.guard.log_formats.langsmith_runs import LANGSMITH
from holdtrue.guard.log_formats.log_format import Conversations, LogFormat
from holdtrue.guard.log_formats.message_rows import MESSAGES, is_message
from holdtrue.guard.log_formats.otel_spans import OTEL
from holdtrue.guard.log_formats.tau2_results import TAU2
from holdtrue.guard.recorded_words import load_once

FORMATS = {own.name: own for own in (OTEL, LANGFUSE, LANGSMITH, INSPECT, TAU2, MESSAGES)}
"""The known formats by name. The last one takes all that no other knows."""


def find_format(name: str) -> LogFormat:
    """Return the format of a name. Raises `SettingsError` with the known ones."""
    if name not in FORMATS:
        known = "; ".join(f"{own.name} ({own.about})" for own in FORMATS.values())
        raise SettingsError(f"--format {name!r:.40} is not known; there are {known}")
    return FORMATS[name]


def format_of(value: object) -> LogFormat:
    """Return the format of a value: a document, or the first line of a file."""
    return next((own for own in FORMATS.values() if own.knows(value)), MESSAGES)


def conversations_in(data: bytes, source: str, name: str | None = None) -> Conversations:
    """Yield the conversations of a file, and an error for each part of it that cannot be read.

    Args:
        data: The bytes of the file: a JSON document, JSON lines, or an .eval log of Inspect.
        source: The name of the file for errors.
        name: The name of its format, or None to find it.
    """
    try:
        values = list(values_in(data, source))
        sound = [own for own in values if not isinstance(own[1], RecordError)]
        format = find_format(name) if name else format_of(sound[0][1]) if sound else MESSAGES
        if format is MESSAGES and sound and all(is_message(own) for _, own in sound):
            yield from (own for _, own in values if isinstance(own, RecordError))
            if len(sound) == len(values):
                yield {"messages": [own for _, own in values]}
        elif format is MESSAGES:
            for where, own in values:
                yield from [own] if isinstance(own, RecordError) else MESSAGES.read([(where, own)])
        else:
            yield from (own for _, own in values if isinstance(own, RecordError))
            yield from format.read(sound)
    except RecordError as error:
        yield error
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        yield RecordError(f"{source}: a value is of another type than the format has: {error}")


def values_in(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    """Yield the document in a file, the items of its list, or the values of its lines. Broken lines are errors.

    Raises `RecordError` for a document of two meanings, and for a damaged .eval log.
    """
    if data.startswith(b"PK"):
        yield from samples_in(data, source)
        return
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        yield from ((f"line {at}", _value(own, f"line {at}")) for at, own in enumerate(lines, 1) if own.strip())
        return
    whole = load_once(data, source)
    yield from ((f"[{at}]", own) for at, own in enumerate(whole)) if isinstance(whole, list) else [("document", whole)]


def _value(line: bytes, where: str) -> Any:
    try:
        return load_once(line, where)
    except (ValueError, RecursionError, RecordError) as error:
        return RecordError(f"{where}: no JSON object in UTF-8: {error}")
