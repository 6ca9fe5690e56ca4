"""`holdtrue report` of runs about claims, through all its doors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from tests.lab.kinds.claims.runs import answers, write


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "run", answers())


def test_tables_on_a_screen(folder: Path) -> None:
    result = report(folder)
    assert result.exit_code == 0
    assert "restate_premises says the context again" in " ".join(result.stdout.split())
    assert "What was proved of claims" in result.stdout
    assert "From claims to formulas" in report(folder, "--all").stdout


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
        "perturbed",
        "cliffs",
    }
    [run] = found["runs"]
    assert (run["complete"], run["planned"], run["finished"]) == (True, 9, 9)
    assert run["rows"][0]["accuracy"]["hits"] == 1


def test_everything_is_written_at_once(folder: Path, tmp_path: Path) -> None:
    page, tables, rows = tmp_path / "page.html", tmp_path / "tex", tmp_path / "rows.parquet"
    result = report(folder, "--html", page, "--latex", tables, "--parquet", rows)
    assert (result.exit_code, result.stdout) == (0, "")
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert r"restate\_premises says the context again" in (tables / "results.tex").read_text(encoding="utf-8")
    assert rows.read_bytes()[:4] == b"PAR1"


def test_questions_are_told(folder: Path) -> None:
    result = report(folder, "--turns")
    assert result.exit_code == 0
    assert "p, turn 1 of 1, verge\n  P1: All cats purr.\n" in result.stdout
    assert '      It follows from: P1 "All cats purr"; P2 "Tom is a cat".\n' in result.stdout
    assert "  B, consistent; wrong, it is A\n" in result.stdout


def test_no_solver_is_ever_loaded(folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from holdtrue.cli.main import app\n"
        f"app({['report', str(folder), '--html', str(tmp_path / 'p.html'), '--json']!r}, standalone_mode=False)\n"
        f"app({['report', str(folder), '--turns']!r}, standalone_mode=False)\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines())
    assert "holdtrue_lab.kinds.claims.report" in loaded
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
