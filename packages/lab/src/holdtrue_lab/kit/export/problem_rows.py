"""A declaration of how the problems of one kind of answers become rows of a data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

TEXT, WHOLE, TRUTH = pa.string(), pa.int64(), pa.bool_()
TEXTS, WHOLES = pa.list_(TEXT), pa.list_(WHOLE)


def records(**fields: Any) -> Any:
    """Return the type of a list of records with these fields."""
    return pa.list_(pa.struct([pa.field(name, type) for name, type in fields.items()]))


@dataclass(frozen=True, slots=True)
class Column:
    """A `Column` has its name, its type, and what its values mean, in words that can stand in a table."""

    name: str
    type: Any
    meaning: str


@dataclass(frozen=True, slots=True)
class ProblemRows:
    """`ProblemRows` say what a problem's row has; `what` names the problems, such as `problems` or `cases`.

    `row` returns the values by the names of the columns, and `split` the name of the part of a benchmark that a problem
    is of, or None.
    """

    what: str
    columns: Sequence[Column]
    row: Callable[[Any], Mapping[str, Any]]
    split: Callable[[Any], str | None] = lambda problem: getattr(problem, "split", None)
