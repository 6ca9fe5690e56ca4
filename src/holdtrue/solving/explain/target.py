"""A target: values to keep as far as possible, and what they settle of a theory by themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.trial import try_values
from holdtrue.solving.result import BackgroundConflict, Core, Id, Nearest, Unsatisfiable, Witness


class Target:
    """A `Target` has the values of an assignment, complete or not; the `frozen` ones must stay.

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
        """Of each of these, one at least has to change; an empty one says that the frozen values alone are wrong."""
        self._variables = engine.variables
        self._background = engine.background
        self._soft = soft
        self._kept = self._evaluate()

    def _evaluate(self) -> set[Id]:
        """Find the conflicts; the ids of what holds under the values."""
        movable, values = self.movable, self.movable | self.frozen
        valued = []
        for variable in self._variables:
            name = variable.name
            if name in values:
                if values[name] in variable.sort:
                    valued.append(variable)
                else:
                    self.conflicts.append([name] if name in movable else [])
        given = frozenset(valued)
        complete = len(given) == len(self._variables)
        kept, broken = set(), []
        for id, formula in self._soft.items():
            if complete or formula.variables <= given:
                if formula.holds(values):
                    kept.add(id)
                else:
                    broken.append(formula)
        broken += [f for f in self._background if (complete or f.variables <= given) and not f.holds(values)]
        for formula in broken:
            self.conflicts.append([variable.name for variable in formula.variables if variable.name in movable])
        return kept

    def extend(self, fixed: Mapping[str, int], deadline: Deadline) -> Witness | frozenset[str] | None:
        """Return these of the values with the first ones for all other variables, by trial; or some that rule all out.

        None where there is too much to try before the deadline, or where the reason is not one of the values that may
        change. Of each conflict, something must be left open.
        """
        if not all(self.conflicts):
            return None
        open = [variable for variable in self._variables if variable.name not in fixed]
        tried = try_values(open, fixed, chain(self._background, self._soft.values()), deadline)
        return None if isinstance(tried, frozenset) and self.movable.keys().isdisjoint(tried) else tried

    def result(self, witness: Witness, *, optimal: bool) -> Nearest:
        """Return the witness as an answer near this target, with the names of what it changes."""
        return Nearest(witness, tuple(name for name, old in self.movable.items() if witness[name] != old), optimal)

    def unsettled(self, fixed: Mapping[str, int]) -> Soft:
        """Return what of the theory is still in question where these of the values are kept."""
        open = frozenset(variable for variable in self._variables if variable.name not in fixed)
        kept = self._kept
        return {
            id: formula
            for id, formula in self._soft.items()
            if id not in kept or not formula.variables.isdisjoint(open)
        }


class TargetSearch:
    """A `TargetSearch` holds what a search near a target needs: the question, and what is left of one budget."""

    def __init__(self, engine: Engine, soft: Soft, target: Target, budget: Budget) -> None:
        self._engine = engine
        self._soft = soft
        self._target = target
        self._budget = budget
        self._deadline = budget.start()

    @property
    def _left(self) -> Budget:
        return self._budget.until(self._deadline)

    def _impossible(self, core: Core) -> Core | BackgroundConflict:
        alone = self._engine.decide({}, self._left)
        return BackgroundConflict() if isinstance(alone, Unsatisfiable) else core
