"""Which engine a problem gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.engine import Engine, Near, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable

LARGEST_DOMAIN = 200
"""Up to so many values a variable is worth its literals."""

Preference = Literal["sat", "z3"]


class RoutedEngine:
    """SAT, until something is too large for CNF; from then on z3, for good. `reason` says why it changed."""

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self.reason: str | None = None
        self._background = tuple(background)
        wide = next((variable for variable in self.variables if variable.sort.size > LARGEST_DOMAIN), None)
        if wide is not None:
            self._engine = self._switch(f"{wide.name} has {wide.sort.size} values, over {LARGEST_DOMAIN}")
            return
        try:
            self._engine = sat_engine(self.variables, self._background)
        except FormulaTooLarge as error:
            self._engine = self._switch(str(error))

    @property
    def name(self) -> str:
        return self._engine.name

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        try:
            return self._engine.check(soft, budget, fixed=fixed, near=near)
        except FormulaTooLarge as error:
            self._engine = self._switch(str(error))
            return self._engine.check(soft, budget, fixed=fixed, near=near)

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        try:
            return self._engine.decide(soft, budget, fixed=fixed, near=near)
        except FormulaTooLarge as error:
            self._engine = self._switch(str(error))
            return self._engine.decide(soft, budget, fixed=fixed, near=near)

    def hold(self, soft: Soft) -> None:
        try:
            self._engine.hold(soft)
        except FormulaTooLarge as error:
            self._engine = self._switch(str(error))
            self._engine.hold(soft)

    def _switch(self, reason: str) -> Engine:
        self.reason = reason
        return z3_engine(self.variables, self._background)


def make_engine(
    variables: Sequence[Variable], background: Iterable[Formula] = (), *, prefer: Preference | None = None
) -> Engine:
    """An engine for a conversation: SAT where the problem is small enough for CNF, else z3.

    `prefer` insists: with `"sat"`, what is too large for CNF raises `FormulaTooLarge`.
    """
    match prefer:
        case "sat":
            return sat_engine(variables, background)
        case "z3":
            return z3_engine(variables, background)
        case None:
            return RoutedEngine(variables, background)


def sat_engine(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
    from holdtrue.solving.sat_engine import SatEngine

    return SatEngine(variables, background)


def z3_engine(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
    from holdtrue.solving.z3_engine import Z3Engine

    return Z3Engine(variables, background)
