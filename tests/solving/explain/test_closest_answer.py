"""The closest answer, against brute force, and the bisection below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import NEVER, UNLIMITED, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.solving.explain.closest_answer import closest, distance, least
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.route import make_engine
from tests.solving.brute import VARIABLES, A, B, C, D, assignments, formulas

EVERYTHING = list(assignments(VARIABLES))
FAR = Variable("far", IntSort(-(10**12), 10**12))
NAMED = Variable("named", EnumSort("colour", ("red", "green", "blue")))


def cost(target: Mapping[str, int], weights: Mapping[str, int], values: Mapping[str, int]) -> int:
    by_name = {variable.name: variable for variable in VARIABLES}
    return sum(weights.get(name, 1) * distance(by_name[name], value, values[name]) for name, value in target.items())


@settings(max_examples=150)
@given(
    drawn=st.lists(formulas(), max_size=3),
    values=st.sampled_from(EVERYTHING),
    without=st.sets(st.sampled_from(["a", "b", "c", "d"]), max_size=2),
    weights=st.dictionaries(st.sampled_from(["a", "b"]), st.integers(1, 3), max_size=2),
    frozen=st.booleans(),
)
def test_nothing_legal_is_closer_and_of_equals_it_is_the_first(
    drawn: list[Formula], values: dict[str, int], without: set[str], weights: dict[str, int], frozen: bool
) -> None:
    target = {name: value for name, value in values.items() if name not in without}
    weights = {name: weight for name, weight in weights.items() if name in target}
    kept = tuple(list(target)[:1]) if frozen else ()
    soft = {str(number): formula for number, formula in enumerate(drawn)}
    found = closest(make_engine(VARIABLES), soft, target, UNLIMITED, frozen=kept, weights=weights)
    legal = [
        one
        for one in EVERYTHING
        if all(formula.holds(one) for formula in drawn) and all(one[name] == target[name] for name in kept)
    ]
    if not legal:
        assert isinstance(found, Core)
        return
    assert isinstance(found, Nearest) and found.optimal
    least_cost = min(cost(target, weights, one) for one in legal)
    assert cost(target, weights, found.witness) == least_cost

    def order(one: Mapping[str, int]) -> list[tuple[int, int]]:
        """How the closest are put in order: by each own difference, then by the lower value; then what is free."""
        differences = [
            (distance(each, target[each.name], one[each.name]), one[each.name])
            for each in VARIABLES
            if each.name in target
        ]
        return [*differences, *((0, one[each.name]) for each in VARIABLES if each.name not in target)]

    first = min((one for one in legal if cost(target, weights, one) == least_cost), key=order)
    assert dict(found.witness) == first
    assert found.changed == tuple(name for name in target if target[name] != first[name])


def test_amounts_change_by_little_and_names_count_one() -> None:
    engine = make_engine([FAR, NAMED])
    soft = {"either": (FAR >= 10**9) | NAMED.eq(2)}
    found = closest(engine, soft, {"far": 10**9 - 1, "named": 0}, UNLIMITED)
    assert found == Nearest({"far": 10**9 - 1, "named": 2}, ("named",)), "both cost one, and the first variable stays"
    found = closest(engine, soft, {"far": 10**9 - 7, "named": 0}, UNLIMITED)
    assert found == Nearest({"far": 10**9 - 7, "named": 2}, ("named",))
    found = closest(engine, soft, {"far": 10**9 - 7, "named": 0}, UNLIMITED, weights={"named": 100})
    assert found == Nearest({"far": 10**9, "named": 0}, ("far",))


def test_a_target_outside_its_range_comes_back_to_its_end() -> None:
    assert closest(make_engine([FAR]), {}, {"far": 10**15}, UNLIMITED) == Nearest({"far": 10**12}, ("far",))


def test_what_is_impossible_is_told_apart() -> None:
    assert isinstance(closest(make_engine(VARIABLES), {"x": A < A}, {"a": 1}, UNLIMITED), Core)
    assert closest(make_engine(VARIABLES, [A < A]), {}, {"a": 1}, UNLIMITED) == BackgroundConflict()


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(FormulaError, match="no variable 'z'"):
        closest(make_engine(VARIABLES), {}, {"z": 1}, UNLIMITED)


def test_a_budget_that_is_spent_gives_nothing_or_what_is_legal() -> None:
    soft = {"sum": A + B + C + D >= 3, "apart": abs(A - B) >= 1}
    assert isinstance(closest(make_engine(VARIABLES), soft, {"a": -9}, Budget(0.0)), Unknown)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_bisection_finds_the_least_cost_in_as_many_questions_as_the_cost_has_digits(
    least_cost: int, slack: int
) -> None:
    asked: Iterator[int] = count()

    def ask(bound: Formula, limit: Budget) -> Satisfiable | Unsatisfiable | Unknown:
        next(asked)
        assert limit == UNLIMITED
        return Satisfiable({"far": least_cost}) if bound.holds({"far": least_cost}) else Unsatisfiable()

    found = least(ask, FAR, lambda one: one["far"], {"far": least_cost + slack}, UNLIMITED, NEVER)
    assert (found.cost, found.optimal) == (least_cost, True)
    assert next(asked) <= (least_cost + slack).bit_length() + 1


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 10**6))
def test_what_is_not_decided_rules_nothing_out(least_cost: int, blind: int, slack: int) -> None:
    """Bounds up to `blind` above the least cost are too hard: something legal is found, and not called the least."""

    def ask(bound: Formula, limit: Budget) -> Satisfiable | Unsatisfiable | Unknown:
        if bound.holds({"far": least_cost + blind}):
            return Satisfiable({"far": least_cost + blind})
        return Unknown("too hard") if bound.holds({"far": least_cost}) else Unsatisfiable()

    found = least(ask, FAR, lambda one: one["far"], {"far": least_cost + blind + slack}, UNLIMITED, NEVER)
    assert found.cost == least_cost + blind
    assert not found.optimal


def test_time_that_is_up_ends_the_search_with_what_is_known() -> None:
    found = least(
        lambda *_: pytest.fail("nothing may be asked"),
        FAR,
        lambda one: one["far"],
        {"far": 9},
        UNLIMITED,
        Deadline(0.0),
    )
    assert (found.cost, found.optimal) == (9, False)
