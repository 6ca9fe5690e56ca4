"""One step from a witness that has become wrong: often all that one more turn asks for, and no solver is needed.

A move of local search (Selman, Levesque and Mitchell, "A new method for solving hard satisfiability problems",
AAAI 1992), tried on the values of one broken formula: a variable gets another value, or exchanges it with another
variable that has it already, which keeps values apart that must differ.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import Sort
from holdtrue.solving.result import Witness

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
        """A witness one step away that keeps `others` and everything about what has changed; None where none does.

        `broken`, one at least, are those that `witness` does not keep; it keeps all else that stands. `fixed` names
        variables that must stay.
        """
        values = dict(witness)
        for moved in self._moves(values, broken[0], fixed):
            if (
                all(formula.holds(values) for formula in broken)
                and all(formula.holds(values) for name in moved for formula in self._about[name])
                and all(formula.holds(values) for formula in others)
            ):
                return values
        return None

    def _moves(self, values: dict[str, int], broken: Formula, fixed: Container[str]) -> Iterator[tuple[str, ...]]:
        """The steps under which the formula holds, made in `values` one after the other; yields what has changed."""
        for name in sorted(variable.name for variable in broken.variables if variable.name not in fixed):
            old, sort = values[name], self._sorts[name]
            partners = self._partners[sort]
            for value in range(sort.low, sort.high + 1):
                values[name] = value
                if value == old or not broken.holds(values):
                    continue
                yield (name,)
                if len(partners) > MOST_PARTNERS:
                    continue
                for other in partners:
                    if other != name and values[other] == value and other not in fixed:
                        values[other] = old
                        if broken.holds(values):
                            yield name, other
                        values[other] = value
            values[name] = old
