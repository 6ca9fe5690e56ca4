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
from typing import Any
from uuid import uuid4

import fsspec

from holdtrue.audit.checker import Checker, Explain
from holdtrue.audit.raw_turn import RawTurn, conversation_in, cut, value_of
from holdtrue.audit.shards import Shard, read_rows
from holdtrue.audit.verdict_table import BadRows, VerdictRows, write_table
from holdtrue.budget import Budget
from holdtrue.errors import RecordError
from holdtrue.world.registry import BUILTIN, find_domain


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """`AuditSettings` say how turns are checked; two audits with the same ones give the same verdicts.

    `domain` is a name that `find_domain` knows, of turns that name none. `timeout_s` is solver time for a turn.
    """

    domain: str | None = None
    explain: Explain = "none"
    timeout_s: float = 5.0


@dataclass(frozen=True, slots=True)
class ShardJob:
    """A `ShardJob` is a shard, how it is checked, and the folder that its verdicts go to."""

    shard: Shard
    settings: AuditSettings
    out: str


@dataclass
class Counts:
    """`Counts` are how many rows an audit has of each kind; `quick` were decided by what was known of others.

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
def _checker(settings: AuditSettings) -> Checker:
    """Return the checker of this process, which keeps what it found out from shard to shard."""
    # Solvers that are left to the end of the interpreter find their library gone.
    atexit.register(_checker.cache_clear)
    default = find_domain(settings.domain) if settings.domain else None
    return Checker(BUILTIN, default, explain=settings.explain, budget=Budget(timeout_s=settings.timeout_s))


def audit_shard(job: ShardJob) -> Counts:
    """Audit a shard and return what was counted. Raises `RecordError` where its file cannot be read.

    The file of verdicts is written under another name and then renamed, so that one which is there is whole.
    """
    begun, checker, shard = time.process_time(), _checker(job.settings), job.shard
    verdicts, bad, counts = VerdictRows(shard.source), BadRows(shard.source), Counts()
    before = checker.tally.quick
    checker.begin()
    for number, row in read_rows(shard):
        counts.rows += 1
        turn, line = (row, None) if isinstance(row, RawTurn) else (cut(row), row)
        try:
            checked = checker.check_turn(turn, line)
        except Exception as error:  # noqa: BLE001  whatever a row is, it is kept apart with its reason, and stops nothing
            known = isinstance(error, RecordError)
            reason = str(error) if known else f"it cannot be checked: {type(error).__name__}: {error}"
            counts.bad += 1
            counts.reasons[reason[:_LONGEST_REASON]] += 1
            bad.add(number, reason, _written(row))
            continue
        verdicts.add(number, turn.conversation if turn is not None else conversation_in(line), checked)
        counts.outcomes[checked.verdict.outcome.value] += 1
        if checked.verdict.triggers:
            counts.triggers.update(code.value for code in checked.verdict.triggers)
    counts.quick = checker.tally.quick - before
    counts.cpu_s = time.process_time() - begun
    if bad.rows:
        put_whole(bad_path(job.out, shard.number), lambda stream: write_table(bad.table(), stream, {}))
    written = counts.to_json()
    put_whole(verdict_path(job.out, shard.number), lambda stream: write_table(verdicts.table(), stream, written))
    return counts


def _written(row: bytes | RawTurn) -> bytes:
    """Return a row as it is kept apart: a line as it stands, a row of a table as JSON."""
    if isinstance(row, bytes):
        return row
    try:
        return json.dumps(value_of(row), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, TypeError, RecursionError):
        return f"id {row.id!r}: {bytes(row.constraints)[:_LONGEST_REASON]!r}".encode("utf-8", "replace")


def verdict_path(out: str, number: int) -> str:
    """Return where the verdicts of a shard are."""
    return f"{out}/verdicts/part-{number:06d}.parquet"


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
