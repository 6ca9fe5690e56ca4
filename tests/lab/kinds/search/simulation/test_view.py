from __future__ import annotations

import pytest

from holdtrue.kinds.search.prompts import SearchSignal
from holdtrue_lab.kinds.search.simulation import view_search
from tests.lab.kinds.search.simulation.searches import GIVEN, SOLVABLE, asked

FAILED = SearchSignal("not_satisfied", GIVEN)


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
