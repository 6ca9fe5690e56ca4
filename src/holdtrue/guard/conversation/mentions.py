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


_MOST_JOINED = 6
_FLAG_CLAUSE = re.compile(r"(?:[^.,;!?\n]|[.,](?=\d))+")
_DENIED = re.compile(
    r"\b(?:no|not|without|never|false|off|none|excluding|declin\w+|ohne|kein\w*|sin)\b|n['\u2019]t\b", re.I
)
"""A listing denies a flag in the part of a sentence that names it: `no insurance`, `Insurance: no`."""


class Said:
    """A text that somebody said, in which values are looked for; dates are relative to `now`."""

    def __init__(self, text: str, now: datetime, locale: str) -> None:
        self.text, self._now, self._locale = text, now, locale
        self._plain = f" {plain(text)} "

    def mentions(self, name: str, value: Any, type: Type) -> bool:
        """Return whether the text has a value of an argument, in any way to write it."""
        own = without_null(type)
        match own:
            case Flag():
                return value in self._flags(name)
            case Number() | Calendar():
                return any(show(value, own) in values for values in self.values(own))
            case Name(_, values) if values is not None:
                return bool(matches(self.text, [value])) or plain(value.replace("_", " ")) in self._plain
            case Name():
                return self._has_name(str(value))
        return False

    def values(self, type: Number | Calendar, *, surely: bool = False) -> Iterator[tuple[str, ...]]:
        """Yield the dates, times or numbers in the text: of each what it can mean as a value of a type.

        A bare number can be a day or an hour, too, but is `surely` none.
        """
        wanted = type.kind if isinstance(type, Calendar) else "number"
        for span in spans_in(self.text, self._now, self._locale):
            if span.kind == wanted or (span.kind == "number" and not surely):
                yield read_slot_value(span.text, type, self._now, self._locale).shown

    def _flags(self, name: str) -> frozenset[bool]:
        """Return what the text says of a flag: that it is wanted, that it is not, or both of them."""
        words = {word for word in stems(name) if len(word) > 2}
        return frozenset(
            _DENIED.search(clause[0]) is None
            for clause in _FLAG_CLAUSE.finditer(self.text)
            if words & set(stems(clause[0]))
        )

    def _has_name(self, value: str) -> bool:
        name = plain(value)
        if not name:
            return value.strip() in self.text
        if f" {name} " in self._plain or (len(name) > 3 and self._has_joined(name.replace(" ", ""))):
            return True
        digits = re.search(rf"\d{{{_DIGITS}}}$", value)
        return digits is not None and f" {digits[0]} " in self._plain

    def _has_joined(self, letters: str) -> bool:
        """Return whether some words of the text, written as one, are these letters."""
        words = self._plain.split()
        return any(
            "".join(words[at : at + size]) == letters for size in range(1, _MOST_JOINED) for at in range(len(words))
        )


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


def names_another(said: Said, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether a text names something else in the place of what a call has: another day, hour or choice.

    Who hears of Friday for four and of Saturday for two, and says yes, has not said which of them.
    """
    kinds: dict[Type, set[str]] = {}
    for _, name, value, type in leaves(call, tool.arguments, ""):
        if isinstance(type, Calendar):
            kinds.setdefault(type, set()).add(show(value, type))
        elif isinstance(type, Name) and type.values is not None:
            named = {own for own, _ in matches(said.text, type.values)}
            if named and value not in named and not said.mentions(name, value, type):
                return True
    return any(
        values and not shown.intersection(values)
        for type, shown in kinds.items()
        if isinstance(type, Calendar)
        for values in said.values(type, surely=True)
    )
