"""The premises that claims are tested against, and whether they can be premises at all.

Premises that cannot all hold entail every claim and contradict it too, so nothing may be said about claims then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, EngineFactory, Soft
from holdtrue.solving.explain.minimum_mcs import minimum_mcs
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.smallest_mus import smallest_mus
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mcs, MinimumMcs, Mus, Satisfiable, Unknown
from holdtrue.solving.route import make_engine

Correction = MinimumMcs | Mcs | Unknown | BackgroundConflict


def correct(
    engine: Engine, soft: Soft, confidence: Mapping[Id, float], budget: Budget, *, minimum: bool = False
) -> Correction:
    """A correction of `soft`; its witness satisfies all that is kept, and its type says what was proved.

    The greedy one keeps the most confident that can be kept, then the next, and so on (VERGE, algorithm 1): an `Mcs`,
    of which nothing can be spared, though there may be a smaller one. With `minimum` nothing smaller suffices
    (`MinimumMcs`; an `Mcs` where the budget ended before that was proved), and confidence chooses among equals.
    """
    order = by_confidence(soft, confidence)
    if minimum:
        return minimum_mcs(engine, soft, budget, order)
    return greedy_mss(engine, soft, budget, order)


def by_confidence(ids: Iterable[Id], confidence: Mapping[Id, float]) -> list[Id]:
    """The most confident first; equals keep their order, and what nobody is confident of comes last."""
    return sorted(ids, key=lambda id: -confidence.get(id, 0.0))


CANNOT_HOLD = "the premises cannot all hold"


@dataclass(frozen=True, slots=True)
class InconsistentContext:
    """The premises cannot all hold: these clash, or, where none is named, the laws alone are impossible.

    `minimal`: proved that none of them can be spared for the clash.
    """

    premises: tuple[Id, ...]
    minimal: bool


class Context:
    """Named premises over `variables`, within `laws` that nobody stated.

    `budget` is for each question (one claim, one correction). The engine is kept for all of them; `make` makes it, and
    the engines for joint checks. Raises `InputError` for a premise whose name begins with '=', as the engine's do.
    """

    def __init__(
        self,
        premises: Mapping[Id, Formula],
        variables: Sequence[Variable],
        budget: Budget,
        laws: Sequence[Formula] = (),
        *,
        make: EngineFactory = make_engine,
    ) -> None:
        check_ids(premises)
        self.premises = dict(premises)
        self.variables = tuple(variables)
        self.budget = budget
        self.laws = tuple(laws)
        self.make = make
        self.engine = make(self.variables, self.laws)
        self.engine.hold(self.premises)

    @cached_property
    def status(self) -> Satisfiable | InconsistentContext | Unknown:
        """Whether all premises can hold: asked once, and kept."""
        deadline = self.budget.start()
        found = self.engine.decide(self.premises, self.budget)
        if isinstance(found, Satisfiable | Unknown):
            return found
        conflict = smallest_mus(self.engine, self.premises, self.budget.until(deadline))
        if isinstance(conflict, BackgroundConflict):
            return InconsistentContext((), True)
        # That the premises clash is proved, whatever the time was too short for.
        ids = conflict.ids if isinstance(conflict, Mus | Core) else tuple(self.premises)
        return InconsistentContext(ids, isinstance(conflict, Mus))

    def correction(self, confidence: Mapping[Id, float] | None = None, *, minimum: bool = True) -> Correction:
        """Premises to set aside so that the others can hold: as few as possible, or the least confident (`correct`)."""
        return correct(self.engine, self.premises, confidence or {}, self.budget, minimum=minimum)


def check_ids(*groups: Mapping[Id, object]) -> None:
    """Raises `InputError` for a name that is given twice, or that begins with '='."""
    seen: set[Id] = set()
    for id in (id for group in groups for id in group):
        if id.startswith("="):
            raise InputError(f"a name may not begin with '=': {id!r}")
        if id in seen:
            raise InputError(f"a premise, a claim or a bridge has the name of another: {id!r}")
        seen.add(id)
