"""All MUSes, and all minimal corrections beside them.

MARCO (Liffiton, Previti, Malik and Marques-Silva, "Fast, flexible MUS enumeration", Constraints 2016): a map of all
subsets, in a SAT solver of its own, gives one that is not known to be possible or impossible yet. It is grown to a
largest possible set or shrunk to a MUS, and what follows from that is struck off the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mss import grow
from holdtrue.solving.explain.mus import shrink
from holdtrue.solving.explain.shared_deadline import Questions
from holdtrue.solving.result import AllMuses, BackgroundConflict, Core, Id, Satisfiable, Unknown, Witness

MOST = 200
"""Of each kind: there may be exponentially many, and nobody reads so many explanations."""


def all_mus(
    engine: Engine, soft: Soft, budget: Budget, *, most: int = MOST, fixed: Mapping[str, int] | None = None
) -> AllMuses | Satisfiable | Unknown | BackgroundConflict:
    """Every MUS and every minimal correction of `soft`, at most `most` of each, the smallest first.

    Of the same size, those with earlier ids come first, so that a complete result does not depend on the engine.
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
    """The subsets of a theory that is impossible as a whole, and what is known of them."""

    def __init__(self, questions: Questions) -> None:
        self.muses: list[tuple[Id, ...]] = []
        self.mcses: list[tuple[Id, ...]] = []
        from pysat.solvers import Minisat22  # heavy, and needed by few

        self._questions = questions
        self._number = {id: number for number, id in enumerate(questions.soft, 1)}
        # A true variable is an id in the subset. Large subsets first: a MUS is found on the way down.
        self._solver = Minisat22(bootstrap_with=[[number, -number] for number in self._number.values()])
        self._solver.set_phases(list(self._number.values()))

    def close(self) -> None:
        self._solver.delete()

    def explore(self, whole: Core, most: int) -> str | None:
        """Find all, beginning with the core of the whole; the reason where that was not possible."""
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
        """A subset that is in no possible set found so far, and holds no MUS found so far."""
        if not self._solver.solve():
            return None
        model = self._solver.get_model()
        return [id for id, number in self._number.items() if model[number - 1] > 0]
