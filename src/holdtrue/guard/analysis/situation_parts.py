"""Compare situations value by value, and leave out parts of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.facts import fact_path
from holdtrue.guard.policy_parts import DONE, NOW, SAID, WRITTEN, FactKind
from holdtrue.rules.types import MapOf, without_null
from holdtrue.rules.values import Reader, ValueFault, field_path

MISSING = "(missing)"
"""The value of a part that only one of two situations has."""
Change = tuple[str, Any, Any]
"""A path, and the values that two situations have there."""
Kinds = Mapping[str, FactKind]


def differences(one: Situation, other: Situation, kinds: Kinds, root: str) -> Iterator[Change]:
    """Yield the differences of two situations as paths in the notation of rules, with the values of both."""
    yield from _unlike(one.call, other.call, root)
    mine, yours = ({path: own.fields for path, own in _entries(each, kinds).items()} for each in (one, other))
    for path in dict.fromkeys((*mine, *yours)):
        yield from _unlike(mine.get(path, MISSING), yours.get(path, MISSING), path)
    for tool in dict.fromkeys((*one.done, *other.done)):
        yield from _unlike(one.done.get(tool, ()), other.done.get(tool, ()), field_path(DONE, tool))
    yield from _unlike(one.said or {}, other.said or {}, SAID)
    for name in (NOW, WRITTEN):
        yield from _unlike(getattr(one, name), getattr(other, name), name)


def _unlike(one: Any, other: Any, path: str) -> Iterator[Change]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys((*one, *other)):
            yield from _unlike(one.get(name, MISSING), other.get(name, MISSING), field_path(path, name))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for place in range(max(len(one), len(other))):
            mine, yours = (own[place] if place < len(own) else MISSING for own in (one, other))
            yield from _unlike(mine, yours, f"{path}[{place}]")
    elif one != other or isinstance(one, bool) is not isinstance(other, bool):
        yield path, one, other


@dataclass(frozen=True)
class _Entry:
    """A record of a situation. Its `fields` are None if it does not exist."""

    kind: FactKind
    key: Mapping[str, Any]
    fields: Mapping[str, Any] | None

    def written(self) -> dict[str, Any]:
        """Return the record with its keys as a situation has them."""
        fields = self.fields
        # A field with the name of a key has to have its value, and a field that was not seen may not have its name.
        shared = [name for name in self.key if name in self.kind.record.fields]
        if fields is None or any(name not in fields or fields[name] != self.key[name] for name in shared):
            return {"key": self.key, "record": fields}
        return {**self.key, **fields}


def _entries(situation: Situation, kinds: Kinds) -> dict[str, _Entry]:
    """Return the records of a situation by the paths by which rules find them."""
    found = {}
    for name, entries in situation.facts.items():
        for entry in entries:
            kind, apart = kinds[name], {"key", "record"} <= entry.keys() <= {"key", "record", "at"}
            key = {own: (entry["key"] if apart else entry)[own] for own in kind.keys}
            record = entry["record"] if apart else {own: entry[own] for own in entry if own in kind.record.fields}
            found[_path(kind, key)] = _Entry(kind, key, record)
    return found


def _path(kind: FactKind, key: Mapping[str, Any]) -> str:
    try:
        keys = tuple(Reader().read(key[name], type, name) for name, type in kind.keys.items())
    except ValueFault:
        return fact_path(kind.name, tuple(key.values()))
    return fact_path(kind.name, keys, kind.keys.values())


def _with(situation: Situation, entries: Mapping[str, _Entry]) -> Situation:
    facts: dict[str, list[Any]] = {}
    for _, own in sorted(entries.items()):
        facts.setdefault(own.kind.name, []).append(own.written())
    return replace(situation, facts=facts)


def joined(one: Situation, other: Situation, kinds: Kinds) -> Situation:
    """Return the first situation with the records, and the entries of maps in records, that only the other one has."""
    mine, yours = _entries(one, kinds), _entries(other, kinds)
    for path in mine.keys() & yours.keys():
        own, more = mine[path], yours[path].fields or {}
        maps = [name for name, field in own.kind.record.fields.items() if isinstance(without_null(field.type), MapOf)]
        both = [name for name in maps if own.fields and own.fields.get(name) is not None and more.get(name) is not None]
        added = {name: dict(sorted({**more[name], **(own.fields or {})[name]}.items())) for name in both}
        mine[path] = own if own.fields is None else replace(own, fields={**own.fields, **added})
    return _with(one, {**yours, **mine})


def pruned(situation: Situation, kinds: Kinds, names: Mapping[str, Collection[str]]) -> Situation:
    """Return a situation whose records have only their keys and, of each kind, the fields of these names."""
    entries = _entries(situation, kinds)
    for path, own in entries.items():
        kept = own.fields and {name: value for name, value in own.fields.items() if name in names[own.kind.name]}
        entries[path] = replace(own, fields=kept)
    return _with(situation, entries)


def lacking(
    situation: Situation, kinds: Kinds, names: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, Any, Situation]]:
    """Yield situations in which one record lacks a field of these names, with the field's path and value.

    If a tool can report that a record does not exist, another situation says so. Its path is that of the record, and
    its value all fields.
    """
    entries = _entries(situation, kinds)
    for path, own in entries.items():
        fields = own.fields or {}
        for name in [name for name in fields if name in names[own.kind.name]]:
            left = {each: value for each, value in fields.items() if each != name}
            yield field_path(path, name), fields[name], _with(situation, {**entries, path: replace(own, fields=left)})
        if own.fields is not None and own.kind.record.may_be_absent:
            yield path, fields, _with(situation, {**entries, path: replace(own, fields=None)})
