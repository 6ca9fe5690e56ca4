from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, median

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.conflict import Conflict, ask_for, minimised_conflict, upstream_core
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import CountedEngine
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr.generate import generate_linear, generate_upstream
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
    assert sorted((*conflict.revise, *conflict.keep)) == sorted(NAMES)


@settings(deadline=None, max_examples=40)
@given(formulas=theories(), values=VALUES)
def test_what_is_asked_for_can_be_found_while_the_others_stay(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = failing(formulas, values)
    conflict = minimised_conflict(certifier, values)
    asked = ask_for(certifier, conflict, values)

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
    assert ask_for(certifier, minimised_conflict(certifier, LATE), LATE) == ("x", "y", "z")


def test_what_was_not_proved_in_time_is_not_asked_for() -> None:
    found = []
    for answers in range(12):
        certifier = Certifier(FOUR, LATER, AMPLE)
        certifier.engine = CountedEngine(Tiring(make_engine(FOUR), answers))
        found.append(ask_for(certifier, Conflict(("c1",), ("x", "y"), ("w", "z")), LATE))
    assert found[0] == ()
    assert found[-1] == ("x", "y", "z")
    assert set(found) == {(), ("x", "y", "z")}


def test_of_two_broken_constraints_the_one_that_mends_the_other_comes_first() -> None:
    formulas: Mapping[str, Formula] = {"c1": X >= 5, "c2": (X + Y).eq(9), "c3": X <= 6}
    certifier = Certifier(FOUR, formulas, AMPLE)
    values = {"w": 4, "x": 3, "y": 2, "z": 5}
    conflict = minimised_conflict(certifier, values)
    assert conflict == Conflict(("c2",), ("x", "y"), ("w", "z"))
    assert certifier.solver_calls == 2  # what becomes of c1, and of c2
    assert ask_for(certifier, conflict, values) == ("x", "y")
    assert certifier.solver_calls == 2  # which is known already
    upstream_core(certifier, values)
    assert certifier.solver_calls == 3


def test_values_outside_their_bounds_are_the_conflict_and_are_asked_for() -> None:
    formulas: Mapping[str, Formula] = {"c1": (W + X).eq(9), "c2": Y >= 3}
    certifier = Certifier(FOUR, formulas, AMPLE)
    values = {"w": 4, "x": 5, "y": 12, "z": 5}
    conflict = minimised_conflict(certifier, values)
    assert conflict == Conflict((), ("y",), ("w", "x", "z"))
    assert ask_for(certifier, conflict, values) == ("y",)
    values = {"w": 4, "x": 3, "y": 3, "z": -1}
    assert ask_for(certifier, minimised_conflict(certifier, values), values) == ("w", "x", "z")
    assert upstream_core(certifier, values) == Conflict((), (), ())


@settings(deadline=None, max_examples=20)
@given(formulas=theories(), values=VALUES)
def test_out_of_time_the_conflict_is_told_and_all_is_asked_for(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = failing(formulas, values, NO_TIME)
    conflict = minimised_conflict(certifier, values)
    broken = certifier.evaluate(values)
    assert conflict.ids == (min(broken, key=lambda id: len(formulas[id].variables)),)
    assert ask_for(certifier, conflict, values) == ()
    assert upstream_core(certifier, values) == Conflict((), (), ())


@settings(deadline=None, max_examples=25)
@given(formulas=theories(), values=VALUES)
def test_the_published_core_clashes_with_the_values(formulas: dict[str, Formula], values: dict[str, int]) -> None:
    certifier = failing(formulas, values)
    core = upstream_core(certifier, values)
    assert set(core.ids) & set(certifier.evaluate(values))
    assert set(core.revise) == variables_of(formulas, core.ids)
    assert set(core.keep) == set(NAMES) - set(core.revise)
    assert certifier.solver_calls == 1


def test_a_solution_has_no_conflict() -> None:
    with pytest.raises(ValueError, match="no conflict"):
        minimised_conflict(Certifier(FOUR, {"c1": W >= 0}, AMPLE), {"w": 1, "x": 1, "y": 1, "z": 1})


CANDIDATES = 5
"""So many near misses are made of each problem's planted witness."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Shares of a near miss's variables (0..1): outside the minimised conflict, outside all that is broken, outside
    the published core, and those that keep their values when the rest is asked for again.
    """

    conflict: float
    violated: float
    core: float
    asked: float
    broken: int


def near_misses(problem: SearchProblem, rng: Random) -> Iterator[dict[str, int]]:
    """Assignments within the bounds that keep 70% of a witness's values, and fail."""
    witness: Mapping[str, int] = problem.metadata["planted"]
    formulas = problem.formulas.values()
    changed = max(1, round(0.3 * len(problem.variables)))
    for _ in range(CANDIDATES):
        values = dict(witness)
        while all(formula.holds(values) for formula in formulas):
            values = dict(witness)
            for variable in rng.sample(problem.variables, changed):
                sort = variable.sort
                values[variable.name] = rng.choice([value for value in sort.values if value != witness[variable.name]])
        yield values


def measured(problems: Sequence[SearchProblem]) -> dict[int, list[Kept]]:
    """What is kept, by the number of variables."""
    found: dict[int, list[Kept]] = defaultdict(list)
    rng = Random("near misses")
    for problem in problems:
        if problem.gold != "sat":
            continue
        size = len(problem.variables)
        for values in near_misses(problem, rng):
            certifier = Certifier(problem.variables, problem.formulas, AMPLE)
            broken = certifier.evaluate(values)
            named = {variable for id in broken for variable in problem.formulas[id].variables}
            conflict = minimised_conflict(certifier, values)
            asked = ask_for(certifier, conflict, values)
            found[size].append(
                Kept(
                    conflict=len(conflict.keep) / size,
                    violated=(size - len(named)) / size,
                    core=len(upstream_core(certifier, values).keep) / size,
                    asked=(size - len(asked)) / size if asked else 0.0,
                    broken=len(broken),
                )
            )
    return dict(sorted(found.items()))


def show(title: str, found: Mapping[int, Sequence[Kept]]) -> None:
    print(f"\n{title}: median share of the variables that are kept")
    print("variables  candidates  broken  conflict  violated  core  while asked")
    for size, kept in found.items():
        columns = [[one.conflict for one in kept], [one.violated for one in kept], [one.core for one in kept]]
        conflict, violated, core = map(median, columns)
        asked = median(one.asked for one in kept)
        broken = mean(one.broken for one in kept)
        print(f"{size:9}{len(kept):12}{broken:8.1f}{conflict:10.2f}{violated:10.2f}{core:6.2f}{asked:13.2f}")


@pytest.mark.slow
def test_half_of_the_variables_and_more_are_kept_of_sparse_problems() -> None:
    found = measured(generate_linear(7, 90))
    show("sparse", found)
    assert set(found) == set(range(4, 13))
    for size, kept in found.items():
        if size >= 8:
            assert median(one.conflict for one in kept) >= 0.5
        # One broken constraint is never about more than all of them are.
        assert all(one.conflict >= one.violated for one in kept)


@pytest.mark.slow
def test_nothing_is_kept_where_every_constraint_is_about_all_variables() -> None:
    found = measured(generate_upstream(7, 6))
    show("dense", found)
    assert found
    assert {one.conflict for kept in found.values() for one in kept} == {0.0}
    assert {one.asked for kept in found.values() for one in kept} == {0.0}
