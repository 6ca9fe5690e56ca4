"""`holdtrue report` of runs about queries, through all its doors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import fail
from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError
from tests.lab.kinds.labels.runs import controls, dialogue, queries, write


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "run", [*queries(), *controls()])


def test_tables_on_a_screen(folder: Path) -> None:
    result = report(folder)
    assert result.exit_code == 0
    assert "maxsat_repair (oracle premises)" in result.stdout
    for found in (result, report(folder, "--table", "results"), report(folder, "--all")):
        assert found.stdout.count("Results") >= 1
        assert found.stdout.count("Consistency says nothing without accuracy") == 1, "it stands above all tables"
    result = report(folder, "--all")
    assert "means over cases, each counting once" in " ".join(result.stdout.split())


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
    }
    [run] = found["runs"]
    assert (run["complete"], run["planned"], run["finished"]) == (True, 6, 6)
    direct = run["rows"][0]
    assert (direct["accuracy"]["value"], direct["oracle"], direct["confusion"]["UNKNOWN"]["CONTRADICTED"]) == (
        0.875,
        False,
        1,
    )
    assert set(found["comparisons"]) >= {"accuracy", "set_consistency"}


def test_everything_is_written_at_once(folder: Path, tmp_path: Path) -> None:
    page, tables, rows = tmp_path / "page.html", tmp_path / "tex", tmp_path / "rows.parquet"
    result = report(folder, "--html", page, "--latex", tables, "--parquet", rows)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert "UNKNOWN throughout" in (tables / "results.tex").read_text(encoding="utf-8")
    assert rows.read_bytes()[:4] == b"PAR1"


def test_turns_are_told(tmp_path: Path) -> None:
    result = report(write(tmp_path, dialogue(), suite="belief"), "--turns")
    assert result.exit_code == 0
    assert "d, turn 2 of 2, min_change" in result.stdout
    assert "rejected q1" in result.stdout


@pytest.mark.parametrize("door", [(), ("--json",), ("--parquet", "rows.parquet")])
def test_different_suites_are_refused_at_every_door(folder: Path, tmp_path: Path, door: tuple[str, ...]) -> None:
    other = write(tmp_path / "other", dialogue(), suite="belief")
    result = report(folder, other, *door)
    assert isinstance(result.exception, HoldtrueError)
    assert "report them one by one" in str(result.exception)
    assert fail(result.exception) == 2


def test_no_model_and_no_solver_is_ever_loaded(folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from holdtrue.cli.main import app\n"
        f"app({['report', str(folder), '--html', str(tmp_path / 'p.html'), '--json']!r}, standalone_mode=False)\n"
        f"app({['report', str(folder), '--turns']!r}, standalone_mode=False)\n"
        f"app({['report', str(folder), '--latex', str(tmp_path), '--parquet', str(tmp_path / 'p')]!r}, "
        "standalone_mode=False)\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines())
    assert {"jinja2", "matplotlib", "polars", "holdtrue_lab.kinds.labels.report"} <= loaded
    never = (
        "pysat",
        "z3",
        "openai",
        "xllamacpp",
        "holdtrue.solving",
        "holdtrue.conversation",
        "holdtrue_lab.kit.simulation",
    )
    assert not {name for name in loaded if name.startswith(never)}
