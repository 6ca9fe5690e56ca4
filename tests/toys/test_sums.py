"""A kind of answer of one's own is one folder: played, gone on with and reported without touching another file."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab import register_suite
from holdtrue_lab.kit import plugins
from tests.toys.sums import SUITE

REPLIES = ["0", "1", "2", "nothing"]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins.SUITES, "loaded", {})
    monkeypatch.setattr(plugins.KINDS, "loaded", {})
    register_suite(SUITE)


def holdtrue(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_kind_in_one_folder_is_played_and_reported(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(REPLIES), encoding="utf-8")
    command = ["run", "adding", "--most", 1, "--model", f"script/{script}", "--out", tmp_path / "run"]
    command += ["--max-connections", 1]
    assert "4 of 4 turns" in holdtrue(*command, "--limit", 2)
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    script.write_text(json.dumps(REPLIES[2:]), encoding="utf-8")  # the first two are in the call log
    assert "8 of 8 turns" in holdtrue(*command)
    assert (tmp_path / "run" / "journal.jsonl").read_bytes().startswith(before)
    assert "0+1, turn 1 of 1, ask\n  0 + 1 = ? 1" in holdtrue("report", tmp_path / "run", "--turns")
    [run] = json.loads(holdtrue("report", tmp_path / "run", "--json"))["runs"]
    assert [(row["arm"]["method"], row["accuracy"]["hits"], row["accuracy"]["of"]) for row in run["rows"]] == [
        ("ask", 2, 4),
        ("seven", 0, 4),
    ]
    assert "50.0" in holdtrue("report", tmp_path / "run")
    page, tables, parquet = tmp_path / "page.html", tmp_path / "tables", tmp_path / "rows.parquet"
    holdtrue("report", tmp_path / "run", "--html", page, "--latex", tables, "--parquet", parquet)
    assert "Which sums are right" in page.read_text(encoding="utf-8")
    assert "50.0" in (tables / "accuracy.tex").read_text(encoding="utf-8")
    assert pl.read_parquet(parquet)["correct"].sum() == 2
