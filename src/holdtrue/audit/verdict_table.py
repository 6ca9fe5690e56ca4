"""The tables of an audit in Parquet: a row for each verdict, and a row for each line that could not be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.verification.coverage import Coverage
from holdtrue.verification.logged_turn import CheckedTurn
from holdtrue.wire import json_cell

WORD = pa.dictionary(pa.int8(), pa.string())
TEXTS = pa.list_(pa.string())
VERDICTS = pa.schema(
    [
        pa.field("source", pa.dictionary(pa.int16(), pa.string()), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("conversation", pa.string()),
        pa.field("id", pa.string(), nullable=False),
        pa.field("ledger", WORD, nullable=False),
        pa.field("answer", WORD, nullable=False),
        pa.field("outcome", WORD, nullable=False),
        pa.field("triggers", TEXTS, nullable=False),
        pa.field("violated", TEXTS, nullable=False),
        pa.field("blame", TEXTS, nullable=False),
        pa.field("background", TEXTS, nullable=False),
        pa.field("missing", TEXTS, nullable=False),
        pa.field("mus", TEXTS),
        pa.field("mus_minimal", pa.bool_(), nullable=False),
        pa.field("also", pa.string()),
        pa.field("nearest", pa.string()),
        pa.field("nearest_proved", pa.bool_()),
        pa.field("correct", pa.bool_()),
        pa.field("upstream_correct", pa.bool_()),
        pa.field("reason", pa.string()),
        pa.field("reader", WORD),
        pa.field("events", pa.string()),
        pa.field("coverage", pa.string()),
    ]
)
"""One row a turn: where it stands, and what `check --json` says of it, with the nearest answer as JSON text."""
BAD_ROWS = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
"""One row for each line that is no turn: where it stands, why, and its beginning."""
COUNTS = b"holdtrue.counts"
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A `FoundTurn` is the verdict on a turn of a log, in its conversation.

    Where the log has no constraints, `reader` says who read them in the messages, `events` what came of that, and
    `coverage` how much was read, as `check --chat` has them.
    """

    conversation: object
    checked: CheckedTurn
    reader: str | None = None
    events: Sequence[Mapping[str, Any]] = ()
    coverage: Coverage | None = None

    @property
    def outcome(self) -> str:
        return self.checked.verdict.outcome.value

    @property
    def codes(self) -> Sequence[str]:
        """Return what is wrong with the turn."""
        return self.checked.verdict.triggers

    @property
    def partly_read(self) -> bool:
        """Return whether users had said something that was not read, or with doubt."""
        return self.coverage is not None and not self.coverage.complete

    @property
    def cells(self) -> dict[str, Any]:
        """Return the cells of the turn's row."""
        checked, verdict = self.checked, self.checked.verdict
        return {
            "conversation": None if self.conversation is None else str(self.conversation),
            "id": checked.id,
            "ledger": verdict.basis.value,
            "answer": verdict.answer.value,
            "outcome": verdict.outcome.value,
            "triggers": [code.value for code in verdict.triggers],
            **{name: getattr(verdict, name) for name in _AS_THEY_ARE},
            "also": json_cell(checked.also or None),
            "nearest": json_cell(checked.nearest),
            "nearest_proved": checked.nearest_proved,
            "correct": checked.correct,
            "upstream_correct": checked.upstream_correct,
            "reader": self.reader,
            "events": json_cell(self.events or None),
            "coverage": json_cell(self.coverage and self.coverage.to_json()),
        }


_AS_THEY_ARE = ("violated", "blame", "background", "missing", "mus", "mus_minimal", "reason")
"""Columns that have the fields of a verdict."""


class TableRows:
    """`TableRows` are what was found in one shard, which becomes columns all at once."""

    def __init__(self, source: str, schema: pa.Schema) -> None:
        self.source, self.schema = source, schema
        self.rows: list[dict[str, Any]] = []

    def add(self, row: int, cells: Mapping[str, Any]) -> None:
        """Add what was found in a row, counted from 1."""
        self.rows.append({"source": self.source, "row": row, **cells})

    def table(self) -> pa.Table:
        """Return the rows as a table, in their order; those of one row in that in which they came."""
        rows = sorted(self.rows, key=lambda own: own["row"])
        columns = [_array([own[field.name] for own in rows], field.type) for field in self.schema]
        return pa.table(columns, schema=self.schema)


def _array(values: Sequence[Any], type: Any) -> Any:
    """Return a column; characters that no table can hold are replaced, such as halves of others."""
    try:
        return pa.array(values, type)
    except UnicodeEncodeError:
        return pa.array([_sound(own) for own in values], type)


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [_sound(own) for own in value] if isinstance(value, list | tuple) else value


def bad_cells(reason: str, line: bytes) -> dict[str, str]:
    """Return the cells of a row that could not be read: the reason, and its beginning."""
    return {"reason": reason, "text": line[:_LONGEST].decode("utf-8", "replace")}


def write_table(table: pa.Table, stream: Any, counts: dict[str, Any]) -> None:
    """Write a table as Parquet, with what was counted in it beside its schema."""
    named = table.replace_schema_metadata({COUNTS: json.dumps(counts).encode()})
    pq.write_table(named, stream, compression="zstd")


def read_counts(stream: Any) -> dict[str, Any]:
    """Return what was counted in a table that `write_table` wrote."""
    metadata = pq.read_schema(stream).metadata or {}
    found: dict[str, Any] = json.loads(metadata.get(COUNTS, b"{}"))
    return found
