"""The protocol that every solver engine speaks, and questions to one that share a deadline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable, Witness

Soft = Mapping[Id, Formula]
SAT = "minisat22"
"""The name of the engine of clauses, in which no sum over all variables is asked about."""


class Engine(Protocol):
    """An `Engine` is a kept solver over fixed variables and a fixed background.

    Everything else is assumed per question, so that one engine serves a whole conversation: learned clauses
    stay, nothing is ever retracted. The same questions in the same order give the same results. An engine is
    not to be asked from two threads at once.
    """

    @property
    def name(self) -> str: ...

    @property
    def variables(self) -> Sequence[Variable]:
        """Return all variables, in the order in which they were given."""
        ...

    @property
    def background(self) -> Sequence[Formula]:
        """Return what holds in every question, beside the ranges of the variables."""
        ...

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        """Decide whether all `soft` formulas can hold with the background and `fixed` values of variables.

        The witness gives every variable a value. A core names soft ids, and for fixed variables `fixed_id(name)`. An
        empty core says that the background alone is impossible; then a core may also name what has no part in it. A
        value of `fixed` outside its variable's sort makes the answer a core of just that variable. Raises
        `FormulaError` for a variable that the engine does not have.
        """
        ...

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        """Answer like `check` without the reasons, which is cheaper where `soft` begins with what is held."""
        ...

    def hold(self, soft: Soft) -> None:
        """Keep these standing until further notice, in this order: questions that begin with them become cheap.

        A hint that changes no answer. Adding to the end of what is held costs what is added; anything else
        costs the whole.
        """
        ...


def fixed_id(variable: str) -> Id:
    """Return the id under which a fixed variable appears in a core."""
    return f"={variable}"


class EngineFactory(Protocol):
    def __call__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> Engine: ...


class Signature(Protocol):
    """A `Signature` says what formulas are about that have no variables, and makes the engines that decide them."""

    def engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine whose questions are counted."""
        ...

    def second_engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine of another kind, to ask it what the first one found."""
        ...


class EngineFault(RuntimeError):
    """A solver's answer does not stand up to direct evaluation: a defect in holdtrue or the solver, never input."""


def misfit(variables: Mapping[str, Variable], fixed: Mapping[str, int]) -> Core | None:
    """Return the core of the first fixed value outside its variable's sort, or None if there is none.

    Raises `FormulaError` for a variable that the engine does not have.
    """
    foreign = fixed.keys() - variables.keys()
    if foreign:
        raise FormulaError(f"the engine has no variable {min(foreign)!r}")
    for name, value in fixed.items():
        if value not in variables[name].sort:
            return Core((fixed_id(name),))
    return None


def confirm(witness: Witness, formulas: Iterable[Formula], fixed: Mapping[str, int], engine: str) -> Satisfiable:
    """Return the witness as a result, once direct evaluation agrees; raises `EngineFault` where it does not."""
    broken = [formula for formula in formulas if not formula.holds(witness)]
    if broken or any(witness[name] != value for name, value in fixed.items()):
        raise EngineFault(f"{engine} gave a witness that direct evaluation refutes: {dict(witness)!r}")
    return Satisfiable(witness)


def changes(witness: Witness, target: Mapping[str, int]) -> int:
    """Return how many of the target's variables have another value in the witness."""
    return sum(witness[name] != value for name, value in target.items())


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
