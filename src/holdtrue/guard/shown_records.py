"""Read the records that a tool result shows, as the policy declares them.

A value that cannot be read becomes unknown, with a note, and all other values stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.facts import Absent, Facts, Keys, Seen, fact_path
from holdtrue.guard.json_values import UNREADABLE
from holdtrue.guard.policy_parts import FactKind, PolicyParts, Source
from holdtrue.guard.result_forms import ReadResult
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.compilation import Env, compile_rule
from holdtrue.rules.paths import shortened
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.types import Field, ListOf, MapOf, Name, Nullable, Record, Type, without_null
from holdtrue.rules.values import (
    FactKey,
    NotSeen,
    OffStep,
    Reader,
    Undecided,
    Unseen,
    ValueFault,
    field_path,
    to_json,
)


class ShownReader(Reader):
    """A `ShownReader` replaces each value that does not fit by a marker, and keeps the reason.

    If `partial` is true, a missing field was not shown. Otherwise it counts as an error.

    Attributes:
        refused: The errors, by the paths of the markers.
    """

    marks_missing = True

    def __init__(self, *, partial: bool = False) -> None:
        self._partial = partial
        self.refused: dict[str, ValueFault] = {}

    def read(self, value: Any, type: Type, path: str) -> Any:
        """Return the value, or a marker at its path."""
        try:
            if isinstance(value, Mapping):
                value = _readable(value, type, path)
            return super().read(value, type, path)
        except OffStep as error:
            advice = f"declare {type} rounded, and it is rounded (half to even)"
            return self._unknown(ValueFault(error.path, f"{error.message}; {advice}"), type)
        except ValueFault as error:
            return self._unknown(error, type)

    def left_out(self, name: str, field: Field, path: str) -> dict[str, Any]:
        """Return the marker of a missing field."""
        if self._partial:
            return {name: NotSeen(path, field.type, None, field.required)}
        return {name: self._unknown(ValueFault(path, "it is missing"), field.type)} if field.required else {}

    def _unknown(self, error: ValueFault, type: Type) -> NotSeen:
        self.refused[error.path] = error
        return NotSeen(error.path, type, fits=False)


def _readable(value: Mapping[Any, Any], type: Type, path: str) -> Mapping[Any, Any]:
    """Return the fields of an object that its type has.

    Raises `ValueFault` for an object that stands for an unreadable value.
    """
    if value.keys() == {UNREADABLE}:
        raise ValueFault(path, str(value[UNREADABLE]))
    if isinstance(type, Record):
        return {name: value[name] for name in type.fields if name in value}
    if odd := [name for name in value if isinstance(name, str) and name.startswith(UNREADABLE)]:
        raise ValueFault(path, f"its keys have to be texts, not {odd[0].removeprefix(UNREADABLE).strip()}")
    return value


At = int | Fraction | None
"""The moment of a call, or None if it is unknown."""
_MOST_NOTES = 20
"""At most this many unreadable values of one result are noted."""


def shown(
    policy: PolicyParts, facts: Facts, kind: FactKind, source: Source, call: Any, read: ReadResult, at: At
) -> tuple[Facts, tuple[str, ...]]:
    """Return the facts with the records that a result shows, and notes on its unreadable parts."""
    reader, notes, items = ShownReader(partial=source.partial), list[str](), list[Env]()
    try:
        result = reader.read(_value_of(read, source.result), source.result, "result")
        _check_read(result, reader, "result")
        items = list(_items(source, call, result, reader))
    except (InputError, Undecided) as error:
        notes.append(f"{source.tool} shows no {kind.name} that can be read: {error}")
        reader.refused.clear()
        facts = _without_changed(policy, facts, kind, source, {"call": call}, error)
    for item in items:
        try:
            facts = _one_shown(facts, kind, source, item, at, reader)
        except (InputError, Undecided) as error:
            notes.append(f"{source.tool} shows no {kind.name} that can be read: {error}")
            facts = _without_changed(policy, facts, kind, source, item, error)
    told = [f"{source.tool}: {own}" for own in reader.refused.values()]
    notes += told[:_MOST_NOTES]
    if len(told) > _MOST_NOTES:
        notes.append(f"{source.tool}: {len(told) - _MOST_NOTES:,} more values cannot be read")
    return facts, tuple(notes)


def says_absent(source: Source, read: ReadResult, *, failed: bool) -> bool:
    """Return whether a result reports a missing record in one of the declared ways. An error reports it in words."""
    if read.value is None and None in source.absent and not failed:
        return True
    return any(text.startswith(own) for text in read.said for own in source.absent if own is not None)


def without_shown(facts: Facts, kind: FactKind, source: Source, call: Any) -> Facts:
    """Return the facts without the record that a pending result would show, or without all records of its kind."""
    unseen = NotSeen("result", source.result)
    try:
        keys = keys_of(source.keys, {"call": call, "result": unseen, "item": unseen, "name": unseen})
    except Undecided:
        return facts.without_kind(kind.name)
    return facts.without_record(kind.name, keys)


def keys_of(nodes: tuple[Node, ...], env: Env) -> Keys:
    """Return the keys of a record. Raises `Undecided` if one of them is unknown or null."""
    keys = tuple(compile_rule(own)(dict(env)) for own in nodes)
    if None in keys:
        raise Undecided("a key of it is null")
    return keys


def before_of(facts: Facts, kind: FactKind, keys: Keys, at: At) -> Seen | None:
    """Return the earlier version of a record, unless it is too old to count."""
    before = facts.record(kind.name, keys)
    if before is None or kind.fresh_s is None:
        return before
    known = before.at is not None and at is not None
    return before if known and before.at <= at <= before.at + kind.fresh_s else None  # type: ignore[operator]


def taken(value: Any, type: Type, path: str, fact: FactKey, reader: ShownReader, *, there: bool = True) -> Any:
    """Return a value as a part of a record. Unseen parts get markers with their paths in the record.

    A value of another type becomes unknown, and the `reader` keeps the reason. `there` says whether the record must
    have the part.
    """
    if isinstance(value, NotSeen):
        return NotSeen(path, type, fact, value.there and (there or not value.fits), value.fits)
    if isinstance(type, Nullable) and value is None:
        return None
    match without_null(type):
        case ListOf(item, most, least) if isinstance(value, tuple) and least <= len(value) <= (most or len(value)):
            return tuple(taken(own, item, f"{path}[{place}]", fact, reader) for place, own in enumerate(value))
        case MapOf(inner) if isinstance(value, Mapping):
            return {name: taken(own, inner, f"{path}[{name!r}]", fact, reader) for name, own in value.items()}
        case Record(fields) if isinstance(value, Mapping):
            found = {}
            for name, own in fields.items():
                inner_path = field_path(path, name)
                each = value[name] if name in value else reader.left_out(name, own, inner_path).get(name, _MISSING)
                if each is not _MISSING:
                    found[name] = taken(each, own.type, inner_path, fact, reader, there=own.required)
            return found
        case other:
            found_value = reader.read(to_json(value, other) if isinstance(other, Calendar) else value, other, path)
            return NotSeen(path, type, fact, fits=False) if isinstance(found_value, NotSeen) else found_value


_MISSING = object()


def _value_of(read: ReadResult, type: Type) -> Any:
    """Return the values of a result. A result that is declared as a text stays one, even if it looks like a number."""
    is_scalar = read.value is None or isinstance(read.value, bool | int | float | Decimal)
    if isinstance(without_null(type), Name) and is_scalar and read.text is not None:
        return None if read.value is None and isinstance(type, Nullable) else read.text.strip()
    return read.value


def _check_read(value: Any, reader: ShownReader, path: str) -> None:
    """Raise `ValueFault` for a value that is only a marker."""
    if isinstance(value, NotSeen):
        raise reader.refused.get(value.path) or ValueFault(path, "it was not shown")


def _items(source: Source, call: Any, result: Any, reader: ShownReader) -> Iterator[Env]:
    env: Env = {"call": call, "result": result}
    if source.each is None:
        yield {**env, "item": result}
        return
    found = compile_rule(source.each)(dict(env))
    named = found.items() if isinstance(found, Mapping) else ((None, own) for own in found)
    for name, item in named:
        if not isinstance(item, NotSeen) or item.path in reader.refused:
            yield {**env, "item": item, "name": name}


def _one_shown(facts: Facts, kind: FactKind, source: Source, env: Env, at: At, reader: ShownReader) -> Facts:
    """Return the facts with one record. Raises `InputError` or `Undecided` if nothing of it can be read."""
    keys = keys_of(source.keys, env)
    path, fact = fact_path(kind.name, keys, kind.keys.values()), FactKey(kind.name, keys)
    _check_read(env["item"], reader, path)
    record = _record_of(kind, source, env, path, reader)
    before = before_of(facts, kind, keys, at) if source.partial else None
    moment, found = at, dict[str, Any]()
    for name, own in kind.record.fields.items():
        inner, value = field_path(path, name), record.get(name, _MISSING)
        hidden = value is _MISSING or (isinstance(value, NotSeen) and value.path not in reader.refused)
        if not hidden:
            found[name] = taken(value, own.type, inner, fact, reader, there=own.required)
        elif before is not None:
            moment = before.at  # A record is as old as its oldest field.
            if name in before.record:
                found[name] = before.record[name]
        elif source.partial or own.required:
            found[name] = NotSeen(inner, own.type, fact, own.required)
    if found and not source.partial and all(isinstance(own, NotSeen) for own in found.values()) and reader.refused:
        raise reader.refused.pop(next(reversed(reader.refused)))
    return facts.with_record(kind.name, keys, Seen(found, source.tool, moment))


def _record_of(kind: FactKind, source: Source, env: Env, path: str, reader: ShownReader) -> dict[str, Any]:
    """Return the fields of a record that a result shows, without missing ones, and with markers for unreadable ones."""
    record = {name: env["item"][name] for name in source.named if name in env["item"]}
    for name, node in source.fields.items():
        try:
            record[name] = compile_rule(node)(dict(env))
        except Unseen as error:
            record[name] = error.what
        except (Undecided, InputError) as error:
            if not source.partial:
                inner = field_path(path, name)
                reader.refused[inner] = ValueFault(inner, str(error))
                record[name] = NotSeen(inner, kind.record.fields[name].type, fits=False)
    return record


def _without_changed(
    policy: PolicyParts, facts: Facts, kind: FactKind, source: Source, env: Env, error: Exception
) -> Facts:
    """Return the facts after an unreadable record. Any record that a writing call may have changed becomes unknown."""
    unseen = NotSeen("result", source.result)
    writes = policy.writes(source.tool)
    try:
        keys = keys_of(source.keys, {"result": unseen, "item": unseen, "name": unseen, **env})
    except Undecided:
        return facts.without_kind(kind.name) if writes else facts
    where = shortened(error.path) if isinstance(error, ValueFault) else "'result'"
    why = f"{source.tool} has shown it, and {where} cannot be read"
    return facts.with_unread(kind.name, keys, why, keep=not writes)


def absent_shown(facts: Facts, kind: FactKind, source: Source, call: Any, at: At) -> Facts:
    """Return the facts after a result that reports a missing record."""
    try:
        return facts.with_absent(kind.name, keys_of(source.keys, {"call": call}), Absent(source.tool, at))
    except Undecided:
        return facts
