"""A few steps from a witness that has become wrong: often all that one more turn asks for, and no solver is needed.

A move of local search (Selman, Levesque and Mitchell, "A new method for solving hard satisfiability problems",
AAAI 1992), tried on the values of one broken formula: a variable gets another value, or exchanges it with another
variable that has it already, which keeps values apart that must differ.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import Sort
from holdtrue.solving.result import Witness

MOST_TRIED = 5_000
"""So many values are tried for one step, some milliseconds of work; a solver needs no more from there on."""

MOST_STEPS = 3
"""So many steps a walk has, each on another variable; further ones were hardly ever of use."""

MOST_BROKEN = 4
"""A step that leaves so many formulas broken leads nowhere."""

MOST_IN_A_WALK = 100_000
"""So many formulas may be evaluated in a walk, if each value broke none until the last: tens of milliseconds."""

MOST_PARTNERS = 50
"""Among more variables of a sort, looking for one to exchange with costs more than it saves."""


class Neighbourhood:
    """The steps that can be taken in a theory; `about` are the formulas that stand, by variable."""

    def __init__(self, variables: Sequence[Variable], about: Mapping[str, Sequence[Formula]]) -> None:
        self._about = about
        self._sorts: dict[str, Sort] = {variable.name: variable.sort for variable in variables}
        self._partners: dict[Sort, list[str]] = {}
        for variable in variables:
            self._partners.setdefault(variable.sort, []).append(variable.name)

    def step(
        self, witness: Witness, broken: Sequence[Formula], others: Sequence[Formula], fixed: Container[str]
    ) -> Witness | None:
        """A witness a step away that keeps `others` and everything about what has changed; None if none is found soon.

        `broken`, one at least, are those that `witness` does not keep; it keeps all else that stands. `fixed` names
        variables that must stay.
        """
        values, tried = dict(witness), 0
        first, rest = broken[0].holds, [*broken[1:], *others]
        for name in sorted([variable.name for variable in broken[0].variables if variable.name not in fixed]):
            old, sort = values[name], self._sorts[name]
            partners = self._partners[sort]
            values_of = sort.values  # those of an open sort a solver finds, which is not SAT
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
        """A witness a few steps away that keeps `others` and all that stands; None if none is found soon.

        Each step gives one variable of a formula that is broken the value by which the fewest formulas are broken then,
        and no variable is given a value twice. `broken` and `fixed` are as in `step`.
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
        """Return the value of a variable that keeps `wanted` and breaks the fewest formulas about it, and these.

        None where each value breaks as many as `below`, or more.
        """
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
    """Return whether the values keep all the formulas."""
    for formula in formulas:  # noqa: SIM110  a generator would cost as much as the formulas do
        if not formula.holds(values):
            return False
    return True
