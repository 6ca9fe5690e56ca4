"""Runs about queries: their tables, what stands beside consistency, and what is refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.tables import dialogues, paired_figures, results
from holdtrue_lab.kit.report import all_tables
from tests.lab.kinds.labels.runs import controls, dialogue, queries, write
from tests.lab.kinds.written import open_as, printed
from tests.lab.kit.lookup import row, rows

opened = partial(open_as, LabelReport)

MAXSAT = "maxsat_repair (oracle premises)"


@pytest.fixture
def report(tmp_path: Path) -> LabelReport:
    return opened(write(tmp_path, queries()))


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


def test_one_setting_is_not_told_twice(tmp_path: Path) -> None:
    found = opened(write(tmp_path, dialogue(), suite="belief"))
    assert [each["setting"] for each in rows(dialogues(found))] == ["stress"]


def test_a_mode_of_an_own_method_is_read_from_the_settings(tmp_path: Path) -> None:
    own = {"mine": {"name": "mine", "frame": "cot"}}
    found = opened(write(tmp_path, dialogue("mine"), suite="belief", own_methods=own))
    assert row(dialogues(found), setting="stress")["mode"] == "cot"
