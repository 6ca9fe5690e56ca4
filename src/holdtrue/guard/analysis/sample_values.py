"""Find values for examples that look real: those that a tool's JSON Schema names, or typical ones of their type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from holdtrue.guard.analysis.call_shapes import Shapes, steps_of, type_at
from holdtrue.logic.units import ONE, SECOND
from holdtrue.rules.schema_keywords import pointer_of
from holdtrue.rules.types import Flag, ListOf, MapOf, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import Reader, ValueFault

MOST_SAMPLES = 12
"""At most this many values are taken from a pattern."""
_DEEPEST = 40
"""References are followed to this depth."""
_FORMATS = {
    "email": "ann@example.com",
    "uri": "https://example.com/a",
    "uuid": "6f1c2b1e-8d0a-4c6e-9b1f-0a2b3c4d5e6f",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
}
"""A text of each format that no type of the policy stands for."""


class SampleValues:
    """`SampleValues` are the values that a tool's schema names for its arguments, and typical numbers."""

    def __init__(self, shapes: Shapes, schema: object) -> None:
        self._shapes, self._schema = shapes, schema
        self._found: dict[str, tuple[Any, ...]] = {}

    def __call__(self, path: str, type: Type) -> Sequence[Any]:
        """Return the values of a type that the schema names for the part of a call at this path, the best one first."""
        if path not in self._found:
            root, *steps = steps_of(path)
            named = self._at(self._schema, steps, 0) if root == self._shapes.root else ()
            read = (_read(own, type) for part in named for own in _values(part))
            self._found[path] = tuple(dict.fromkeys(own for own in read if own is not None))
        return self._found[path]

    def number(self, path: str) -> int | None:
        """Return a typical number for a path in steps of its type, or None for another value."""
        type = type_at(self._shapes, path)
        type = None if type is None else without_null(type)
        if not isinstance(type, Number):
            return None
        step = type.sort.step or FINEST
        usual = Fraction(3600 if type.sort.unit == SECOND else 1 if type.sort.unit == ONE else 100)
        value = next(iter(self(path, type)), usual)
        if type.low is not None:
            value = max(value, type.low)
        return int((value if type.high is None else min(value, type.high)) // step)

    def _at(self, schema: object, steps: Sequence[str | int], depth: int) -> Iterator[Mapping[str, Any]]:
        """Yield the schemas that describe a part of a value."""
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return
        if not steps:
            yield schema
        elif isinstance(steps[0], str):
            properties = schema.get("properties")
            inner = properties.get(steps[0]) if isinstance(properties, Mapping) else None
            yield from self._at(inner, steps[1:], depth + 1)
        else:
            yield from self._at(schema.get("items"), steps[1:], depth + 1)
        others = [own for key in ("allOf", "anyOf", "oneOf") for own in schema.get(key) or ()]
        for other in (*others, self._followed(schema.get("$ref"))):
            yield from self._at(other, steps, depth + 1)

    def _followed(self, reference: object) -> Any:
        found: Any = self._schema
        pointer = pointer_of(reference, "") if isinstance(reference, str) else None
        for step in () if pointer is None else pointer:
            found = found.get(step) if isinstance(found, Mapping) else None
        return None if pointer is None else found


def _values(schema: Mapping[str, Any]) -> Iterator[Any]:
    yield from (schema[key] for key in ("example", "default", "const") if key in schema)
    yield from (own for key in ("examples", "enum") if isinstance(schema.get(key), list) for own in schema[key])
    if isinstance(schema.get("pattern"), str):
        yield from islice(matching(schema["pattern"]), MOST_SAMPLES)
    if schema.get("format") in _FORMATS:
        yield _FORMATS[schema["format"]]


def _read(value: Any, type: Type) -> Any:
    """Return a value of a type with one value only, or None if it has none."""
    if isinstance(type, Flag | ListOf | MapOf | Record):
        return None
    try:
        return Reader().read(value, type, "")
    except ValueFault:
        return None


_ATOM = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|[()|^$]|[^\\])(?:\{(\d+)[^}]*\}|([*+?])\??)?", re.DOTALL)
_CLASSES = {"d": "123456789", "w": "abcdefgh", "s": " ", ".": "abcdefgh"}


def matching(pattern: str) -> Iterator[str]:
    """Yield different texts that a simple pattern is meant to match. Whoever uses one has to validate it."""
    for turn in range(MOST_SAMPLES):
        # Of each group, the first alternative is written. A group is the list of its texts so far.
        groups, closed = [[""]], [False]
        for match in _ATOM.finditer(pattern):
            atom, least, sign = match.groups()
            times = int(least) if least else 0 if sign in ("*", "?") else 1
            if atom in ("(", "(?:"):
                groups.append([""])
                closed.append(closed[-1])
            elif atom == ")" and len(groups) > 1:
                text, _ = groups.pop()[0], closed.pop()
                groups[-1][0] += "" if closed[-1] else text * times
            elif atom == "|":
                closed[-1] = True
            elif atom not in ("^", "$") and not closed[-1]:
                options = _options(atom)
                for place in range(times):
                    groups[-1][0] += options[(turn + (place if turn else 0)) % len(options)]
        yield groups[0][0]


def _options(atom: str) -> str:
    """Return the characters that an atom of a pattern stands for, as far as they are needed."""
    if atom == ".":
        return _CLASSES["."]
    if atom.startswith("\\"):
        return _CLASSES.get(atom[1], atom[1])
    if not atom.startswith("[") or atom.startswith("[^"):
        return atom if len(atom) == 1 else "x"
    found = ""
    for part in re.finditer(r"\\(.)|(.)-([^\]])|(.)", atom[1:-1], re.DOTALL):
        escaped, first, last, plain = part.groups()
        if first:
            found += "".join(chr(own) for own in range(ord(first), min(ord(last), ord(first) + 26) + 1))
        else:
            found += _CLASSES.get(escaped, escaped) if escaped else plain
    return found or "x"
