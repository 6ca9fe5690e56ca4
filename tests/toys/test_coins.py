"""A suite of one's own is one folder: made, played, gone on with and reported without touching another file."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab import register_suite
from holdtrue_lab.kit import plugins
from tests.toys.coins import SUITE

RUNNER = CliRunner()
MODEL = "sim/labels:wrong=0.3"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins.SUITES, "loaded", {})
    monkeypatch.setattr(plugins.KINDS, "loaded", {})
    register_suite(SUITE)


def holdtrue(*words: object) -> str:
    result = RUNNER.invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_suite_in_one_folder_has_every_verb(tmp_path: Path) -> None:
    assert "coins" in holdtrue("generate", "--help") and "Throw coins" in holdtrue("generate", "coins", "--help")
    holdtrue("generate", "coins", "--out", tmp_path, "--count", 6)
    command = ["run", "coins", "--coins", tmp_path / "coins.json", "--model", MODEL, "--out", tmp_path / "run"]
    assert "9 of 9 turns" in holdtrue(*command, "--limit", 3)
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    assert "18 of 18 turns" in holdtrue(*command)
    after = (tmp_path / "run" / "journal.jsonl").read_bytes()
    assert after.startswith(before) and after.count(b"\n") == 18
    output = holdtrue("report", tmp_path / "run")
    assert "maxsat_repair" in output and "always_unknown" in output
    assert len(json.loads(holdtrue("report", tmp_path / "run", "--json"))["runs"][0]["rows"]) > 0
    assert "coins_0, turn 1 of 1, direct" in holdtrue("report", tmp_path / "run", "--turns")
    page, tables, rows = tmp_path / "page.html", tmp_path / "tables", tmp_path / "rows.parquet"
    holdtrue("report", tmp_path / "run", "--html", page, "--latex", tables, "--parquet", rows)
    assert "coins_0" in page.read_text(encoding="utf-8")
    assert list(tables.glob("*.tex"))
    assert pl.read_parquet(rows)["suite"].unique().to_list() == ["coins"]


def test_an_unknown_suite_lists_those_there_are() -> None:
    result = RUNNER.invoke(app, ["run", "coin", "--model", MODEL])
    assert result.exit_code != 0
    assert "belief, cegvr, coins, cross_query, drift, guard, reading, verge" in str(result.exception)
