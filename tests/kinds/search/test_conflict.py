from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.conflict import Conflict, ask_for, minimised_conflict, upstream_core
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import CountedEngine
from holdtrue.solving.route import make_engine
from tests.solving.brute import AMPLE, VARIABLES, assignments, possible, theories
from tests.solving.explain.tiring import Tiring

NO_TIME = Budget(timeout_s=0.0)
NAMES = tuple(variable.name for variable in VARIABLES)
VALUES = st.sampled_from(list(assignments(VARIABLES)))
W, X, Y, Z = (Variable(name, IntSort(0, 9)) for name in "wxyz")
FOUR = (W, X, Y, Z)


def variables_of(formulas: Mapping[str, Formula], ids: Sequence[str]) -> set[str]:
    return {variable.name for id in ids for variable in formulas[id].variables}


def without(values: Mapping[str, int], free: Collection[str]) -> dict[str, int]:
    return {name: value for name, value in values.items() if name not in free}


def failing(formulas: Mapping[str, Formula], values: Mapping[str, int], budget: Budget = AMPLE) -> Certifier:
    """The certifier of a problem that the values do not solve."""
    certifier = Certifier(VARIABLES, formulas, budget)
    assume(certifier.evaluate(values))
    return certifier


@settings(deadline=None, max_examples=40)
@given(formulas=theories(), values=VALUES)
def test_the_minimised_conflict_is_one_broken_constraint_of_the_best_kind(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = failing(formulas, values)
    conflict = minimised_conflict(certifier, values)

    def standing(id: str) -> tuple[bool, int, int]:
        """By brute force: whether all the others cannot stay, how many variables it has, and where it stands."""
        free = variables_of(formulas, [id])
        kept = without(values, free)
        return not possible(VARIABLES, formulas.values(), kept), len(free), list(formulas).index(id)

    assert conflict.ids == (min(certifier.evaluate(values), key=standing),)
    assert set(conflict.revise) == variables_of(formulas, conflict.ids)


@settings(deadline=None, max_examples=40)
@given(formulas=theories(), values=VALUES)
def test_what_is_asked_for_can_be_found_while_the_others_stay(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = failing(formulas, values)
    conflict = minimised_conflict(certifier, values)
    asked = ask_for(certifier, conflict.revise, values)

    def can(free: Collection[str]) -> bool:
        return possible(VARIABLES, formulas.values(), without(values, free))

    wide = variables_of(formulas, certifier.evaluate(values))
    if not possible(VARIABLES, formulas.values()):
        assert asked == ()
    elif not asked:
        assert not any(can(level) for level in (conflict.revise, wide) if len(level) < len(NAMES))
    else:
        assert can(asked)
        assert set(conflict.revise) <= set(asked) < set(NAMES)
        assert asked == conflict.revise or not can(conflict.revise)
        assert len(asked) <= len(wide) or not can(wide)


LATER: Mapping[str, Formula] = {"c1": (X + Y).eq(9), "c2": (X + Z).eq(9), "c3": X <= W}
LATE = {"w": 3, "x": 3, "y": 3, "z": 3}


def test_all_broken_constraints_are_asked_for_where_blame_would_lead_further() -> None:
    # While w and z stay, x cannot change: to blame are both, but z alone will do.
    certifier = Certifier(FOUR, LATER, AMPLE)
    assert ask_for(certifier, minimised_conflict(certifier, LATE).revise, LATE) == ("x", "y", "z")


def test_what_was_not_proved_in_time_is_not_asked_for() -> None:
    found = []
    for answers in range(12):
        certifier = Certifier(FOUR, LATER, AMPLE)
        certifier.engine = CountedEngine(Tiring(make_engine(FOUR), answers))
        found.append(ask_for(certifier, ("x", "y"), LATE))
    assert found[0] == ()
    assert found[-1] == ("x", "y", "z")
    assert set(found) == {(), ("x", "y", "z")}


def test_of_two_broken_constraints_the_one_that_mends_the_other_comes_first() -> None:
    formulas: Mapping[str, Formula] = {"c1": X >= 5, "c2": (X + Y).eq(9), "c3": X <= 6}
    certifier = Certifier(FOUR, formulas, AMPLE)
    values = {"w": 4, "x": 3, "y": 2, "z": 5}
    conflict = minimised_conflict(certifier, values)
    assert conflict == Conflict(("c2",), ("x", "y"))
    assert certifier.engine.asked == 2  # one question each about c1 and c2
    assert ask_for(certifier, conflict.revise, values) == ("x", "y")
    assert certifier.engine.asked == 2  # which is known already


def test_values_outside_their_bounds_are_the_conflict_and_are_asked_for() -> None:
    formulas: Mapping[str, Formula] = {"c1": (W + X).eq(9), "c2": Y >= 3}
    certifier = Certifier(FOUR, formulas, AMPLE)
    values = {"w": 4, "x": 5, "y": 12, "z": 5}
    conflict = minimised_conflict(certifier, values)
    assert conflict == Conflict((), ("y",))
    assert ask_for(certifier, conflict.revise, values) == ("y",)
    values = {"w": 4, "x": 3, "y": 3, "z": -1}
    assert ask_for(certifier, minimised_conflict(certifier, values).revise, values) == ("w", "x", "z")
    assert upstream_core(certifier, values) == Conflict((), ())


@settings(deadline=None, max_examples=20)
@given(formulas=theories(), values=VALUES)
def test_out_of_time_the_conflict_is_told_and_all_is_asked_for(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = failing(formulas, values, NO_TIME)
    conflict = minimised_conflict(certifier, values)
    broken = certifier.evaluate(values)
    assert conflict.ids == (min(broken, key=lambda id: len(formulas[id].variables)),)
    assert ask_for(certifier, conflict.revise, values) == ()
    assert upstream_core(certifier, values) == Conflict((), ())


@settings(deadline=None, max_examples=25)
@given(formulas=theories(), values=VALUES)
def test_the_published_core_clashes_with_the_values(formulas: dict[str, Formula], values: dict[str, int]) -> None:
    certifier = failing(formulas, values)
    core = upstream_core(certifier, values)
    assert set(core.ids) & set(certifier.evaluate(values))
    assert set(core.revise) == variables_of(formulas, core.ids)
    assert "engine" not in vars(certifier)


def test_a_solution_has_no_conflict() -> None:
    with pytest.raises(ValueError, match="no conflict"):
        minimised_conflict(Certifier(FOUR, {"c1": W >= 0}, AMPLE), {"w": 1, "x": 1, "y": 1, "z": 1})
