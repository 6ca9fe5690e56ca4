"""Features of a linear problem that are visible without solving it."""

from __future__ import annotations

from statistics import mean

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.logic.formula import Compare, linear
from tests.logic.formulas import ends


def comparisons(problem: SearchProblem) -> list[Compare]:
    found = [one.formula for one in problem.constraints if isinstance(one.formula, Compare)]
    assert len(found) == len(problem.constraints)
    return found


def tightness(formula: Compare) -> float:
    """Return the share of its sum's range that a comparison excludes, from 0 to 1; of an equation the larger side."""
    form = linear(formula.left - formula.right)
    low, high = ends(formula.left)
    place = (-form.constant - low) / (high - low)
    return {"<=": 1 - place, ">=": place}.get(formula.op, max(place, 1 - place))


def features(problem: SearchProblem) -> dict[str, float]:
    formulas = comparisons(problem)
    coefficients = [factor for formula in formulas for _, factor in linear(formula.left).factors]
    tight = sorted(map(tightness, formulas))
    return {
        "variables": len(problem.variables),
        "constraints": len(formulas),
        "equations": sum(formula.op == "==" for formula in formulas),
        "at least": mean(formula.op == ">=" for formula in formulas),
        "coefficient": mean(coefficients),
        "size of coefficient": mean(map(abs, coefficients)),
        "right side": mean(-linear(formula.left - formula.right).constant for formula in formulas),
        "upper bound": mean(one.sort.values[-1] for one in problem.variables),
        "width": mean(len(formula.variables) for formula in formulas),
        "tightness": mean(tight),
        "tightest": tight[-1],
        "second tightest": tight[-2],
    }
