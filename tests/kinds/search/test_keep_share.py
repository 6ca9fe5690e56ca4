"""How much of a near miss can stay: a study over generated problems (`pytest -s` prints its table)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, median

import pytest

from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.conflict import ask_for, minimised_conflict, upstream_core
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue_lab.suites.cegvr.generate import generate_linear, generate_upstream
from tests.solving.brute import AMPLE

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
