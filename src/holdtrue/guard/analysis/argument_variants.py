"""Vary the arguments of a call at the places where two schemas differ.

Schemas are given as forms (`canonical_forms.schema_form`). The values are guesses: which of them one schema accepts and
the other refuses is for the policies to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdtrue.guard.analysis.canonical_forms import Form
from holdtrue.guard.analysis.sample_values import matching
from holdtrue.rules.types import Number, Record, without_null

UNDECLARED = "undeclared"
"""The name of an undeclared argument in an example."""
_ANY: tuple[Any, ...] = (
    None,
    True,
    False,
    1,
    0.5,
    "x",
    [],
    {},
    "2026-05-04",
    "10:00:00",
    "2026-05-04T10:00:00Z",
    "PT1H",
)
"""A value of each type and of each format."""
_LONGEST = 5_000


def variants(value: Any, one: Form, other: Form) -> Iterator[Any]:
    """Yield values like `value` that differ from it where the two forms differ, each in one place."""
    if one == other:
        return
    forms = [own if isinstance(own, dict) else {} for own in (one, other)]
    for form in forms:
        yield from _at_the_edges(form)
    if isinstance(value, dict):
        yield from ({**value, UNDECLARED: own} for own in (True, "x"))
        first, second = (own.get("@properties", {}) for own in forms)
        for name in {**first, **second}:
            mine, yours = first.get(name), second.get(name)
            if mine != yours:
                inner = value.get(name, least(mine or yours))
                yield {own: each for own, each in value.items() if own != name}
                yield from ({**value, name: own} for own in (inner, *variants(inner, mine, yours)))
    if isinstance(value, list):
        items = [own.get("@items", {}) for own in forms]
        yield from ([own] for own in variants(value[0] if value else least(items[0]), *items))


def _at_the_edges(form: Form) -> Iterator[Any]:
    """Yield values of all types, and the values on both sides of each bound of a form."""
    listed = form.get("@enum", ())
    yield from (*_ANY, *listed, *(own + 1 for own in listed if type(own) is int))
    yield from [matching(form["@pattern"])] if isinstance(form.get("@pattern"), str) else ()
    item = least(form.get("@items", {}))
    for name, bound in form.items():
        if isinstance(bound, list) and name in ("@allOf", "@anyOf", "@oneOf"):
            for own in bound:
                yield from _at_the_edges(own if isinstance(own, dict) else {})
        if isinstance(bound, bool) or not isinstance(bound, int | float):
            continue
        for own in (bound - 1, bound, bound + 1):
            if name.endswith("imum"):
                yield own
            elif 0 <= own <= _LONGEST:
                yield "x" * int(own) if name.endswith("Length") else [item] * int(own)


def steps(arguments: Record) -> Iterator[tuple[str, float]]:
    """Yield the names of number arguments, each with the step between their values."""
    for name, own in arguments.fields.items():
        type = without_null(own.type)
        if isinstance(type, Number) and type.sort.step:
            yield name, float(type.sort.step)


def least(form: Form) -> Any:
    """Return a small value that a form is likely to accept."""
    if not isinstance(form, dict):
        return {}
    if form.get("@enum"):
        return form["@enum"][0]
    kind = form.get("@type", "object" if "@properties" in form else "string")
    match kind if isinstance(kind, str) else kind[0]:
        case "object":
            fields = form.get("@properties", {})
            return {name: least(own) for name, own in fields.items() if isinstance(own, dict) and "@required" in own}
        case "array":
            return [least(form.get("@items", {}))] * form.get("@minItems", 0)
        case "integer" | "number":
            return form.get("@minimum", 1)
        case "boolean":
            return True
        case "null":
            return None
    return "2026-05-04" if form.get("@format") == "date" else "x" * max(1, form.get("@minLength", 1))
