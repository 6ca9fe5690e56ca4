"""Run an audit: plan its shards, have them audited, go on where it was stopped, and say what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import fsspec

from holdtrue.audit.chat_reader import NO_MEANS, ReadingMeans, paid_in
from holdtrue.audit.shard_audit import put_whole
from holdtrue.audit.shard_job import AuditSettings, Counts, ShardJob, table_path
from holdtrue.audit.shards import BLOCK, Shard, cut_sources, find_sources, state_of
from holdtrue.audit.verdict_table import read_counts
from holdtrue.errors import InfrastructureError, SettingsError
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import load_policy
from holdtrue.rules.values import read_moment

PLAN, SUMMARY = "plan.json", "summary.json"
Run = Callable[[Iterator[ShardJob]], Iterator[tuple[ShardJob, Counts]]]
"""What audits jobs, in any order: a loop, a pool of processes, a cluster."""


@dataclass(frozen=True)
class AuditPlan:
    """An `AuditPlan` says what an audit reads and how; it is written before the first shard, and holds for good."""

    settings: AuditSettings
    shards: tuple[Shard, ...]
    states: dict[str, str]
    """What tells of each file, and of the domain's, whether it has changed."""

    def to_json(self) -> dict[str, Any]:
        shards = [asdict(own) for own in self.shards]
        return {"settings": asdict(self.settings), "states": self.states, "shards": shards}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> AuditPlan:
        shards = tuple(Shard(**own) for own in value["shards"])
        return cls(AuditSettings(**value["settings"]), shards, value["states"])


def plan_audit(inputs: Sequence[str], settings: AuditSettings, out: str, *, block: int = BLOCK) -> AuditPlan:
    """Return the plan of an audit: the one that its folder has, or a new one, which is written there.

    Raises `SettingsError` where the folder has the plan of another audit, and `InputError` for a policy or a moment
    that cannot be used.
    """
    sources = find_sources(inputs, out)
    states = {own: state_of(own) for own in sources} | _state_of_domain(settings.domain)
    if settings.policy is not None:
        states[settings.policy] = _policy_of(settings.policy, settings.now).digest
    plan = AuditPlan(settings, tuple(cut_sources(sources, block)), states)
    known = _read(out, PLAN)
    if known is None:
        _write(out, PLAN, plan.to_json())
        return plan
    if not _is_same(known, plan):
        raise SettingsError(
            f"{out} has another audit: its inputs, its settings or its files have changed; choose another folder"
        )
    return plan


def _policy_of(file: str, now: str | None) -> Policy:
    """Return a policy; raises `InputError` where it cannot be used, or the moment is none for it."""
    policy = load_policy(Path(file))
    if now is not None:
        read_moment(now, policy.moment, "--now")
    return policy


def _is_same(known: dict[str, Any], plan: AuditPlan) -> bool:
    try:
        return AuditPlan.from_json(known) == plan
    except (KeyError, TypeError):
        return False  # of another version, or of something else


def _state_of_domain(domain: str | None) -> dict[str, str]:
    """Return what tells whether the file of a domain has changed; of a module nothing does."""
    file = Path((domain or "").rpartition(":")[0] or (domain or ""))
    return {str(file): sha256(file.read_bytes()).hexdigest()} if domain and file.is_file() else {}


def run_audit(
    plan: AuditPlan,
    out: str,
    run: Run,
    tell: Callable[[Counts, int], None] = lambda *_: None,
    means: ReadingMeans = NO_MEANS,
) -> Counts:
    """Audit the shards that are not yet there, write the summary and return the counts of all of them.

    `tell` hears, after each shard, the counts so far and how many shards are done.
    """
    counts, done = Counts(), 0
    due: list[ShardJob] = []
    for shard in plan.shards:
        known = _counts_of(out, plan.settings, shard)
        if known is None:
            due.append(ShardJob(shard, plan.settings, out, means))
        else:
            counts.add(known)
            done += 1
    tell(counts, done)
    for _, found in run(iter(due)):
        # As it is written, so that an audit that was stopped comes to the same.
        counts.add(Counts.from_json(found.to_json()))
        done += 1
        tell(counts, done)
    _write(out, SUMMARY, {"shards": len(plan.shards), **counts.to_json(), **paid_in(out)})
    return counts


def _counts_of(out: str, settings: AuditSettings, shard: Shard) -> Counts | None:
    """Return what was counted in a shard whose file is there and sound; one that is damaged is audited again."""
    try:
        with fsspec.open(table_path(out, settings, shard.number), "rb").open() as stream:
            return Counts.from_json(read_counts(stream))
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError):
        return None
    except OSError as error:
        raise InfrastructureError(f"{out}: cannot be read: {error}") from error


def _read(out: str, name: str) -> dict[str, Any] | None:
    try:
        with fsspec.open(f"{out}/{name}", "rb").open() as stream:
            found: dict[str, Any] = json.loads(stream.read())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InfrastructureError(f"{out}/{name}: cannot be read: {error}") from error
    except ValueError as error:
        raise SettingsError(f"{out}/{name} is damaged: remove it, or choose another folder: {error}") from error
    return found


def _write(out: str, name: str, value: dict[str, Any]) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    put_whole(f"{out}/{name}", lambda stream: stream.write(text.encode()))
