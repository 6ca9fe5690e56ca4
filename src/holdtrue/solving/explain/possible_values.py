"""Find the values that each variable can still have, and count the witnesses of a theory, up to a bound.

A value is possible if some witness has it, and every witness counts for all variables. The engine is asked only about
values that no witness has shown yet: first which variables have one value left, by the iterative algorithm for
backbones (Janota, Lynce and Marques-Silva, "Algorithms for computing backbones of propositional formulae", AI
Communications 2015), then the other values one by one. Of a variable with many values only the least and the greatest
possible one are looked for, by bisection. Towards an open end the steps grow first, up to `FARTHEST`.

Witnesses are counted by enumeration without blocking clauses, so that nothing is left behind in a kept engine: each
witness splits what is still open by the value of one variable after the other, and the parts are asked about in turn
(as AllSAT solvers do it by backtracking: Grumberg, Schuster and Yadgar, "Memory efficient all-solutions SAT solver",
FMCAD 2004).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.intervals import Range
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import PossibleValues, Satisfiable, Unknown, Unsatisfiable, Witness, WitnessCount

LISTED = 50
"""Of a variable with more values than this, only the range is looked for."""

FARTHEST = 2**128
"""Where values are possible so far towards an open end, they are taken to go on, and nothing is proved of the rest."""

PROBE = "=?"
"""The id of a question of this file's own; ids that start with '=' are the engine's (`engine.fixed_id`)."""


def possible_values(
    engine: Engine, soft: Soft, budget: Budget, *, listed: int = LISTED
) -> dict[str, PossibleValues] | Unsatisfiable | Unknown:
    """Return the values that `soft` and the background leave each variable, by its name, in the engine's order.

    A variable with at most `listed` values gets all that are possible, any other the least and the greatest. Where
    there is no least one before `FARTHEST`, what is `open` begins without an end, and so for the greatest. The result
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
        size = variable.sort.size
        self.wide = size is None or size > listed
        self.seen: set[int] = set()
        self.gone: set[int] = set()
        self.endless_below = self.endless_above = False
        """Values are possible beyond `FARTHEST` in this direction."""
        self.reason: str | None = None

    @property
    def least(self) -> int:
        return min(self.seen)

    @property
    def greatest(self) -> int:
        return max(self.seen)

    def result(self) -> PossibleValues:
        values, open = self._ends() if self.wide else self._listed()
        below = self.endless_below or self.low == self.least
        all_asked = not open or (self.wide and below and (self.endless_above or self.high == self.greatest))
        return PossibleValues(values, open, None if all_asked else self.reason)

    def _listed(self) -> tuple[tuple[int, ...], tuple[Range, ...]]:
        decided = self.seen | self.gone
        undecided = (value for value in IntSort(self.low, self.high).values if value not in decided)
        return tuple(sorted(self.seen)), tuple(runs(undecided))

    def _ends(self) -> tuple[tuple[int, ...], tuple[Range, ...]]:
        ends = set[int]()
        if not self.endless_below:
            ends.add(self.least)
        if not self.endless_above:
            ends.add(self.greatest)
        values = sorted(ends or {min(self.seen, key=lambda value: (abs(value), -value))})
        lows = (self.low, *(value + 1 for value in values))
        highs = (*(value - 1 for value in values), self.high)
        parts = zip(lows, highs, strict=True)
        return tuple(values), tuple((low, high) for low, high in parts if low is None or high is None or low <= high)


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
        if len(known.seen) == 1 and known.low != known.high:
            value = known.least
            if self._possible(known, known.variable.ne(value)) is False:
                known.low = known.high = value

    def _list(self, known: _Known) -> None:
        for value in IntSort(known.low, known.high).values:
            if value not in known.seen and self._possible(known, fixed={known.variable.name: value}) is False:
                known.gone.add(value)

    def _bound_below(self, known: _Known) -> None:
        low = known.low if known.low is not None else self._least_within(known)
        most = low  # often all is possible; then one question shows it
        while low is not None and most is not None and low < known.least:
            possible = self._possible(known, known.variable <= most)
            if possible is None:
                return
            if not possible:
                known.low = low = most + 1
            most = (low + known.least - 1) // 2

    def _bound_above(self, known: _Known) -> None:
        high = known.high if known.high is not None else self._greatest_within(known)
        least = high
        while high is not None and least is not None and known.greatest < high:
            possible = self._possible(known, known.variable >= least)
            if possible is None:
                return
            if not possible:
                known.high = high = least - 1
            least = (known.greatest + high + 2) // 2

    def _least_within(self, known: _Known) -> int | None:
        """Find a value below which there is none, or None where there may be no such."""
        for step in _steps():
            beyond = known.least - step
            possible = self._possible(known, known.variable <= beyond)
            if possible is None:
                return None
            if not possible:
                known.low = beyond + 1
                return known.low
        known.endless_below = True
        return None

    def _greatest_within(self, known: _Known) -> int | None:
        """Find a value above which there is none, or None where there may be no such."""
        for step in _steps():
            beyond = known.greatest + step
            possible = self._possible(known, known.variable >= beyond)
            if possible is None:
                return None
            if not possible:
                known.high = beyond - 1
                return known.high
        known.endless_above = True
        return None

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


def _steps() -> Iterator[int]:
    """1, 2, 4, 16, 256...: each the square of the one before, up to `FARTHEST`."""
    yield 1
    step = 2
    while step <= FARTHEST:
        yield step
        step *= step


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


LEAST, GREATEST = "=>=", "=<="
"""The ids of a part's bounds in a question; ids that start with '=' are the engine's (`engine.fixed_id`)."""


@dataclass(frozen=True, slots=True)
class _Part:
    """All assignments with these values, and a value from `low` to `high` for the variable at `place`.

    An end that is None is open.
    """

    pinned: Mapping[str, int]
    place: int
    low: int | None
    high: int | None


def count_witnesses(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    *,
    most: int = 1_000,
    variables: Sequence[str] | None = None,
    fixed: Mapping[str, int] | None = None,
) -> WitnessCount:
    """Return the number of different witnesses of `soft` and the background, exact below `most`.

    With `variables`, the number of different values that witnesses give to these (projected counting). At most
    two questions for each value that is met. Raises `FormulaError` for a variable that the engine does not have.
    """
    known = {variable.name: variable for variable in engine.variables}
    foreign = set(variables or ()) - known.keys()
    if foreign:
        raise FormulaError(f"the engine has no variable {min(foreign)!r}")
    deadline = budget.start()
    fixed = fixed or {}
    names = dict.fromkeys(known if variables is None else variables)
    split = [known[name] for name in names if name not in fixed]
    result = engine.decide(soft, budget, fixed=fixed)
    part = _Part(fixed, 0, *_range(split[0])) if split else _Part(fixed, 0, 0, 0)
    count, parts = 0, list[_Part]()
    while True:
        if isinstance(result, Unknown):
            return WitnessCount(count, False, result.reason)
        if isinstance(result, Satisfiable):
            count += 1
            parts += _others(part, split, result.witness)
        if not parts:
            return WitnessCount(count, True)
        if count >= most:
            return WitnessCount(count, False, f"the bound of {most} was reached")
        part = parts.pop()
        variable = split[part.place]
        question = dict(soft)
        if part.low is not None:
            question[LEAST] = variable >= part.low
        if part.high is not None:
            question[GREATEST] = variable <= part.high
        result = engine.decide(question, budget.until(deadline), fixed=part.pinned)


def _others(part: _Part, split: Sequence[Variable], witness: Witness) -> Iterator[_Part]:
    """The part without the witness, as parts that do not overlap."""
    pinned, low, high = dict(part.pinned), part.low, part.high
    for place, variable in enumerate(split[part.place :], part.place):
        value = witness[variable.name]
        if low is None or low < value:
            yield _Part(pinned.copy(), place, low, value - 1)
        if high is None or value < high:
            yield _Part(pinned.copy(), place, value + 1, high)
        pinned[variable.name] = value
        if place + 1 < len(split):
            low, high = _range(split[place + 1])


def _range(variable: Variable) -> tuple[int | None, int | None]:
    return variable.sort.low, variable.sort.high
