"""Questions about parts of a theory that share a deadline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable

SOON = Budget(0.5)
"""So long a witness is asked for a truth that the engine can find too."""


class Questions:
    """`Questions` ask whether some `soft` formulas can hold together, with the `fixed` values and the background.

    `budget.timeout_s` is for all questions together, `budget.conflicts` for each.
    """

    def __init__(self, engine: Engine, soft: Soft, budget: Budget, fixed: Mapping[str, int] | None = None) -> None:
        self.engine = engine
        self.soft = soft
        self.fixed = fixed
        self.deadline = budget.start()
        self._budget = budget

    @property
    def budget(self) -> Budget:
        """Return what is left of the budget."""
        return self._budget.until(self.deadline)

    def check(self, ids: Iterable[Id]) -> Satisfiable | Core | Unknown:
        return self.engine.check({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)

    def decide(self, ids: Iterable[Id]) -> Satisfiable | Unsatisfiable | Unknown:
        return self.engine.decide({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)
