"""The tables of an audit in Parquet: a row for each verdict, and a row for each bad row of the log."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import gt
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
"""The columns of the table of verdicts. Each row has the place of a turn and the fields of `check --json`."""
BAD_ROWS = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
"""The columns of the table of bad rows: the place, the reason, and the beginning of the text."""
COUNTS = b"holdtrue.counts"
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A `FoundTurn` is the verdict on a turn of a log.

    If the log has no constraints, `reader` says who read the messages. `events` and `coverage` have the same meaning as
    in `check --chat`.
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
        """Return the codes of the turn's faults."""
        return self.checked.verdict.triggers

    @property
    def partly_read(self) -> bool:
        """Return whether some statement of the user was not read, or only with doubt."""
        return self.coverage is not None and not self.coverage.complete


class AuditRows:
    """`AuditRows` collect the results for one table of a shard.

    `columns` turns results into the cells of each column of `schema` except `source` and `row`.
    """

    def __init__(
        self, source: str, schema: pa.Schema, columns: Callable[[Sequence[Any]], Mapping[str, Sequence[Any]]]
    ) -> None:
        self.source, self.schema, self.rows = source, schema, list[int]()
        self._columns, self._found = columns, list[Any]()

    def add(self, row: int, found: Any) -> None:
        """Add a result from a row of the log, counted from 1."""
        self.rows.append(row)
        self._found.append(found)

    def table(self) -> pa.Table:
        """Return the table, in the order of the rows of the log."""
        if any(map(gt, self.rows, self.rows[1:])):
            order = sorted(range(len(self.rows)), key=self.rows.__getitem__)
            self.rows, self._found = [self.rows[at] for at in order], [self._found[at] for at in order]
        cells: dict[str, Sequence[Any]] = {"source": [self.source] * len(self.rows), "row": self.rows}
        cells |= self._columns(self._found)
        return pa.table([_array(cells[field.name], field.type) for field in self.schema], schema=self.schema)


_AS_THEY_ARE = ("violated", "blame", "background", "missing", "mus", "mus_minimal", "reason")
"""The columns that are fields of a verdict."""


def verdict_columns(found: Sequence[FoundTurn]) -> dict[str, Sequence[Any]]:
    """Return the columns of `VERDICTS`."""
    checked = [own.checked for own in found]
    verdicts = [own.verdict for own in checked]
    return {
        "conversation": [None if own.conversation is None else str(own.conversation) for own in found],
        "id": [own.id for own in checked],
        "ledger": [own.basis.value for own in verdicts],
        "answer": [own.answer.value for own in verdicts],
        "outcome": [own.outcome.value for own in verdicts],
        "triggers": [[code.value for code in own.triggers] for own in verdicts],
        **{name: [getattr(own, name) for own in verdicts] for name in _AS_THEY_ARE},
        "also": [json_cell(own.also or None) for own in checked],
        "nearest": [json_cell(own.nearest) for own in checked],
        "nearest_proved": [own.nearest_proved for own in checked],
        "correct": [own.correct for own in checked],
        "upstream_correct": [own.upstream_correct for own in checked],
        "reader": [own.reader for own in found],
        "events": [json_cell(own.events or None) for own in found],
        "coverage": [json_cell(own.coverage and own.coverage.to_json()) for own in found],
    }


def bad_columns(found: Sequence[tuple[str, bytes]]) -> dict[str, Sequence[Any]]:
    """Return the columns of `BAD_ROWS` from reasons and texts of rows."""
    texts = [text[:_LONGEST].decode("utf-8", "replace") for _, text in found]
    return {"reason": [reason for reason, _ in found], "text": texts}


def _array(values: Sequence[Any], type: Any) -> Any:
    """Return a column. Characters that no table can hold, such as lone surrogates, are replaced."""
    try:
        return pa.array(values, type)
    except UnicodeEncodeError:
        return pa.array([_sound(own) for own in values], type)


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [_sound(own) for own in value] if isinstance(value, list | tuple) else value


def write_table(table: pa.Table, stream: Any, counts: dict[str, Any]) -> None:
    """Write a table as Parquet, with counts in the metadata of its schema."""
    named = table.replace_schema_metadata({COUNTS: json.dumps(counts).encode()})
    pq.write_table(named, stream, compression="zstd")


def read_counts(stream: Any) -> dict[str, Any]:
    """Return the counts in a file of `write_table`."""
    metadata = pq.read_schema(stream).metadata or {}
    found: dict[str, Any] = json.loads(metadata.get(COUNTS, b"{}"))
    return found
