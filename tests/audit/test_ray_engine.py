"""A cluster gives the same table as one process, even if a machine or the driver is lost."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdtrue.audit.audit_run import RayEngine, in_process, plan_audit, run_audit
from holdtrue.audit.shard_job import AuditSettings, Counts
from tests.audit.logs import log_of, write_lines
from tests.audit.test_audit_run import rows
from tests.patience import HANG_S

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'holdtrue[ray]'"
    ),
    # Ray leaves sockets and processes to be ended by others.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
]
SETTINGS = AuditSettings(explain="all", timeout_s=HANG_S)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "150")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    own = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        own.add_node(num_cpus=1)
    yield own
    import ray

    ray.shutdown()
    own.shutdown()


def in_one_process(log: Path, out: Path) -> list[dict[str, Any]]:
    run_audit(plan_audit([str(log)], SETTINGS, str(out), block=20_000), str(out), in_process)
    return rows(out)


def test_three_machines_come_to_the_same_table_and_one_of_them_may_be_lost(tmp_path: Path, cluster: Any) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", log_of(6_000)), tmp_path / "out"
    plan = plan_audit([str(log)], SETTINGS, str(out), block=20_000)
    lost: list[Any] = []

    def tell(counts: Counts, done: int) -> None:
        if done == len(plan.shards) // 3 and not lost:
            lost.append(cluster.worker_nodes.copy().pop())
            cluster.remove_node(lost[0], allow_graceful=False)

    counts = run_audit(plan, str(out), RayEngine(cluster.address), tell)
    assert lost and counts.rows == 6_000
    assert rows(out) == in_one_process(log, tmp_path / "at_once")


def test_a_driver_that_is_killed_goes_on(tmp_path: Path, cluster: Any) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", log_of(6_000)), tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "holdtrue",
        "audit",
        str(log),
        str(out),
        "--engine",
        "ray",
        "--address",
        cluster.address,
    ]
    command += ["--shard-mb", "0.02", "--explain", "all", "--timeout-s", str(HANG_S), "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + 100
        while not list(out.glob("verdicts/part-*")) and running.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
    before = {own.name: own.stat().st_mtime_ns for own in out.glob("verdicts/part-*")}
    assert subprocess.run(command, capture_output=True, timeout=200, check=False).returncode == 1
    after = {own.name: own.stat().st_mtime_ns for own in out.glob("verdicts/part-*")}
    # A finished shard is done once.
    assert before and len(after) > len(before) and after.items() >= before.items()
    assert rows(out) == in_one_process(log, tmp_path / "at_once")
