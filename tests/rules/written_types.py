"""Write types in the notation of policy files, so that tests can compare types that were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, Calendar, show_number
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.type_notation import FORMS, MOST_LETTERS, MOST_PARTS, read_scalar
from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type
from holdtrue.rules.values import read_duration


def write_type(type: Type) -> Any:
    """Return a type as text, list or mapping: the inverse of reading, with named types written out.

    Raises `RuleError` for a type that the notation cannot say, such as an id with listed values.
    """
    return _NotationWriter().write(type, 0)


class _NotationWriter:
    def __init__(self) -> None:
        self._parts = 0

    def write(self, type: Type, depth: int) -> Any:
        self._parts += 1
        if depth > DEEPEST or self._parts > MOST_PARTS:
            raise RuleError(f"the type is nested deeper than {DEEPEST}, or made of over {MOST_PARTS:,} parts")
        match type:
            case Record(fields):
                return {
                    _field_name(name, required=own.required): self.write(own.type, depth + 1)
                    for name, own in fields.items()
                }
            case ListOf(inner, most, least):
                sizes = ({"from": least} if least else {}) | ({} if most is None else {"up to": most})
                return self._around(inner, depth, "list of", sizes)
            case MapOf(inner):
                return self._around(inner, depth, "map of", {})
            case Nullable(inner):
                written = self.write(inner, depth + 1)
                if not _fits(written):
                    return {"or null": written}
                around = written.startswith(("list of ", "map of "))
                return f"({written}) or null" if around else f"{written} or null"
            case Name("", values) if values:
                self._parts += len(values)
                return list(values)
        return write_scalar(type)

    def _around(self, inner: Type, depth: int, form: str, sizes: Mapping[str, int]) -> Any:
        written = self.write(inner, depth + 1)
        if not _fits(written):
            return {form: written, **sizes}
        if written.startswith(("list of ", "map of ")) or written.endswith(" or null"):
            written = f"({written})"
        return " ".join((form, written, *(f"{key} {size}" for key, size in sizes.items())))


def _fits(written: object) -> bool:
    """Return whether a type can be part of a longer text."""
    return isinstance(written, str) and len(written) <= MOST_LETTERS - 100


def _field_name(name: str, *, required: bool) -> str:
    if not required:
        return f"{name}?"
    return f"{name}!" if name.endswith(("?", "!")) or name in FORMS else name


def write_scalar(type: Type) -> str:
    """Return a type without inner ones as it is written. Raises `RuleError` for one that would be read otherwise."""
    text = _written(type)
    try:
        plain = replace(type, open_low=False, open_high=False) if isinstance(type, Number) else type
        if text and read_scalar(text, (), "type") == plain:
            return text
    except RuleError:
        pass
    raise RuleError(f"the notation cannot say this type: {str(type)[:100]}")


def _written(type: Type) -> str:
    match type:
        case Null():
            return "null"
        case Flag():
            return "bool"
        case Name(kind):
            return f"id of {kind}" if kind else "text"
        case Calendar():
            return str(type)
        case Number(_, low, high, False):
            return _written_number(type, low, high)
    return ""


def _written_number(type: Number, low: Fraction | None, high: Fraction | None) -> str:
    sort, text = type.sort, str(type.sort)
    if sort.unit == SECOND and sort.step is None:
        text = "duration"
    elif sort.step is not None and text == str(Amount(sort.unit)):
        text = f"{text} by {show_number(sort.step)}"
    elif text.startswith("number("):
        text = f"decimal({text.removeprefix('number(')}"
    text += " rounded" if type.rounded else ""
    if low is None and high is None:
        return text
    ends = ["" if own is None else show_number(own) for own in (low, high)]
    if text == "duration":
        if all(not end or read_duration(f"{end}s") is not None for end in ends):
            return f"duration {'..'.join(f'{end}s' if end else '' for end in ends)}"
        text = "s"
    return f"{text} {'..'.join(ends)}"
