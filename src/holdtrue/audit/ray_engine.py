"""Have shards audited by the machines of a Ray cluster; where one is lost, its shards are begun again elsewhere.

The driver holds jobs and counts, never rows: the machines read logs and write verdicts themselves, so that both have to
be where all of them reach.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from holdtrue.audit.engines import AHEAD, TRIES
from holdtrue.audit.shard_audit import audit_shard
from holdtrue.audit.shard_job import Counts, ShardJob
from holdtrue.errors import InfrastructureError, RecordError


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
