"""Find the satisfying assignment with the least total difference from a target.

The difference of a number is the amount of its change. The difference of a name is 1 if it changes. Both are multiplied
by the variable's weight. Cores say that a value must change, but not by how much, so bisection finds the least sum
(`least`).

Bisection on the cost runs between the excluded costs and that of the best witness. This is the binary search of Fu and
Malik, "On solving the partial MAX-SAT problem", SAT 2006, section 2. A question that is not decided in its share of the
time excludes nothing, and the search goes on with higher costs. The result is then legal, but not proved the closest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.logic.formula import Compare, Constant, Formula, Ite, Sum, Term, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.arithmetic import halfway
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.first_witness import undercut
from holdtrue.solving.explain.relaxation import check_weights
from holdtrue.solving.explain.target import Target, TargetSearch
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown, Unsatisfiable, Witness
from holdtrue.solving.route import engine_for_sums

BOUND, OWN, LOWER = "=cost", "=own", "=lower"
"""The ids that this module adds to questions. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""


def closest(
    engine: Engine,
    soft: Soft,
    target: Mapping[str, int],
    budget: Budget,
    *,
    frozen: Collection[str] = (),
    weights: Mapping[str, int] | None = None,
) -> Nearest | Core | Unknown | BackgroundConflict:
    """Return the satisfying assignment with the least sum of differences from `target`.

    Arguments, errors and results are those of `nearest`. Ties are broken in the order of the engine's variables: each
    should differ as little as possible. Of two values with the same difference the lower one wins, and a variable
    without a target gets its first value. So the result does not depend on the engine.
    """
    check_weights(weights, target)
    able = engine_for_sums(engine)
    return _Search(able, soft, Target(able, soft, target, frozen), weights or {}, budget).run()


def difference(variable: Variable, target: int) -> Term:
    """Return the variable's difference from its target as a term: the amount for a number, 0 or 1 for a name."""
    if isinstance(variable.sort, IntSort):
        return abs(variable - target)
    return Ite(variable.eq(target), Constant(0), Constant(1))


def distance(variable: Variable, target: int, value: int) -> int:
    """Return the difference of a given value from the target."""
    return abs(value - target) if isinstance(variable.sort, IntSort) else int(value != target)


class _Search(TargetSearch):
    """A search for the closest answer within one deadline."""

    def __init__(self, engine: Engine, soft: Soft, target: Target, weights: Mapping[str, int], budget: Budget) -> None:
        super().__init__(engine, soft, target, budget)
        self._variables = {variable.name: variable for variable in engine.variables}
        self._weights = {name: weights.get(name, 1) for name in target.movable}
        parts = (
            (weight, difference(self._variables[name], target.movable[name])) for name, weight in self._weights.items()
        )
        self._cost_term = Sum(tuple(parts))

    def run(self) -> Nearest | Core | Unknown | BackgroundConflict:
        some = self._begin()
        if isinstance(some, Core):
            return self._impossible(some)
        if isinstance(some, Unknown):
            return some
        found = least(self._asking(self._soft), self._cost_term, self._cost, some.witness, self._budget, self._deadline)
        if not found.optimal:
            return self._target.result(found.witness, optimal=False)
        bound = Compare("<=", self._cost_term, Constant(found.cost))
        return self._target.result(self._first(found.witness, {**self._soft, BOUND: bound}), optimal=True)

    def _begin(self) -> Satisfiable | Core | Unknown:
        """Return a legal assignment, if possible the target itself."""
        movable, frozen = self._target.movable, self._target.frozen
        if not self._target.conflicts:
            kept = self._engine.decide(self._soft, self._budget.until(self._deadline, 2), fixed={**movable, **frozen})
            if isinstance(kept, Satisfiable):
                return kept
        return self._engine.check(self._soft, self._left, fixed=frozen)

    def _cost(self, witness: Witness) -> int:
        movable = self._target.movable
        return sum(weight * self._distance(witness, name, movable[name]) for name, weight in self._weights.items())

    def _distance(self, witness: Witness, name: str, value: int) -> int:
        return distance(self._variables[name], value, witness[name])

    def _first(self, best: Witness, soft: Soft) -> Witness:
        """Return the first of the equally cheap assignments that `soft` allows, as far as time allows."""
        pinned: dict[str, int] = dict(self._target.frozen)
        for name, value in self._target.movable.items():
            if best[name] != value:
                best = self._closest_value(best, name, value, soft, pinned)
            if self._deadline.passed:
                return best
            pinned[name] = best[name]
        return self._undercut(best, self._variables.values(), soft, pinned)

    def _closest_value(self, best: Witness, name: str, value: int, soft: Soft, pinned: Mapping[str, int]) -> Witness:
        """Return a witness with the closest value for one variable. Of two equally close values it has the lower."""
        variable = self._variables[name]
        own, ask = difference(variable, value), self._asking(soft, pinned)
        found = least(
            ask, own, lambda one: self._distance(one, name, value), best, self._budget, self._deadline, probe=0
        )
        if not found.cost:
            return found.witness
        limited = {**soft, OWN: Compare("<=", own, Constant(found.cost))}
        return self._undercut(found.witness, [variable], limited, pinned)

    def _undercut(self, best: Witness, variables: Iterable[Variable], soft: Soft, pinned: Mapping[str, int]) -> Witness:
        """Return a witness with the first values of these variables that `soft` allows."""

        def ask(lower: Formula, fixed: Mapping[str, int]) -> Satisfiable | Unsatisfiable | Unknown:
            return self._engine.decide({**soft, LOWER: lower}, self._left, fixed=fixed)

        first = undercut(ask, variables, pinned, best)
        return first.witness if isinstance(first, Satisfiable) else best

    def _asking(self, soft: Soft, fixed: Mapping[str, int] | None = None) -> Ask:
        """Return a function that asks whether a bound can hold together with `soft` and the fixed values."""
        kept = self._target.frozen if fixed is None else fixed
        return lambda bound, limit: self._engine.decide({**soft, LOWER: bound}, limit, fixed=kept)


Ask = Callable[[Formula, Budget], Satisfiable | Unsatisfiable | Unknown]
"""A function that asks whether a bound on the cost can hold, within a budget."""

SHARE = 4
"""One question may take a quarter of the remaining time, so that a hard one leaves time for others."""


@dataclass(frozen=True, slots=True)
class Least:
    """The cheapest witness found, its cost, and whether a cheaper one was ruled out."""

    witness: Witness
    cost: int
    optimal: bool


def least(
    ask: Ask,
    cost: Term,
    value: Callable[[Witness], int],
    known: Witness,
    budget: Budget,
    deadline: Deadline,
    *,
    probe: int | None = None,
) -> Least:
    """Return the cheapest witness, starting from a `known` one.

    `cost` is the cost as a term, and `value` computes it for a witness. `deadline` is the
    one of `budget`. `probe` is the first cost to ask about, by default the middle.
    """
    best, least_cost, proved = known, value(known), 0
    at = 0  # costs below this are not searched any more
    while at < least_cost and not deadline.passed:
        bound = halfway(at, least_cost) if probe is None else probe
        probe = None
        found = ask(Compare("<=", cost, Constant(bound)), budget.until(deadline, SHARE))
        if isinstance(found, Satisfiable):
            best, least_cost = found.witness, value(found.witness)
        else:
            if isinstance(found, Unsatisfiable) and proved == at:
                proved = bound + 1
            at = bound + 1
    return Least(best, least_cost, proved >= least_cost)
