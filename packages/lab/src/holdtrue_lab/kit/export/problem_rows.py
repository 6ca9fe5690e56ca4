"""This module declares how the problems of a kind of answer become rows of a data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from holdtrue.wire import json_cell
from holdtrue.world.instance import Constraint

TEXT, WHOLE, TRUTH = pa.string(), pa.int64(), pa.bool_()
TEXTS, WHOLES = pa.list_(TEXT), pa.list_(WHOLE)


def records(**fields: Any) -> Any:
    """Return the type of a list of records with these fields."""
    return pa.list_(pa.struct([pa.field(name, type) for name, type in fields.items()]))


@dataclass(frozen=True, slots=True)
class Column:
    """A `Column` has a name, a type, and the meaning of its values in words for the card.

    `read` returns the column's value for a problem, by default the attribute with the column's name. Records in a list
    are read field by field. In a column of texts, constraints and mappings are written as JSON, and other values as
    `str` writes them.
    """

    name: str
    type: Any
    meaning: str
    read: Callable[[Any], Any] | None = None

    def cell(self, problem: Any) -> Any:
        return _plain(self.type, getattr(problem, self.name) if self.read is None else self.read(problem))


def _plain(type: Any, value: Any) -> Any:
    if value is None:
        return None
    if pa.types.is_list(type):
        return [_plain(type.value_type, each) for each in value]
    if pa.types.is_struct(type):
        own = value if isinstance(value, Mapping) else {part.name: getattr(value, part.name) for part in type}
        return {part.name: _plain(part.type, own[part.name]) for part in type}
    if not pa.types.is_string(type):
        return value
    if isinstance(value, Constraint):
        return json_cell(value.to_json())
    return json_cell(dict(value)) if isinstance(value, Mapping) else str(value)


@dataclass(frozen=True, slots=True)
class ProblemRows:
    """A `ProblemRows` declares the rows of problems; `what` names the problems, such as `problems` or `cases`.

    `split` returns the benchmark split of a problem, or None.
    """

    what: str
    columns: Sequence[Column]
    split: Callable[[Any], str | None] = lambda problem: getattr(problem, "split", None)

    def row(self, problem: Any) -> dict[str, Any]:
        return {column.name: column.cell(problem) for column in self.columns}
