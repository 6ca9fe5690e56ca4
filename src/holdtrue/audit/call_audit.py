"""Audit recorded conversations by a policy: decide on their calls, and check their obligations.

Each call is judged on the facts that tools showed before it. The table of decisions has a row for each decided call,
and for each conversation that ends with open obligations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from holdtrue.audit.log_row import LogRow, name_of
from holdtrue.audit.shard_job import AuditSettings, Explaining
from holdtrue.audit.verdict_table import TEXTS, WORD, AuditRows
from holdtrue.errors import RecordError
from holdtrue.guard.deciding import unmet
from holdtrue.guard.decision import Decision, Finding
from holdtrue.guard.facts import Facts
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy_file import load_policy
from holdtrue.guard.recorded_words import load_once
from holdtrue.guard.recording import RecordedCall, follow_to_end, read_conversation
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
        pa.field("said", pa.string(), nullable=False),
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
"""The columns of the table of decisions. Each row has the place of a call, the decision on it, and the reasons."""


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A `FoundCall` is a decision on a call. `number` counts from 1 in the conversation.

    `explained` says whether the nearest allowed call was looked for.
    """

    conversation: str | None
    number: int
    call: RecordedCall
    decision: Decision
    explained: bool
    unread: Sequence[str] = ()
    """Sentences on results without a call, and on names of tools in the texts of the conversation."""

    @property
    def partly_read(self) -> bool:
        """Return False: no message is read here. The column `unread` has the parts that were not read."""
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
            "said": call.said,
            "answered": call.result is not None,
            "decision": decision.kind,
            "rules": decision.rules,
            "broken": [own.rule for own in decision.findings if own.status == "broken"],
            "undecided": decision.coverage.undecided,
            "unread": [*decision.coverage.unread, *self.unread],
            "assumptions": decision.assumptions,
            "why": decision.why,
            "mend": None if mend is None else json_cell(dict(mend.arguments)),
            "mend_optimal": None if mend is None else mend.optimal,
            "record": json_cell(decision.to_json()) if self.explained else None,
        }


@dataclass(frozen=True, slots=True)
class FoundEnd:
    """The end of a conversation of `messages` messages, at which some obligations are unmet or undecided."""

    conversation: str | None
    messages: int
    findings: Sequence[Finding]
    unread: Sequence[str] = ()
    partly_read = False

    @property
    def outcome(self) -> str:
        return "unmet" if any(own.status == "broken" for own in self.findings) else "undecided"

    @property
    def codes(self) -> Sequence[str]:
        """Return the obligations that are unmet or undecided."""
        return [own.rule for own in self.findings]

    @property
    def cells(self) -> dict[str, Any]:
        """Return the cells of the row, which has no tool."""
        broken, undecided = (
            [own.rule for own in self.findings if own.status == was] for was in ("broken", "undecided")
        )
        return {
            **dict.fromkeys(("mend", "mend_optimal", "record")),
            "unread": self.unread,
            "assumptions": (),
            **dict.fromkeys(("tool", "arguments", "said"), ""),
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


def decision_columns(found: Sequence[FoundCall | FoundEnd]) -> dict[str, Sequence[Any]]:
    """Return the columns of `DECISIONS` except the place in the log."""
    cells = [own.cells for own in found]
    return {name: [own[name] for own in cells] for name in DECISIONS.names[2:]}


_WHERE = "conversation"


class CallAuditor:
    """A `CallAuditor` decides on the calls of conversations, one conversation in each row.

    No message is read, except for ids in the user's messages. If a conversation has no `now`, it has the one of the
    settings, or else the policy's. For an explained call, the table has the whole record of the decision.
    """

    at_once = 1

    def __init__(self, settings: AuditSettings) -> None:
        self.policy, self.settings = load_policy(Path(settings.policy or "")), settings
        self.quick = 0
        self.seen: Counter[str] = Counter()

    def begin(self, source: str) -> AuditRows:
        """Return an empty table for another part of a log."""
        return AuditRows(source, DECISIONS, decision_columns)

    async def aclose(self) -> None:
        """Release nothing: a policy is a plain value."""

    def check_row(self, turn: LogRow | None, line: bytes | None) -> list[FoundCall | FoundEnd]:
        """Return the decisions on the calls in a row. Raises `InputError` for a row that is no conversation."""
        record = _read_row(line)
        # The whole row is read first, so that a bad row gives no decision.
        read = read_conversation(record, _WHERE, self.policy.tools)
        now = self.settings.now if record.get("now") is None else str(record["now"])
        found: list[FoundCall | FoundEnd] = []
        unread = (*read.strays, *read.named)
        name, wanted = name_of(record), Explaining(self.settings.explain)
        for call, facts in follow_to_end(self.policy, read.written, read.calls, now):
            if call is None:
                found += self._end(name, read.messages, facts, now, unread)
            elif self.policy.decides_on(call.tool):
                decision = self.policy.check(
                    call.tool,
                    call.text,
                    facts,
                    now=now,
                    unsaid=self.settings.unsaid,
                    listen=False,
                    budget=self.settings.budget,
                    mend=wanted.left,
                )
                explained = wanted.take(broken=decision.kind != "allow")
                self.quick += not any(own.by == "solver" for own in decision.findings)
                found.append(FoundCall(name, len(found) + 1, call, decision, explained, unread))
        self.seen.update(conversations=1, calls=len(read.calls), strays=len(read.strays), named=len(read.named))
        return found

    def _end(
        self, name: str | None, message: int, facts: Facts, now: str | None, unread: Sequence[str]
    ) -> list[FoundEnd]:
        if not self.policy.obligations:
            return []
        self.seen["ends"] += 1
        listening = Listening(unsaid=self.settings.unsaid or self.policy.unsaid, listens=False)
        open_ones = unmet(self.policy, facts, now=now, heard=listening, budget=self.settings.budget)
        return [FoundEnd(name, message, open_ones, unread)] if open_ones else []


def _read_row(line: bytes | None) -> dict[str, Any]:
    """Return the object in a row. Raises `RecordError` for anything else."""
    try:
        found = load_once((line or b"").decode(), _WHERE)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object in UTF-8: {error}") from error
    if not isinstance(found, dict):
        raise RecordError("messages: a conversation has a list of them")
    return found
