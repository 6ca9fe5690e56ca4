"""Helpers for records as JSON: their fields, and the message about a field that does not fit."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError


def plain_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name. It can serve as `default` of `json.dumps`.

    Fields that the class lists in `LEFT_OUT` are missing if they have their default.
    """
    kind: Any = type(value)
    found = {name: getattr(value, name) for name in _names_of(kind)}
    for name, default in getattr(kind, "LEFT_OUT", {}).items():
        if found[name] == default:
            del found[name]
    return found


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def json_cell(value: object) -> str | None:
    """Return a value as JSON text for a table column of mixed types. None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def first_fault(error: ValidationError) -> str:
    """Return the first validation error with its place: `history.0.answer: Field required`."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]
