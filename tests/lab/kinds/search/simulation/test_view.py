from __future__ import annotations

import pytest

from holdtrue.kinds.search.prompts import SearchSignal, problem_lines
from holdtrue.models.chat import system, user
from holdtrue_lab.kinds.search.simulation.view import view_search
from tests.lab.kinds.search.simulation.searches import GIVEN, IMPOSSIBLE, SOLVABLE, asked

FAILED = SearchSignal("not_satisfied", GIVEN)


def test_the_problem_is_seen_as_it_was_told() -> None:
    for of in (SOLVABLE, IMPOSSIBLE):
        prompt = asked(of)
        task = view_search(prompt.messages())
        assert task is not None
        assert task.lines == problem_lines(prompt.setting, prompt.variables, prompt.constraints)
        assert (task.feedback, task.asked, task.kept) == ("", (), {})


@pytest.mark.parametrize(
    ("kind", "signal"),
    [
        ("generic", FAILED),
        ("generic", SearchSignal("not_json", details=("the status is missing",))),
        ("generic", SearchSignal("false_unsat_claim")),
        ("core", SearchSignal("not_satisfied", GIVEN, core=("c1",))),
        ("ranked", SearchSignal("not_satisfied", GIVEN, core=("c1",), revise=("x1", "x2"), keep=("x3",))),
        ("ranked", SearchSignal("not_satisfied", GIVEN, core=("c1",), revise=("x1", "x2", "x3"))),
        ("conflict", SearchSignal("not_satisfied", GIVEN, violated=("c1", "c2"), conflict=("c1",), revise=("x1",))),
        ("conflict", SearchSignal("false_unsat_claim", refuted=(GIVEN,))),
        ("witness", SearchSignal("false_unsat_claim", core=("c1",), witness=GIVEN)),
    ],
)
def test_kinds_of_feedback_are_told_apart(kind: str, signal: SearchSignal) -> None:
    task = view_search(asked(SOLVABLE, signal).messages())
    assert task is not None
    assert task.feedback == kind
    assert task.lines == view_search(asked(SOLVABLE).messages()).lines  # type: ignore[union-attr]


def test_what_is_asked_and_what_is_kept_is_seen() -> None:
    prompt = asked(SOLVABLE, FAILED, asked=("x1", "x2"), kept={"x3": -2})
    task = view_search(prompt.messages())
    assert task is not None
    assert (task.feedback, task.asked, task.kept) == ("conflict", ("x1", "x2"), {"x3": -2})


@pytest.mark.parametrize("text", ["", "Hello!", "Variables:\nx: integer from 0 to 9", "Constraints:\nc1: x <= 3"])
def test_other_chats_pose_no_problem(text: str) -> None:
    assert view_search((system("You find values."), user(text))) is None
    assert view_search(()) is None
