"""Compare situations value by value, and leave out parts of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
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


def differences(one: Situation, other: Situation, kinds: Mapping[str, FactKind], root: str) -> Iterator[Change]:
    """Yield the differences of two situations as paths in the notation of rules, with the values of both."""
    yield from _unlike(one.call, other.call, root)
    mine, yours = _records(one, kinds), _records(other, kinds)
    for path in dict.fromkeys((*mine, *yours)):
        yield from _unlike(mine.get(path, MISSING), yours.get(path, MISSING), path)
    for tool in dict.fromkeys((*one.done, *other.done)):
        yield from _unlike(one.done.get(tool, ()), other.done.get(tool, ()), field_path(DONE, tool))
    yield from _unlike(one.said or {}, other.said or {}, SAID)
    for name in (NOW, WRITTEN):
        if getattr(one, name) != getattr(other, name):
            yield name, getattr(one, name), getattr(other, name)


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


def _records(situation: Situation, kinds: Mapping[str, FactKind]) -> dict[str, Any]:
    """Return the records of a situation by the paths by which rules find them."""
    return {path: fields_of(kinds[kind], entry) for path, (kind, entry) in _entries(situation, kinds).items()}


def path_of(kind: FactKind, entry: Mapping[str, Any]) -> str:
    """Return the path of a record."""
    keyed = entry["key"] if is_apart(entry) else entry
    try:
        keys = tuple(Reader().read(keyed[name], type, name) for name, type in kind.keys.items())
    except ValueFault:
        return fact_path(kind.name, tuple(keyed[name] for name in kind.keys))
    return fact_path(kind.name, keys, kind.keys.values())


def fields_of(kind: FactKind, entry: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the fields of a record, or None if the record does not exist."""
    if is_apart(entry):
        found: Mapping[str, Any] | None = entry["record"]
        return found
    return {name: own for name, own in entry.items() if name in kind.record.fields}


def is_apart(entry: Mapping[str, Any]) -> bool:
    """Return whether a record is written apart from its keys."""
    return entry.keys() >= {"key", "record"} and entry.keys() <= {"key", "record", "at"}


def joined(one: Situation, other: Situation, kinds: Mapping[str, FactKind]) -> Situation:
    """Return the first situation with the records, and the entries of maps in records, that only the other one has."""
    mine, yours = _entries(one, kinds), _entries(other, kinds)
    facts: dict[str, list[Any]] = {}
    for path in sorted({**mine, **yours}):
        kind, entry = mine.get(path) or yours[path]
        if path in mine and path in yours:
            entry = _with_maps(kinds[kind], entry, yours[path][1])
        facts.setdefault(kind, []).append(entry)
    return replace(one, facts=facts)


def _entries(situation: Situation, kinds: Mapping[str, FactKind]) -> dict[str, tuple[str, Any]]:
    listed = ((kind, entry) for kind, entries in situation.facts.items() for entry in entries)
    return {path_of(kinds[kind], entry): (kind, entry) for kind, entry in listed}


def _with_maps(kind: FactKind, one: Any, other: Any) -> Any:
    mine, yours = fields_of(kind, one), fields_of(kind, other)
    if mine is None or yours is None:
        return one
    maps = [name for name, own in kind.record.fields.items() if isinstance(without_null(own.type), MapOf)]
    both = [name for name in maps if isinstance(mine.get(name), Mapping) and isinstance(yours.get(name), Mapping)]
    more = {name: dict(sorted({**yours[name], **mine[name]}.items())) for name in both}
    return {**one, "record": {**mine, **more}} if is_apart(one) else {**one, **more}


def pruned(situation: Situation, kinds: Mapping[str, FactKind], names: Mapping[str, Collection[str]]) -> Situation:
    """Return a situation whose records have only their keys and, of each kind, the fields of these names."""

    def own(kind: FactKind, entry: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: own for name, own in (fields_of(kind, entry) or {}).items() if name in names[kind.name]}
        if is_apart(entry):
            return {**entry, "record": None if entry["record"] is None else kept}
        return {**{name: entry[name] for name in kind.keys}, **kept}

    facts = {kind: [own(kinds[kind], each) for each in entries] for kind, entries in situation.facts.items()}
    return replace(situation, facts=facts)


def lacking(
    situation: Situation, kinds: Mapping[str, FactKind], names: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, Any, Situation]]:
    """Yield situations in which one record lacks a field of these names, with the field's path and value.

    If a tool can report that a record does not exist, another situation says so. Its path is that of the record, and
    its value all fields.
    """
    for name, entries in situation.facts.items():
        kind = kinds[name]
        for place, entry in enumerate(entries):
            fields, path = fields_of(kind, entry), path_of(kind, entry)
            key = {own: (entry["key"] if is_apart(entry) else entry)[own] for own in kind.keys}
            if fields is None:
                continue
            for field in [own for own in fields if own in names[name]]:
                left = {own: value for own, value in fields.items() if own != field}
                yield field_path(path, field), fields[field], _with(situation, name, place, key, left)
            if kind.record.may_be_absent:
                yield path, fields, _with(situation, name, place, key, None)


def _with(situation: Situation, kind: str, place: int, key: Any, record: Any) -> Situation:
    entries: Sequence[Any] = situation.facts[kind]
    entry = {"key": key, "record": record}
    return replace(situation, facts={**situation.facts, kind: [*entries[:place], entry, *entries[place + 1 :]]})
