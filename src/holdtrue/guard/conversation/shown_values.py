"""The values that a tool showed, as texts, and the records in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_LONGEST, _MOST = 60, 40
"""Texts of more letters, and records of more texts, tell nothing of a thing."""


def shown_texts(given: Any) -> Iterator[str]:
    """Yield the plain values in something given, as texts, and the names that they stand under."""
    stack = [parsed_result(given)]
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


def shown_records(given: Any) -> Iterator[dict[str, str]]:
    """Yield the texts of each record in something given, by the names of its fields."""
    stack = [parsed_result(given)]
    while stack:
        own = stack.pop()
        stack += own.values() if isinstance(own, Mapping) else own if isinstance(own, list | tuple) else ()
        if isinstance(own, Mapping):
            texts = {str(name): each for name, each in own.items() if isinstance(each, str) and each}
            if 1 < len(texts) <= _MOST:
                yield {name: each for name, each in texts.items() if len(each) <= _LONGEST}


def parsed_result(given: Any) -> Any:
    """Return what a text that is JSON says, and anything else as it is."""
    if not isinstance(given, str):
        return given
    try:
        parsed = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return parsed if isinstance(parsed, dict | list) else given
