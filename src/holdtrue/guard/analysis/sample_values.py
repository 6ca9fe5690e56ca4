"""Find values for examples that look real: those that a tool's JSON Schema names, or typical ones of their type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.analysis.call_shapes import Shapes, steps_of, type_at
from holdtrue.logic.units import ONE, SECOND
from holdtrue.rules.schema_keywords import pointer_of
from holdtrue.rules.types import Name, Number, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import Reader, ValueFault

MOST_SAMPLES = 12
"""So many values are taken from a pattern."""
_DEEPEST = 40
"""References are followed to this depth."""
_FORMATS = {
    "email": "ann@example.com",
    "uri": "https://example.com/a",
    "uuid": "6f1c2b1e-8d0a-4c6e-9b1f-0a2b3c4d5e6f",
}
"""A text of each format that no type of a policy stands for."""


class SampleValues:
    """`SampleValues` are the values that a tool's schema names for its arguments, and typical numbers."""

    def __init__(self, shapes: Shapes, schema: object) -> None:
        self._shapes, self._schema = shapes, schema
        self._found: dict[str, tuple[Any, ...]] = {}

    def __call__(self, path: str, type: Type) -> Sequence[Any]:
        """Return the texts or numbers that the schema names for the part of a call at this path, the best one first."""
        if path not in self._found:
            root, *steps = steps_of(path)
            is_named = root == self._shapes.root and isinstance(type, Name | Number)
            named = self._at(self._schema, steps, 0) if is_named else ()
            read = (_read(own, type) for part in named for own in _values(part))
            self._found[path] = tuple(dict.fromkeys(own for own in read if own is not None))
        return self._found[path]

    def number(self, path: str) -> int | None:
        """Return a typical number for a path in steps of its type, or None for another value."""
        type = type_at(self._shapes, path)
        type = None if type is None else without_null(type)
        if not isinstance(type, Number):
            return None
        usual = {ONE: 1, SECOND: 3600}.get(type.sort.unit, 100)
        value = max(own for own in (next(iter(self(path, type)), usual), type.low) if own is not None)
        return int((value if type.high is None else min(value, type.high)) // (type.sort.step or FINEST))

    def _at(self, schema: object, steps: Sequence[str | int], depth: int) -> Iterator[Mapping[str, Any]]:
        """Yield the schemas that describe a part of a value."""
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return
        if not steps:
            yield schema
        else:
            inner = schema.get("properties") if isinstance(steps[0], str) else {steps[0]: schema.get("items")}
            own = inner.get(steps[0]) if isinstance(inner, Mapping) else None
            yield from self._at(own, steps[1:], depth + 1)
        others = [own for key in ("allOf", "anyOf", "oneOf") for own in schema.get(key) or ()]
        pointer = pointer_of(schema["$ref"], "") if "$ref" in schema else None
        if pointer is not None:
            found: Any = self._schema
            for step in pointer:
                found = found.get(step) if isinstance(found, Mapping) else None
            others.append(found)
        for other in others:
            yield from self._at(other, steps, depth + 1)


def _values(schema: Mapping[str, Any]) -> Iterator[Any]:
    yield from (schema[key] for key in ("example", "default", "const") if key in schema)
    yield from (own for key in ("examples", "enum") if isinstance(schema.get(key), list) for own in schema[key])
    pattern = schema.get("pattern")
    if not isinstance(pattern, str) and ("minLength" in schema or "maxLength" in schema):
        pattern = f"\\w{{{max(schema.get('minLength', 0), min(schema.get('maxLength', 4), 4))}}}"
    if isinstance(pattern, str):
        yield from (matching(pattern, turn) for turn in range(MOST_SAMPLES))
    if schema.get("format") in _FORMATS:
        yield _FORMATS[schema["format"]]


def _read(value: Any, type: Type) -> Any:
    """Return a value of a type, or None if it has another one."""
    try:
        return Reader().read(value, type, "")
    except ValueFault:
        return None


_ATOM = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|[()|^$]|[^\\])(?:\{(\d+)[^}]*\}|([*+?])\??)?", re.DOTALL)
_PART = re.compile(r"\\(.)|(.)-([^\]])|(.)", re.DOTALL)
_CLASSES = {"d": "123456789", "w": "abcdefgh", "s": " "}


def matching(pattern: str, turn: int = 0) -> str:
    """Return a text that a simple pattern is meant to match, another one for each `turn`. Whoever uses it validates it.

    Of each group, the first alternative is written.
    """
    texts, closed = [""], [False]
    for atom, least, sign in _ATOM.findall(pattern):
        times = int(least) if least else 0 if sign in ("*", "?") and sign else 1
        if atom in ("(", "(?:"):
            texts.append("")
            closed.append(closed[-1])
        elif atom == ")" and len(texts) > 1:
            text, _ = texts.pop(), closed.pop()
            texts[-1] += "" if closed[-1] else text * times
        elif atom == "|":
            closed[-1] = True
        elif atom not in ("^", "$") and not closed[-1]:
            options = _options(atom)
            texts[-1] += "".join(options[turn * (place + 1) % len(options)] for place in range(times))
    return texts[0]


def _options(atom: str) -> str:
    """Return the characters that an atom of a pattern stands for, as far as they are needed."""
    if not atom.startswith(("[", "\\")):
        return _CLASSES["w"] if atom == "." else atom
    found = ""
    for escaped, first, last, plain in _PART.findall(atom if atom[0] == "\\" else atom[1:-1]):
        span = range(ord(first or " "), min(ord(last or " "), ord(first or " ") + 26) + 1)
        found += "".join(map(chr, span)) if first else _CLASSES.get(escaped, escaped) or plain
    return "x" if atom.startswith("[^") or not found else found
