"""Declare a format of logs: how a value of a file is known, and how the values become plain conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import RecordError

Values = Iterable[tuple[str, Any]]
"""The values of a file, each with its place: one document, the items of its list, or the values of its lines."""
Conversations = Iterator[dict[str, Any] | RecordError]
"""Objects with `messages`, as `read_conversation` takes them, and an error for each part that is not understood."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A `LogFormat` has the `name` that `--format` takes. `about` describes it in the list of formats.

    `knows` says whether a value is in this format, and `read` yields the conversations in all values of a file.
    """

    name: str
    about: str
    knows: Callable[[Any], bool]
    read: Callable[[Values], Conversations]


def keys_of(value: object) -> str:
    """Return the first keys of an object, for error messages."""
    return f"there is {', '.join(map(str, [*value][:8])) or 'nothing':.200}" if isinstance(value, dict) else "no object"
