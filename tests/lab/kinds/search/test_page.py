"""The page of a run of searches, and its figures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.kinds.search.record import SearchStep
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kinds.search.reporting import draw_convergence, draw_frontier, draw_shifts
from holdtrue_lab.kinds.search.shown import show_searches
from holdtrue_lab.kit.page import as_page, write_page
from holdtrue_lab.kit.report import open_report
from tests.lab.kinds.search.runs import PROBLEM_LINES, controls, failed, repaired, searches, write
from tests.lab.kit.test_page import Page


def opened(*folders: Path) -> SearchReport:
    report = open_report(folders)
    assert isinstance(report, SearchReport)
    return report


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


def test_figures_are_whole_svg_and_the_same_every_time(report: SearchReport) -> None:
    drawn = [draw(report) for draw in (draw_frontier, draw_convergence, draw_shifts)]
    assert drawn == [draw(report) for draw in (draw_frontier, draw_convergence, draw_shifts)]
    for svg in drawn:
        assert svg.startswith("<svg ")
        ElementTree.fromstring(svg)
        assert not re.search(r"<style|<metadata|<image|<script|matplotlib", svg)
        assert "sim/test" in svg and ">cd_vgs (solver keeps values)</text>" in svg
    frontier, convergence, shifts = drawn
    assert ">always_unsat</text>" in frontier and ">always_unsat</text>" in convergence
    assert ">renaming</text>" in shifts and ">wording</text>" in shifts
    ids = [id for svg in drawn for id in re.findall(r' id="([^"]*)"', svg)]
    assert len(ids) == len(set(ids))


def test_no_shift_is_drawn_where_nothing_was_rewritten(tmp_path: Path) -> None:
    report = opened(write(tmp_path, searches()))
    assert draw_shifts(report) == ""
    assert "Robustness" not in as_page(report, 0)


def test_several_models_have_a_panel_each(folder: Path, tmp_path: Path) -> None:
    entries = [replace(each, record=replace(each.record, model="sim/other")) for each in with_variants()]
    report = opened(folder, write(tmp_path, entries, model="sim/other"))
    for draw in (draw_frontier, draw_convergence, draw_shifts):
        drawn = draw(report)
        assert ">sim/test</text>" in drawn and ">sim/other</text>" in drawn


def test_what_models_say_is_text_and_never_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\0\ud800 & \"'{{ 7 * 7 }}"
    entries = []
    for each in searches():
        step = SearchStep(1, conflict=(evil,), revise=(evil,))
        said = tuple(replace(attempt, text=evil, step=step) for attempt in each.record.attempts)
        entries.append(replace(each, record=replace(each.record, attempts=said, user_message=f"{evil}: {evil}")))
    path = write_page(open_report([write(tmp_path / "run", entries)]), tmp_path / "page.html", 9)
    found = Page(path.read_text(encoding="utf-8"))
    assert [tag for tag, _ in found.elements if tag == "script"] == ["script"]
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7 * 7 }}" in found.text


def test_runs_of_all_kinds_have_a_page(tmp_path: Path) -> None:
    kinds = {
        "unscored": ([replace(each, score=None) for each in searches()], ["multi_no_feedback", "-"], "9 conversations"),
        "begun": ([repaired("p", turns=2)], ["cd_vgs (solver keeps values)", "-"], "unfinished, 0 of 1 conversations"),
        "controls": (controls(), ["always_unsat", "33.3"], "always_unsat verifies 33.3% of its 3 trials"),
    }
    for name, (entries, row, says) in kinds.items():
        page = Page(as_page(opened(write(tmp_path / name, entries)), 9))
        rows = [table[2][: len(row)] for table in page.tables if len(table) > 2 and table[1] == ["sim/test"]]
        assert row in rows and says in page.text, name
