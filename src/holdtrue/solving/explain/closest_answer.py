"""The closest answer: satisfying, and with the least difference from a target.

The difference of an amount is by how much it changes, that of a name is one where it changes; both times the weight of
the variable. The sum is a term like any other, and its least value is found by bisection (`least`): cores, which say
that something has to change, do not say by how much.

The bound on the cost is halved between what is ruled out and what the best witness costs (binary search: Fu and Malik,
"On solving the partial MAX-SAT problem", SAT 2006, section 2). A question that an engine does not decide in its share
of the time rules nothing out, and the search goes on above it: what is found then is legal, and not proved the
cheapest.
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
"""The ids of questions of this file's own; ids that start with '=' are the engine's (`engine.fixed_id`)."""


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

    Arguments, errors and results are those of `nearest`. Of several closest assignments it is the one in which the
    first of the engine's variables differs least, then the second, and so on; of two values that differ alike the lower
    one, and of variables without a target the first values: this does not depend on the engine.
    """
    check_weights(weights, target)
    able = engine_for_sums(engine)
    return _Search(able, soft, Target(able, soft, target, frozen), weights or {}, budget).run()


def difference(variable: Variable, target: int) -> Term:
    """Return how far the variable is from its target: by how much for an amount, 0 or 1 for a name."""
    if isinstance(variable.sort, IntSort):
        return abs(variable - target)
    return Ite(variable.eq(target), Constant(0), Constant(1))


def distance(variable: Variable, target: int, value: int) -> int:
    """Return the same for a value of the variable."""
    return abs(value - target) if isinstance(variable.sort, IntSort) else int(value != target)


class _Search(TargetSearch):
    """One search for the closest answer, within one deadline."""

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
        """Something legal, best the target itself."""
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
        """Of all that `soft` allows, which cost the same, the first one, as far as there is time."""
        pinned: dict[str, int] = dict(self._target.frozen)
        for name, value in self._target.movable.items():
            if best[name] != value:
                best = self._closest_value(best, name, value, soft, pinned)
            if self._deadline.passed:
                return best
            pinned[name] = best[name]
        return self._undercut(best, self._variables.values(), soft, pinned)

    def _closest_value(self, best: Witness, name: str, value: int, soft: Soft, pinned: Mapping[str, int]) -> Witness:
        """With the closest value for one variable, of two that are alike the lower one."""
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
        """With the first values of these variables that `soft` allows."""

        def ask(lower: Formula, fixed: Mapping[str, int]) -> Satisfiable | Unsatisfiable | Unknown:
            return self._engine.decide({**soft, LOWER: lower}, self._left, fixed=fixed)

        first = undercut(ask, variables, pinned, best)
        return first.witness if isinstance(first, Satisfiable) else best

    def _asking(self, soft: Soft, fixed: Mapping[str, int] | None = None) -> Ask:
        """Ask whether a bound can be kept beside these."""
        kept = self._target.frozen if fixed is None else fixed
        return lambda bound, limit: self._engine.decide({**soft, LOWER: bound}, limit, fixed=kept)


Ask = Callable[[Formula, Budget], Satisfiable | Unsatisfiable | Unknown]
"""Whether a bound can be kept, within a limit."""

SHARE = 4
"""A question may take so great a part of the time that is left, so that a hard one leaves time for others."""


@dataclass(frozen=True, slots=True)
class Least:
    """The cheapest witness that was found, what it costs, and whether nothing cheaper is proved to exist."""

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
    lowest: int = 0,
    probe: int | None = None,
) -> Least:
    """The cheapest witness from a `known` one on.

    `value` tells what a witness costs, which `cost` says as a term; nothing costs less than `lowest`. The `deadline` is
    the budget's. `probe` is the cost that is asked about first, by default the middle.
    """
    best, least_cost, proved = known, value(known), lowest
    at = lowest  # nothing below this is looked for any more
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
