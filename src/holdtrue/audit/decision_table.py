"""The table of decisions on calls in Parquet: a row for each call that writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from holdtrue.audit.verdict_table import TEXTS, WORD, made_table
from holdtrue.guard.decision import Decision
from holdtrue.guard.recorded import RecordedCall
from holdtrue.wire import json_cell

DECISIONS = pa.schema(
    [
        pa.field("source", pa.dictionary(pa.int16(), pa.string()), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("conversation", pa.string()),
        pa.field("message", pa.int32(), nullable=False),
        pa.field("call", pa.int32(), nullable=False),
        pa.field("tool", pa.string(), nullable=False),
        pa.field("arguments", pa.string(), nullable=False),
        pa.field("answered", pa.bool_(), nullable=False),
        pa.field("decision", WORD, nullable=False),
        pa.field("rules", TEXTS, nullable=False),
        pa.field("broken", TEXTS, nullable=False),
        pa.field("undecided", TEXTS, nullable=False),
        pa.field("unread", TEXTS, nullable=False),
        pa.field("assumptions", TEXTS, nullable=False),
        pa.field("why", pa.string(), nullable=False),
        pa.field("mend", pa.string()),
        pa.field("mend_optimal", pa.bool_()),
        pa.field("record", pa.string()),
    ]
)
"""One row a call that writes: where it stands, what is decided, and what that rests on."""


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A `DecidedCall` is a call of a conversation, its `number` among those decided on, from 1, and the decision.

    `explained` says whether the nearest call that keeps every rule was looked for.
    """

    conversation: str | None
    number: int
    call: RecordedCall
    decision: Decision
    explained: bool

    @property
    def partly_read(self) -> bool:
        """Return False: nobody reads, which the column `unread` says."""
        return False

    @property
    def outcome(self) -> str:
        return self.decision.kind

    @property
    def codes(self) -> Sequence[str]:
        """Return the rules that the decision rests on."""
        return self.decision.rules


class DecisionRows:
    """`DecisionRows` are the decisions of one shard, which become columns all at once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._rows: list[dict[str, Any]] = []

    def add(self, row: int, found: DecidedCall) -> None:
        """Add the decision on a call of a row, counted from 1."""
        call, decision = found.call, found.decision
        mend = decision.mend
        self._rows.append(
            {
                "source": self.source,
                "row": row,
                "conversation": found.conversation,
                "message": call.message,
                "call": found.number,
                "tool": call.tool,
                "arguments": call.text,
                "answered": call.result is not None,
                "decision": decision.kind,
                "rules": decision.rules,
                "broken": [own.rule for own in decision.findings if own.status == "broken"],
                "undecided": decision.coverage.undecided,
                "unread": decision.coverage.unread,
                "assumptions": decision.assumptions,
                "why": decision.why,
                "mend": None if mend is None else json_cell(dict(mend.arguments)),
                "mend_optimal": None if mend is None else mend.optimal,
                "record": json_cell(decision.to_json()) if found.explained else None,
            }
        )

    def table(self) -> pa.Table:
        """Return the rows as a table of `DECISIONS`, in their order."""
        self._rows.sort(key=lambda own: own["row"])
        return made_table({field.name: [own[field.name] for own in self._rows] for field in DECISIONS}, DECISIONS)
