"""Runs about queries: their tables, what stands beside consistency, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.tables import (
    confusion,
    dialogues,
    paired_figures,
    results,
    results_by_domain,
)
from holdtrue_lab.kit.report import all_tables, first_table, open_report, short_tables
from holdtrue_lab.kit.shown_report import show
from tests.lab.kinds.labels.labelled import C, U
from tests.lab.kinds.labels.runs import controls, dialogue, queries, write
from tests.lab.kit.lookup import row, rows

MAXSAT = "maxsat_repair (oracle premises)"


def opened(folder: Path) -> LabelReport:
    report = open_report([folder])
    assert isinstance(report, LabelReport)
    return report


@pytest.fixture
def report(tmp_path: Path) -> LabelReport:
    return opened(write(tmp_path, queries()))


def test_results_have_the_published_form(report: LabelReport) -> None:
    table = results(report)
    assert table == first_table(report)
    direct = row(table, method="direct")
    assert (direct["accuracy %"], direct["set consistency %"], direct["revision cost"]) == ("87.5", "50.0", "0.50")
    assert (direct["overhead, time"], direct["overhead, tokens"], direct["cases"]) == ("1.00x", "1.00x", "2/2")
    assert direct["95% of accuracy"] != "-"
    mended = row(table, method=MAXSAT)
    assert (mended["accuracy %"], mended["set consistency %"], mended["revision cost"]) == ("100.0", "100.0", "0.00")
    assert row(results_by_domain(report), method="direct", domain="relational")["accuracy %"] == "87.5"


def test_only_rows_that_use_formulas_are_titled_oracle(tmp_path: Path) -> None:
    found = opened(write(tmp_path, [*queries(), *controls()]))
    assert {each["method"] for each in rows(results(found))} == {"direct", MAXSAT, "always_unknown"}
    assert found.controls == {"always_unknown"}
    assert {arm.method for arm in found.baselines} == {"direct"}


def test_consistency_is_never_shown_without_accuracy_and_the_controls(tmp_path: Path, report: LabelReport) -> None:
    showing = [t for t in all_tables(report) if any("consis" in column.title for column in t.columns)]
    assert len(showing) == 5
    for table in showing:
        assert any(column.title.startswith("accu") for column in table.columns)
        assert "always_unknown has 50.0% accuracy, one_model has 50.0% accuracy" in table.more
    # Paired tests name figures in their lines: that of accuracy comes first for every pair.
    tests = paired_figures(report)
    assert "always_unknown has 50.0%" in tests.more
    figures = [each["figure"] for each in rows(tests)]
    assert figures[:2] == ["accuracy", "set consistency"]
    assert figures.count("accuracy") == figures.count("set consistency") == 1
    assert "always_unknown has" in printed(report)
    both = opened(write(tmp_path / "both", [*queries(), *controls()]))
    assert "always_unknown has" not in both.caution
    assert "one_model has 50.0% accuracy" in both.caution
    assert "Consistency says nothing without accuracy" in both.caution


def printed(report: LabelReport) -> str:
    console = Console(file=io.StringIO(), width=300, no_color=True, highlight=False)
    show(report, short_tables(report), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_labels_are_counted_by_true_label(report: LabelReport) -> None:
    unknown = row(confusion(report), method="direct", **{"true label": U})
    assert (unknown[C], unknown[U], unknown["none"], unknown["queries"]) == ("1 (25.0%)", "3 (75.0%)", "0 (0.0%)", "4")


def test_one_setting_is_not_told_twice(tmp_path: Path) -> None:
    found = opened(write(tmp_path, dialogue(), suite="belief"))
    assert [each["setting"] for each in rows(dialogues(found))] == ["stress"]


def test_a_mode_of_an_own_method_is_read_from_the_settings(tmp_path: Path) -> None:
    own = {"mine": {"name": "mine", "frame": "cot"}}
    found = opened(write(tmp_path, dialogue("mine"), suite="belief", own_methods=own))
    assert row(dialogues(found), setting="stress")["mode"] == "cot"
