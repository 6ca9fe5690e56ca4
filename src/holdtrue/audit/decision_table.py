"""The table of decisions in Parquet: a row for each call that is decided on, and each end with open obligations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from holdtrue.audit.verdict_table import TEXTS, WORD, made_table
from holdtrue.guard.decision import Decision, Finding
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
"""One row a call that is decided on: where it stands, what is decided, and what that rests on."""


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
    strays: Sequence[str] = ()
    """Results of the conversation that belong to no call, in words."""

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

    @property
    def cells(self) -> dict[str, Any]:
        """Return the cells of the call's row."""
        call, decision = self.call, self.decision
        mend = decision.mend
        return {
            "conversation": self.conversation,
            "message": call.message,
            "call": self.number,
            "tool": call.tool,
            "arguments": call.text,
            "answered": call.result is not None,
            "decision": decision.kind,
            "rules": decision.rules,
            "broken": [own.rule for own in decision.findings if own.status == "broken"],
            "undecided": decision.coverage.undecided,
            "unread": [*decision.coverage.unread, *self.strays],
            "assumptions": decision.assumptions,
            "why": decision.why,
            "mend": None if mend is None else json_cell(dict(mend.arguments)),
            "mend_optimal": None if mend is None else mend.optimal,
            "record": json_cell(decision.to_json()) if self.explained else None,
        }


@dataclass(frozen=True, slots=True)
class EndOfConversation:
    """The end of a conversation of so many `messages` that leaves obligations unmet, or not decided."""

    conversation: str | None
    messages: int
    findings: Sequence[Finding]
    partly_read = False

    @property
    def outcome(self) -> str:
        return "unmet" if any(own.status == "broken" for own in self.findings) else "undecided"

    @property
    def codes(self) -> Sequence[str]:
        """Return the obligations that are not met or not decided."""
        return [own.rule for own in self.findings]

    @property
    def cells(self) -> dict[str, Any]:
        """Return the cells of the end's row, which has no tool."""
        broken, undecided = (
            [own.rule for own in self.findings if own.status == was] for was in ("broken", "undecided")
        )
        return {
            **dict.fromkeys(("mend", "mend_optimal", "record")),
            **dict.fromkeys(("unread", "assumptions"), ()),
            **dict.fromkeys(("tool", "arguments"), ""),
            "conversation": self.conversation,
            "message": self.messages,
            "call": 0,
            "answered": False,
            "decision": self.outcome,
            "rules": self.codes,
            "broken": broken,
            "undecided": undecided,
            "why": " ".join(own.say for own in self.findings),
        }


class DecisionRows:
    """`DecisionRows` are the decisions of one shard, which become columns all at once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._rows: list[dict[str, Any]] = []

    def add(self, row: int, found: DecidedCall | EndOfConversation) -> None:
        """Add what was found in a row, counted from 1."""
        self._rows.append({"source": self.source, "row": row, **found.cells})

    def table(self) -> pa.Table:
        """Return the rows as a table of `DECISIONS`, in their order."""
        self._rows.sort(key=lambda own: own["row"])
        return made_table({field.name: [own[field.name] for own in self._rows] for field in DECISIONS}, DECISIONS)
