"""The protocol of all solver engines, and helpers for asking several questions under one deadline.

An engine is given integer variables and a background of formulas. A question is a set of `soft` formulas, each under an
id: can they all hold with the background?
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable, Witness

Soft = Mapping[Id, Formula]
SAT = "minisat22"
"""The name of the SAT engine. Sums over all variables need too many clauses there."""


class Engine(Protocol):
    """An `Engine` is a solver that is kept for a whole conversation. Its variables and its background are fixed.

    Each question assumes its formulas only while it is answered. Learned clauses are kept, and nothing is ever
    retracted. The same questions in the same order give the same results. Two threads must not use one engine at once.
    """

    @property
    def name(self) -> str: ...

    @property
    def variables(self) -> Sequence[Variable]:
        """Return all variables in the order in which they were given."""
        ...

    @property
    def background(self) -> Sequence[Formula]:
        """Return the formulas that hold in every question, besides the ranges of the variables."""
        ...

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        """Decide whether all `soft` formulas can hold with the background and the `fixed` values of variables.

        The witness gives every variable a value. A core names ids of `soft`, and `fixed_id(name)` for fixed variables.
        An empty core means that the background alone is impossible. In that case, a core may also name ids that play no
        part. A value of `fixed` outside its variable's sort gives a core of that variable alone. Raises `FormulaError`
        for a variable that the engine does not have.
        """
        ...

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        """Return the verdict of `check` without a core, which is cheaper if `soft` begins with the held formulas."""
        ...

    def hold(self, soft: Soft) -> None:
        """Announce formulas with which the next questions will begin, in this order, so that these become cheap.

        This is a hint and changes no answer. Appending to the held formulas costs only the new ones. Any other change
        costs as much as holding all of them anew.
        """
        ...


def fixed_id(variable: str) -> Id:
    """Return the id under which a fixed variable appears in a core."""
    return f"={variable}"


class EngineFactory(Protocol):
    def __call__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> Engine: ...


class Signature(Protocol):
    """A `Signature` makes engines for formulas that have no variables, such as first-order sentences."""

    def engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine whose questions are counted."""
        ...

    def second_engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine of another kind, to check the results of the first."""
        ...


class EngineFault(RuntimeError):
    """Direct evaluation refutes a solver's answer. The defect is in holdtrue or in the solver, never in the input."""


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
    """Return the witness as a result. Raises `EngineFault` if direct evaluation finds that it breaks a formula."""
    broken = [formula for formula in formulas if not formula.holds(witness)]
    if broken or any(witness[name] != value for name, value in fixed.items()):
        raise EngineFault(f"{engine} gave a witness that direct evaluation refutes: {dict(witness)!r}")
    return Satisfiable(witness)


def changes(witness: Witness, target: Mapping[str, int]) -> int:
    """Return the number of the target's variables that have another value in the witness."""
    return sum(witness[name] != value for name, value in target.items())


SOON = Budget(0.5)
"""The budget for evaluating a formula under a witness before the engine is asked instead."""


class Questions:
    """`Questions` ask an engine about subsets of `soft`, always with the same `fixed` values and the background.

    `budget.timeout_s` limits all questions together, and `budget.conflicts` limits each one.
    """

    def __init__(self, engine: Engine, soft: Soft, budget: Budget, fixed: Mapping[str, int] | None = None) -> None:
        self.engine = engine
        self.soft = soft
        self.fixed = fixed
        self.deadline = budget.start()
        self._budget = budget

    @property
    def budget(self) -> Budget:
        """Return the rest of the budget."""
        return self._budget.until(self.deadline)

    def check(self, ids: Iterable[Id]) -> Satisfiable | Core | Unknown:
        return self.engine.check({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)

    def decide(self, ids: Iterable[Id]) -> Satisfiable | Unsatisfiable | Unknown:
        return self.engine.decide({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)
