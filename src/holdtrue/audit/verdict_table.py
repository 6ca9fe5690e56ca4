"""The tables of an audit in Parquet: a row for each verdict, and a row for each line that could not be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


class VerdictRows:
    """`VerdictRows` are the verdicts of one shard, which become columns all at once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._rows: list[int] = []
        self._found: list[FoundTurn] = []

    def add(self, row: int, found: FoundTurn) -> None:
        """Add the verdict on a turn of a row, counted from 1."""
        self._rows.append(row)
        self._found.append(found)

    def table(self) -> pa.Table:
        """Return the rows as a table of `VERDICTS`, in their order; those of one row in that in which they came."""
        if any(map(gt, self._rows, self._rows[1:])):
            order = sorted(range(len(self._rows)), key=self._rows.__getitem__)
            self._rows, self._found = [self._rows[at] for at in order], [self._found[at] for at in order]
        checked = [own.checked for own in self._found]
        verdicts = [own.verdict for own in checked]
        named = (own.conversation for own in self._found)
        columns: dict[str, Sequence[Any]] = {
            "source": [self.source] * len(self._rows),
            "row": self._rows,
            "conversation": [None if own is None else str(own) for own in named],
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
            "reader": [own.reader for own in self._found],
            "events": [json_cell(own.events or None) for own in self._found],
            "coverage": [json_cell(own.coverage and own.coverage.to_json()) for own in self._found],
        }
        return made_table(columns, VERDICTS)


_AS_THEY_ARE = ("violated", "blame", "background", "missing", "mus", "mus_minimal", "reason")
"""Columns that have the fields of a verdict."""


def made_table(columns: Mapping[str, Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Return columns as a table of a schema."""
    return pa.table([_array(columns[field.name], field.type) for field in schema], schema=schema)


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


class BadRows:
    """`BadRows` are the lines of one shard that are no turns."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.rows: list[dict[str, Any]] = []

    def add(self, row: int, reason: str, line: bytes) -> None:
        """Add a line, with the reason why it is no turn."""
        text = line[:_LONGEST].decode("utf-8", "replace")
        self.rows.append({"source": self.source, "row": row, "reason": reason, "text": text})

    def table(self) -> pa.Table:
        """Return the rows as a table of `BAD_ROWS`."""
        return made_table({field.name: [own[field.name] for own in self.rows] for field in BAD_ROWS}, BAD_ROWS)


def write_table(table: pa.Table, stream: Any, counts: dict[str, Any]) -> None:
    """Write a table as Parquet, with what was counted in it beside its schema."""
    named = table.replace_schema_metadata({COUNTS: json.dumps(counts).encode()})
    pq.write_table(named, stream, compression="zstd")


def read_counts(stream: Any) -> dict[str, Any]:
    """Return what was counted in a table that `write_table` wrote."""
    metadata = pq.read_schema(stream).metadata or {}
    found: dict[str, Any] = json.loads(metadata.get(COUNTS, b"{}"))
    return found
