"""The protocol that every solver engine speaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown

Soft = Mapping[Id, Formula]


class Engine(Protocol):
    """A kept solver over fixed variables and a fixed background.

    Everything else is assumed per question, so that one engine serves a whole conversation: learned clauses
    stay, nothing is ever retracted. The same questions in the same order give the same results.
    """

    @property
    def name(self) -> str: ...

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        """Can all `soft` formulas hold with the background, and with the variables `fixed` to those values?

        The witness gives every variable a value. A core names soft ids, and for fixed variables
        `fixed_id(name)`; it is empty when the background alone is impossible. A value of `fixed` outside its
        variable's sort makes the answer a core of just that variable.
        """
        ...


def fixed_id(variable: str) -> Id:
    """The id under which a fixed variable appears in a core."""
    return f"={variable}"


class EngineFactory(Protocol):
    def __call__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> Engine: ...
