"""Runs about queries: their tables, what stands beside consistency, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from holdtrue.errors import RecordError
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.tables.queries import confusion, results, results_by_domain
from holdtrue_lab.kinds.labels.tables.revisions import (
    dialogues,
    entailment,
    overhead,
    overhead_of_time,
    policies,
    retractions,
    revision,
    withdrawn,
)
from holdtrue_lab.kinds.labels.tables.tests import paired_figures
from holdtrue_lab.kit.report import all_tables, first_table, open_report, sections, short_tables
from holdtrue_lab.kit.shown_report import show
from tests.lab.kinds.labels.labelled import C, U, failure
from tests.lab.kinds.labels.runs import controls, dialogue, queries, write
from tests.lab.kit.entries import settings, turn
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


def test_changes_and_costs(report: LabelReport) -> None:
    found = row(revision(report), method=MAXSAT) | row(withdrawn(report), method=MAXSAT)
    assert (found["first accuracy %"], found["accuracy %"], found["retracted"]) == ("87.5", "100.0", "1")
    spent = row(overhead(report), method=MAXSAT) | row(overhead_of_time(report), method=MAXSAT)
    assert (spent["tokens"], spent["calls"], spent["seconds"], spent["solver calls"]) == ("120", "1.00", "1.50", "5.0")
    assert spent["solver calls, times"] == "-"


def test_dialogues_stand_by_setting_mode_and_system(tmp_path: Path) -> None:
    entries = [
        *dialogue("none"),
        *dialogue("cot_min_change"),
        *dialogue("none", "e", "random"),
        *dialogue("cot_min_change", "e", "random"),
    ]
    found = opened(write(tmp_path, entries, suite="belief"))
    table = dialogues(found)
    assert [(each["setting"], each["mode"], each["system"]) for each in rows(table)] == [
        (setting, *system)
        for setting in ("stress", "random", "all")
        # Asked one at a time, prompts tell beliefs, which the suite's formulas keep for every system.
        for system in (("direct", "none (oracle premises)"), ("cot", "min_change (oracle premises)"))
    ]
    shown = row(table, setting="stress", mode="cot") | row(entailment(found), setting="stress", mode="cot")
    assert (shown["raw acc. %"], shown["final acc. %"], shown["by entailment %"]) == ("50.0", "100.0", "100.0")
    assert (shown["incons."], shown["contradictions"], shown["retracts"]) == ("0/1", "1/1", "0")
    assert row(retractions(found), setting="all", mode="cot")["retracts"] == "0"
    revised = row(policies(found), setting="all", mode="cot")
    assert (revised["rejected"], revised["policies differ %"], revised["of turns"]) == ("2", "50.0", "4/4")
    assert "who commits to nothing scores 100.0" in entailment(found).more
    assert [title for title, _ in sections(found)] == ["Results", "Labels and consistency", "Revision", "Cost"]


def test_one_setting_is_not_told_twice(tmp_path: Path) -> None:
    found = opened(write(tmp_path, dialogue(), suite="belief"))
    assert [each["setting"] for each in rows(dialogues(found))] == ["stress"]


def test_a_mode_of_an_own_method_is_read_from_the_settings(tmp_path: Path) -> None:
    own = {"mine": {"name": "mine", "frame": "cot"}}
    found = opened(write(tmp_path, dialogue("mine"), suite="belief", own_methods=own))
    assert row(dialogues(found), setting="stress")["mode"] == "cot"


def test_runs_of_different_suites_are_refused_in_words(tmp_path: Path) -> None:
    first = write(tmp_path / "a", queries())
    second = write(tmp_path / "b", dialogue(), suite="belief")
    with pytest.raises(RecordError, match=r"a is of suite cross_query, .*b is of suite belief; report them one by one"):
        open_report([first, second])


def test_drift_is_read_as_before(tmp_path: Path) -> None:
    from holdtrue_lab.kit.journal import Journal

    with Journal(tmp_path, settings(problems=1)) as journal:
        journal.append(turn("p", 1, turns=1))
    found = open_report([tmp_path])
    assert isinstance(found, Report)
    assert found.remarks == ()
    assert first_table(found).name == short_tables(found)[0].name == "accuracy"


def test_an_unfinished_run_with_a_failure_is_told_as_it_is(tmp_path: Path) -> None:
    found = opened(write(tmp_path, [*queries()[:1], failure("q")], problems=2))
    [run] = found.runs
    assert (run.planned, run.finished, run.failed, run.complete) == (2, 1, 1, False)
    shown = row(results(found), method="direct")
    assert (shown["cases"], shown["failed"]) == ("1/2", "1")
    assert "UNFINISHED: 1 of 2 conversations; 1 failed" in printed(found)


def test_two_ways_of_asking_are_told_apart(tmp_path: Path) -> None:
    folders = [write(tmp_path / str(seed), queries(), seed=seed) for seed in (1, 2)]
    found = open_report(folders)
    models = [f"sim/test, seed {seed}" for seed in (1, 2)]
    assert [group.label for group in found.groups] == models
    assert isinstance(found, LabelReport)
    assert {each.arm.model for figures in found.comparisons.values() for each in figures} == set(models)


def test_a_folder_without_a_turn_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="has not finished a single turn yet"):
        open_report([write(tmp_path, [])])
