"""The values that a tool showed, as texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def shown_texts(given: Any) -> Iterator[str]:
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
