"""Runs about claims: their tables, what stands beside a verified share, and how far they are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.figures.significance import kendall
from holdtrue_lab.figures.statistics import wilson
from holdtrue_lab.kinds.claims.comparison import cliffs
from holdtrue_lab.kinds.claims.metrics import CONVERGENCE
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kinds.claims.reporting import REPORTING, strongest_claims
from holdtrue_lab.kinds.claims.tables.comparisons import cliff
from holdtrue_lab.kinds.claims.tables.results import results, results_by_dataset, verdicts
from holdtrue_lab.kit.report import all_tables, first_table, open_report, sections
from tests.lab.kinds.claims.claimed import failure
from tests.lab.kinds.claims.runs import answers, changed, mended, once, restated, write
from tests.lab.kinds.written import open_as, printed
from tests.lab.kit.lookup import row

opened = partial(open_as, ClaimReport)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ClaimReport:
    return opened(write(tmp_path_factory.mktemp("claims"), [*answers(), *changed()]))


def said(report: ClaimReport) -> str:
    return " ".join(printed(report).split())


def test_no_part_of_a_table_shows_a_share_without_accuracy(report: ClaimReport) -> None:
    """However narrow a terminal is."""
    assert results(report) == first_table(report)
    for table in all_tables(report):
        titles = [column.title.replace("\u00ad", "") for column in table.columns if not column.words]
        if any(title.startswith(("verified", "entailed", "score")) for title in titles):
            assert "accuracy" in titles[0] or titles[0] in ("both %", "changed %"), table.name


def test_what_the_control_scores_is_told_wherever_something_was_verified(tmp_path: Path, report: ClaimReport) -> None:
    warning = "accuracy 0.0%, score 1.00, 100.0% of its claims entailed, 0.0% not already in the context"
    assert report.controls == {"restate_premises"}
    assert warning in report.caution
    assert report.remarks[0] == report.caution
    assert "no proof that they are right" in report.remarks[1]
    (published,) = report.remarks[2:]
    assert (
        published.startswith("Accepted as published, by the score") and "verge_proved" not in published.split(". ")[0]
    )
    assert warning in said(report)
    for table in (results, results_by_dataset, verdicts):
        assert warning in table(report).more
    without = opened(write(tmp_path / "a", [once("q")]))
    assert without.caution.endswith("It was not run, or not verified, here.")
    two = [restated("q"), restated("q", model="sim/other")]
    several = opened(*(write(tmp_path / each.record.model[4:], [each], model=each.record.model) for each in two))
    assert several.caution.count(warning) == 2
    assert f"{warning} (sim/other)." in several.caution


def test_an_oracle_is_not_the_headline_where_there_is_another(tmp_path: Path) -> None:
    gold = [once("q", extractor="gold"), mended("q", extractor="gold"), mended("p", extractor="gold")]
    report = opened(write(tmp_path, gold, extractor="gold"))
    base, best = strongest_claims(report, report.groups[0])
    assert base is not None and best is not None
    assert (base.arm.method, best.title) == ("cot", "verge (oracle formulas)")


def test_a_run_without_rounds_has_no_sections_about_them(tmp_path: Path) -> None:
    alone = opened(write(tmp_path, [once("p")]))
    assert [title for title, tables in sections(alone) if tables] == ["Results", "Claims", "Formulas", "Cost"]


def test_rounds_are_held_against_chain_of_thought_as_in_figure_3(report: ClaimReport) -> None:
    own = next(each for each in report.rows if each.arm.method == "verge")
    said = row(cliff(report), method="verge")
    assert (said["data sets"], said["tau, mean"], said["below"], said["χ²"]) == ("1", "1.00", "0/1", "1.00")
    played = []
    for place in range(6):
        # On five data sets it falls with every round; on the last one it rises, but for its last round.
        right = [50 - n for n in range(10)] if place < 5 else [*(50 + n for n in range(9)), 49]
        first, rates = CONVERGENCE(own).rounds[0], [wilson(each, 100) for each in right]
        course = replace(CONVERGENCE(own), accuracy=kendall(right))
        course = replace(course, rounds=tuple(replace(first, accuracy=rate) for rate in rates))
        figures = {**own.figures, CONVERGENCE.name: course}
        refined = replace(own, arm=replace(own.arm, method="self_refine"), domain=f"d{place}", figures=figures)
        played += [refined, replace(refined, arm=replace(own.arm, method="cot"), accuracy=rates[0])]
    [found] = [each for each in cliffs(played) if each.arm.method == "self_refine"]
    # The paper's own figures: 85.2% of 54, and its χ².
    assert (found.below, found.trials, found.data_sets) == (46, 54, 6)
    assert found.chi2 == pytest.approx(26.7, abs=0.05) and found.p < 0.001
    assert found.tau == pytest.approx((-5 + 27 / 45) / 6) and found.least == -1


def test_the_headline_has_the_best_of_both_and_the_control(report: ClaimReport) -> None:
    [headline] = REPORTING.headlines(report)
    assert [figure.method for figure in headline.figures] == ["cot", "verge", "restate_premises"]
    assert [figure.accuracy for figure in headline.figures] == ["33.3", "100.0", "0.0"]
    assert headline.figures[1].wrong.startswith(
        "66.7% of 6 claims verified, 66.7% entailed, 0.0% only possible, 83.3% not"
    )
    assert headline.figures[0].scored == "right in 1 of 3 questions"
    assert headline.gain.startswith("+66.7 pp, paired over 3 questions [")
    assert "2 right by it alone, 0 by the other alone: McNemar p 0.5000" in headline.gain


def test_a_run_under_way_is_told_as_it_is(tmp_path: Path) -> None:
    report = opened(write(tmp_path, [once("p"), once("q"), failure("r", method="cot")], problems=4))
    [run] = report.runs
    assert (run.planned, run.finished, run.failed, run.complete) == (4, 2, 1, False)
    assert row(results(report), method="cot")["failed"] == "1"
    assert "UNFINISHED: 2 of 4 conversations; 1 failed" in printed(report)


@pytest.mark.parametrize(
    ("problems", "limit", "planned"), [(6, 1, 2), (6, 2, 4), (6, 9, 6), (7, 2, None), (2, None, 2)]
)
def test_a_limit_counts_originals_each_with_its_changed_forms(
    tmp_path: Path, problems: int, limit: int | None, planned: int | None
) -> None:
    entries = [once("p"), once("p-not", perturbs="p", perturbation="sequence_swap")]
    [run] = opened(write(tmp_path, entries, limit=limit, problems=problems)).runs
    assert (run.planned, run.finished, run.complete) == (planned, 2, planned == 2)


def test_folders_that_say_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="has not finished a single turn yet"):
        open_report([write(tmp_path / "a", [])])
    with pytest.raises(RecordError, match="only changed forms of problems were played yet"):
        open_report([write(tmp_path / "b", [once("p-not", perturbs="p", perturbation="sequence_swap")])])


@pytest.mark.parametrize(
    ("settings", "how"),
    [
        ([{"seed": 1}, {"seed": 2}], ["seed 1", "seed 2"]),
        (
            [{"play": {"timeout_s": 1.0}}, {"play": {"timeout_s": 5.0}}],
            ["solver timeout 1.0", "solver timeout 5.0"],
        ),
        (
            [{"play": {"answers_sha256": "0123456789"}}, {"play": {"answers_sha256": None}}],
            ["answers 01234567", "answers none"],
        ),
    ],
)
def test_two_ways_of_asking_are_told_apart(tmp_path: Path, settings: list[dict[str, object]], how: list[str]) -> None:
    folders = [write(tmp_path / str(place), answers(), **each) for place, each in enumerate(settings)]
    found = opened(*folders)
    models = [f"sim/test, {each}" for each in how]
    assert [group.label for group in found.groups] == models
    assert {each.arm.model for each in found.comparisons} == set(models)


def test_answers_that_were_given_are_no_control(tmp_path: Path) -> None:
    report = opened(write(tmp_path, [once("p", method="given"), restated("p", gold="A")]))
    [headline] = REPORTING.headlines(report)
    assert [figure.method for figure in headline.figures] == ["given", "restate_premises"]


def test_answers_without_gold_have_no_accuracy(tmp_path: Path) -> None:
    report = opened(write(tmp_path, [once("p", gold=None), mended("p", gold=None)]))
    found = row(results(report), method="cot")
    assert (found["accuracy %"], found["verified %"]) == ("-", "100.0")
    assert [headline.figures[0].accuracy for headline in REPORTING.headlines(report)] == ["-"]


def test_every_table_is_named_once_and_fits_a_terminal(report: ClaimReport) -> None:
    tables = all_tables(report)
    assert len({table.name for table in tables}) == len(tables) == 30
    for table in tables:
        assert len({column.title for column in table.columns}) == len(table.columns)
    assert max(map(len, printed(report, 100).splitlines())) <= 100
