"""The page of a run about claims, and its figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from holdtrue_claims.kind import verdict_words as words
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kinds.claims.reporting import draw_rounds, draw_verified
from holdtrue_lab.kinds.claims.shown import show_items
from holdtrue_lab.kit.page import as_page
from tests.lab.kinds.claims.runs import PROBLEM_LINES, answers, changed, once, write
from tests.lab.kinds.written import open_as
from tests.lab.kit.test_page import Page

opened = partial(open_as, ClaimReport)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("claims"), [*answers(), *changed()])


@pytest.fixture(scope="module")
def report(folder: Path) -> ClaimReport:
    return opened(folder)


@pytest.fixture(scope="module")
def text(report: ClaimReport) -> str:
    return as_page(report, 9)


def test_questions_open_claim_by_claim(report: ClaimReport, text: str) -> None:
    found = show_items(report, 9)
    assert {each.name for each in found} == {"p", "q", "r"}  # changed forms are not shown beside their originals
    for item in found:
        assert item.context == PROBLEM_LINES[:2]
        assert (item.gold in dict(item.options), item.messages) == (True, ("Is it?",))
        for talk in item.conversations:
            cell = text.partition(f'id="{item.id}-{talk.side.id}"')[2].partition("</article>")[0]
            said = " ".join(Page(f"<p>{cell.partition('>')[2]}</p>").text.split())
            for premise in talk.context.premises if talk.context is not None else ():
                assert f"{premise.id} {premise.text}" in said
                assert all(words.describe_alert(alert) in said for alert in premise.alerts)
            for answer in talk.answers:
                check = answer.attempt.check
                assert check is None or words.describe_score(check) in said
                for claim in check.claims if check is not None else ():
                    told = f"{claim.id} {claim.text} {words.in_words(claim.verdict)} {words.describe_route(claim)}"
                    assert told in said
                    assert all(sentence in said for sentence in answer.why(claim))
                assert all(sentence in said for sentence in answer.joint)


def test_the_first_of_all_is_where_methods_differ(report: ClaimReport) -> None:
    first = show_items(report, 1)[0]
    assert {talk.side.method: talk.entry.score and talk.entry.score.correct for talk in first.conversations} == {
        "cot": False,
        "verge": True,
        "restate_premises": False,
    }


def test_the_page_says_what_the_control_scores_and_who_is_simulated(text: str) -> None:
    said = Page(text).text
    assert said.count("accuracy 0.0%, score 1.00") > 4
    assert "is no proof that they are right" in said
    assert "A simulated model with planted faults: sim/test" in said
    assert "suite verge, fol, formulas by llm" in said


def test_controls_are_drawn_and_methods_without_rounds_are_not_among_rounds(report: ClaimReport) -> None:
    verified, rounds = draw_verified(report), draw_rounds(report)
    assert ">restate_premises</text>" in verified
    assert ">verge</text>" in rounds and ">cot</text>" not in rounds


def test_nothing_is_drawn_where_nothing_was_verified_or_played_again(tmp_path: Path) -> None:
    report = opened(write(tmp_path, [once("p", checked=None)]))
    assert (draw_verified(report), draw_rounds(report)) == ("", "")
    assert "<figure>" not in as_page(report, 1)
