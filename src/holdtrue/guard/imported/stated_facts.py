"""Find types for the facts that an app states itself, such as the role of a caller.

Each field has the type with which the most conditions have one. A text is tried first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdtrue.guard.imported.folded_conditions import stated_path, walk
from holdtrue.logic.value_sorts import NUMBER, WHOLE, Calendar
from holdtrue.rules.checker import FactKind, Scope, check_condition
from holdtrue.rules.syntax import Expression, RuleError
from holdtrue.rules.types import FLAG, TEXT, Field, ListOf, Number, Record, Type

Path = tuple[str, ...]
_TYPES: dict[str, Type] = {
    "text": TEXT,
    "bool": FLAG,
    "whole": Number(WHOLE),
    "list of text": ListOf(TEXT),
    "number": Number(NUMBER),
    "moment Z": Calendar("moment", "Z"),
}


def stated_kinds(conditions: Sequence[tuple[Expression, Scope]]) -> dict[str, Any]:
    """Return the kinds of facts that conditions read, as in a policy file."""
    read = [{path for own in walk(condition) if (path := stated_path(own))} for condition, _ in conditions]
    every = sorted(set[Path]().union(*read))
    leaves = [own for own in every if len(own) > 1 and not any(other[: len(own)] == own != other for other in every)]
    types = dict.fromkeys(leaves, "text")
    for path in leaves:
        concerned = [own for own, paths in zip(conditions, read, strict=True) if path in paths]

        def faults(name: str, path: Path = path, concerned: Sequence[tuple[Expression, Scope]] = concerned) -> int:
            kinds = {kind: FactKind((), _record(record)) for kind, record in _nested({**types, path: name}).items()}
            return sum(not _has_type(own, Scope(scope.roots, kinds)) for own, scope in concerned)

        types[path] = min(_TYPES, key=faults)
    return {kind: {"key": {}, "record": _optional(record)} for kind, record in _nested(types).items()}


def _nested(types: dict[Path, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, type in types.items():
        inner = found
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = type
    return found


def _optional(record: Any) -> Any:
    """Return a record as a policy file has it: records within it are required, and other fields are optional."""
    if isinstance(record, str):
        return record
    return {f"{name}?" if isinstance(own, str) else name: _optional(own) for name, own in record.items()}


def _record(record: Any) -> Type:
    if isinstance(record, str):
        return _TYPES[record]
    return Record({name: Field(_record(own), not isinstance(own, str)) for name, own in record.items()})


def _has_type(condition: Expression, scope: Scope) -> bool:
    try:
        check_condition(condition, scope)
    except RuleError:
        return False
    return True
