"""An engine that counts what it is asked: what a method costs in solver calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, Near, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable


class CountedEngine:
    """Another engine; `asked` counts the questions put to it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked = 0

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def variables(self) -> Sequence[Variable]:
        return self.engine.variables

    @property
    def background(self) -> Sequence[Formula]:
        return self.engine.background

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        self.asked += 1
        return self.engine.check(soft, budget, fixed=fixed, near=near)

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        self.asked += 1
        return self.engine.decide(soft, budget, fixed=fixed, near=near)

    def hold(self, soft: Soft) -> None:
        self.engine.hold(soft)
