"""Have shards audited: in this process, by a pool of processes, or by the machines of a Ray cluster.

Where a process of the pool is killed, or a machine is lost, its shards are begun again elsewhere. The driver of a
cluster holds jobs and counts, never rows: the machines read logs and write verdicts themselves, so that both have to be
where all of them reach.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread

from holdtrue.audit.shard_audit import audit_shard, release
from holdtrue.audit.shard_job import Counts, ShardJob
from holdtrue.errors import InfrastructureError, RecordError

TRIES = 3
"""A shard is given up once so many processes were lost over it."""
AHEAD = 2
"""So many shards a processor are handed out at a time, so that the rest is never in memory."""


def in_process(jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
    """Yield what was counted in each shard, audited one after another."""
    try:
        for job in jobs:
            yield job, audit_shard(job)
    finally:
        release()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if that was killed."""
    Thread(target=_await_end, daemon=True).start()


def _await_end() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Pool:
    """A `Pool` of processes audits shards; where one is lost, what it had begun is begun again in a new pool."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __call__(self, jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        """Yield what was counted in each shard, in the order in which they end.

        Raises `InfrastructureError` for a shard over which several processes were lost.
        """
        lost: dict[int, int] = {}
        again: list[ShardJob] = []
        while True:
            begun: dict[Future[Counts], ShardJob] = {}
            # A process that is forked may hold the locks of threads that it does not have.
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
        """Yield what a pool counts; what it has begun and not ended stays in `begun`."""
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
    """A `RayEngine` audits shards on an existing cluster, by its address, or on one of this machine alone."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address
        self.workers = workers

    def __call__(self, jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        """Yield what was counted in each shard, in the order in which they end.

        Raises `InfrastructureError` where the cluster cannot be reached, or a shard is lost again and again.
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
