"""The values that tools showed in a conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class ShownValues:
    """The `ShownValues` of a conversation are the texts of all plain values in its results, and of their names."""

    def __init__(self) -> None:
        self.texts: set[str] = set()

    def add(self, result: Any) -> None:
        """Take in what a call showed."""
        self.texts.update(_values(result))


def _values(given: Any) -> Iterator[str]:
    """Yield the plain values in something given, as texts, and the names that they stand under."""
    if isinstance(given, str):
        try:
            parsed = json.loads(given)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict | list):
            given = parsed
    stack = [given]
    while stack:
        own = stack.pop()
        match own:
            case Mapping():
                stack += own.values()
                yield from map(str, own)
            case list() | tuple():
                stack += own
            case bool() | None:
                continue
            case _:
                yield str(own)
