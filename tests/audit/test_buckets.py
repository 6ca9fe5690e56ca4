"""Logs and tables in a bucket: an audit reads and writes them where they are, by a server on this machine."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pyarrow.parquet as pq
import pytest

from holdtrue.audit.audit_run import Pool, in_process, plan_audit, run_audit
from holdtrue.audit.overview import look_at
from holdtrue.audit.shard_job import AuditSettings
from tests.audit.logs import log_of, write_lines
from tests.audit.test_audit_run import rows

needs_bucket = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("moto", "flask", "s3fs")),
    reason="there is no server of buckets: pip install 'moto[server]' s3fs",
)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the URL of an empty bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "nobody")
    for name, value in {**keys, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    fsspec.filesystem("s3", skip_instance_cache=True).mkdir("audits")
    yield "s3://audits"
    server.stop()


@needs_bucket
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_log_in_a_bucket_is_audited_where_it_is(tmp_path: Path, bucket: str) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(60))
    system = fsspec.filesystem("s3")
    system.pipe("audits/logs/log.jsonl", log.read_bytes())
    out = f"{bucket}/out"
    plan = plan_audit([f"{bucket}/logs"], AuditSettings(), out, block=2_000)
    assert len(plan.shards) > 3 and run_audit(plan, out, Pool(2)).rows == 60
    here = tmp_path / "here"
    run_audit(plan_audit([str(log)], AuditSettings(), str(here), block=2_000), str(here), in_process)
    there = [
        own
        for name in sorted(system.glob("audits/out/verdicts/part-*"))
        for own in pq.read_table(system.open(name)).to_pylist()
    ]
    assert [{**own, "source": ""} for own in there] == [{**own, "source": ""} for own in rows(here)]
    assert look_at(out).outcomes == look_at(str(here)).outcomes
    # What is there is not done again.
    assert json.loads(system.cat("audits/out/summary.json"))["rows"] == 60
    assert run_audit(plan_audit([f"{bucket}/logs"], AuditSettings(), out, block=2_000), out, in_process).rows == 60
