"""Predictions for external scorers, and the error of a kind that has none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab import register_kind, register_suite
from holdtrue_lab.kit import registry
from holdtrue_lab.kit.report import write_predictions
from tests.toys.sums import KIND, REPORTING, SUITE


def _predict(entries: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        yield {"sum": entry.problem, "said": entry.record.delivered}


PREDICTING = replace(KIND, reporting=lambda: replace(REPORTING, predictions=_predict))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a run with the methods `ask` and `seven`, of a kind that has predictions."""
    monkeypatch.setattr(registry.SUITES, "loaded", {})
    monkeypatch.setattr(registry.KINDS, "loaded", {})
    register_kind(PREDICTING)
    register_suite(replace(SUITE, kind=PREDICTING))
    script = tmp_path / "script.json"
    script.write_text(json.dumps(["0", "\ud800", "1", "2"]), encoding="utf-8")
    command = ["run", "adding", "--most", "1", "--model", f"script/{script}", "--out", f"{tmp_path / 'run'}", "-q"]
    assert CliRunner().invoke(app, [*command, "--max-connections", "1"]).exit_code == 0
    return tmp_path / "run"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_the_plainest_method_is_taken_where_none_is_named(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    result = CliRunner().invoke(app, ["report", f"{folder}", "--predictions", f"{path}"])
    assert result.exit_code == 0 and f"written: {path}, of method ask" in result.output
    assert [line["sum"] for line in lines(path)] == ["0+0", "0+1", "1+0", "1+1"]
    assert "\ud800" in {line["said"] for line in lines(path)}, "whatever a model said can be written"


def test_a_method_can_be_named(folder: Path, tmp_path: Path) -> None:
    assert write_predictions([folder], tmp_path / "p.jsonl", "seven") == "seven"
    assert {line["said"] for line in lines(tmp_path / "p.jsonl")} == {"7"}


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (["--method", "eight"], "the run has no method 'eight'; --method names one of ask, seven"),
        (["--compare"], "of one run"),
        (["--turns"], "--turns"),
    ],
)
def test_what_cannot_be_written_is_told(folder: Path, tmp_path: Path, more: list[str], fault: str) -> None:
    result = CliRunner().invoke(app, ["report", f"{folder}", "--predictions", f"{tmp_path / 'p.jsonl'}", *more])
    assert isinstance(result.exception, SettingsError) and fault in str(result.exception)
    assert not (tmp_path / "p.jsonl").exists()


def test_predictions_are_of_one_run_and_a_method_is_named_for_them_alone(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--predictions takes one run"):
        write_predictions([folder, tmp_path], tmp_path / "p.jsonl", None)
    result = CliRunner().invoke(app, ["report", f"{folder}", "--method", "ask"])
    assert isinstance(result.exception, SettingsError)


def test_a_kind_without_predictions_says_so(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.KINDS, "loaded", {})
    monkeypatch.setattr(registry.SUITES, "loaded", {})
    register_suite(SUITE)
    with pytest.raises(SettingsError, match=r"no scorer of others reads the answers of suite adding \(sums\)"):
        write_predictions([folder], tmp_path / "p.jsonl", None)
