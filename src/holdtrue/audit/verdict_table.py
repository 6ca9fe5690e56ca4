"""The tables of an audit in Parquet: a row for each verdict, and a row for each line that could not be read."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.audit.raw_turn import RawTurn
from holdtrue.verification.logged import CheckedTurn

_WORD = pa.dictionary(pa.int8(), pa.string())
_TEXTS = pa.list_(pa.string())
VERDICTS = pa.schema(
    [
        pa.field("source", pa.dictionary(pa.int16(), pa.string()), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("conversation", pa.string()),
        pa.field("id", pa.string(), nullable=False),
        pa.field("ledger", _WORD, nullable=False),
        pa.field("answer", _WORD, nullable=False),
        pa.field("outcome", _WORD, nullable=False),
        pa.field("triggers", _TEXTS, nullable=False),
        pa.field("violated", _TEXTS, nullable=False),
        pa.field("blame", _TEXTS, nullable=False),
        pa.field("background", _TEXTS, nullable=False),
        pa.field("missing", _TEXTS, nullable=False),
        pa.field("mus", _TEXTS),
        pa.field("mus_minimal", pa.bool_(), nullable=False),
        pa.field("also", pa.string()),
        pa.field("nearest", pa.string()),
        pa.field("nearest_proved", pa.bool_()),
        pa.field("correct", pa.bool_()),
        pa.field("upstream_correct", pa.bool_()),
        pa.field("reason", pa.string()),
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


class VerdictRows:
    """`VerdictRows` are the verdicts of one shard, column by column."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._columns: dict[str, list[Any]] = {field.name: [] for field in VERDICTS}
        self._append = {name: column.append for name, column in self._columns.items()}

    def __len__(self) -> int:
        return len(self._columns["row"])

    def add(self, row: int, turn: RawTurn | None, checked: CheckedTurn) -> None:
        """Add the verdict on a row, counted from 1."""
        append, verdict = self._append, checked.verdict
        conversation = None if turn is None or turn.conversation is None else str(turn.conversation)
        append["source"](self.source)
        append["row"](row)
        append["conversation"](conversation)
        append["id"](checked.id)
        append["ledger"](verdict.basis.value)
        append["answer"](verdict.answer.value)
        append["outcome"](verdict.outcome.value)
        append["triggers"]([code.value for code in verdict.triggers])
        append["violated"](verdict.violated)
        append["blame"](verdict.blame)
        append["background"](verdict.background)
        append["missing"](verdict.missing)
        append["mus"](verdict.mus)
        append["mus_minimal"](verdict.mus_minimal)
        append["also"](json.dumps(checked.also, ensure_ascii=False) if checked.also else None)
        append["nearest"](None if checked.nearest is None else json.dumps(checked.nearest, ensure_ascii=False))
        append["nearest_proved"](checked.nearest_proved)
        append["correct"](checked.correct)
        append["upstream_correct"](checked.upstream_correct)
        append["reason"](verdict.reason)

    def table(self) -> pa.Table:
        """Return the rows as a table of `VERDICTS`."""
        return pa.table([pa.array(self._columns[field.name], field.type) for field in VERDICTS], schema=VERDICTS)


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
        return pa.Table.from_pylist(self.rows, BAD_ROWS)


def write_table(table: pa.Table, stream: Any, counts: dict[str, Any]) -> None:
    """Write a table as Parquet, with what was counted in it beside its schema."""
    named = table.replace_schema_metadata({COUNTS: json.dumps(counts).encode()})
    pq.write_table(named, stream, compression="zstd")


def read_counts(stream: Any) -> dict[str, Any]:
    """Return what was counted in a table that `write_table` wrote."""
    metadata = pq.read_schema(stream).metadata or {}
    found: dict[str, Any] = json.loads(metadata.get(COUNTS, b"{}"))
    return found
