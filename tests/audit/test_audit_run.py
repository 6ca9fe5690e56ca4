"""Every way to run an audit gives the same table, and the overview agrees with the table."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count, groupby
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from holdtrue.audit.audit_run import Pool, in_process, plan_audit, run_audit
from holdtrue.audit.overview import MOST_EXAMPLES, as_page, look_at
from holdtrue.audit.shard_job import AuditSettings, Counts, ShardJob
from holdtrue.cli.main import app
from holdtrue.errors import InfrastructureError, SettingsError
from tests.audit.logs import log_of, row, write_lines
from tests.patience import HANG_S
from tests.slow import first_of

SETTINGS = AuditSettings(explain="all", timeout_s=HANG_S)


def rows(out: Path, table: str = "verdicts") -> list[dict[str, Any]]:
    return [own for part in sorted((out / table).glob("part-*.parquet")) for own in pq.read_table(part).to_pylist()]


def audited(log: Path, out: Path, block: int = 900, settings: AuditSettings = SETTINGS) -> Counts:
    return run_audit(plan_audit([str(log)], settings, str(out), block=block), str(out), in_process)


def test_every_row_has_a_verdict_or_a_reason(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(40))
    counts = audited(log, tmp_path / "out")
    found, bad = rows(tmp_path / "out"), rows(tmp_path / "out", "bad_rows")
    assert (counts.rows, counts.bad, len(found), len(bad)) == (40, 3, 37, 3)
    assert [own["row"] for own in bad] == [11, 22, 33] and all(own["text"] == "no turn" for own in bad)
    assert sorted([own["row"] for own in found + bad]) == list(range(1, 41))
    broken = [own["row"] for own in found if own["outcome"] == "drift"]
    assert broken == [at for at in range(1, 41) if at % 5 == 0 and at % 11]
    assert all(json.loads(own["nearest"]) and own["violated"] for own in found if own["outcome"] == "drift")
    assert counts.outcomes == {"consistent": 37 - len(broken), "drift": len(broken)}


def test_the_table_does_not_depend_on_the_size_of_shards_or_on_who_does_it(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(40))
    audited(log, tmp_path / "one", 10**6)
    audited(log, tmp_path / "many", 300)
    pool = plan_audit([str(log)], SETTINGS, str(tmp_path / "pool"), block=900)
    run_audit(pool, str(tmp_path / "pool"), Pool(2))
    assert rows(tmp_path / "one") == rows(tmp_path / "many") == rows(tmp_path / "pool")


def test_an_audit_that_was_stopped_goes_on_and_does_no_shard_twice(tmp_path: Path) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", log_of(40)), tmp_path / "out"
    plan = plan_audit([str(log)], SETTINGS, str(out), block=900)

    def only(jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        yield from in_process(iter([next(jobs), next(jobs)]))

    first = run_audit(plan, str(out), only)
    done: list[int] = []

    def counted(jobs: Iterator[ShardJob]) -> Iterator[tuple[ShardJob, Counts]]:
        for job, counts in in_process(jobs):
            done.append(job.shard.number)
            yield job, counts

    whole = run_audit(plan_audit([str(log)], SETTINGS, str(out), block=900), str(out), counted)
    assert first.rows < whole.rows == 40 and done == [own.number for own in plan.shards[2:]]
    audited(log, tmp_path / "at_once")
    assert rows(out) == rows(tmp_path / "at_once")


def test_who_is_held_up_beyond_the_limit_proves_less_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(40))
    audited(log, tmp_path / "out")
    monkeypatch.setattr(time, "monotonic", count(0, 10).__next__)  # ten seconds go by between two looks at the clock
    for limit_s in (5.0, 1e6):
        audited(log, tmp_path / str(limit_s), settings=AuditSettings(explain="all", timeout_s=limit_s))
    whole, late, ample = (rows(tmp_path / name) for name in ("out", "5.0", "1000000.0"))
    assert ample == whole and any(own["nearest_proved"] for own in whole)
    assert [own["row"] for own in late] == [own["row"] for own in whole]
    assert not any(own["nearest_proved"] for own in late)


def test_another_audit_needs_another_folder(tmp_path: Path) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", log_of(4)), tmp_path / "out"
    audited(log, out)
    with pytest.raises(SettingsError, match="has another audit"):
        plan_audit([str(log)], AuditSettings(), str(out), block=900)
    write_lines(log, log_of(9))
    with pytest.raises(SettingsError, match="has another audit"):
        plan_audit([str(log)], SETTINGS, str(out), block=900)


def test_logs_and_verdicts_may_be_anywhere(tmp_path: Path) -> None:
    text = write_lines(tmp_path / "log.jsonl", log_of(12)).read_bytes()
    fsspec.filesystem("memory").pipe("/logs/log.jsonl", text)
    plan = plan_audit(["memory://logs"], SETTINGS, "memory://out")
    assert run_audit(plan, "memory://out", in_process).rows == 12
    with fsspec.open("memory://out/verdicts/part-000000.parquet", "rb") as stream:
        assert pq.read_table(stream).num_rows == 11
    assert run_audit(plan, "memory://out", in_process).rows == 12


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(4))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        audited(log, tmp_path / "file" / "out")
    audited(log, tmp_path / "out", 10**6)
    [part] = (tmp_path / "out" / "verdicts").glob("part-*")
    whole = rows(tmp_path / "out")
    part.write_bytes(b"no table")
    audited(log, tmp_path / "out", 10**6)
    assert rows(tmp_path / "out") == whole, "what is damaged is audited again"
    (tmp_path / "out" / "plan.json").write_text("{")
    with pytest.raises(SettingsError, match="damaged"):
        audited(log, tmp_path / "out", 10**6)
    (tmp_path / "out" / "plan.json").write_text("{}")
    with pytest.raises(SettingsError, match="has another audit"):
        audited(log, tmp_path / "out", 10**6)


COMMAND = [sys.executable, "-m", "holdtrue", "audit"]


@pytest.mark.parametrize("who", first_of(["worker", "driver"], 1))
def test_who_is_killed_loses_nothing(tmp_path: Path, who: str) -> None:
    kill_and_resume(tmp_path, who, done=1)


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(15))
@pytest.mark.parametrize("who", first_of(["worker", "driver"], 1))
def test_who_is_killed_at_any_moment_loses_nothing(tmp_path: Path, who: str, moment: int) -> None:
    kill_and_resume(tmp_path, who, done=4 * moment)


def kill_and_resume(tmp_path: Path, who: str, done: int) -> None:
    """Kill a process of an audit once so many shards are there, go on, and compare with one that was not killed."""
    log, out = write_lines(tmp_path / "log.jsonl", log_of(3_000)), tmp_path / "out"
    command = [*COMMAND, str(log), str(out), "--workers", "2", "--shard-mb", "0.01", "--explain", "all", "--json"]
    command += ["--timeout-s", str(HANG_S)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + 60
        while len(list(out.glob("verdicts/part-*"))) < done and running.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        if not done:
            time.sleep(0.3)  # before any shard, perhaps before there is a pool
        victims = children(running.pid)[-1:] if who == "worker" else [running.pid]
        for own in victims:
            os.kill(own, signal.SIGKILL)
        said, _ = running.communicate(timeout=100)
    assert running.returncode == (1 if who == "worker" else -signal.SIGKILL)
    if who == "driver":
        said = subprocess.run(command, capture_output=True, timeout=100, check=False).stdout
    assert json.loads(said)["rows"] == 3_000
    audited(log, tmp_path / "at_once", 10**6)
    assert rows(out) == rows(tmp_path / "at_once")


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(own) for own in found.split()]


def test_the_command_says_what_came_of_it(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(40))
    result = CliRunner().invoke(app, ["audit", str(log), str(tmp_path / "out"), "--engine", "process"])
    assert result.exit_code == 1
    assert "40 rows in 1 shards; 37 turns checked, 3 rows unreadable" in result.output
    good = write_lines(tmp_path / "good.jsonl", [own for own in log_of(4)])
    result = CliRunner().invoke(app, ["audit", str(good), str(tmp_path / "fine"), "--engine", "process", "--json"])
    assert result.exit_code == 0 and json.loads(result.output)["outcomes"] == {"consistent": 4}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["only-a-folder"], "give the logs and then the folder"),
        (["none.jsonl", "out"], "no log is there"),
        (["none.jsonl", "out", "--domain", "unknown"], "unknown"),
    ],
)
def test_what_is_missing_is_told(given: list[str], said: str) -> None:
    result = subprocess.run([*COMMAND, *given], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and said in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("block", [500, 10**6])
def test_it_is_what_the_table_says_however_many_parts_it_has(tmp_path: Path, block: int) -> None:
    (tmp_path / "logs").mkdir()
    for name in "ab":
        write_lines(tmp_path / "logs" / f"{name}.jsonl", log_of(90))
    out = tmp_path / "out"
    run_audit(plan_audit([str(tmp_path / "logs")], AuditSettings(), str(out), block=block), str(out), in_process)
    found, table = look_at(str(out)), rows(out)
    assert found.outcomes == Counter(own["outcome"] for own in table) and found.turns == len(table)
    runs = [[own["outcome"] for own in turns] for _, turns in groupby(table, lambda own: own["conversation"])]
    broken = [own for own in runs if "drift" in own]
    assert (found.conversations, found.broken_conversations) == (len(runs), len(broken))
    assert found.first_broken == Counter(own.index("drift") + 1 for own in broken)
    assert [own["row"] for own in found.examples] == [own["row"] for own in table if own["outcome"] == "drift"][
        :MOST_EXAMPLES
    ]
    assert found.bad == 16 and len(found.sources) == 2 and len(found.bad_examples) == 16


def test_the_page_has_all_of_it_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    hostile = {**row(2, broken=True), "id": "<script>alert(1)</script>"}
    log = write_lines(tmp_path / "log.jsonl", [*log_of(30), hostile])
    page = tmp_path / "page.html"
    given = ["audit", str(log), str(tmp_path / "out"), "--engine", "process", "--explain", "all", "--html", str(page)]
    assert CliRunner().invoke(app, given).exit_code == 1
    text = page.read_text(encoding="utf-8")
    assert (
        "Audit of 29 turns" in text
        and "Where conversations break first" in text
        and "Rows that could not be read" in text
    )
    assert "<script" not in text and "&lt;script&gt;" in text
    assert re.findall(r"(?:src|href)=", text) == [] and "http" not in text


def test_a_page_of_nothing_is_a_page(tmp_path: Path) -> None:
    assert "Audit of 0 turns" in as_page(look_at(str(tmp_path)), str(tmp_path))
