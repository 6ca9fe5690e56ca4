"""Rewritten problems look different and have the same solutions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Gold, Requirement, SearchProblem
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.suites.cegvr.files import notation, problem_to_json, read_problem
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES, rewrite, word
from holdtrue_lab.suites.cegvr.transfer import make_transfer
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, Z, constraints, linear_constraints, read_words
from tests.solving.brute import witnesses


@settings(max_examples=80, deadline=None)
@given(formula=constraints, seed=st.integers(0, 99))
def test_what_is_told_is_what_is_meant(formula: Formula, seed: int) -> None:
    text = word(formula, Random(seed))
    assert witnesses(VARIABLES, [read_words(text)]) == witnesses(VARIABLES, [formula]), text


def problem_of(formulas: Sequence[Formula]) -> SearchProblem:
    """Return a problem with the label by brute force, and its last solution planted."""
    found = witnesses(VARIABLES, formulas)
    gold: Gold = "sat" if found else "unsat"
    return SearchProblem(
        id=f"p-{gold}",
        suite="cegvr",
        domain="linear",
        variables=tuple(VARIABLES),
        constraints=tuple(
            Requirement(f"c{number}", notation(formula), formula) for number, formula in enumerate(formulas, 1)
        ),
        gold=gold,
        difficulty="medium",
        setting=("x1 is counted before x2.",),
        metadata={"planted": found[-1]} if found else {"smallest_mus": 1, "mus": ["c1"]},
    )


MIXED = problem_of([X + 2 * Y >= 1, AllDifferent((X, Y, Z)), Z.eq(1), (X <= 2) | (Y.eq(1)), X - 3 * Z <= 0])


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=12, deadline=None)
@given(formulas=st.lists(constraints | linear_constraints(), min_size=1, max_size=3), seed=st.integers(0, 99))
def test_it_has_the_same_solutions(family: str, formulas: list[Formula], seed: int) -> None:
    problem = problem_of(formulas)
    made = rewrite(problem, family, seed)
    names = dict(zip((v.name for v in made.variables), (v.name for v in problem.variables), strict=True))
    found = witnesses(made.variables, made.formulas.values())
    assert [{names[name]: value for name, value in witness.items()} for witness in found] == witnesses(
        problem.variables, problem.formulas.values()
    )
    assert (made.metadata["planted"] == found[-1]) if found else ("planted" not in made.metadata)
    assert made.gold == problem.gold


@pytest.mark.parametrize("family", FAMILIES)
def test_it_knows_where_it_comes_from(family: str) -> None:
    made = rewrite(MIXED, family, 1)
    assert (made.id, made.variant, made.base) == (f"p-sat~{family}", family, "p-sat")
    assert (made.domain, made.difficulty, made.gold) == (MIXED.domain, MIXED.difficulty, MIXED.gold)
    assert made.metadata["proved_by"] == ["sat", "z3"]
    assert made == rewrite(MIXED, family, 1)
    assert texts_of(made) != texts_of(MIXED)
    assert len({tuple(texts_of(rewrite(MIXED, family, seed))) for seed in range(20)}) > 1


def texts_of(problem: SearchProblem) -> list[str]:
    return [
        *(variable.name for variable in problem.variables),
        *(constraint.text for constraint in problem.constraints),
    ]


def test_problems_that_are_no_sums_are_rewritten_too() -> None:
    for kind in ("sudoku4", "schedule"):
        for problem in make_transfer(kind, 2, 4)[2:]:
            for family in FAMILIES:
                made = rewrite(problem, family, 0)
                assert made.gold == problem.gold
                assert read_problem(json.loads(json.dumps(problem_to_json(made)))) == made


@pytest.mark.parametrize("family", ["shuffled", ""])
def test_other_families_are_refused(family: str) -> None:
    with pytest.raises(SettingsError, match="scaled, permuted, renamed, reworded"):
        rewrite(MIXED, family, 0)


def test_a_rewriting_is_not_rewritten_again() -> None:
    with pytest.raises(SettingsError, match="rewrite p-sat instead"):
        rewrite(rewrite(MIXED, "scaled", 0), "renamed", 0)


def test_names_can_run_out() -> None:
    names = [f"{letter}1" for letter in "xyvnpk"] + [f"name{number}" for number in range(30)]
    taken: Mapping[str, Variable] = {name: Variable(name, IntSort(0, 1)) for name in names}
    wanted = (Requirement("c1", "x1 = 1", taken["x1"].eq(1)),)
    problem = replace(MIXED, variables=tuple(taken.values()), constraints=wanted, metadata={})
    with pytest.raises(SettingsError, match="every name"):
        rewrite(problem, "renamed", 0)
