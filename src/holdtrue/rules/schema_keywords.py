"""Read single keywords of a JSON Schema: types, required names, sizes, references, formats, bounds and enumerations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal
from urllib.parse import unquote

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import DATE, TIME, Amount, Calendar, show_number
from holdtrue.rules.paths import check_text, instead, shortened
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.type_lattice import aligned, common_multiple
from holdtrue.rules.types import DURATION, FLAG, NULL, TEXT, Name, Nullable, Number, Type, Unread
from holdtrue.rules.values import MOST_ITEMS, Reader, ValueFault

Pointer = tuple[str, ...]
"""The steps from the top of a schema to one of its parts."""
KINDS = ("object", "array", "string", "integer", "number", "boolean", "null")
"""The types of JSON Schema."""


def says_itself(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema describes its values by itself, apart from `anyOf` and `oneOf`."""
    if any(key in schema for key in ("properties", "enum", "const", "items", "prefixItems")):
        return True
    return schema.get("type", "object") != "object" or isinstance(schema.get("additionalProperties"), Mapping)


def says(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema describes its values, by itself or by other schemas."""
    return says_itself(schema) or any(key in schema for key in ("$ref", "allOf", "anyOf", "oneOf"))


def kinds_of(schema: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """Return the JSON types that a schema names or implies; the tuple is empty if it allows any type."""
    named = schema.get("type")
    if named is None:
        if any(key in schema for key in ("properties", "additionalProperties")):
            return ("object",)
        return ("array",) if "items" in schema or "prefixItems" in schema else ()
    listed = tuple(named) if isinstance(named, list | tuple) else (named,)
    for own in listed:
        if not isinstance(own, str):
            raise RuleError(f"{path}: a type is named by a text, not {shortened(own)}")
        if own not in KINDS:
            raise RuleError(f"{path}: JSON Schema has no type {shortened(own)}; {instead(own, KINDS)}")
    if not listed:
        raise RuleError(f"{path}: a list of types has one at least")
    return tuple(own for own in dict.fromkeys(listed) if own != "integer" or "number" not in listed)


def required_names(schema: Mapping[str, Any], path: str) -> dict[str, None]:
    """Return the names of the required fields, in order."""
    names = schema.get("required", [])
    if not isinstance(names, list | tuple) or not all(isinstance(own, str) for own in names):
        raise RuleError(f"{path}: required is a list of names, not {shortened(names)}")
    for own in names:
        check_text(own, path)
    return dict.fromkeys(names)


def size_of(schema: Mapping[str, Any], key: str, path: str) -> int | None:
    """Return the number of items that a keyword such as `maxItems` gives, or None."""
    size = schema.get(key)
    if size is None:
        return None
    if isinstance(size, bool) or not isinstance(size, int | float) or not 0 <= size < 1e15 or size != int(size):
        raise RuleError(f"{path}: {key} is a whole number from 0, not {shortened(size)}")
    return int(size)


def pointer_of(reference: object, path: str) -> Pointer | None:
    """Return the steps of a reference within the schema (RFC 6901), or None for an anchor or an address."""
    if not isinstance(reference, str):
        raise RuleError(f"{path}: a reference is a text such as '#/$defs/day', not {shortened(reference)}")
    check_text(reference, path)
    if reference != "#" and not reference.startswith("#/"):
        return None
    if reference == "#":
        return ()
    steps = unquote(reference[2:]).split("/")
    if len(steps) > DEEPEST:
        raise RuleError(f"{path}: a reference of over {DEEPEST} steps")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def check_own_id(schema: Mapping[str, Any], path: str) -> None:
    """Raise `RuleError` for an inner schema with an `$id` and references, since these would start at that schema."""
    own = schema.get("$id")
    if isinstance(own, str) and not own.startswith("#") and any(key == "$ref" for key, _ in parts_of(schema)):
        raise RuleError(f"{path}: the references in it start from its own $id, {shortened(own)}; leave that out")


def parts_of(schema: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield all parts of a schema, each with its keyword or name, which is "" for an item of a list."""
    if depth > 2 * DEEPEST or not isinstance(schema, Mapping | list | tuple):
        return
    for key, own in schema.items() if isinstance(schema, Mapping) else (("", own) for own in schema):
        yield key, own
        yield from parts_of(own, depth + 1)


_NO_SCHEMAS = ("enum", "const", "default", "example", "examples", "required")


def standard_form(schema: Any, *, names: bool = False, depth: int = 0) -> Any:
    """Return a schema whose types are in upper case, as Gemini writes them, in the form of the standard.

    Sizes, which Gemini may write as texts, become numbers. `names` marks a mapping of names to schemas.
    """
    if not depth and not _is_upper(schema):
        return schema
    if depth > 2 * DEEPEST or not isinstance(schema, Mapping | list):
        return schema
    if isinstance(schema, list):
        return [standard_form(own, depth=depth + 1) for own in schema]
    found = {
        key: own
        if key in _NO_SCHEMAS and not names
        else standard_form(own, names=not names and key in ("properties", "$defs"), depth=depth + 1)
        for key, own in schema.items()
    }
    if names:
        return found
    sizes = {
        key: int(own)
        for key, own in found.items()
        if isinstance(own, str) and key[:3] in ("min", "max") and own.isdecimal()
    }
    return {**found, **sizes, **({"type": found["type"].lower()} if _is_upper(found) else {})}


def _is_upper(schema: object) -> bool:
    named = schema.get("type") if isinstance(schema, Mapping) else None
    return isinstance(named, str) and named.isupper() and named.lower() in KINDS


Schema = Mapping[str, Any]
Note = Callable[[str], None]
"""A function that adds a note on the present part of the schema."""

FORMATS: Mapping[str, Type] = {
    "date": DATE,
    "time": TIME,
    "date-time": Calendar("moment", "Z"),
    "duration": DURATION,
}
_ONE = Fraction(1)


def read_text(schema: Schema, path: str, note: Note) -> Type:
    """Return the type of a text by its format: a date, time, moment, duration or text. Note other formats."""
    form = schema.get("format", "")
    if not isinstance(form, str):
        raise RuleError(f"{path}: a format is a text, not {shortened(form)}")
    if form and form not in FORMATS:
        note(f"the format {shortened(form)} is not checked")
    return FORMATS.get(form, TEXT)


def read_number(schema: Schema, path: str, note: Note, *, whole: bool) -> Number:
    """Return a number type with its step and bounds. Raises `RuleError` if no number is within the bounds."""
    step = _exact(schema, "multipleOf", path)
    if step is not None and step <= 0:
        raise RuleError(f"{path}: multipleOf has to be over 0, not {shortened(schema['multipleOf'])}")
    step = common_multiple(step, _ONE if whole else None)
    (low, open_low), (high, open_high) = (_bound(schema, end, step, path, note) for end in ("Minimum", "Maximum"))
    number = aligned(Number(Amount(ONE, step), low, high, open_low=open_low, open_high=open_high))
    if number is None:
        raise RuleError(f"{path}: no number is within the bounds {_shown(low)} and {_shown(high)}")
    return number


def _shown(bound: Fraction | None) -> str:
    return "none" if bound is None else show_number(bound)


def _exact(schema: Schema, key: str, path: str) -> Fraction | None:
    if schema.get(key) is None:
        return None
    try:
        return Fraction(Reader().read(schema[key], Number(), key))
    except ValueFault as error:
        raise RuleError(f"{path}: {key} has to be a number, not {shortened(schema[key])}") from error


def _bound(
    schema: Schema, end: Literal["Minimum", "Maximum"], step: Fraction | None, path: str, note: Note
) -> tuple[Fraction | None, bool]:
    """Return a bound and whether it is open. An exclusive bound is moved inwards by a step, or is open without one."""
    key, sign = f"exclusive{end}", 1 if end == "Minimum" else -1
    bound = _exact(schema, end.lower(), path)
    strict = schema.get(key)
    exclusive = strict is True and bound is not None  # Draft 4 and OpenAPI 3.0 have a bool here.
    if not isinstance(strict, bool):
        own = _exact(schema, key, path)
        if own is not None and (bound is None or sign * own >= sign * bound):
            bound, exclusive = own, True
    if bound is None or not exclusive:
        return bound, False
    if step is None:
        note(f"it is {'over' if sign > 0 else 'under'} {show_number(bound)}; {show_number(bound)} itself is read too")
        return bound, True
    return ((floor(bound / step) + 1) * step if sign > 0 else (ceil(bound / step) - 1) * step), False


def read_listed(values: object, kinds: Collection[str], path: str, note: Note) -> Type | Unread:
    """Return the type of an enumeration: a name with its values, or a number from the least to the greatest value.

    Only values of the JSON types `kinds` count, or all values if `kinds` is empty.
    """
    if not isinstance(values, Sequence) or isinstance(values, str) or not values:
        what = "has one value at least" if values == [] else f"is a list of values, not {shortened(values)}"
        raise RuleError(f"{path}: an enumeration {what}")
    if len(values) > MOST_ITEMS:
        raise RuleError(f"{path}: an enumeration has {MOST_ITEMS:,} values at most, not {len(values):,}")
    allowed = [own for own in values if not kinds or _is_of(own, kinds)]
    others = [own for own in allowed if own is not None]
    found = _listed(others, path, note) if others else None
    if found is None and not allowed:
        return Unread("none of its values is of its type")
    if found is None or isinstance(found, Unread):
        return found or NULL
    return Nullable(found) if len(others) < len(allowed) else found


def _listed(values: list[Any], path: str, note: Note) -> Type | Unread:
    if all(isinstance(own, str) for own in values):
        for own in values:
            check_text(own, path)
        return Name(values=tuple(dict.fromkeys(values)))
    if all(isinstance(own, bool) for own in values):
        if len(set(values)) == 1:
            note(f"it is always {str(values[0]).lower()}, which is no part of its type")
        return FLAG
    if any(isinstance(own, bool) or not isinstance(own, int | float | Decimal) for own in values):
        return Unread("its values are neither all texts nor all numbers")
    numbers = sorted({number for own in values if (number := _exact({"enum": own}, "enum", path)) is not None})
    step = _ONE if all(own.denominator == 1 for own in numbers) else None
    low, high = numbers[0], numbers[-1]
    if step is None or high - low >= len(numbers):
        note(f"of its {len(numbers)} values only the least and the greatest are part of its type")
    return Number(Amount(ONE, step), low, high)


def _is_of(value: object, kinds: Collection[str]) -> bool:
    match value:
        case None:
            return "null" in kinds
        case bool():
            return "boolean" in kinds
        case str():
            return "string" in kinds
        case int() | float() | Decimal():
            return "number" in kinds or ("integer" in kinds and value == value // 1)
    return False
