"""Labels proved again from SMT-LIB texts alone, by z3."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.lab.suites.cross_query.formal import read_statement, read_theory
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.result import Inconsistent, Unknown
from holdtrue.solving.route import make_engine


class Prover:
    """One theory, and statements about it. Raises `FormulaError` for text that cannot be read."""

    def __init__(self, theory: str, budget: Budget) -> None:
        self._theory = read_theory(theory)
        self._engine = make_engine(tuple(self._theory.variables.values()), self._theory.formulas, prefer="z3")
        self._budget = budget

    def label(self, statement: str) -> Label | Unknown | Inconsistent:
        """The label of a statement, a term; `Inconsistent` where the theory itself is impossible."""
        return label_of(self._engine, {}, read_statement(statement, self._theory), self._budget)
