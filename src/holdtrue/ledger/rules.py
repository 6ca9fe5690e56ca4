"""The rules of a dialogue, which are told at its beginning and never given up, in two solver engines."""

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
    """Named rules (`P1`, `P2`, ...) over `variables`, with `laws` that have no names.

    `engine` has rules and laws in its background, so that its verdicts are quick, and only beliefs can give way in its
    corrections. Explanations also name rules, which takes a second engine. `make` makes each engine when it is first
    needed.
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
        """Return as few rules and beliefs as possible that cannot hold together, or None if all can.

        Rules come before beliefs. The result is a `Core` if the budget ended before it was proved that each is needed;
        without ids it says that the laws alone are impossible.
        """
        found = smallest_mus(self._explaining, {**self.rules, **beliefs}, budget)
        if isinstance(found, BackgroundConflict):
            return Core(())
        return found if isinstance(found, Mus | Core | Unknown) else None
