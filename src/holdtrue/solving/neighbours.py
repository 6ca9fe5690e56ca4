"""Repair a witness that breaks a few formulas by changing a few values. One more turn often needs nothing else.

A step is a move of local search (Selman, Levesque and Mitchell, "A new method for solving hard satisfiability
problems", AAAI 1992). It changes a variable of a broken formula. The variable gets another value, or exchanges values
with a variable that has the wanted one. After an exchange, values that must differ still differ.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import Sort
from holdtrue.solving.result import Witness

MOST_TRIED = 5_000
"""The most values tried for one step, some milliseconds of work. Beyond that a solver is as quick."""

MOST_STEPS = 3
"""The most steps of a walk, each on another variable. Further steps hardly ever helped."""

MOST_BROKEN = 4
"""A step must leave fewer broken formulas than this."""

MOST_IN_A_WALK = 100_000
"""The most evaluations of formulas in a walk, tens of milliseconds, if each value needs all of its formulas."""

MOST_PARTNERS = 50
"""If more variables share a sort, no exchange is tried, because the search costs more than it saves."""


class Neighbourhood:
    """The possible steps in a theory. `about` lists the asserted formulas of each variable."""

    def __init__(self, variables: Sequence[Variable], about: Mapping[str, Sequence[Formula]]) -> None:
        self._about = about
        self._sorts: dict[str, Sort] = {variable.name: variable.sort for variable in variables}
        self._partners: dict[Sort, list[str]] = {}
        for variable in variables:
            self._partners.setdefault(variable.sort, []).append(variable.name)

    def step(
        self, witness: Witness, broken: Sequence[Formula], others: Sequence[Formula], fixed: Container[str]
    ) -> Witness | None:
        """Return a witness one step away that keeps `others` and all formulas about the changed variables, or None.

        `broken` lists the formulas, at least one, that `witness` breaks. The witness must keep all other asserted
        formulas. `fixed` names the variables that must keep their values.
        """
        values, tried = dict(witness), 0
        first, rest = broken[0].holds, [*broken[1:], *others]
        for name in sorted([variable.name for variable in broken[0].variables if variable.name not in fixed]):
            old, sort = values[name], self._sorts[name]
            partners = self._partners[sort]
            values_of = sort.values  # SAT has no variables of open sorts
            tried += len(values_of)
            if tried > MOST_TRIED:
                return None
            for value in values_of:
                values[name] = value
                if value == old or not first(values):
                    continue
                about = self._about[name]
                if all_hold(about, values) and all_hold(rest, values):
                    return values
                if len(partners) > MOST_PARTNERS:
                    continue
                for other in partners:
                    if values[other] == value and other != name and other not in fixed:
                        values[other] = old
                        if first(values) and all_hold((*about, *self._about[other], *rest), values):
                            return values
                        values[other] = value
            values[name] = old
        return None

    def walk(
        self, witness: Witness, broken: Sequence[Formula], others: Sequence[Formula], fixed: Container[str]
    ) -> Witness | None:
        """Return a witness a few steps away that keeps `others` and all asserted formulas, or None if none is found
        soon.

        Each step takes the first broken formula and changes one of its variables. It takes the change that leaves the
        fewest formulas broken. No variable is changed twice. `broken` and `fixed` are as in `step`.
        """
        values, left, moved = dict(witness), list(broken), set[str]()
        more: dict[str, list[Formula]] = {}
        for formula in others:
            for variable in formula.variables:
                more.setdefault(variable.name, []).append(formula)
        tried = 0
        for _ in range(MOST_STEPS):
            if not left:
                return values
            best: tuple[str, int, list[Formula]] | None = None
            wanted = left[0]
            for variable in sorted(wanted.variables, key=lambda own: own.name):
                name = variable.name
                if name in fixed or name in moved:
                    continue
                about = (*self._about[name], *more.get(name, ()))
                tried += len(self._sorts[name].values) * len(about)
                if tried > MOST_IN_A_WALK:
                    return None
                rest = [formula for formula in left if variable not in formula.variables]
                most = MOST_BROKEN if best is None else len(best[2])
                found = self._best_value(name, values, wanted, about, most - len(rest))
                if found is not None:
                    best = name, found[0], found[1] + rest
            if best is None:
                return None
            name, values[best[0]], left = best
            moved.add(name)
        return None if left else values

    def _best_value(
        self, name: str, values: dict[str, int], wanted: Formula, about: Sequence[Formula], below: int
    ) -> tuple[int, list[Formula]] | None:
        """Return the value that keeps `wanted` and breaks fewest of `about`, with these, if fewer than `below`."""
        old, best = values[name], None
        for value in self._sorts[name].values:
            if below <= 0:
                break
            values[name] = value
            if value == old or not wanted.holds(values):
                continue
            broken = []
            for formula in about:
                if not formula.holds(values):
                    broken.append(formula)
                    if len(broken) >= below:
                        break
            else:
                best, below = (value, broken), len(broken)
        values[name] = old
        return best


def all_hold(formulas: Iterable[Formula], values: Witness) -> bool:
    """Return whether all formulas hold under the values."""
    for formula in formulas:  # noqa: SIM110  a generator would cost as much as the formulas
        if not formula.holds(values):
            return False
    return True
