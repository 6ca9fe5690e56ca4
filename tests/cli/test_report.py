"""`holdtrue report` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import fail
from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError
from holdtrue.evaluation.journal import Journal
from tests.evaluation.entries import DRIFTING, settings, turn


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Journal(tmp_path / "run", settings(problems=1)) as journal:
        journal.append(turn("p", 1, DRIFTING, correct=False))
        journal.append(turn("p", 2))
    return tmp_path / "run"


def test_a_report_is_plain_where_nobody_watches(folder: Path) -> None:
    result = report(folder)
    assert result.exit_code == 0
    assert "Accuracy of turns" in result.stdout
    assert "\x1b" not in result.stdout
    assert "…" not in result.stdout


def test_json_holds_everything(folder: Path) -> None:
    result = report(folder, folder, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["schema"] == 1
    assert len(found["runs"]) == 2
    run = found["runs"][0]
    assert (run["complete"], run["planned"], run["finished"]) == (True, 1, 1)
    whole = run["rows"][0]
    assert whole["accuracy"]["value"] == 0.5
    assert whole["channels"]["drift"] == {"turns": 1, "share": 1.0}
    assert whole["channels"]["ledger_gap"] == {"turns": 0, "share": 0.0}


@pytest.mark.parametrize("name", ["missing", "empty", "begun"])
def test_a_folder_without_results_is_a_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    Journal(tmp_path / "begun", settings()).close()
    result = report(tmp_path / name)
    assert isinstance(result.exception, HoldtrueError)
    assert str(tmp_path / name) in str(result.exception)
    assert fail(result.exception) == 2
