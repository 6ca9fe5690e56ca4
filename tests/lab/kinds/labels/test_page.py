"""The page of a run about queries."""

from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.shown import show_cases
from holdtrue_lab.kit.page import as_page
from holdtrue_lab.kit.report import open_report
from tests.lab.kinds.labels.runs import controls, queries, write
from tests.lab.kit.test_page import Page


def test_a_bundle_shows_what_was_first_answered_and_what_stands_in_the_end(tmp_path: Path) -> None:
    found = open_report([write(tmp_path, [*queries(), *controls()])])
    assert isinstance(found, LabelReport)
    case = next(case for case in show_cases(found, 2) if case.name == "p")
    talk = next(talk for talk in case.conversations if talk.side.method.startswith("maxsat_repair"))
    [turn] = talk.turns
    answer = turn.answers[2]
    assert answer.path == ("CONTRADICTED", "UNKNOWN")
    assert (answer.correct, answer.clashes, turn.right) == (True, True, 4)
    assert list(turn.entry.record.detail.set_aside) == ["q2"]
    page = Page(as_page(found, 2))
    assert "CONTRADICTED → UNKNOWN" in page.text
    assert "cannot all be right: premises P2, P5; q1 “statement q1” as CONTRADICTED" in page.text
    assert "one_model has 50.0% accuracy" in page.text
    assert "oracle premises" in page.text
    assert "cases consistent, %" in page.text
