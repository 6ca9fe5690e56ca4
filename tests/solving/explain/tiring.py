"""An engine that answers so many questions, and then has no time any more."""

from __future__ import annotations

from typing import Any

from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown
from tests.solving.standin import StandIn


class Tiring(StandIn):
    name = "tiring"

    def __init__(self, engine: Engine, answers: int) -> None:
        self.engine = engine
        self.variables = engine.variables
        self.background = engine.background
        self.left = answers
        self.asked = 0

    def check(self, soft: Soft, *args: Any, **more: Any) -> Satisfiable | Core | Unknown:
        self.asked += 1
        self.left -= 1
        return self.engine.check(soft, *args, **more) if self.left >= 0 else Unknown("tired")
