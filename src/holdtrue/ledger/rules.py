"""Rules: what a dialogue is told and never gives up, known to two engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, EngineFactory, Soft
from holdtrue.solving.explain.smallest_mus import smallest_mus
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Unknown
from holdtrue.solving.route import make_engine


class Rules:
    """Named rules (`P1` ...) over `variables`, within `laws` that nobody was told by name.

    `engine` has rules and laws in its background: it gives verdicts quickly, and in corrections only beliefs can give
    way. Explanations have to name rules as well, which takes a second engine. `make` makes each for its first question.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        laws: Sequence[Formula],
        rules: Mapping[Id, Formula],
        make: EngineFactory = make_engine,
    ) -> None:
        self.rules = dict(rules)
        self.variables = tuple(variables)
        self._laws = tuple(laws)
        self._make = make

    @cached_property
    def engine(self) -> Engine:
        return self._make(self.variables, (*self._laws, *self.rules.values()))

    @cached_property
    def _explaining(self) -> Engine:
        return self._make(self.variables, self._laws)

    def conflict(self, beliefs: Soft, budget: Budget) -> Mus | Core | Unknown | None:
        """Rules and beliefs that cannot hold together, as few as possible; None where all can.

        Ids are in the order rules, beliefs. `Core` where the budget ended before it was proved that none of them can
        be spared; one without ids says that the laws alone are impossible.
        """
        found = smallest_mus(self._explaining, {**self.rules, **beliefs}, budget)
        if isinstance(found, BackgroundConflict):
            return Core(())
        return found if isinstance(found, Mus | Core | Unknown) else None
