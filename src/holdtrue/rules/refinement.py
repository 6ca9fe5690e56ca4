"""Refine the type at a path of an app's schema, as the operator's policy does.

The schema may say only that an amount is a number; the policy adds that it is in USD. The bounds and steps of the
schema stay valid, and so does the mark of a field that is optional or null.

>>> from holdtrue.rules.type_notation import read_type
>>> call = read_type({"payments": "list of number 0.."}, {}, "call")
>>> str(at(refined(call, "payments[]", read_type("USD(2)", {}, "refine")), "payments[]"))
'USD(2)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.paths import ITEM, VALUE, below, instead, read_path, shortened, written
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_lattice import narrower
from holdtrue.rules.types import Field, ListOf, MapOf, Name, Nullable, Number, Record, Type, without_null


def refined(type: Type, path: str, new: Type) -> Type:
    """Return a type with `new` at a path such as `payment_methods[].amount`; the path "" is the whole type.

    A value that may be null may still be null. A field without a type gets the new one. Raises `RuleError` if there is
    no such path, or if the new type contradicts the present one.
    """
    return _refined(type, read_path(path), 0, new)


def at(type: Type, path: str) -> Type:
    """Return the type at a path. Raises `RuleError` if there is no such path."""
    steps = read_path(path)
    for place in range(len(steps)):
        type = _step(type, steps, place).type
    return type


def _refined(type: Type, steps: Sequence[str], place: int, new: Type) -> Type:
    if place == len(steps):
        return _narrowed(type, new, written(steps))
    if isinstance(type, Nullable):
        return Nullable(_refined(type.value, steps, place, new))
    if isinstance(type, Record) and (name := steps[place][1:]) in type.unread and name not in type.fields:
        return _with_unread(type, steps, place, new)
    inner = _refined(_step(type, steps, place).type, steps, place + 1, new)
    match type:
        case ListOf() as listed:
            return replace(listed, item=inner)
        case MapOf():
            return MapOf(inner)
        case Record(fields, title, unread):
            name = steps[place][1:]
            return Record({**fields, name: replace(fields[name], type=inner, loose=False)}, title, unread)
    raise TypeError(f"{type} has no parts")


def _with_unread(record: Record, steps: Sequence[str], place: int, new: Type) -> Record:
    name = steps[place][1:]
    missing = record.unread[name]
    if place + 1 < len(steps):
        path = written(steps[: place + 1])
        raise RuleError(f"{written(steps)}: {path} is not read, since {missing.why}; give a type to {path} itself")
    unread = {other: own for other, own in record.unread.items() if other != name}
    return Record({**record.fields, name: Field(new, missing.required)}, record.title, unread)


def _step(type: Type, steps: Sequence[str], place: int) -> Field:
    """Return the field, item or map value that one step of a path leads to. Raises `RuleError` if there is none."""
    type, step, path = without_null(type), steps[place], written(steps)
    before = written(steps[:place]) or str(type)
    match type:
        case ListOf(item) if step == ITEM:
            return Field(item)
        case MapOf(value) if step == VALUE:
            return Field(value)
        case Record(fields) if step.startswith("."):
            name = step[1:]
            if name in fields:
                return fields[name]
            if name in type.unread:
                raise RuleError(f"{path}: {written(steps[: place + 1])} is not read, since {type.unread[name].why}")
            raise RuleError(f"{path}: {before} has no {shortened(name)}; {instead(name, fields, 'it has')}")
        case ListOf():
            raise RuleError(f"{path}: {before} is a list; write {before}[] for its items")
        case MapOf():
            raise RuleError(f"{path}: {before} is a map of any names; write {before}{{}} for its values")
        case Record(fields):
            example = below(before, next(iter(fields), "name"))
            raise RuleError(f"{path}: {before} is a record; name a field of it, such as {example}")
    raise RuleError(f"{path}: {before} is {type}, which has no parts")


_CAN_BE = {
    Number: "a number in a unit or with bounds, such as USD(2) or whole 0..10",
    Name: "an id, an enumeration, a number, a date, a time, a moment or a duration",
    ListOf: "a list, such as list of X up to 5",
    MapOf: "a map, or a record",
    Calendar: "a moment with another zone, if it is a moment",
}


def _narrowed(type: Type, new: Type, path: str) -> Type:
    """Return the intersection of two types in the form of the new one. Raises `RuleError` if they contradict."""
    if isinstance(type, Nullable):
        return Nullable(_narrowed(type.value, without_null(new), path))
    if isinstance(new, Nullable):
        raise RuleError(f"{path or type} is never null in the schema; write {new.value}")
    if isinstance(new, Number) and new.rounded:
        raise RuleError(f"{path or type}: only what results show is rounded, and this is an argument; write {new}")
    found: Type | None = None
    match type, new:
        case Number(), Number():
            found = _narrowed_number(type, new, path)
        case Name(values=None), Calendar() | Number():
            found = new
        case Name(), Name():
            found = _narrowed_name(type, new, path)
        case Calendar("moment"), Calendar("moment"):
            found = new
        case ListOf(), ListOf():
            found = _narrowed_list(type, new, path)
        case MapOf(value), MapOf(other):
            found = MapOf(_narrowed(value, other, path + VALUE))
        case MapOf(value), Record(fields, title, unread):
            named = {
                name: replace(own, type=_narrowed(value, own.type, below(path, name))) for name, own in fields.items()
            }
            found = Record(named, title, unread)
        case Record(), Record():
            found = _narrowed_record(type, new, path)
    if found is None and type == new:
        found = new
    if found is None:
        listed = isinstance(type, Name) and type.values is not None
        can_be = "an id, or some of its values" if listed else _CAN_BE.get(type.__class__)
        hint = f"; it can become {can_be}" if can_be else ""
        raise RuleError(f"{path or type} is {type} in the schema, and cannot be {new}{hint}")
    return found


def _narrowed_number(type: Number, new: Number, path: str) -> Type | None:
    """Return a number in the new unit and within both bounds, or None if it has a different unit already."""
    if type.sort.unit not in (ONE, new.sort.unit):
        return None
    found = narrower(replace(type, sort=Amount(new.sort.unit, type.sort.step)), new)
    if found is None:
        raise RuleError(f"{path or type} has other bounds in the schema: no number is within both")
    return found


def _narrowed_name(type: Name, new: Name, path: str) -> Name | None:
    if type.kind and new.kind and type.kind != new.kind:
        return None
    if type.values is not None and new.values is not None:
        for own in new.values:
            if own not in type.values:
                hint = instead(own, type.values, "it is one of")
                raise RuleError(f"{path or type} is never {shortened(own)} in the schema; {hint}")
    return Name(new.kind or type.kind, type.values if new.values is None else new.values)


def _narrowed_list(type: ListOf, new: ListOf, path: str) -> ListOf:
    item = _narrowed(type.item, new.item, path + ITEM)
    most = new.most if type.most is None else type.most if new.most is None else min(type.most, new.most)
    least = max(type.least, new.least)
    if most is not None and least > most:
        raise RuleError(f"{path or type} has at least {least} items, and cannot have at most {most}")
    return ListOf(item, most, least)


def _narrowed_record(type: Record, new: Record, path: str) -> Record:
    """Return the record with the fields of the new one refined; the other fields stay unchanged."""
    fields, unread = dict(type.fields), dict(type.unread)
    for name, own in new.fields.items():
        if name in fields:
            known = fields[name]
            fields[name] = replace(known, type=_narrowed(known.type, own.type, below(path, name)), loose=False)
        elif name in unread:
            fields[name] = Field(own.type, unread.pop(name).required)
        else:
            raise RuleError(f"{path or type} has no {shortened(name)}; {instead(name, type.fields, 'it has')}")
    return Record(fields, type.title, unread)
