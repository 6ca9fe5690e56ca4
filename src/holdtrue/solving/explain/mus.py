"""Minimal unsatisfiable subsets (MUSes): formulas that cannot hold together, and all of which are needed for that.

- `mus` deletes with core refinement: it removes one formula, asks again, and continues with the new core if the rest is
  impossible. (Bakker, Dikker, Tempelman and Wognum, IJCAI 1993; refinement: Nadel, "Boosting minimal unsatisfiable core
  extraction", FMCAD 2010.)
- `smallest_mus` uses implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction
  with minimal hitting set dualization", CP 2015). A MUS hits every correction set. So the smallest set that hits all
  correction sets found so far is a smallest MUS as soon as it is impossible.
- `all_mus` is MARCO (Liffiton, Previti, Malik and Marques-Silva, "Fast, flexible MUS enumeration", Constraints 2016). A
  SAT solver holds a map of all subsets, and returns one that is not yet known to be possible or impossible. The subset
  is grown to a maximal possible set or shrunk to a MUS, and the map loses the subsets thus decided.
- `used_bounds` finds the bounds of variables that a conflict needs. Without these bounds, some integers would satisfy
  the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.variable_names import with_variables
from holdtrue.solving.engine import Engine, EngineFault, Questions, Soft
from holdtrue.solving.explain.hitting_set import HittingSets
from holdtrue.solving.explain.mss import grow
from holdtrue.solving.result import (
    AllMuses,
    BackgroundConflict,
    Core,
    Id,
    Mus,
    Satisfiable,
    SmallestMus,
    Unknown,
    Witness,
)
from holdtrue.solving.route import make_engine

Ask = Callable[[Sequence[Id]], Satisfiable | Core | Unknown]
"""Ask whether the formulas with these ids can hold together. A core may also name ids that are fixed."""


def mus(
    engine: Engine, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
) -> Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """Return a MUS of `soft`, with ids in their order there, or a `Core` if the budget ended before it was minimal.

    `fixed` values count as background. The MUS then says why they cannot be completed, and `BackgroundConflict` says
    that they are impossible by themselves. Later ids are removed first, so the MUS tends to have early ones; the
    engine's cores may lead to others. `budget.timeout_s` limits all checks together, and `budget.conflicts` each one.
    """
    questions = Questions(engine, soft, budget, fixed)
    first = questions.check(soft)
    if not isinstance(first, Core):
        return first
    return as_mus(*shrink(questions.check, [id for id in soft if id in first.ids]))


def shrink(ask: Ask, ids: Sequence[Id]) -> tuple[tuple[Id, ...], bool]:
    """Shrink the impossible set `ids` to a smaller one. Also return whether all of its ids are proved to be needed.

    The ids keep their order, and the last ones are removed first.
    """
    candidates = list(ids)
    kept: list[Id] = []
    unproved: set[Id] = set()
    while candidates:
        last = candidates.pop()
        result = ask((*candidates, *kept))
        if isinstance(result, Core):
            core = set(result.ids)
            candidates = [id for id in candidates if id in core]
            kept = [id for id in kept if id in core]
        else:
            kept.append(last)
            if isinstance(result, Unknown):
                unproved.add(last)
    return tuple(reversed(kept)), unproved.isdisjoint(kept)


def others(conflict: object, id: Id) -> tuple[Id, ...]:
    """Return the other ids of a conflict, or nothing if `conflict` is not a set of ids."""
    return tuple(other for other in conflict.ids if other != id) if isinstance(conflict, Mus | Core) else ()


def as_mus(ids: tuple[Id, ...], proved: bool) -> Mus | Core | BackgroundConflict:
    """Return the result of `shrink` as the type that says how much was proved."""
    if not ids:
        return BackgroundConflict()
    return Mus(ids) if proved else Core(ids)


def smallest_mus(
    engine: Engine, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
) -> SmallestMus | Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """Return a MUS with the fewest ids of all, in the order of `soft`.

    Of several, it returns the one that avoids the last id if possible, then the last but one, and so on. This does not
    depend on the engine. If the budget ends before smaller ones are ruled out, the result is a `Mus`. If it ends before
    a MUS is found, the result is a `Core`. `fixed` values count as background.
    """
    questions = Questions(engine, soft, budget, fixed)
    some = mus(engine, soft, questions.budget, fixed=fixed)
    if not isinstance(some, Mus):
        return some
    sets = HittingSets(tuple(soft))
    while True:
        smallest = sets.cheapest(questions.deadline)
        if smallest is None:
            return some
        ids = tuple(id for id in soft if id in smallest)
        result = questions.decide(ids)
        if isinstance(result, Unknown):
            return some
        if not isinstance(result, Satisfiable):
            return SmallestMus(ids)
        grown = grow(questions, ids, (id for id in soft if id not in smallest), result.witness)
        if isinstance(grown, Unknown):
            return some
        sets.add(soft.keys() - grown[0])


MOST = 200
"""The most MUSes and the most corrections to find. There may be exponentially many, more than anybody reads."""


def all_mus(
    engine: Engine, soft: Soft, budget: Budget, *, most: int = MOST, fixed: Mapping[str, int] | None = None
) -> AllMuses | Satisfiable | Unknown | BackgroundConflict:
    """Return all MUSes and all minimal corrections of `soft`, at most `most` of each, the smallest first.

    Of sets with the same size, those with earlier ids come first, so a complete result does not depend on the engine.
    `fixed` values count as background.
    """
    questions = Questions(engine, soft, budget, fixed)
    whole = questions.check(soft)
    if not isinstance(whole, Core):
        return whole
    alone = questions.decide(())
    if isinstance(alone, Unknown):
        return alone
    if not isinstance(alone, Satisfiable):
        return BackgroundConflict()
    with closing(_Map(questions)) as subsets:
        reason = subsets.explore(whole, most)
        return AllMuses(subsets.ordered(subsets.muses), subsets.ordered(subsets.mcses), reason is None, reason)


class _Map:
    """The subsets of an impossible theory, and which of them are known to be possible or impossible."""

    def __init__(self, questions: Questions) -> None:
        self.muses: list[tuple[Id, ...]] = []
        self.mcses: list[tuple[Id, ...]] = []
        from pysat.solvers import Minisat22  # loads slowly, and is rarely needed

        self._questions = questions
        self._number = {id: number for number, id in enumerate(questions.soft, 1)}
        # A true variable is an id in the subset. Large subsets come first, because MUSes are found on the way down.
        self._solver = Minisat22(bootstrap_with=[[number, -number] for number in self._number.values()])
        self._solver.set_phases(list(self._number.values()))

    def close(self) -> None:
        self._solver.delete()

    def explore(self, whole: Core, most: int) -> str | None:
        """Find all MUSes and corrections, starting with the core of all ids. Return why some may be missing."""
        subset: list[Id] | None = list(self._number)
        result: Satisfiable | Core | Unknown = whole
        while subset is not None:
            if max(len(self.muses), len(self.mcses)) >= most:
                return f"there are more than {most}"
            if isinstance(result, Unknown):
                return result.reason
            late = self._shrink(result) if isinstance(result, Core) else self._grow(subset, result.witness)
            if late is not None:
                return late.reason
            subset = self._next()
            if subset is not None:
                result = self._questions.check(subset)
        return None

    def ordered(self, found: Iterable[tuple[Id, ...]]) -> tuple[tuple[Id, ...], ...]:
        return tuple(sorted(found, key=lambda ids: (len(ids), [self._number[id] for id in ids])))

    def _shrink(self, core: Core) -> Unknown | None:
        mus, proved = shrink(self._questions.check, [id for id in self._number if id in core.ids])
        if not proved:
            return Unknown("the budget ended before a core was minimal")
        self.muses.append(mus)
        self._solver.add_clause([-self._number[id] for id in mus])
        return None

    def _grow(self, subset: list[Id], witness: Witness) -> Unknown | None:
        rest = self._number.keys() - subset
        grown = grow(self._questions, subset, sorted(rest, key=self._number.__getitem__), witness)
        if isinstance(grown, Unknown):
            return grown
        self.mcses.append(tuple(id for id in self._number if id not in grown[0]))
        self._solver.add_clause([self._number[id] for id in self.mcses[-1]])
        return None

    def _next(self) -> list[Id] | None:
        """Return a subset that is not part of a known possible set and does not contain a known MUS, or None."""
        if not self._solver.solve():
            return None
        model = self._solver.get_model()
        return [id for id, number in self._number.items() if model[number - 1] > 0]


def used_bounds(variables: Sequence[Variable], soft: Soft, ids: Sequence[Id], budget: Budget) -> tuple[str, ...]:
    """Return the bounds that a conflict needs, such as `("x1 <= 9", "x2 <= 9")`, in the order of `variables`.

    All named bounds are needed. If the budget ends before that is proved, more may be named. Raises `EngineFault` if
    the `ids` of `soft` do not conflict within the bounds. Raises `FormulaError` for a table, which has no entries
    beyond the bounds, and for a divisor that could be zero there.
    """
    named = frozenset(variable for id in ids for variable in soft[id].variables)
    wide = {one.name: Variable(one.name, IntSort()) for one in variables if one in named}
    conflict = [with_variables(soft[id], wide) for id in ids]
    bounds: dict[Id, Formula] = {}
    for variable in variables:
        if variable in named:
            low, high = variable.sort.low, variable.sort.high
            if low is not None:
                bounds[f"{variable.name} >= {low}"] = wide[variable.name] >= low
            if high is not None:
                bounds[f"{variable.name} <= {high}"] = wide[variable.name] <= high
    found = mus(make_engine(tuple(wide.values()), conflict, prefer="z3"), bounds, budget)
    if isinstance(found, Satisfiable):
        raise EngineFault(f"these were said to exclude each other within the bounds, and do not: {', '.join(ids)}")
    if isinstance(found, BackgroundConflict):
        return ()
    return found.ids if isinstance(found, Mus | Core) else tuple(bounds)
