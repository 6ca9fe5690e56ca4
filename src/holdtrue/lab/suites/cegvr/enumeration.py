"""Prove labels by trying all values, without a solver: this is slow, and its code is short enough to be trusted.

A comparison of sums cuts a branch as soon as no values of the variables that are still open can make it true; any
other formula is evaluated once its last variable has a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.logic.formula import Compare, Formula, Variable, linear
from holdtrue.logic.sorts import bounded
from holdtrue.solving.result import Witness


class _Sum:
    """A bounded sum, `low <= sum of factor * variable <= high`, with what variables without a value can still add."""

    def __init__(self, factors: Mapping[str, int], low: float, high: float, order: Sequence[Variable]) -> None:
        self.factors = [factors.get(variable.name, 0) for variable in order]
        self.low, self.high = low, high
        self.least, self.most = [0], [0]
        """At each place, the least and the most that the variables from there on add."""
        for factor, variable in zip(reversed(self.factors), reversed(order), strict=True):
            ends = sorted(factor * end for end in bounded(variable.sort))
            self.least.insert(0, self.least[0] + ends[0])
            self.most.insert(0, self.most[0] + ends[1])

    def possible(self, total: int, place: int) -> bool:
        """Return whether the sum can still be within its bounds, if the variables before `place` add up to `total`."""
        return total + self.most[place] >= self.low and total + self.least[place] <= self.high


def first_assignment(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Witness | None:
    """Return the lexicographically first values, in the variables' order, with which all formulas hold, or None."""
    sums: list[_Sum] = []
    due: list[list[Formula]] = [[] for _ in range(len(variables) + 1)]
    places = {variable.name: place for place, variable in enumerate(variables, start=1)}
    for formula in formulas:
        found = _as_sum(formula, variables)
        if found is not None:
            sums.append(found)
        else:
            due[max((places[variable.name] for variable in formula.variables), default=0)].append(formula)
    values: dict[str, int] = {}

    def extend(place: int, totals: Sequence[int]) -> bool:
        if not all(one.possible(total, place) for one, total in zip(sums, totals, strict=True)):
            return False
        if not all(formula.holds(values) for formula in due[place]):
            return False
        if place == len(variables):
            return True
        variable = variables[place]
        for value in variable.sort.values:
            values[variable.name] = value
            if extend(place + 1, [total + one.factors[place] * value for one, total in zip(sums, totals, strict=True)]):
                return True
        return False

    return values if extend(0, [0] * len(sums)) else None


def _as_sum(formula: Formula, order: Sequence[Variable]) -> _Sum | None:
    """A comparison of variables as a sum between two ends; None for anything else."""
    if not isinstance(formula, Compare) or formula.op == "!=":
        return None
    form = linear(formula.left - formula.right)
    factors: dict[str, int] = {}
    for atom, factor in form.factors:
        if not isinstance(atom, Variable):
            return None
        factors[atom.name] = factor
    strict = 1 if formula.op in ("<", ">") else 0
    low = -form.constant + strict if formula.op in (">=", ">", "==") else float("-inf")
    high = -form.constant - strict if formula.op in ("<=", "<", "==") else float("inf")
    return _Sum(factors, low, high, order)
