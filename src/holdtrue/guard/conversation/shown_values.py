"""The values that tools showed in a conversation, and the names under which they stood."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.language.slots.slot_words import stems
from holdtrue.language.slots.value_grounding import plain

_LONGEST_NAMED = 500
"""Nobody says a longer text to name a thing."""


class ShownValues:
    """The `ShownValues` of a conversation grow with each result; their names are looked at once somebody asks."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self._named: list[tuple[str, str]] = []
        self._names: dict[str, frozenset[frozenset[str]]] = {}

    def add(self, arguments: Any, result: Any) -> None:
        """Take in what a call was made with, which says what it is called, and what it showed."""
        for name, text in _values(result):
            self.texts.add(text)
            self._named.append((name, text))
        self._named.extend(_values(arguments))

    def names(self) -> Mapping[str, frozenset[frozenset[str]]]:
        """Return the names of each value, as sets of stems, by its plain text."""
        named = {name: frozenset(stems(name)) for name in {name for name, _ in self._named} if name}
        for name, text in dict.fromkeys(self._named):
            if name and len(text) <= _LONGEST_NAMED:
                key = plain(text)
                self._names[key] = self._names.get(key, frozenset()) | {named[name]}
        self._named.clear()
        return self._names


def _values(given: Any) -> Iterator[tuple[str, str]]:
    """Yield the plain values in something given, as texts with the nearest names; the names are values, too."""
    if isinstance(given, str):
        try:
            parsed = json.loads(given)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict | list):
            given = parsed
    stack = [("", given)]
    while stack:
        name, own = stack.pop()
        match own:
            case Mapping():
                for key, each in own.items():
                    stack.append((str(key), each))
                    yield "", str(key)
            case list() | tuple():
                stack += ((name, each) for each in own)
            case bool() | None:
                continue
            case _:
                yield name, str(own)
