"""Find the values that each variable can still have.

A value is possible if some witness has it, and every witness counts for all variables. The engine is asked only about
values that no witness has shown yet: first which variables have one value left, by the iterative algorithm for
backbones (Janota, Lynce and Marques-Silva, "Algorithms for computing backbones of propositional formulae", AI
Communications 2015), then the other values one by one. Of a variable with many values only the least and the greatest
possible one are looked for, by bisection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import PossibleValues, Satisfiable, Unknown, Unsatisfiable, Witness

LISTED = 50
"""Of a variable with more values than this, only the range is looked for."""

PROBE = "=?"
"""The id of a question of this file's own; ids that start with '=' are the engine's (`engine.fixed_id`)."""


def possible_values(
    engine: Engine, soft: Soft, budget: Budget, *, listed: int = LISTED
) -> dict[str, PossibleValues] | Unsatisfiable | Unknown:
    """Return the values that `soft` and the background leave each variable, by its name, in the engine's order.

    A variable with at most `listed` values gets all that are possible, any other the least and the greatest. The result
    is the same for every engine unless the budget ends first. `Unsatisfiable` says that `soft` cannot hold at all, and
    `Unknown` that the budget ended before this was known.
    """
    search = _Search(engine, soft, budget, listed)
    found = search.ask()
    if not isinstance(found, Satisfiable):
        return found
    search.run(found.witness)
    return {known.variable.name: known.result() for known in search.all}


class _Known:
    """A `_Known` tells what is known of a variable: values outside `low..high`, or in `gone`, are proved impossible."""

    def __init__(self, variable: Variable, listed: int) -> None:
        self.variable = variable
        self.low, self.high = variable.sort.low, variable.sort.high
        self.wide = variable.sort.size > listed
        self.seen: set[int] = set()
        self.gone: set[int] = set()
        self.reason: str | None = None

    @property
    def least(self) -> int:
        return min(self.seen)

    @property
    def greatest(self) -> int:
        return max(self.seen)

    def result(self) -> PossibleValues:
        values, open = self._ends() if self.wide else self._listed()
        all_asked = not open or (self.wide and (self.low, self.high) == (self.least, self.greatest))
        return PossibleValues(values, open, None if all_asked else self.reason)

    def _listed(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        decided = self.seen | self.gone
        undecided = (value for value in range(self.low, self.high + 1) if value not in decided)
        return tuple(sorted(self.seen)), tuple(runs(undecided))

    def _ends(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        least, greatest = self.least, self.greatest
        between = ((self.low, least - 1), (least + 1, greatest - 1), (greatest + 1, self.high))
        return tuple(sorted({least, greatest})), tuple(part for part in between if part[0] <= part[1])


class _Search:
    """The search for all that is possible, within one deadline."""

    def __init__(self, engine: Engine, soft: Soft, budget: Budget, listed: int) -> None:
        self._engine = engine
        self._soft = soft
        self._budget = budget
        self._deadline = budget.start()
        self.all = [_Known(variable, listed) for variable in engine.variables]

    def ask(
        self, probe: Formula | None = None, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        soft = self._soft if probe is None else {**self._soft, PROBE: probe}
        return self._engine.decide(soft, self._budget.until(self._deadline), fixed=fixed)

    def run(self, witness: Witness) -> None:
        self._learn(witness)
        # What is settled comes first: it says most, should time run out.
        for known in self.all:
            self._settle(known)
        for known in self.all:
            if known.wide:
                self._bound_below(known)
                self._bound_above(known)
            else:
                self._list(known)

    def _learn(self, witness: Witness) -> None:
        for known in self.all:
            known.seen.add(witness[known.variable.name])

    def _settle(self, known: _Known) -> None:
        """Is another value possible than the only one seen so far?"""
        if len(known.seen) == 1 and known.low < known.high:
            value = known.least
            if self._possible(known, known.variable.ne(value)) is False:
                known.low = known.high = value

    def _list(self, known: _Known) -> None:
        for value in range(known.low, known.high + 1):
            if value not in known.seen and self._possible(known, fixed={known.variable.name: value}) is False:
                known.gone.add(value)

    def _bound_below(self, known: _Known) -> None:
        most = known.low  # often all is possible; then one question shows it
        while known.low < known.least:
            possible = self._possible(known, known.variable <= most)
            if possible is None:
                return
            if not possible:
                known.low = most + 1
            most = (known.low + known.least - 1) // 2

    def _bound_above(self, known: _Known) -> None:
        least = known.high
        while known.greatest < known.high:
            possible = self._possible(known, known.variable >= least)
            if possible is None:
                return
            if not possible:
                known.high = least - 1
            least = (known.greatest + known.high + 2) // 2

    def _possible(
        self, known: _Known, probe: Formula | None = None, fixed: Mapping[str, int] | None = None
    ) -> bool | None:
        """Return whether something satisfies the question too, or None where that is not decided."""
        found = Unknown(OUT_OF_TIME) if self._deadline.passed else self.ask(probe, fixed)
        if isinstance(found, Unknown):
            known.reason = found.reason
            return None
        if isinstance(found, Satisfiable):
            self._learn(found.witness)
            return True
        return False


def runs(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Return ascending integers as ranges, both ends included: 1, 2, 3, 7 as (1, 3), (7, 7)."""
    low = high = None
    for value in values:
        if low is None or high is None:
            low = high = value
        elif value == high + 1:
            high = value
        else:
            yield low, high
            low = high = value
    if low is not None and high is not None:
        yield low, high
