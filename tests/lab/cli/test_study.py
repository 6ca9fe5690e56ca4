"""`holdtrue study cegvr`: its files, its resumption, and its refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.settings import JOURNAL_FILE

RUNNER = CliRunner()
FEW = ["--count", "4", "--k", "2", "--rounds", "2", "--seeds", "1"]


def command(out: Path, *more: str) -> list[str]:
    return ["study", "cegvr", "--model", "sim/search:p=0.3", "--out", str(out), *FEW, *more]


@pytest.mark.slow
def test_a_study_leaves_problems_run_and_report(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, command(tmp_path, "--reveal-witness"))
    assert result.exit_code == 0, result.output
    entries = [entry for entry in read_entries(tmp_path / "run") if isinstance(entry, SearchEntry)]
    assert len({entry.method for entry in entries}) == 12, "ten methods, and two that reveal a solution"
    assert len(entries) == 4 * 12
    assert "sim/search" in (tmp_path / "report.html").read_text()
    assert list((tmp_path / "tables").glob("*.tex"))
    assert (tmp_path / "candidates.parquet").stat().st_size > 0
    journal = (tmp_path / "run" / JOURNAL_FILE).read_bytes()
    (tmp_path / "report.html").unlink()
    assert RUNNER.invoke(app, command(tmp_path, "--reveal-witness", "-q")).exit_code == 0
    assert (tmp_path / "run" / JOURNAL_FILE).read_bytes() == journal, "nothing is played twice"
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("more", [["--count", "5"], ["--seed", "8"], ["--variants"]])
def test_problems_of_another_study_are_not_taken_for_its_own(tmp_path: Path, more: list[str]) -> None:
    made = RUNNER.invoke(app, ["generate", "cegvr", "--count", "4", "--out", str(tmp_path / "problems")])
    assert made.exit_code == 0, made.output
    result = RUNNER.invoke(app, command(tmp_path, *more))
    assert isinstance(result.exception, SettingsError)
    assert "give another --out" in str(result.exception)
    assert not (tmp_path / "run").exists()
