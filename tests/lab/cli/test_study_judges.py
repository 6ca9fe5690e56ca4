"""The command `holdtrue study judges`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError
from holdtrue_claims.kind.calibration import calibrations_json, read_calibrations
from holdtrue_lab.suites.verge.files import write_items
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["study", "judges", *args])


def test_what_was_measured_is_told_and_written(tmp_path: Path) -> None:
    out = tmp_path / "judges.json"
    result = run("--model", "sim/claims", "--count", "4", "--out", str(out))
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "mathematical: of 2 claims 1 supported, and 1 of these follow (100%, at least 21%).",
        "logical: of 4 claims 2 supported, and 2 of these follow (100%, at least 34%).",
        "temporal: of 4 claims 2 supported, and 2 of these follow (100%, at least 34%).",
    ]
    assert "logic_inversion_000: supported (it follows): Luca may not enter the archive." in result.stderr
    rows = read_calibrations(out)
    assert {row.source for row in rows.entries} == {"4 generated pairs, seed 7"}
    again = run("--model", "sim/claims", "--count", "4", "--out", str(tmp_path / "other.json"), "--json")
    assert json.loads(again.stdout) == calibrations_json(rows.entries)


def test_questions_of_files_are_judged_too(tmp_path: Path) -> None:
    write_items(generate_pairs(5, 1), tmp_path / "mine.jsonl")
    given = ["--count", "0", "--items", str(tmp_path / "mine.jsonl"), "--out", str(tmp_path / "judges.json")]
    result = run("--model", "sim/claims:confuse=1", *given, "--judges", "1")
    assert result.exit_code == 0, result.output
    (row,) = read_calibrations(tmp_path / "judges.json").entries
    assert (row.claims, row.right, row.judges, row.source) == (2, 0, 1, "mine.jsonl")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--count", "0"], "there is nothing to judge"),
        (["--count", "1", "--model", "magic"], "no model 'magic'"),
        (["--count", "0", "--items", "none.jsonl"], "none.jsonl"),
    ],
)
def test_wrong_usage_is_said(args: list[str], says: str, tmp_path: Path) -> None:
    result = run(*(args if "--model" in args else ["--model", "sim/claims", *args]), "--out", str(tmp_path / "a.json"))
    assert isinstance(result.exception, HoldtrueError) and says in str(result.exception)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "judges.json").write_text("mine")
    result = run("--model", "sim/claims", "--out", str(tmp_path / "judges.json"))
    assert isinstance(result.exception, HoldtrueError) and "is there already" in str(result.exception)
    assert (tmp_path / "judges.json").read_text() == "mine"
