"""Run an audit: plan its shards, audit them, resume after a stop, and write the summary.

Shards are audited in this process, by a pool of processes, or on a Ray cluster. If a process or a machine is lost, its
shards are begun again. The driver of a cluster holds only jobs and counts. The machines read logs and write results
themselves, so each of them has to reach the logs and the folder of results.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from hashlib import sha256
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

import fsspec

from holdtrue.audit.chat_reader import paid_in
from holdtrue.audit.shard_audit import audit_shard, put_whole, release
from holdtrue.audit.shard_job import NO_MEANS, AuditSettings, Counts, ReadingMeans, ShardJob, table_path
from holdtrue.audit.shards import BLOCK, Shard, cut_sources, find_sources, state_of
from holdtrue.audit.verdict_table import read_counts
from holdtrue.errors import InfrastructureError, RecordError, SettingsError
from holdtrue.guard.policy_file import load_policy
from holdtrue.rules.values import read_moment

TRIES = 3
"""A shard is given up after this many lost processes."""
AHEAD = 2
"""The number of shards that are handed out for each processor, so that the rest stays out of memory."""


def in_process(jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
    """Audit shards one after another in this process, and yield their counts."""
    try:
        for job in jobs:
            yield job, audit_shard(job)
    finally:
        release()


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, even if the parent was killed."""
    Thread(target=_await_end, daemon=True).start()


def _await_end() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Pool:
    """A `Pool` audits shards in processes. After the loss of a process, its shards are begun again in a new pool."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __call__(self, jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        """Yield the counts of shards as they end.

        Raises `InfrastructureError` if `TRIES` processes die on one shard.
        """
        lost: dict[int, int] = {}
        again: list[ShardJob] = []
        while True:
            begun: dict[Future[Counts], ShardJob] = {}
            # A forked process would inherit locks, but not the threads that release them.
            with ProcessPoolExecutor(self.workers, get_context("spawn"), _end_with_parent) as pool:
                try:
                    yield from self._play(pool, jobs, again, begun)
                    return
                except BrokenProcessPool:
                    again += begun.values()
            for job in begun.values():
                number = job.shard.number
                lost[number] = lost.get(number, 0) + 1
                if lost[number] >= TRIES:
                    raise InfrastructureError(
                        f"{job.shard.source}: {TRIES} processes were lost over shard {number}; is there enough "
                        "memory, and does a script that audits do so behind if __name__ == '__main__'?"
                    )

    def _play(
        self,
        pool: ProcessPoolExecutor,
        jobs: Iterator[ShardJob],
        again: list[ShardJob],
        begun: dict[Future[Counts], ShardJob],
    ) -> Iterator[tuple[ShardJob, Counts]]:
        """Yield the counts from one pool. Jobs that have begun and not ended stay in `begun`."""
        while True:
            while len(begun) < AHEAD * self.workers:
                job = again.pop() if again else next(jobs, None)
                if job is None:
                    break
                try:
                    begun[pool.submit(audit_shard, job)] = job
                except BrokenProcessPool:
                    again.append(job)
                    raise
            if not begun:
                return
            ended, _ = wait(begun, return_when=FIRST_COMPLETED)
            for each in ended:
                counts = each.result()
                yield begun.pop(each), counts


class RayEngine:
    """A `RayEngine` audits shards on a Ray cluster at `address`, or on one of this machine alone."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address
        self.workers = workers

    def __call__(self, jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        """Yield the counts of each shard, in the order in which they end.

        Raises `InfrastructureError` if the cluster cannot be reached, or if a shard is lost again and again.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        is_new = not ray.is_initialized()
        if is_new:
            try:
                cpus = None if self.address else self.workers
                ray.init(
                    self.address, num_cpus=cpus, include_dashboard=False, log_to_driver=False, logging_level="ERROR"
                )
            except (ConnectionError, OSError, RuntimeError, ValueError) as error:
                raise InfrastructureError(f"the Ray cluster {self.address or 'here'}: {error}") from error
        try:
            yield from self._play(jobs)
        finally:
            if is_new:
                ray.shutdown()

    def _play(self, jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        import ray

        run = ray.remote(max_retries=TRIES, num_cpus=1)(audit_shard)
        begun: dict[object, ShardJob] = {}
        while True:
            # A cluster may grow and shrink while it works.
            most = AHEAD * max(1, self.workers or int(ray.cluster_resources().get("CPU", 1)))
            while len(begun) < most and (job := next(jobs, None)) is not None:
                begun[run.remote(job)] = job
            if not begun:
                return
            ended, _ = ray.wait(list(begun), num_returns=1)
            for each in ended:
                job = begun.pop(each)
                try:
                    counts: Counts = ray.get(each)
                except ray.exceptions.RayTaskError as error:
                    cause = error.cause
                    raise cause if isinstance(cause, RecordError) else InfrastructureError(str(cause)) from error
                except ray.exceptions.RayError as error:
                    raise InfrastructureError(
                        f"{job.shard.source}: shard {job.shard.number} was lost: {error}"
                    ) from error
                yield job, counts


PLAN, SUMMARY = "plan.json", "summary.json"
Run = Callable[[Iterator[ShardJob]], Iterator[tuple[ShardJob, Counts]]]
"""A function that audits jobs in any order: a loop, a pool of processes, or a cluster."""


@dataclass(frozen=True)
class AuditPlan:
    """An `AuditPlan` has the settings, the shards and the files of an audit. The first run writes it."""

    settings: AuditSettings
    shards: tuple[Shard, ...]
    states: dict[str, str]
    """For each log and for the domain's file, a text that changes whenever the file does."""

    def to_json(self) -> dict[str, Any]:
        shards = [asdict(own) for own in self.shards]
        return {"settings": asdict(self.settings), "states": self.states, "shards": shards}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> AuditPlan:
        shards = tuple(Shard(**own) for own in value["shards"])
        return cls(AuditSettings(**value["settings"]), shards, value["states"])


def plan_audit(inputs: Sequence[str], settings: AuditSettings, out: str, *, block: int = BLOCK) -> AuditPlan:
    """Return the plan in the folder of an audit, or make a new one and write it there.

    Raises `SettingsError` if the folder has the plan of another audit, and `InputError` for an invalid policy or
    moment.
    """
    sources = find_sources(inputs, out)
    states = {own: state_of(own) for own in sources} | _state_of_domain(settings.domain)
    if settings.policy is not None:
        policy = load_policy(Path(settings.policy))
        if settings.now is not None:
            read_moment(settings.now, policy.moment, "--now")
        states[settings.policy] = policy.digest
    plan = AuditPlan(settings, tuple(cut_sources(sources, block, settings.format)), states)
    known = _read(out, PLAN)
    if known is None:
        _write(out, PLAN, plan.to_json())
        return plan
    if not _is_same(known, plan):
        raise SettingsError(
            f"{out} has another audit: its inputs, its settings or its files have changed; choose another folder"
        )
    return plan


def _is_same(known: dict[str, Any], plan: AuditPlan) -> bool:
    try:
        return AuditPlan.from_json(known) == plan
    except (KeyError, TypeError):
        return False  # Another version wrote the plan.


def _state_of_domain(domain: str | None) -> dict[str, str]:
    """Return a digest of a domain's file, by its path, or nothing if the domain is in a module."""
    file = Path((domain or "").rpartition(":")[0] or (domain or ""))
    return {str(file): sha256(file.read_bytes()).hexdigest()} if domain and file.is_file() else {}


def run_audit(
    plan: AuditPlan,
    out: str,
    run: Run,
    tell: Callable[[Counts, int], None] = lambda *_: None,
    means: ReadingMeans = NO_MEANS,
) -> Counts:
    """Audit the shards without results, write the summary, and return all counts. `tell` gets the counts so far."""
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
        # Each count passes through JSON, as in the file of a shard, so that a resumed audit gives the same counts.
        counts.add(Counts.from_json(found.to_json()))
        done += 1
        tell(counts, done)
    _write(out, SUMMARY, {"shards": len(plan.shards), **counts.to_json(), **paid_in(out)})
    return counts


def _counts_of(out: str, settings: AuditSettings, shard: Shard) -> Counts | None:
    """Return the counts in the file of a shard, or None if there is no intact file."""
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
