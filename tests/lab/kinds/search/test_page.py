"""The page of a run of searches, and its figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kinds.search.reporting import draw_convergence, draw_frontier, draw_shifts
from holdtrue_lab.kinds.search.shown import show_searches
from holdtrue_lab.kit.page import as_page
from tests.lab.kinds.search.runs import PROBLEM_LINES, controls, failed, repaired, searches, write
from tests.lab.kinds.written import open_as
from tests.lab.kit.test_page import Page

opened = partial(open_as, SearchReport)


def with_variants() -> list[SearchEntry]:
    """With two problems rewritten in two ways each, in which one method fails and the other does not."""
    about = [
        {"problem": f"{problem}-{variant}", "variant": variant, "base": problem}
        for problem in ("p", "q")
        for variant in ("renaming", "wording")
    ]
    return [*searches(), *controls(), *(each(**given) for given in about for each in (failed, repaired))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    search = {"k": 4, "rounds": 4, "tokens": None, "seconds": None, "seeds": 1, "timeout_s": 1.5}
    return write(tmp_path_factory.mktemp("searches"), with_variants(), play=search)


@pytest.fixture(scope="module")
def report(folder: Path) -> SearchReport:
    return opened(folder)


@pytest.fixture(scope="module")
def text(report: SearchReport) -> str:
    return as_page(report, 9)


def test_problems_open_trial_by_trial(report: SearchReport, text: str) -> None:
    found = show_searches(report, 9)
    assert {each.name for each in found} == {"p", "q", "u"}  # rewritten problems are not shown beside their originals
    for problem in found:
        assert problem.lines == PROBLEM_LINES
        for talk in problem.conversations:
            for trial in talk.turns:
                cell = text.partition(f'id="{problem.id}-{talk.side.id}-t{trial.entry.turn}"')[2].partition(
                    "</article>"
                )[0]
                said = Page(f"<p>{cell.partition('>')[2]}</p>").text
                assert trial.outcome.value.replace("_", " ") in said
                for candidate in trial.candidates:
                    for sentence in (*candidate.feedback, *candidate.found):
                        assert sentence in said
                    if candidate.conflict:
                        assert f"Revise {', '.join(candidate.revise)}; keep {', '.join(candidate.keep)}." in said
    assert "x1 4 → 3" in " ".join(Page(text).text.split())


def test_the_page_says_what_controls_score_and_who_is_simulated(text: str) -> None:
    said = Page(text).text
    assert said.count("always_unsat verifies 33.3% of its 3 trials") > 5
    assert "A simulated model with planted faults: sim/test" in said
    assert "4 candidates a round, 4 rounds, 1 trial a problem" in said
    assert "cd_vgs_core_rank (witness revealed)" in said


def test_controls_and_ways_of_rewriting_are_drawn(report: SearchReport) -> None:
    assert all(">always_unsat</text>" in draw(report) for draw in (draw_frontier, draw_convergence))
    shifts = draw_shifts(report)
    assert ">renaming</text>" in shifts and ">wording</text>" in shifts


def test_no_shift_is_drawn_where_nothing_was_rewritten(tmp_path: Path) -> None:
    report = opened(write(tmp_path, searches()))
    assert draw_shifts(report) == ""
    assert "Robustness" not in as_page(report, 0)
