"""Audit recorded conversations by a policy: decisions on calls by the facts that tools showed, and obligations.

The table of decisions in Parquet has a row for each call that is decided on, and each end with open obligations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from holdtrue.audit.auditor import Explain, Wanted
from holdtrue.audit.log_row import LogRow, conversation_of, name_of
from holdtrue.audit.verdict_table import TEXTS, WORD, made_table
from holdtrue.budget import Budget
from holdtrue.errors import RecordError
from holdtrue.guard.deciding import unmet
from holdtrue.guard.decision import Decision, Finding
from holdtrue.guard.facts import Facts
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.guard.recorded import RecordedCall, follow_to_end, read_conversation
from holdtrue.guard.recorded_words import load_once
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
    unread: Sequence[str] = ()
    """Results of the conversation that belong to no call, and names of tools in its texts, in words."""

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
            "unread": [*decision.coverage.unread, *self.unread],
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
    unread: Sequence[str] = ()
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
            "unread": self.unread,
            "assumptions": (),
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


_WHERE = "conversation"


class CallAuditor:
    """A `CallAuditor` decides on the calls of conversations, one conversation a row, as suite `guard` does.

    Nobody listens to words: what nobody was heard to say is `unsaid`. The ids that users wrote count. A conversation's
    moment is its own `now`, else the one that is given here, else the policy's. `explain` says of which calls that are
    stopped a mended call is looked for, and the whole record kept: of `all`, of the `first` of each conversation, or of
    `none`.
    """

    folder = "decisions"
    at_once = 1

    def __init__(
        self, policy: Policy, *, now: str | None, unsaid: Unsaid | None, explain: Explain, budget: Budget
    ) -> None:
        self.policy, self.now, self.unsaid, self.explain, self.budget = policy, now, unsaid, explain, budget
        self.quick = 0
        self.seen: Counter[str] = Counter()

    def begin(self, source: str) -> DecisionRows:
        """Begin another part of a log."""
        return DecisionRows(source)

    async def aclose(self) -> None:
        """Release nothing: a policy is a value."""

    def check(self, turn: LogRow | None, line: bytes | None) -> list[DecidedCall | EndOfConversation]:
        """Return the decisions on a row's calls. Raises `InputError` for a row that is no conversation."""
        record = _record(turn, line)
        # All of it is read before the first call is decided on: a row is decided on as a whole, or kept apart.
        read, now = read_conversation(record, _WHERE, self.policy.tools), self._moment(record)
        found: list[DecidedCall | EndOfConversation] = []
        unread = (*read.strays, *read.named)
        name, wanted = name_of(record), Wanted(self.explain)
        for call, facts in follow_to_end(self.policy, read.written, read.calls, now):
            if call is None:
                found += self._end(name, read.messages, facts, now, unread)
            elif self.policy.decides_on(call.tool):
                decision = self._decide(call, facts, now, mend=wanted.left)
                explained = wanted.take(broken=decision.kind != "allow")
                self.quick += not any(own.by == "solver" for own in decision.findings)
                found.append(DecidedCall(name, len(found) + 1, call, decision, explained, unread))
        self.seen.update(conversations=1, calls=len(read.calls), strays=len(read.strays), named=len(read.named))
        return found

    def _end(
        self, name: str | None, message: int, facts: Facts, now: str | None, unread: Sequence[str]
    ) -> list[EndOfConversation]:
        """Return what is to be told of a conversation's end: obligations that are not met, or not decided."""
        if not self.policy.obligations:
            return []
        self.seen["ends"] += 1
        listening = Listening(unsaid=self.unsaid or self.policy.unsaid, listens=False)
        open_ones = unmet(self.policy, facts, now=now, heard=listening, budget=self.budget)
        return [EndOfConversation(name, message, open_ones, unread)] if open_ones else []

    def _moment(self, record: dict[str, Any]) -> str | None:
        now = record.get("now")
        return self.now if now is None else str(now)

    def _decide(self, call: RecordedCall, facts: Facts, now: str | None, *, mend: bool) -> Decision:
        return self.policy.check(
            call.tool,
            call.text,
            facts,
            now=now,
            unsaid=self.unsaid,
            listen=False,
            budget=self.budget,
            mend=mend,
        )


def _record(turn: LogRow | None, line: bytes | None) -> dict[str, Any]:
    """Return all that a row has. Raises `RecordError` for what is no object."""
    if line is None:
        return conversation_of(turn, line)
    try:
        found = load_once(line.decode(), _WHERE)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object in UTF-8: {error}") from error
    if not isinstance(found, dict):
        raise RecordError("messages: a conversation has a list of them")
    return found
