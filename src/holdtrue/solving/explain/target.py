"""A target: values to keep as far as possible, and what they settle of a theory by themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from holdtrue.errors import FormulaError
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Id


class Target:
    """The values of an assignment, complete or not; the `frozen` ones must stay.

    What the values settle is found by evaluation, so that engines are asked about little of a long ledger. Raises
    `FormulaError` for a variable that the engine does not have, and for a frozen one without a value.
    """

    def __init__(self, engine: Engine, soft: Soft, values: Mapping[str, int], frozen: Collection[str]) -> None:
        names = [variable.name for variable in engine.variables]
        foreign = values.keys() - names
        if foreign:
            raise FormulaError(f"the engine has no variable {min(foreign)!r}")
        without = [name for name in frozen if name not in values]
        if without:
            raise FormulaError(f"frozen, but without a target value: {', '.join(without)}")
        self.frozen = {name: values[name] for name in frozen}
        self.movable = {name: values[name] for name in names if name in values and name not in self.frozen}
        """What may change, in the engine's order."""
        self.conflicts: list[list[str]] = []
        """Of each of these, one at least has to change."""
        self._variables = engine.variables
        self._soft = soft
        self._kept = self._evaluate()

    def _evaluate(self) -> set[Id]:
        """Find the conflicts; the ids of what holds under the values."""
        movable, values = self.movable, self.movable | self.frozen
        valued = []
        for variable in self._variables:
            name = variable.name
            if name in values:
                if variable.sort.low <= values[name] <= variable.sort.high:
                    valued.append(variable)
                elif name in movable:
                    self.conflicts.append([name])
        given, kept = frozenset(valued), set()
        for id, formula in self._soft.items():
            if formula.variables <= given:
                if formula.holds(values):
                    kept.add(id)
                else:
                    self.conflicts.append([variable.name for variable in formula.variables if variable.name in movable])
        return kept

    def unsettled(self, fixed: Mapping[str, int]) -> Soft:
        """What of the theory is still in question where these of the values are kept."""
        open = frozenset(variable for variable in self._variables if variable.name not in fixed)
        kept = self._kept
        return {
            id: formula
            for id, formula in self._soft.items()
            if id not in kept or not formula.variables.isdisjoint(open)
        }
