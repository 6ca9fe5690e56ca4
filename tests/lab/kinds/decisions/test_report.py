"""The report of runs of decisions, in every form that there is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kit.page import as_page
from holdtrue_lab.kit.report import all_tables, headlines, open_report
from tests.lab.kinds.decisions.runs import METHODS, breaks, decided, decisions, run_of, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("decisions"), run_of(*METHODS))


@pytest.fixture(scope="module")
def report(folder: Path) -> DecisionReport:
    found = open_report([folder])
    assert isinstance(found, DecisionReport)
    return found


def holdtrue(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_caution_and_the_headline_name_the_controls(report: DecisionReport) -> None:
    assert "allow_all catches 0.0%, misses 100.0% and lets 100.0% of the sound calls through" in report.caution
    [headline] = headlines(report)
    assert [figure.method for figure in headline.figures] == list(METHODS)
    assert headline.figures[0].accuracy == "33.3"
    assert "over guard +0.0 pp, paired over 3 tasks" in headline.gain


def test_without_controls_the_caution_says_so(tmp_path: Path) -> None:
    alone = open_report([write(tmp_path / "alone", decisions())])
    assert alone.caution.endswith("as controls show, and none was run here.")
    assert headlines(alone)[0].gain == ""


def test_a_run_without_labels_is_reported(tmp_path: Path) -> None:
    entries = [decided("block", "R1", label=None, reward=None), decided("allow", task=2, label=None, reward=None)]
    report = open_report([write(tmp_path / "bare", entries)])
    names = [table.name for table in all_tables(report)]
    assert {"results", "decisions", "records"} <= set(names) and "rules" not in names
    assert "no model" in as_page(report, 2)


def test_turns_are_told_in_words(folder: Path) -> None:
    told = holdtrue("report", folder, "--turns")
    assert (
        "task1-0, call 1 of 1, guard\n  R1: No book twice.\n  user: Yes, please.\n"
        '  call, in message 3: lend({"book": 1})\n  blocked (R1-twice): The shelf says so.\n'
        "  label: it breaks a rule by the facts; broken: R1; it was executed\n  right\n" in told
    )
    assert "  asked about (R2): The shelf says so.\n" in told
    assert "  not read: S1: nobody listened\n" in told
    assert "  label: it is sound by the facts; its tool rejects it: T1; it was not executed\n  right\n" in told


def test_predictions_are_what_the_scorer_reads(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    assert f"written: {path}, of method guard" in holdtrue("report", folder, "--predictions", path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"task": 1, "trial": 0, "message": 3, "decision": "block", "rules": ["R1"]}
    assert len(lines) == 7
    holdtrue("report", folder, "--predictions", path, "--method", "block_writes")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {line["decision"] for line in lines} == {"block"} and not any(line["rules"] for line in lines)


def test_two_runs_are_compared_call_by_call(folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", [decided("allow", task=1, label=breaks("R1")), *decisions()[1:]])
    told = json.loads(holdtrue("report", write(tmp_path / "one", decisions()), other, "--compare", "--json"))
    [turn] = told["turns"]
    assert (turn["change"], turn["a"]["answer"], turn["b"]["answer"]) == (
        "broken",
        {"decision": "block", "rules": "R1-twice"},
        {"decision": "allow", "rules": ""},
    )
    assert {"accuracy", "caught", "false_blocks", "let_through", "asked"} >= {t["figure"] for t in told["tests"]}
