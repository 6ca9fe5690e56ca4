from __future__ import annotations

from pathlib import Path

from holdtrue.record import Channel
from holdtrue_lab.figures.cells import fraction, p_value, paired_interval, percent, points
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.tables.comparisons import (
    overlap_of_methods,
    overlap_of_models,
    paired_tests,
    still_wrong,
    summary,
)
from holdtrue_lab.kit.journal import Journal
from tests.lab.conftest import read_report
from tests.lab.kit.entries import DRIFTING, RESPECTING, settings, turn
from tests.lab.kit.lookup import row, rows


def test_the_summary_is_about_checking_methods(report: Report) -> None:
    table = summary(report)
    assert {each["method"] for each in rows(table)} == {"mus_repair", "drift_repair_project"}
    for each in report.comparisons:
        if each.strongest and each.arm.method != "random_legal":
            shown = row(table, model=each.arm.model, method=each.arm.method)
            assert shown["best baseline"] == "direct"
            assert shown["gain pp"] == points(each.accuracy - each.other_accuracy)
            assert shown["gain %"] == percent(each.lift)
            measured = next(r for group in report.groups for r in group.whole if r.arm == each.arm)
            shown = row(still_wrong(report), model=each.arm.model, method=each.arm.method)
            assert shown["drift %"] == percent(measured.channels[Channel.DRIFT].share)


def test_a_baseline_is_no_checking_method(tmp_path: Path) -> None:
    methods = ("direct", "cot", "project")
    with Journal(tmp_path, settings(problems=1, methods=methods)) as journal:
        for method in methods:
            journal.append(turn("p", 1, DRIFTING, correct=method == "project", turns=1, method=method))
    report = read_report([tmp_path])
    assert [each["method"] for each in rows(summary(report))] == ["project"]
    assert {each["method"] for each in rows(paired_tests(report))} == {"cot", "project"}


def test_paired_tests_are_the_measured_ones(report: Report) -> None:
    table = paired_tests(report)
    strongest = [each for each in report.comparisons if each.strongest]
    assert len(table.lines) == len(strongest) == 6 < len(report.comparisons)
    for each in strongest:
        shown = row(table, model=each.arm.model, method=each.arm.method, against=each.other.method)
        assert shown["difference, pp"] == points(each.paired.difference)
        assert shown["95% of difference, pp"] == paired_interval(each.paired)
        assert (shown["p"], shown["q"]) == (p_value(each.paired.p), p_value(each.q))


def test_overlaps_between_models_and_between_methods(report: Report) -> None:
    models, methods = overlap_of_models(report), overlap_of_methods(report)
    for each in report.overlaps:
        if each.first.model != each.second.model:
            about = {"method": each.first.method, "model A": each.first.model, "model B": each.second.model}
            table = models
        else:
            about = {"model": each.first.model, "method A": each.first.method, "method B": each.second.method}
            table = methods
        found = [shown for shown in rows(table) if about.items() <= shown.items()]
        assert len(found) == bool(each.first_wrong and each.second_wrong)
        for shown in found:
            assert (shown["in both"], shown["Jaccard"]) == (str(each.both_wrong), fraction(each.jaccard))
    assert len(models.lines) >= 2 and len(methods.lines) >= 4


def test_the_summary_of_several_folders_has_the_channels_of_all(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder, found in zip(folders, (DRIFTING, RESPECTING), strict=True):
        with Journal(folder, settings(problems=1, methods=("direct", "project"))) as journal:
            for method in ("direct", "project"):
                journal.append(turn(f"p_{folder.name}", 1, found, correct=False, turns=1, method=method))
    shown = row(still_wrong(read_report(folders)), method="project")
    assert (shown["drift %"], shown["ledger gap %"], shown["turns"]) == ("50.0", "50.0", "2")
