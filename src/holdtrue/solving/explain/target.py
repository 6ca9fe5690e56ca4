"""A *target* is an assignment to keep as far as possible. This module finds the consequences of its values.

The first values of a few open variables are found by trial, which is quicker than a solver for few values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from math import prod

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import BackgroundConflict, Core, Id, Nearest, Unsatisfiable, Witness


class Target:
    """A `Target` is a complete or partial assignment for `soft` and the engine's variables. `frozen` values must stay.

    Formulas that the values decide are evaluated at once, so that engines get only a small part of a long ledger.
    Raises `FormulaError` for a variable that the engine does not have, and for a frozen one without a value.
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
        """The values that may change, in the engine's order."""
        self.conflicts: list[list[str]] = []
        """Sets of movable names. In each, one must change. An empty set means that the frozen values are impossible."""
        self._variables = engine.variables
        self._background = engine.background
        self._soft = soft
        self._kept = self._evaluate()

    def _evaluate(self) -> set[Id]:
        """Fill `conflicts`, and return the ids of the formulas that the values satisfy."""
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
        """Complete the fixed values with the first values for all other variables, by trial.

        If no completion exists, return the names of values that together exclude every completion. Return None if no
        movable value is among these, or if the deadline leaves too little time. At least one variable of each conflict
        must be open.
        """
        if not all(self.conflicts):
            return None
        open = [variable for variable in self._variables if variable.name not in fixed]
        tried = try_values(open, fixed, chain(self._background, self._soft.values()), deadline)
        return None if isinstance(tried, frozenset) and self.movable.keys().isdisjoint(tried) else tried

    def result(self, witness: Witness, *, optimal: bool) -> Nearest:
        """Return the witness as a `Nearest` with the names that it changes."""
        return Nearest(witness, tuple(name for name, old in self.movable.items() if witness[name] != old), optimal)

    def unsettled(self, fixed: Mapping[str, int]) -> Soft:
        """Return the formulas that are still undecided if only the `fixed` values are kept."""
        open = frozenset(variable for variable in self._variables if variable.name not in fixed)
        kept = self._kept
        return {
            id: formula
            for id, formula in self._soft.items()
            if id not in kept or not formula.variables.isdisjoint(open)
        }


class TargetSearch:
    """The common state of a search near a target: the question, and the rest of one budget."""

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


MOST_TRIED = 200
"""The most combinations of values to try, at about a microsecond each. Beyond that a solver is quicker."""


MOST_VALUES = 5_000
"""The most values that all open variables may have together. A solver handles wider variables."""


def try_values(
    open: Sequence[Variable], kept: Mapping[str, int], formulas: Iterable[Formula], deadline: Deadline
) -> Witness | frozenset[str] | None:
    """Complete the `kept` values with the lexicographically first values of the open variables that satisfy all
    formulas.

    If no such values exist, return the names of kept variables that exclude them (a core, not minimal). Return None if
    there is too much to try, or if the deadline passes. Formulas about kept variables alone must hold already.
    This is chronological backtracking: a formula is evaluated as soon as its last open variable has a value.
    """
    sizes = [variable.sort.size for variable in open]
    if None in sizes or sum(size or 0 for size in sizes) > MOST_VALUES:
        return None
    search = _Search(open, kept, deadline)
    among = frozenset(open)
    for formula in formulas:
        touched = among & formula.variables
        if touched:
            search.learn(formula, touched)
    try:
        search.narrow()
        if prod(map(len, search.domains)) > MOST_TRIED:
            return None
        return search.values if search.extend(0) else search.reasons()
    except TimeoutError:
        return None


class _Search:
    """The state of a trial: the open variables, their formulas, and the reasons why values were excluded."""

    def __init__(self, open: Sequence[Variable], kept: Mapping[str, int], deadline: Deadline) -> None:
        self.values = dict(kept)
        self.domains: list[list[int]] = []
        """The values of each open variable that satisfy the formulas about it and kept variables alone."""
        self._open = open
        self._deadline = deadline
        self._order = [variable.name for variable in open]
        self._kept = kept
        self._alone: list[list[Formula]] = [[] for _ in open]
        self._due: list[list[Formula]] = [[] for _ in open]
        self._taken: list[dict[int, str]] = [{} for _ in open]
        self._failed: dict[int, Formula] = {}
        self._reached = 0

    def learn(self, formula: Formula, touched: frozenset[Variable]) -> None:
        """Add a formula about some of the open variables."""
        order = self._order
        places = [order.index(variable.name) for variable in touched]
        if isinstance(formula, AllDifferent) and formula.variables == frozenset(formula.terms):
            kept = self._kept
            taken = {kept[variable.name]: variable.name for variable in formula.variables if variable not in touched}
            if len(taken) + len(touched) == len(formula.terms):  # the kept values differ
                for place in places:
                    self._taken[place].update(taken)
                if len(places) == 1:
                    return
        if len(places) == 1:
            self._alone[places[0]].append(formula)
        else:
            self._due[max(places)].append(formula)

    def narrow(self) -> None:
        """Compute `domains`."""
        values = self.values
        for variable, taken, alone in zip(self._open, self._taken, self._alone, strict=True):
            name, left = variable.name, []
            for value in variable.sort.values:
                if value in taken:
                    continue
                self._deadline.check()  # for every value, because one may occur in thousands of formulas
                values[name] = value
                for formula in alone:
                    if not formula.holds(values):
                        break
                else:
                    left.append(value)
            self.domains.append(left)

    def extend(self, place: int) -> bool:
        """Give values to the open variables from this place on. Return whether that is possible."""
        if place == len(self._order):
            return True
        self._reached = max(self._reached, place)
        name, values, due = self._order[place], self.values, self._due[place]
        for value in self.domains[place]:
            self._deadline.check()
            values[name] = value
            for formula in due:
                if not formula.holds(values):
                    self._failed[id(formula)] = formula
                    break
            else:
                if self.extend(place + 1):
                    return True
        return False

    def reasons(self) -> frozenset[str]:
        """Return the names of kept variables that together exclude all values, preferably few."""
        order, values = self._order, self.values
        named = {variable.name for formula in self._failed.values() for variable in formula.variables}
        choices = []
        for place in range(self._reached + 1):
            variable, taken = self._open[place], self._taken[place]
            about = [(formula.holds, {one.name for one in formula.variables}) for formula in self._alone[place]]
            for value in variable.sort.values:
                self._deadline.check()
                values[variable.name] = value
                options = [names for holds, names in about if not holds(values)]
                if value in taken:
                    options.append({taken[value]})
                if len(options) == 1:
                    named |= options[0]
                elif options:
                    choices.append(options)
        for options in choices:
            if not any(names <= named for names in options):
                named |= options[0]
        return frozenset(named.difference(order))
