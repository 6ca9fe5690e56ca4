"""Find the values that each variable can still have, and count the witnesses of a theory up to a limit.

A value is possible if some witness has it, and every witness counts for all variables. So the engine is asked only
about values that no witness has shown yet. It is first asked which variables have a single value. This is the iterative
algorithm for backbones (Janota, Lynce and Marques-Silva, "Algorithms for computing backbones of propositional
formulae", AI Communications 2015). Then it is asked about the other values one by one. If a variable has many values,
bisection finds the least and the greatest possible one. Towards an open end, growing steps find a bound first, up to
`FARTHEST`.

Witnesses are enumerated without blocking clauses, so that nothing is left behind in a kept engine. Each witness splits
the remaining assignments by the value of one variable after the other, and the parts are searched in turn. AllSAT
solvers do the same by backtracking (Grumberg, Schuster and Yadgar, "Memory efficient all-solutions SAT solver", FMCAD
2004).
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
"""For a variable with more values, only the least and the greatest possible value are searched."""

FARTHEST = 2**128
"""The last value tried towards an open end. If it is possible, no end is reported, and nothing is proved beyond."""

PROBE = "=?"
"""The id that this module adds to questions. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""


def possible_values(
    engine: Engine, soft: Soft, budget: Budget, *, listed: int = LISTED
) -> dict[str, PossibleValues] | Unsatisfiable | Unknown:
    """Return the possible values of each variable under `soft` and the background, by name, in the engine's order.

    A variable with at most `listed` values gets all possible ones, and any other the least and the greatest. If there
    is no least value up to `FARTHEST`, the first range of `open` has no lower end; likewise for the greatest. The
    result is the same for every engine unless the budget ends first. Returns `Unsatisfiable` if `soft` cannot hold at
    all, and `Unknown` if the budget ended before that was known.
    """
    search = _Search(engine, soft, budget, listed)
    found = search.ask()
    if not isinstance(found, Satisfiable):
        return found
    search.run(found.witness)
    return {known.variable.name: known.result() for known in search.all}


class _Known:
    """A `_Known` holds the facts about one variable. A direction is -1 (towards smaller values) or 1.

    Values beyond `bounds`, or in `gone`, are proved impossible, and those in `seen` possible.
    """

    def __init__(self, variable: Variable, listed: int) -> None:
        self.variable = variable
        self.bounds: dict[int, int | None] = {-1: variable.sort.low, 1: variable.sort.high}
        size = variable.sort.size
        self.wide = size is None or size > listed
        self.seen: set[int] = set()
        self.gone: set[int] = set()
        self.endless: set[int] = set()
        """The directions in which values are possible beyond `FARTHEST`."""
        self.reason: str | None = None

    def last(self, direction: int) -> int:
        """Return the least or the greatest value seen."""
        return max(self.seen) if direction > 0 else min(self.seen)

    def result(self) -> PossibleValues:
        values, open = self._ends() if self.wide else self._listed()
        found = all(way in self.endless or bound == self.last(way) for way, bound in self.bounds.items())
        return PossibleValues(values, open, None if not open or (self.wide and found) else self.reason)

    def _listed(self) -> tuple[tuple[int, ...], tuple[Range, ...]]:
        decided = self.seen | self.gone
        undecided = (value for value in self.sort.values if value not in decided)
        return tuple(sorted(self.seen)), tuple(runs(undecided))

    def _ends(self) -> tuple[tuple[int, ...], tuple[Range, ...]]:
        ends = {self.last(way) for way in self.bounds if way not in self.endless}
        values = sorted(ends or {min(self.seen, key=lambda value: (abs(value), -value))})
        lows = (self.bounds[-1], *(value + 1 for value in values))
        highs = (*(value - 1 for value in values), self.bounds[1])
        parts = zip(lows, highs, strict=True)
        return tuple(values), tuple((low, high) for low, high in parts if low is None or high is None or low <= high)

    @property
    def sort(self) -> IntSort:
        """Return the values that are not beyond the bounds."""
        return IntSort(self.bounds[-1], self.bounds[1])


class _Search:
    """A search for all possible values within one deadline."""

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
        # Variables with one value come first, since they tell most if time runs out.
        for known in self.all:
            self._settle(known)
        for known in self.all:
            if known.wide:
                self._bound(known, -1)
                self._bound(known, 1)
            else:
                self._list(known)

    def _learn(self, witness: Witness) -> None:
        for known in self.all:
            known.seen.add(witness[known.variable.name])

    def _settle(self, known: _Known) -> None:
        """If only one value was seen, find out whether another one is possible."""
        if len(known.seen) == 1 and known.bounds[-1] != known.bounds[1]:
            value = known.last(1)
            if self._possible(known, known.variable.ne(value)) is False:
                known.bounds = {-1: value, 1: value}

    def _list(self, known: _Known) -> None:
        for value in known.sort.values:
            if value not in known.seen and self._possible(known, fixed={known.variable.name: value}) is False:
                known.gone.add(value)

    def _bound(self, known: _Known, direction: int) -> None:
        """Find the last possible value in a direction by bisection."""
        bound = known.bounds[direction]
        if bound is None:
            bound = self._bound_open(known, direction)
        probe = bound  # often every value is possible, and one question shows it
        while bound is not None and probe is not None and known.last(direction) != bound:
            possible = self._possible(known, _from(known.variable, probe, direction))
            if possible is None:
                return
            if not possible:
                known.bounds[direction] = bound = probe - direction
            probe = direction * ((direction * (known.last(direction) + bound) + 2) // 2)

    def _bound_open(self, known: _Known, direction: int) -> int | None:
        """Find any bound in an open direction, or return None if there may be none."""
        for step in _steps():
            beyond = known.last(direction) + direction * step
            possible = self._possible(known, _from(known.variable, beyond, direction))
            if possible is None:
                return None
            if not possible:
                known.bounds[direction] = beyond - direction
                return known.bounds[direction]
        known.endless.add(direction)
        return None

    def _possible(
        self, known: _Known, probe: Formula | None = None, fixed: Mapping[str, int] | None = None
    ) -> bool | None:
        """Return whether a witness has the probe and the fixed values, or None if that is not decided."""
        found = Unknown(OUT_OF_TIME) if self._deadline.passed else self.ask(probe, fixed)
        if isinstance(found, Unknown):
            known.reason = found.reason
            return None
        if isinstance(found, Satisfiable):
            self._learn(found.witness)
            return True
        return False


def _from(variable: Variable, value: int, direction: int) -> Formula:
    """Return a formula that is true if the variable has this value, or one further in the direction."""
    return variable >= value if direction > 0 else variable <= value


def _steps() -> Iterator[int]:
    """Yield 1, 2, 4, 16, 256...: from 2 on, each is the square of the one before, up to `FARTHEST`."""
    yield 1
    step = 2
    while step <= FARTHEST:
        yield step
        step *= step


def runs(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield ascending integers as ranges, both ends included: 1, 2, 3, 7 as (1, 3), (7, 7)."""
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
"""The ids of a part's bounds in a question. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""


@dataclass(frozen=True, slots=True)
class _Part:
    """All assignments with the `pinned` values, and a value in `low..high` at `place`. An end that is None is open."""

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
    """Return the number of witnesses of `soft` and the background, exact if it is below `most`.

    With `variables`, return the number of different values that witnesses give to these (projected counting). There are
    at most two questions for each value met. Raises `FormulaError` for a variable that the engine does not have.
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
    """Yield the part without the witness, as parts that do not overlap."""
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
