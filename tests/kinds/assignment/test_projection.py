"""Projection delivers what is valid, says whether it is the nearest, and otherwise delivers nothing."""

from __future__ import annotations

import pytest

from holdtrue import Attribute, ConstraintType, Domain, Entity, Integer, ScriptModel, Session
from holdtrue.budget import Budget
from holdtrue.kinds.assignment.method import Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.record import AnswerStatus
from holdtrue_lab.kinds.assignment import KIND
from tests.solving.wide import measure

K = 10**12
BILL = Domain(
    "bill",
    attributes=[Attribute("cents", low=0, high=K)],
    constraint_types=[
        ConstraintType("less", (Entity(), Entity()), "{0} costs less than {1}", lambda w, a, b: a.cents < b.cents),
        ConstraintType("over", (Entity(), Integer(0, K)), "{0} costs over {1}", lambda w, a, k: a.cents > k),
    ],
)
BROKEN = '{"solution": {"tea": 700000000, "cake": 300000000}}'


def ask(method: Method | str, budget: Budget, *messages: str, answer: str = BROKEN) -> AssignmentRecord:
    model = ScriptModel([answer] * len(messages))
    with Session(BILL, ["tea", "cake"], model=model, method=method, extractor="templates", budget=budget) as session:
        return [session.ask(message) for message in messages][-1]


def test_a_wide_range_is_mended_in_little_memory() -> None:
    ask("project", Budget(), "tea costs less than cake.")  # the solver is loaded once
    record, cost = measure(lambda: ask("project", Budget(), "tea costs less than cake."))
    assert record.delivered == '{"solution": {"tea": 700000000, "cake": 700000001}}'
    assert (record.detail.projected, record.detail.nearest, record.withheld) == (True, True, None)
    assert cost.mib < 150


def test_a_method_may_mend_by_the_least_difference() -> None:
    method = KIND.playing().declare_method({"name": "gently", "base": "project", "distance": "difference"})
    said = ("cake costs over 400000000.", "tea costs less than cake.")
    by_changes = ask("project", Budget(), *said, answer='{"solution": {"tea": 5, "cake": 5}}')
    by_difference = ask(method, Budget(), *said, answer='{"solution": {"tea": 400000009, "cake": 400000009}}')
    assert by_changes.delivered == '{"solution": {"tea": 5, "cake": 400000001}}'
    assert by_difference.delivered == '{"solution": {"tea": 400000009, "cake": 400000010}}'
    assert by_difference.final.verdict.answer is AnswerStatus.RESPECTING


@pytest.mark.parametrize("method", ["project", "drift_repair_project"])
def test_an_answer_that_is_known_to_be_broken_is_not_delivered_where_time_is_up(method: str) -> None:
    """Evaluation shows that the answer is broken; the solver has no time to find another."""
    answers = [BROKEN, BROKEN, BROKEN, BROKEN]
    with Session(
        BILL, ["tea", "cake"], model=ScriptModel(answers), method=method, extractor="templates", budget=Budget(0.0)
    ) as session:
        session.add("less", "tea", "cake")
        record = session.ask("What will it be?")
    assert record.final.verdict.answer is AnswerStatus.VIOLATING
    assert record.delivered is None
    assert record.withheld is not None and "the time budget ran out" in record.withheld
    assert not record.detail.projected and record.detail.nearest is None


def test_solver_only_without_time_delivers_nothing_and_says_why() -> None:
    record = ask("solver_only", Budget(0.0), "tea costs less than cake.")
    assert record.delivered is None
    assert record.withheld is not None and "the time budget ran out" in record.withheld
