"""Inspect's reader accepts the exported logs, and their figures are those of the report."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.kit.entry import FailureEntry
from holdtrue_lab.kit.export.inspect_log import LOG_VERSION, SCORER, export_inspect
from holdtrue_lab.kit.journal import encode, read_entries
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE
from tests.lab.kit.test_tables_of_all_suites import MAKERS

needs_inspect = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="inspect_ai is not installed")
_PROGRAM = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
found = {}
for info in list_eval_logs(sys.argv[1]):
    log = read_eval_log(info)
    found[log.eval.task_args["method"]] = {
        "status": log.status,
        "accuracy": log.results.scores[0].metrics["accuracy"].value if log.results.scores[0].metrics else None,
        "samples": {own.id: [len(own.messages), own.scores["holdtrue"].value if own.scores else None]
                    for own in log.samples},
        "tokens": sum(own.total_tokens for own in log.stats.model_usage.values()),
    }
print(json.dumps(found))
"""


def logs(out: Path) -> dict[str, Any]:
    """Return the logs by their methods, read as plain JSON."""
    read = (json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json"))
    return {own["eval"]["task_args"]["method"]: own for own in read}


@needs_inspect
@pytest.mark.parametrize("suite", [*MAKERS, "drift"])
def test_the_reader_of_inspect_takes_the_logs_of_every_suite(tmp_path: Path, folders: list[Path], suite: str) -> None:
    (tmp_path / "run").mkdir()
    [folder, *_] = folders if suite == "drift" else MAKERS[suite](tmp_path / "run")
    written = export_inspect(folder, tmp_path / "logs")
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path / "logs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found, own = json.loads(done.stdout), logs(tmp_path / "logs")
    assert set(found) == set(own) and len(written) == len(own)
    for method, log in own.items():
        assert found[method]["status"] == log["status"]
        assert found[method]["samples"] == {
            each["id"]: [len(each["messages"]), each["scores"].get(SCORER, {}).get("value")] for each in log["samples"]
        }


def test_a_log_says_what_the_report_says(tmp_path: Path, folders: list[Path]) -> None:
    export_inspect(folders[1], tmp_path / "logs")
    found = logs(tmp_path / "logs")
    [run] = open_report([folders[1]]).to_json()["runs"]
    rows = {row["arm"]["method"]: row for row in run["rows"] if row["domain"] is None}
    assert set(rows) == set(found)
    for method, row in rows.items():
        log = found[method]
        metrics = log["results"]["scores"][0]["metrics"]
        assert metrics["accuracy"]["value"] == pytest.approx(row["accuracy"]["value"])
        assert (log["version"], log["status"], log["eval"]["model"]) == (LOG_VERSION, "success", row["arm"]["model"])
        assert sum(len(own["messages"]) for own in log["samples"]) == 2 * metrics["answers"]["value"]


def test_messages_are_those_of_the_conversation(tmp_path: Path, folders: list[Path]) -> None:
    export_inspect(folders[1], tmp_path / "logs")
    found = logs(tmp_path / "logs")
    for entry in read_entries(folders[1]):
        assert not isinstance(entry, FailureEntry)
        [sample] = [own for own in found[entry.method]["samples"] if own["id"] == entry.problem]
        asked, said = sample["messages"][2 * entry.turn - 2 : 2 * entry.turn]
        record = entry.record
        assert (asked["role"], asked["content"]) == ("user", record.user_message)
        assert said["content"] == (record.delivered if record.delivered is not None else record.withheld)
        assert said["metadata"].get("withheld", False) is (record.delivered is None)


def changed(folder: Path, out: Path, entries: list[Any], **settings: object) -> Path:
    """Return a run with other entries, and other settings."""
    out.mkdir()
    known = json.loads((folder / SETTINGS_FILE).read_text(encoding="utf-8"))
    (out / SETTINGS_FILE).write_text(json.dumps({**known, **settings}), encoding="utf-8")
    (out / JOURNAL_FILE).write_bytes(b"".join(map(encode, entries)))
    return out


def failure(method: str, problem: str, message: str = "it is gone") -> FailureEntry:
    return FailureEntry("drift", problem, "seating", method, 1, "ModelUnreachable", message)


def test_a_run_that_failed_or_is_not_finished_is_no_success(tmp_path: Path, folders: list[Path]) -> None:
    entries = [own for own in read_entries(folders[0]) if not isinstance(own, FailureEntry)]
    first = entries[0]
    mine = [own for own in entries if own.method == first.method]
    left = [own for own in mine if own.problem != first.problem]
    under_way = changed(folders[0], tmp_path / "under way", mine[:-1], methods=[first.method])
    missing = changed(folders[0], tmp_path / "missing", left, methods=[first.method])
    failed = [failure(first.method, first.problem, "half \ud83d"), failure("other", "p1")]
    broken = changed(folders[0], tmp_path / "broken", [*left, *failed], methods=[first.method, "other"])
    for run, status in ((under_way, "cancelled"), (missing, "cancelled"), (broken, "error")):
        export_inspect(run, tmp_path / f"{run.name} logs")
        log = logs(tmp_path / f"{run.name} logs")[first.method]
        planned = json.loads((run / SETTINGS_FILE).read_text(encoding="utf-8"))["problems"]
        assert log["status"] == status and log["results"]["total_samples"] == planned
        assert log["results"]["completed_samples"] < planned
    found = logs(tmp_path / "broken logs")
    [sample] = [own for own in found[first.method]["samples"] if own["id"] == first.problem]
    assert "it is" not in sample["error"]["message"] and "half ?" in sample["error"]["message"]
    assert [own["id"] for own in found["other"]["samples"]] == ["p1"] and found["other"]["status"] == "error"


def test_the_same_run_gives_the_same_logs_and_none_is_overwritten(tmp_path: Path, folders: list[Path]) -> None:
    one, other = (export_inspect(folders[0], tmp_path / name) for name in "ab")
    assert [path.name for path in one] == [path.name for path in other]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    with pytest.raises(SettingsError, match="is there already"):
        export_inspect(folders[0], tmp_path / "a")
    with pytest.raises(RecordError, match="no such folder"):
        export_inspect(tmp_path / "none", tmp_path / "c")
    result = CliRunner().invoke(app, ["export", "inspect", str(folders[0]), "--out", str(tmp_path / "d")])
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == len(one)
