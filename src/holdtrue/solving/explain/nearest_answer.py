"""The nearest answer: satisfying, and with the fewest values changed from a target, or the cheapest, or the closest.

The fewest changes: the values of the target are given up at the lowest cost (`relaxation`), for a solver is quick where
nearly all values are given. Where a few cores do not settle it, as for sums over many variables, the changes are a sum
like any other, of which the least value is found by bisection. The least difference is another question
(`closest_answer`).

Every step keeps the budget, and half of it is kept back for a legal answer where the nearest is not found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from holdtrue.budget import Budget
from holdtrue.logic.formula import Compare, Constant, Formula, Sum, ite
from holdtrue.solving.engine import Engine, Soft, changes, fixed_id
from holdtrue.solving.explain.closest_answer import BOUND, least
from holdtrue.solving.explain.first_witness import PROBE, undercut
from holdtrue.solving.explain.relaxation import Relaxation, Relaxed, check_weights
from holdtrue.solving.explain.target import Target, TargetSearch
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown, Unsatisfiable, Witness
from holdtrue.solving.route import engine_for_sums

SHARE = 3
"""A question whose answer only betters a legal answer may take such a part of the time that is left."""


def nearest(
    engine: Engine,
    soft: Soft,
    target: Mapping[str, int],
    budget: Budget,
    *,
    frozen: Collection[str] = (),
    weights: Mapping[str, int] | None = None,
) -> Nearest | Core | Unknown | BackgroundConflict:
    """Return the satisfying assignment that changes the fewest values of `target`.

    With `weights` (positive integers, one where not given) it is the one whose changes cost least. A target outside
    its variable's sort counts as a change; variables without a target are free at no cost. `frozen` names targets
    that must stay. Of several nearest assignments it is the one that leaves the first of the engine's variables as
    it is, if one of them does, then the second, and so on, and that gives what is changed or free the first values
    in lexicographic order: this does not depend on the engine. `Core` (with `fixed_id`s of frozen variables) where
    nothing satisfies all; `Nearest(optimal=False)` where the budget ended before less was ruled out, and `Unknown`
    where it ended before anything was found.
    """
    check_weights(weights, target)
    return _Search(engine, soft, Target(engine, soft, target, frozen), budget).run(weights)


class _Search(TargetSearch):
    """One search for the nearest answer, within one deadline."""

    def __init__(self, engine: Engine, soft: Soft, target: Target, budget: Budget) -> None:
        super().__init__(engine, soft, target, budget)
        self._end = self._deadline
        self._deadline = budget.until(self._end, 2).start()
        self._tried: Witness | None = None
        """The last witness that was found by trial, which is the first of its kind."""

    def run(self, weights: Mapping[str, int] | None) -> Nearest | Core | Unknown | BackgroundConflict:
        names = {fixed_id(name): name for name in self._target.movable}  # as cores name them
        costs = {fixed_id(name): weight for name, weight in weights.items()} if weights else None
        relaxation = Relaxation(lambda ids: self._ask(map(names.__getitem__, ids)), tuple(names), costs, self._deadline)
        for conflict in self._target.conflicts:
            relaxation.learn(map(fixed_id, conflict))
        found = relaxation.begin()
        if isinstance(found, Relaxed):
            self._deadline = self._end
            return self._settle({names[id] for id in found.ids}, found.witness)
        # Before it gets harder: something to fall back on.
        self._deadline = self._end
        some = found if isinstance(found, Core) else self._ask(())
        if isinstance(some, Core):
            return self._impossible(some)
        if isinstance(some, Unknown):
            return some
        if found is None:
            if not weights:
                return self._count(some.witness, relaxation.bound)
            found = relaxation.finish()
            if isinstance(found, Relaxed):
                return self._settle({names[id] for id in found.ids}, found.witness)
        return self._near(some.witness)

    def _near(self, best: Witness) -> Nearest:
        """A legal answer with as many values kept as the time allows, one after the other: not proved the nearest."""
        kept = dict(self._target.frozen)
        for name, value in self._target.movable.items():
            if best[name] != value:
                found = self._engine.decide(
                    self._soft, self._budget.until(self._end, SHARE), fixed={**kept, name: value}
                )
                if not isinstance(found, Satisfiable):
                    continue
                best = found.witness
            kept[name] = value
        return self._target.result(best, optimal=False)

    def _ask(self, names: Iterable[str]) -> Satisfiable | Core | Unknown:
        """Can these keep the values of the target?"""
        movable = self._target.movable
        fixed = {name: movable[name] for name in names} | self._target.frozen
        tried = self._target.extend(fixed, self._deadline)
        if tried is None:
            return self._engine.check(self._target.unsettled(fixed), self._left, fixed=fixed)
        if isinstance(tried, frozenset):
            return Core(tuple(map(fixed_id, tried)))
        self._tried = tried
        return Satisfiable(tried)

    def _count(self, best: Witness, bound: int) -> Nearest:
        """The nearest answer by counting changes, from a bound below which there is none."""
        engine, movable = engine_for_sums(self._engine), self._target.movable
        changed_ones = [ite(own.ne(movable[own.name]), 1, 0) for own in engine.variables if own.name in movable]
        cost = Sum(tuple((1, one) for one in changed_ones))

        def ask(limit: Formula, budget: Budget) -> Satisfiable | Unsatisfiable | Unknown:
            return engine.decide({**self._soft, BOUND: limit}, budget, fixed=self._target.frozen)

        found = least(
            ask, cost, lambda one: changes(one, movable), best, self._budget, self._deadline, lowest=bound, probe=bound
        )
        if not found.optimal:
            return self._target.result(found.witness, optimal=False)
        best, few = found.witness, {**self._soft, BOUND: Compare("<=", cost, Constant(found.cost))}
        kept, changed = dict(self._target.frozen), set[str]()
        for name, value in self._target.movable.items():
            if best[name] != value:
                result = engine.decide(few, self._left, fixed={**kept, name: value})
                if isinstance(result, Unknown):
                    return self._target.result(best, optimal=True)
                if not isinstance(result, Satisfiable):
                    changed.add(name)
                    continue
                best = result.witness
            kept[name] = value
        return self._settle(changed, best)

    def _settle(self, changed: Collection[str], witness: Witness) -> Nearest:
        """The lexicographically first values for what is changed or free."""
        if witness is self._tried:
            return self._target.result(witness, optimal=True)
        settled = self._target.frozen | self._target.movable
        for name in changed:
            del settled[name]
        tried = self._target.extend(settled, self._deadline)
        if tried is not None and not isinstance(tried, frozenset):
            return self._target.result(tried, optimal=True)
        soft = self._target.unsettled(settled)

        def ask(bound: Formula, pinned: Mapping[str, int]) -> Satisfiable | Core | Unknown:
            # Few formulas, and mostly no: `decide` would try its luck first.
            return self._engine.check({**soft, PROBE: bound}, self._left, fixed=pinned)

        first = undercut(ask, self._engine.variables, settled, witness)
        # Out of time between equals: the fewest changes are proved all the same.
        return self._target.result(first.witness if isinstance(first, Satisfiable) else witness, optimal=True)
