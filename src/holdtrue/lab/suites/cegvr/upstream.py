"""Generate problems in the dense form of the published study: every constraint is about all variables.

An impossible problem is so because of one sum that is too large for the bounds. This form is kept for comparison: it
shows why the study could not tell variables worth revising from others, as they are always all variables.
"""

from __future__ import annotations

from random import Random

from holdtrue.kinds.search.problem import Gold, Requirement, SearchProblem
from holdtrue.lab.suites.cegvr import NAME
from holdtrue.lab.suites.cegvr.notation import notation
from holdtrue.lab.suites.cegvr.prove import proved
from holdtrue.lab.suites.cegvr.schema import RELATIONS, linear_formula
from holdtrue.lab.suites.cegvr.structure import difficulty_of, golds
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort, bounded

DENSE = "dense"
"""The domain of these problems in our reports."""
LARGEST_COEFFICIENT, LARGEST_SLACK, LARGEST_EXCESS = 5, 4, 3


def generate_upstream(seed: int, count: int, sat_ratio: float = 0.6) -> list[SearchProblem]:
    """Return `count` problems, a share `sat_ratio` of them satisfiable, each with a label that was proved twice.

    Raises `SettingsError` for impossible numbers, and `EngineFault` if two provers disagree.
    """
    return [
        _draw(Random(f"{seed}/{NAME}/{DENSE}/{index}"), f"{DENSE}-{seed}-{index:04d}", gold)
        for index, gold in enumerate(golds(count, sat_ratio))
    ]


def _draw(rng: Random, id: str, gold: Gold) -> SearchProblem:
    variables = [Variable(f"x{number}", IntSort(0, rng.randint(6, 12))) for number in range(1, rng.randint(3, 6) + 1)]
    witness = {one.name: rng.choice(one.sort.values) for one in variables}
    constraints = rng.randint(len(variables) + 1, 2 * len(variables) + 2)
    too_large = rng.randrange(constraints) if gold == "unsat" else None
    formulas = {}
    for place in range(constraints):
        terms = [(rng.randint(1, LARGEST_COEFFICIENT), one) for one in variables]
        relation = rng.choice(RELATIONS)
        value = sum(coefficient * witness[one.name] for coefficient, one in terms)
        rhs = value + {"<=": 1, ">=": -1, "=": 0}[relation] * rng.randint(0, LARGEST_SLACK)
        if place == too_large:
            most = sum(coefficient * bounded(one.sort)[1] for coefficient, one in terms)
            relation, rhs = ">=", most + rng.randint(1, LARGEST_EXCESS)
        formulas[f"c{place + 1}"] = linear_formula(terms, relation, rhs)
    problem = SearchProblem(
        id=id,
        suite=NAME,
        domain=DENSE,
        variables=tuple(variables),
        constraints=tuple(Requirement(name, notation(formula), formula) for name, formula in formulas.items()),
        gold=gold,
        difficulty=difficulty_of(variables, formulas.values()),
        metadata={"planted": witness} if gold == "sat" else {"smallest_mus": 1},
    )
    return proved(problem)
