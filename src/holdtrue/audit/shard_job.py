"""Say what is audited in a shard and how, and what was counted in it: plain values, which travel between processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from holdtrue.audit.auditor import Explain
from holdtrue.audit.chat_reader import NO_MEANS, RULES, ReadingMeans
from holdtrue.audit.shards import Shard
from holdtrue.guard.policy_parts import Unsaid

_MOST_REASONS = 100


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """`AuditSettings` say how rows are checked; two audits find the same by the same ones, as far as no time runs out.

    Attributes:
        domain: A name that `find_domain` knows, of turns that name none.
        explain: Which broken turns or stopped calls are explained.
        timeout_s: Solver time for a turn or a call, on the wall: a process that is held up meanwhile has less of it.
        policy: The file of a policy, where rows are conversations whose calls it decides on.
        now: The moment of conversations that have none.
        unsaid: What a policy makes of that which nobody was heard to say; None is as the policy says.
        reader: Who reads conversations without constraints: `rules`, or a model besides, by its name.
        skip_prose: Whether answers without any JSON are passed over in conversations.
    """

    domain: str | None = None
    explain: Explain = "none"
    timeout_s: float = 5.0
    policy: str | None = None
    now: str | None = None
    unsaid: Unsaid | None = None
    reader: str = RULES
    skip_prose: bool = False

    @property
    def folder(self) -> str:
        """Return the folder of the table: that of verdicts, or of decisions."""
        return "verdicts" if self.policy is None else "decisions"


@dataclass(frozen=True, slots=True)
class ShardJob:
    """A `ShardJob` is a shard, how it is checked, the folder that its tables go to, and how a model is reached."""

    shard: Shard
    settings: AuditSettings
    out: str
    means: ReadingMeans = NO_MEANS


@dataclass
class Counts:
    """`Counts` are how many rows an audit has of each kind; `quick` of what was found in them needed no solver.

    `partly_read` counts turns of conversations by which something was said that was not read, or with doubt.
    `outcomes` are those of turns, or decisions, and `triggers` codes of what is wrong, or rules. `seen` is
    what rows that a policy decides on held: `conversations`, `calls`, results that belong to no call (`strays`),
    names of tools in texts that are read as prose (`named`), and `ends` at which obligations were looked at.

    `cpu_s` is the time of the processor that checking took, in seconds.
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
        """Add what was counted elsewhere."""
        self.rows += other.rows
        self.bad += other.bad
        self.quick += other.quick
        self.partly_read += other.partly_read
        self.cpu_s += other.cpu_s
        self.outcomes.update(other.outcomes)
        self.triggers.update(other.triggers)
        self.reasons.update(other.reasons)
        self.seen.update(other.seen)

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
    """Return where what was found in a shard is."""
    return f"{out}/{settings.folder}/part-{number:06d}.parquet"


def bad_path(out: str, number: int) -> str:
    """Return where the rows of a shard are that are no turns."""
    return f"{out}/bad_rows/part-{number:06d}.parquet"
