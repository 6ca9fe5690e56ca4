from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.verification.correctness import Correctness, is_correct
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from tests.lab.suites.drift.instances import constraints
from tests.solving.standin import StandIn

TABLE = BUILTIN["seating"].instance(["Ann", "Bob", "Cy", "Dee"])
DAY = BUILTIN["scheduling"].instance(["Docs", "QA"], {"num_slots": 4, "max_duration": 2})
ENGINES = {instance: make_engine(list(instance.variables.values()), instance.background) for instance in (TABLE, DAY)}


class Undecided(StandIn):
    """An engine that never knows."""

    name = "undecided"
    variables: Sequence[Variable] = ()

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        return Unknown("it never knows")


def by_trying_all(instance: Instance, gold: Sequence[Constraint], given: Mapping[str, int]) -> bool:
    """Whether some values for what is missing make everything hold."""
    choices = [
        [given[name]] if name in given else variable.sort.values for name, variable in instance.variables.items()
    ]
    formulas = (*instance.background, *map(instance.formula, gold))
    candidates = (dict(zip(instance.variables, values, strict=True)) for values in product(*choices))
    return any(all(evaluate(formula, values) for formula in formulas) for values in candidates)


def judge(instance: Instance, gold: Sequence[Constraint], values: Mapping[str, int]) -> Correctness:
    return is_correct(instance, gold, Assignment(values), ENGINES[instance])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Instance, list[Constraint], dict[str, int]]:
    instance = draw(st.sampled_from((TABLE, DAY)))
    gold = draw(st.lists(constraints(instance), max_size=3))
    values = {name: draw(st.integers(v.sort.low, v.sort.high)) for name, v in instance.variables.items()}
    left_out = draw(st.sets(st.sampled_from(sorted(values)), max_size=2))
    return instance, gold, {name: value for name, value in values.items() if name not in left_out}


@given(cases())
@settings(deadline=None, max_examples=200)
def test_agrees_with_trying_all_completions(case: tuple[Instance, list[Constraint], dict[str, int]]) -> None:
    instance, gold, values = case
    possible = by_trying_all(instance, gold, values)
    complete = all(name in values for name in instance.required)
    assert judge(instance, gold, values) == (complete and possible, possible)


def test_a_partial_answer_is_right_only_as_published() -> None:
    assert judge(TABLE, [TABLE.constraint("at_position", ["Ann", 1])], {"Ann.seat": 1}) == (False, True)
    assert judge(TABLE, [TABLE.constraint("at_position", ["Ann", 1])], {"Ann.seat": 2}) == (False, False)


def test_a_missing_duration_is_free() -> None:
    long = [DAY.constraint("duration", ["Docs", 2])]
    assert judge(DAY, long, {"Docs.start": 3, "QA.start": 1}) == (True, True)
    # No slot is left for the second half.
    assert judge(DAY, long, {"Docs.start": 4, "QA.start": 1}) == (False, False)


@pytest.mark.parametrize("seat", [0, 5, -1, 10**8])
def test_values_out_of_range_are_wrong(seat: int) -> None:
    assert judge(TABLE, [], {"Ann.seat": seat, "Bob.seat": 2, "Cy.seat": 3, "Dee.seat": 4}) == (False, False)


def test_what_is_no_answer_is_wrong() -> None:
    engine: Engine = ENGINES[TABLE]
    assert is_correct(TABLE, [], Unparsed("nothing there"), engine) == (False, False)
    assert is_correct(TABLE, [], Assignment({"Ann.seat": 1}, {"Bob.seat": "the window"}), engine) == (False, False)
    repeated = Assignment({"Ann.seat": 1, "Cy.seat": 3, "Dee.seat": 4}, repeated=("Bob.seat",))
    assert is_correct(TABLE, [], repeated, engine) == (False, True)


def test_what_the_solver_cannot_tell_stays_open() -> None:
    starts = Assignment({"Docs.start": 1, "QA.start": 1})
    assert is_correct(DAY, [], starts, Undecided()) == (None, None)
    assert is_correct(DAY, [], Assignment({"QA.start": 1}), Undecided()) == (False, None)
    full = Assignment({"Docs.start": 1, "Docs.duration": 1, "QA.start": 1, "QA.duration": 1})
    assert is_correct(DAY, [], full, Undecided()) == (True, True)
