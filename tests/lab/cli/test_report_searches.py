"""`holdtrue report` of runs of searches, through all its doors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from tests.lab.kinds.search.runs import controls, searches, write


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "run", [*searches(), *controls()])


def test_tables_on_a_screen(folder: Path) -> None:
    result = report(folder)
    assert result.exit_code == 0
    assert "cd_vgs_core_rank (witness revealed)" in result.stdout
    assert "always_unsat verifies 33.3% of its 3 trials" in " ".join(result.stdout.split())


def test_json_holds_everything(folder: Path) -> None:
    found = json.loads(report(folder, "--json").stdout)
    assert set(found) == {
        "prices",
        "unpriced",
        "right_costs",
        "gains",
        "schema",
        "suite",
        "remarks",
        "runs",
        "comparisons",
        "robustness",
        "frontier",
    }
    [run] = found["runs"]
    assert (run["complete"], run["planned"], run["finished"]) == (True, 12, 12)
    assert run["rows"][0]["verified"]["hits"] == 1


def test_everything_is_written_at_once(folder: Path, tmp_path: Path) -> None:
    page, tables, rows = tmp_path / "page.html", tmp_path / "tex", tmp_path / "rows.parquet"
    result = report(folder, "--html", page, "--latex", tables, "--parquet", rows)
    assert (result.exit_code, result.stdout) == (0, "")
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert r"always\_unsat verifies 33.3\%" in (tables / "results.tex").read_text(encoding="utf-8")
    assert rows.read_bytes()[:4] == b"PAR1"


def test_trials_are_told(folder: Path) -> None:
    result = report(folder, "--turns")
    assert result.exit_code == 0
    assert "p, trial 1 of 1, cd_vgs" in result.stdout
    assert "To revise x1, x2; to keep x3." in result.stdout
