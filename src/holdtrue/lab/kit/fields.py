"""Fields of JSON that nobody vouches for: what is there, or an error that names the place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from holdtrue.errors import ConstraintError, RecordError
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance

Kind = TypeVar("Kind")
_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def expect(value: object, kind: type[Kind], where: str) -> Kind:
    """The value, which must be of that kind; raises `RecordError`."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(f"{where}: {_WORDS[kind]} is needed, got {value!r:.60}")
    return value


def field(record: Mapping[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """The record's field of that name."""
    if name not in record:
        raise RecordError(f"{where}: {name} is missing")
    return expect(record[name], kind, f"{where}.{name}")


def field_or(record: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind) -> Kind:
    """The same, with something to stand for a field that is not there or null."""
    return default if record.get(name) is None else field(record, name, kind, where)


def texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """A field that is a list of texts."""
    listed = field(record, name, list, where)
    return tuple(expect(item, str, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def numbers(record: Mapping[str, Any], name: str, where: str) -> tuple[int, ...]:
    """A field that is a list of whole numbers; empty where it is missing."""
    listed = field_or(record, name, list, where, [])
    return tuple(expect(item, int, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def read_label(record: Mapping[str, Any], where: str) -> Label:
    """The field `label`."""
    found = field(record, "label", str, where)
    if found not in set(Label):
        raise RecordError(f"{where}.label: {found!r:.60} is none of {', '.join(Label)}")
    return Label(found)


def read_constraint(instance: Instance, value: object, where: str) -> Constraint:
    """The constraint that an object with `type` and `args` names, as `Constraint.to_json` makes it."""
    record = expect(value, dict, where)
    try:
        return instance.constraint(field(record, "type", str, where), field(record, "args", list, where))
    except ConstraintError as error:
        raise RecordError(f"{where}: {error}") from error
