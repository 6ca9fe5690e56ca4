"""A base for engines that tests make up: they say how `check` answers, and the rest follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown


class StandIn:
    background: Sequence[Formula] = ()

    def check(self, soft: Soft, *args: Any, **more: Any) -> Satisfiable | Core | Unknown:
        raise NotImplementedError

    def decide(self, soft: Soft, *args: Any, **more: Any) -> Satisfiable | Core | Unknown:
        return self.check(soft, *args, **more)

    def hold(self, soft: Soft) -> None:
        """There is nothing that could become cheaper."""
