"""Audit one shard: read its rows, check them, and write their verdicts to a file that is there once it is whole.

This is one function of plain values, which a process of a pool or a machine of a cluster can call.
"""

from __future__ import annotations

import atexit
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec

from holdtrue.audit.auditor import Auditor
from holdtrue.audit.explain import Explain
from holdtrue.audit.raw_turn import RawTurn, cut, value_of
from holdtrue.audit.shards import Shard, read_rows
from holdtrue.audit.turn_audit import TurnAuditor
from holdtrue.audit.verdict_table import BadRows, write_table
from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.world.registry import BUILTIN, find_domain


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """`AuditSettings` say how rows are checked; two audits with the same ones find the same.

    Attributes:
        domain: A name that `find_domain` knows, of turns that name none.
        explain: Which broken turns or stopped calls are explained.
        timeout_s: Solver time for a turn or a call.
        policy: The file of a policy, where rows are conversations whose calls it decides on.
        now: The moment of conversations that have none.
        unsaid: What a policy makes of that which nobody was heard to say; None is as the policy says.
    """

    domain: str | None = None
    explain: Explain = "none"
    timeout_s: float = 5.0
    policy: str | None = None
    now: str | None = None
    unsaid: Unsaid | None = None

    @property
    def folder(self) -> str:
        """Return the folder of the table: that of verdicts, or of decisions."""
        return "verdicts" if self.policy is None else "decisions"


@dataclass(frozen=True, slots=True)
class ShardJob:
    """A `ShardJob` is a shard, how it is checked, and the folder that its verdicts go to."""

    shard: Shard
    settings: AuditSettings
    out: str


@dataclass
class Counts:
    """`Counts` are how many rows an audit has of each kind; `quick` of what was found in them needed no solver.

    `outcomes` are those of turns, or decisions, and `triggers` codes of what is wrong, or rules.

    `cpu_s` is the time of the processor that checking took, in seconds.
    """

    rows: int = 0
    bad: int = 0
    quick: int = 0
    cpu_s: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    triggers: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Add what was counted elsewhere."""
        self.rows += other.rows
        self.bad += other.bad
        self.quick += other.quick
        self.cpu_s += other.cpu_s
        self.outcomes.update(other.outcomes)
        self.triggers.update(other.triggers)
        self.reasons.update(other.reasons)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "bad": self.bad,
            "quick": self.quick,
            "cpu_s": round(self.cpu_s, 3),
            "outcomes": dict(sorted(self.outcomes.items())),
            "triggers": dict(sorted(self.triggers.items())),
            "reasons": dict(self.reasons.most_common(_MOST_REASONS)),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Counts:
        counters = (Counter(value[name]) for name in ("outcomes", "triggers", "reasons"))
        return cls(value["rows"], value["bad"], value["quick"], value["cpu_s"], *counters)


_MOST_REASONS = 100
_LONGEST_REASON = 120


@lru_cache(maxsize=1)
def _auditor(settings: AuditSettings) -> Auditor:
    """Return the auditor of this process, which keeps what it found out from shard to shard."""
    # Solvers that are left to the end of the interpreter find their library gone.
    atexit.register(_auditor.cache_clear)
    budget = Budget(timeout_s=settings.timeout_s)
    if settings.policy is not None:
        from holdtrue.audit.call_audit import CallAuditor
        from holdtrue.guard.policy_file import load_policy

        policy = load_policy(Path(settings.policy))
        return CallAuditor(policy, now=settings.now, unsaid=settings.unsaid, explain=settings.explain, budget=budget)
    default = find_domain(settings.domain) if settings.domain else None
    return TurnAuditor(BUILTIN, default, explain=settings.explain, budget=budget)


def audit_shard(job: ShardJob) -> Counts:
    """Audit a shard and return what was counted. Raises `RecordError` where its file cannot be read.

    The file of what was found is written under another name and then renamed, so that one which is there is whole.
    """
    auditor, shard = _auditor(job.settings), job.shard
    begun = time.process_time()
    rows, bad, counts = auditor.begin(shard.source), BadRows(shard.source), Counts()
    before = auditor.quick
    for number, row in read_rows(shard):
        counts.rows += 1
        turn, line = (row, None) if isinstance(row, RawTurn) else (cut(row), row)
        try:
            found = auditor.check(turn, line)
        except Exception as error:  # noqa: BLE001  whatever a row is, it is kept apart with its reason, and stops nothing
            known = isinstance(error, InputError)
            reason = str(error) if known else f"it cannot be checked: {type(error).__name__}: {error}"
            counts.bad += 1
            counts.reasons[reason[:_LONGEST_REASON]] += 1
            bad.add(number, reason, _written(row))
            continue
        for own in found:
            rows.add(number, own)
            counts.outcomes[own.outcome] += 1
            if own.codes:
                counts.triggers.update(own.codes)
    counts.quick = auditor.quick - before
    counts.cpu_s = time.process_time() - begun
    if bad.rows:
        put_whole(bad_path(job.out, shard.number), lambda stream: write_table(bad.table(), stream, {}))
    written = counts.to_json()
    place = table_path(job.out, job.settings, shard.number)
    put_whole(place, lambda stream: write_table(rows.table(), stream, written))
    return counts


def _written(row: bytes | RawTurn) -> bytes:
    """Return a row as it is kept apart: a line as it stands, a row of a table as JSON."""
    if isinstance(row, bytes):
        return row
    try:
        return json.dumps(value_of(row), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, TypeError, RecursionError):
        return f"id {row.id!r}: {bytes(row.constraints)[:_LONGEST_REASON]!r}".encode("utf-8", "replace")


def table_path(out: str, settings: AuditSettings, number: int) -> str:
    """Return where what was found in a shard is."""
    return f"{out}/{settings.folder}/part-{number:06d}.parquet"


def bad_path(out: str, number: int) -> str:
    """Return where the rows of a shard are that are no turns."""
    return f"{out}/bad_rows/part-{number:06d}.parquet"


def put_whole(path: str, write: Callable[[Any], object]) -> None:
    """Write a file beside its place and then put it there, so that one which is there is whole."""
    system, name = fsspec.core.url_to_fs(path)
    folder, _, last = name.rpartition("/")
    system.makedirs(folder, exist_ok=True)
    beside = f"{folder}/.{last}.{uuid4().hex[:8]}"
    with system.open(beside, "wb") as stream:
        write(stream)
    system.mv(beside, name)
