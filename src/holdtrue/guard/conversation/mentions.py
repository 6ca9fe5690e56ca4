"""Find the values of a call in what people said: was an argument spoken of, and were all of them listed?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from holdtrue.guard.policy_parts import Tool
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slots.slot_words import stems
from holdtrue.language.slots.spans import spans_in
from holdtrue.language.slots.value_grounding import matches, plain
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Number, Record, Type, without_null
from holdtrue.rules.values import NotSeen, field_path, show

_DIGITS = 4
"""So many digits at the end of an id tell it: 'the card ending in 7711'."""


_SMALL = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS = {str(number): word for number, word in enumerate(_SMALL, 1)}


class Said:
    """A text that somebody said, in which values are looked for; dates are relative to `now`."""

    def __init__(self, text: str, now: datetime, locale: str) -> None:
        self.text, self._now, self._locale = text, now, locale
        self._plain = f" {plain(text)} "
        self._stems: set[str] | None = None

    def mentions(self, name: str, value: Any, type: Type) -> bool:
        """Return whether the text has a value of an argument, in any way to write it."""
        own = without_null(type)
        match own:
            case Flag():
                if self._stems is None:
                    self._stems = set(stems(self.text))
                words = [word for word in stems(name) if len(word) > 2]
                return any(word in self._stems for word in words)
            case Number() | Calendar():
                shown = show(value, own)
                written = _NUMBERS.get(shown, shown)
                return self._has_value(shown, own) or any(
                    f" {plain(each)} " in self._plain for each in (shown, written)
                )
            case Name(_, values) if values is not None:
                return bool(matches(self.text, [value])) or plain(value.replace("_", " ")) in self._plain
            case Name():
                return self._has_name(str(value))
        return False

    def _has_value(self, shown: str, type: Type) -> bool:
        wanted = type.kind if isinstance(type, Calendar) else "number"
        for span in spans_in(self.text, self._now, self._locale):
            if (
                span.kind in (wanted, "number")
                and shown in read_slot_value(span.text, type, self._now, self._locale).shown
            ):
                return True
        return False

    def _has_name(self, value: str) -> bool:
        name = plain(value)
        if not name:
            return value.strip() in self.text
        if f" {name} " in self._plain or (len(name) > 3 and name.replace(" ", "") in self._plain.replace(" ", "")):
            return True
        digits = re.search(rf"\d{{{_DIGITS}}}$", value)
        return digits is not None and f" {digits[0]} " in self._plain


def leaves(value: Any, type: Type, path: str, name: str = "") -> Iterator[tuple[str, str, Any, Type]]:
    """Yield all values in a call: the path, the nearest name of a field, the value and its type."""
    own = without_null(type)
    if value is None or isinstance(value, NotSeen):
        return
    match own:
        case Record(fields) if isinstance(value, Mapping):
            for field, each in value.items():
                yield from leaves(each, fields[field].type, field_path(path, field) if path else field, field)
        case ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from leaves(each, item, f"{path}[{place}]", name)
        case MapOf(inner) if isinstance(value, Mapping):
            for key, each in value.items():
                yield from leaves(each, inner, f"{path}[{key!r}]", name)
        case _:
            yield path, name, value, own


def left_out(said: Said, tool: Tool, call: Mapping[str, Any], known: frozenset[str]) -> tuple[str, ...]:
    """Return the paths of what a listing of a call does not say.

    Ids that are `known`, because the user wrote them, need not be said again, nor what a call has by default.
    """
    found = []
    for path, name, value, type in leaves(call, tool.arguments, ""):
        if path in tool.schema.defaults and tool.schema.defaults[path] == value:
            continue
        is_known_id = isinstance(type, Name) and bool(type.kind) and str(value) in known
        if not is_known_id and not said.mentions(name, value, type):
            found.append(path)
    return tuple(found)
