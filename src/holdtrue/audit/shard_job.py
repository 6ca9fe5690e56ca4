"""The settings of an audit, the job for one shard, and the counts of its results, as plain values.

They travel between processes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from holdtrue.audit.shards import Shard
from holdtrue.budget import Budget
from holdtrue.guard.policy_parts import Unsaid

_MOST_REASONS = 100
RULES = "rules"
Explain = Literal["none", "first", "all"]
"""Explain nothing, the first broken turn or stopped call of each conversation, or all of them."""


@dataclass(frozen=True, slots=True)
class ReadingMeans:
    """`ReadingMeans` say how a model that reads conversations is reached. They do not change the verdicts.

    Attributes:
        base_url: The address of its server.
        connections: The number of calls that a process has under way at a time.
        token_limit: No call begins once all processes together have paid for this many tokens; None is no limit.
    """

    base_url: str | None = None
    connections: int = 8
    token_limit: int | None = None


NO_MEANS = ReadingMeans()


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """`AuditSettings` say how rows are checked. Equal settings give equal results, unless a time limit is reached.

    Attributes:
        domain: The domain of turns that name none, in the form that `find_domain` takes.
        explain: Which broken turns or stopped calls are explained.
        timeout_s: Solver time for a turn or a call, in seconds of wall-clock time.
        policy: The file of a policy. If it is given, rows are conversations, and the policy decides on their calls.
        now: The moment of conversations that have none.
        unsaid: How the policy treats values that no message stated. None keeps the policy's setting.
        reader: `rules`, or the name of a model that also reads the messages of conversations without constraints.
        skip_prose: Whether answers without JSON are skipped in conversations.
        format: The name of the logs' format. If it is None, each file is looked at.
    """

    domain: str | None = None
    explain: Explain = "none"
    timeout_s: float = 5.0
    policy: str | None = None
    now: str | None = None
    unsaid: Unsaid | None = None
    reader: str = RULES
    skip_prose: bool = False
    format: str | None = None

    @property
    def budget(self) -> Budget:
        """Return the budget of a turn or a call."""
        return Budget(timeout_s=self.timeout_s)

    @property
    def folder(self) -> str:
        """Return the name of the folder with the table of results."""
        return "verdicts" if self.policy is None else "decisions"


@dataclass(frozen=True, slots=True)
class ShardJob:
    """A `ShardJob` is a shard to audit, with the settings, the folder for the results, and the way to reach a model."""

    shard: Shard
    settings: AuditSettings
    out: str
    means: ReadingMeans = NO_MEANS


@dataclass
class Counts:
    """`Counts` are the numbers of rows and results of an audit.

    Attributes:
        rows: The rows that were read.
        bad: The rows that could not be checked.
        quick: The results that needed no solver.
        partly_read: The turns of conversations in which some statement was not read, or only with doubt.
        cpu_s: Processor time of the checks, in seconds.
        outcomes: The outcomes of turns, or the decisions.
        triggers: The codes of faults, or the rules that decisions rest on.
        reasons: Why rows could not be checked.
        seen: Further counts for rows that a policy decides on. `strays` are results without a call, `named` are tool
            names in plain texts, and `ends` are the conversations with obligations.
    """

    rows: int = 0
    bad: int = 0
    quick: int = 0
    partly_read: int = 0
    cpu_s: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    triggers: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Add other counts to these."""
        for own in fields(self):
            setattr(self, own.name, getattr(self, own.name) + getattr(other, own.name))

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "bad": self.bad,
            "quick": self.quick,
            "partly_read": self.partly_read,
            "cpu_s": round(self.cpu_s, 3),
            "outcomes": dict(sorted(self.outcomes.items())),
            "triggers": dict(sorted(self.triggers.items())),
            "reasons": dict(self.reasons.most_common(_MOST_REASONS)),
            **({"seen": dict(sorted(self.seen.items()))} if self.seen else {}),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Counts:
        counters = (Counter(value.get(name, {})) for name in ("outcomes", "triggers", "reasons", "seen"))
        read = value.get("partly_read", 0)
        return cls(value["rows"], value["bad"], value["quick"], read, value["cpu_s"], *counters)


def table_path(out: str, settings: AuditSettings, number: int) -> str:
    """Return the path of the file with the results of a shard."""
    return f"{out}/{settings.folder}/part-{number:06d}.parquet"


def bad_path(out: str, number: int) -> str:
    """Return the path of the file with the bad rows of a shard."""
    return f"{out}/bad_rows/part-{number:06d}.parquet"


class Explaining:
    """An `Explaining` chooses which broken turns or stopped calls of a conversation are explained.

    `left` says whether a later turn or call may be chosen, and `last` whether the latest one was chosen.
    """

    def __init__(self, explain: Explain) -> None:
        self.left = explain != "none"
        self.last = False
        self._only_first = explain == "first"

    def take(self, *, broken: bool) -> bool:
        """Return whether the next turn or call is explained."""
        self.last = self.left and broken
        if self.last and self._only_first:
            self.left = False
        return self.last
