"""The first values for a few open variables, by trying them: quicker than a solver where there are few to try."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.result import Witness

MOST_TRIED = 200
"""So many combinations of values are tried, at about a microsecond each; beyond, a solver is quicker."""


def can_be_tried(open: Sequence[Variable]) -> bool:
    """Whether the variables have few enough combinations of values."""
    return prod(variable.sort.size for variable in open) <= MOST_TRIED


def first_by_trial(open: Sequence[Variable], settled: Mapping[str, int], formulas: Iterable[Formula]) -> Witness | None:
    """The settled values, and the lexicographically first ones of the open variables that keep all formulas.

    None where there are none. Formulas that are about settled variables alone are not looked at. Chronological
    backtracking: a formula is evaluated as soon as its last open variable has a value.
    """
    places = {variable.name: place for place, variable in enumerate(open)}
    due: list[list[Formula]] = [[] for _ in open]
    for formula in formulas:
        last = max((places.get(variable.name, -1) for variable in formula.variables), default=-1)
        if last >= 0:
            due[last].append(formula)
    values = dict(settled)

    def extend(place: int) -> bool:
        if place == len(open):
            return True
        name, sort = open[place].name, open[place].sort
        for value in range(sort.low, sort.high + 1):
            values[name] = value
            if all(formula.holds(values) for formula in due[place]) and extend(place + 1):
                return True
        return False

    return values if extend(0) else None
