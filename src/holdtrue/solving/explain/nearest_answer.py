"""Find the satisfying assignment that changes the fewest values of a target, or changes them at the least cost.

The values of the target are given up at the least cost (`relaxation`). A solver is quick if nearly all values are
fixed. A few cores may not settle the question, as for sums over many variables. A bound on the changes is then
raised until it can be kept. The least amount of change is another question (`closest_answer`).

Every step keeps the budget. Half of the time is reserved for finding any legal answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, at_most
from holdtrue.solving.engine import Engine, Soft, changes, fixed_id
from holdtrue.solving.explain.closest_answer import BOUND
from holdtrue.solving.explain.first_witness import PROBE, undercut
from holdtrue.solving.explain.relaxation import Relaxation, Relaxed, check_weights
from holdtrue.solving.explain.target import Target, TargetSearch
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown, Witness

SHARE = 3
"""A question that can only improve a legal answer may take a third of the remaining time."""


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

    With `weights` (positive integers, by default 1), it is the assignment with the cheapest changes. A target outside
    its variable's sort counts as a change. Variables without a target are free at no cost. `frozen` names targets that
    must stay.

    Ties are broken in the order of the engine's variables: each should keep its target if possible. Changed and free
    variables then get the lexicographically first values. So the result does not depend on the engine.

    Returns a `Core` (with the `fixed_id`s of frozen variables) if nothing satisfies all formulas. Returns
    `Nearest(optimal=False)` if the budget ended before fewer changes were ruled out, and `Unknown` if nothing was found
    in time.
    """
    check_weights(weights, target)
    return _Search(engine, soft, Target(engine, soft, target, frozen), budget).run(weights)


class _Search(TargetSearch):
    """A search for the nearest answer within one deadline."""

    def __init__(self, engine: Engine, soft: Soft, target: Target, budget: Budget) -> None:
        super().__init__(engine, soft, target, budget)
        self._end = self._deadline
        self._deadline = budget.until(self._end, 2).start()
        self._tried: Witness | None = None
        """The last witness found by trial. It has the first values of all free variables."""

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
        # Find a legal answer to fall back on before the hard search.
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
        """Return a legal answer that keeps one value after the other as time allows. It is not proved the nearest."""
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
        """Ask whether the variables with these names can keep their target values."""
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
        """Return the nearest answer by raising a bound on the number of changes until it can be kept.

        There is no answer with fewer than `bound` changes. The search is linear, from unsatisfiable to satisfiable
        (Morgado et al., Constraints 2013, section 3).
        """
        engine, movable = self._engine, self._target.movable
        differing = tuple(own.ne(movable[own.name]) for own in engine.variables if own.name in movable)

        def within(most: int) -> dict[str, Formula]:
            return {**self._soft, BOUND: at_most(most, differing)}

        while bound < changes(best, movable):
            tried = engine.decide(within(bound), self._left, fixed=self._target.frozen)
            if isinstance(tried, Unknown):
                return self._target.result(best, optimal=False)
            if isinstance(tried, Satisfiable):
                best = tried.witness
            else:
                bound += 1
        few = within(bound)
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
        """Return the answer with the lexicographically first values for all changed and free variables."""
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
            # There are few formulas, and the answer is mostly no, so the shortcuts of `decide` would not pay.
            return self._engine.check({**soft, PROBE: bound}, self._left, fixed=pinned)

        first = undercut(ask, self._engine.variables, settled, witness)
        # If time ran out, the values may not be the first ones, but the number of changes is still proved.
        return self._target.result(first.witness if isinstance(first, Satisfiable) else witness, optimal=True)
