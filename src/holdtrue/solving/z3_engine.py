"""The engine for what does not fit into CNF: wide sums and large domains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import z3

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import Check, compile_formula
from holdtrue.logic.formula import (
    Abs,
    AllDifferent,
    And,
    Compare,
    Constant,
    Formula,
    Iff,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    Variable,
)
from holdtrue.solving.bounds import too_few_values
from holdtrue.solving.engine import Near, Soft, confirm, fixed_id, misfit
from holdtrue.solving.memo import FormulaMemo
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable

NO_LIMIT = 2**32 - 1
"""z3's own value for 'no timeout' (milliseconds)."""


class Z3Engine:
    """A kept z3 solver in a Context of its own: results do not depend on other engines in the process.

    Every distinct formula is asserted once, behind a Boolean constant that implies it; a question assumes
    constants. Budgets of conflicts are ignored.
    """

    name = "z3"

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._unknowns = {name: z3.Int(name, self._context) for name in self._by_name}
        for variable in self.variables:
            unknown = self._unknowns[variable.name]
            self._solver.add(unknown >= variable.sort.low, unknown <= variable.sort.high)
        self._background: list[Check] = []
        for formula in background:
            self._solver.add(self._formula(formula))
            self._background.append(compile_formula(formula))
        self._known = FormulaMemo(self._track)
        self._pins: dict[tuple[str, int], Any] = {}

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed, near)
        if impossible is not None:
            return impossible
        assumed: dict[int, tuple[Any, Id]] = {}
        checks = self._background.copy()
        for id, formula in soft.items():
            tracker, check = self._known[formula]
            assumed.setdefault(tracker.get_id(), (tracker, id))
            checks.append(check)
        for name, value in fixed.items():
            pin = self._pin(name, value)
            assumed.setdefault(pin.get_id(), (pin, fixed_id(name)))
        if budget.timeout_s is not None and budget.timeout_s <= 0:
            return Unknown("the time budget ran out")
        if near is None:
            return self._ask(assumed, budget, checks, fixed, None)
        self._solver.push()
        try:
            self._solver.add(self._near(near))
            return self._ask(assumed, budget, checks, fixed, near)
        finally:
            self._solver.pop()

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        return self.check(soft, budget, fixed=fixed, near=near)

    def hold(self, soft: Soft) -> None:
        pass

    def _ask(
        self,
        assumed: Mapping[int, tuple[Any, Id]],
        budget: Budget,
        checks: Iterable[Check],
        fixed: Mapping[str, int],
        near: Near | None,
    ) -> Satisfiable | Core | Unknown:
        self._solver.set("timeout", NO_LIMIT if budget.timeout_s is None else math.ceil(1000 * budget.timeout_s))
        answer = self._solver.check(*(tracker for tracker, _ in assumed.values()))
        if answer == z3.unknown:
            return Unknown(f"z3 gave up: {self._solver.reason_unknown()}")
        if answer == z3.sat:
            return confirm(self._witness(), checks, fixed, near, self.name)
        core = {tracker.get_id() for tracker in self._solver.unsat_core()}
        return Core(tuple(id for key, (_, id) in assumed.items() if key in core))

    def _witness(self) -> dict[str, int]:
        model = self._solver.model()
        return {name: model.eval(unknown, model_completion=True).as_long() for name, unknown in self._unknowns.items()}

    def _track(self, formula: Formula) -> tuple[Any, Check]:
        tracker = z3.Bool(f"formula {len(self._known)}", self._context)
        self._solver.add(z3.Implies(tracker, self._formula(formula)))
        return tracker, compile_formula(formula)

    def _pin(self, name: str, value: int) -> Any:
        if (name, value) not in self._pins:
            pin = z3.Bool(f"pin {len(self._pins)}", self._context)
            self._solver.add(z3.Implies(pin, self._unknowns[name] == value))
            self._pins[name, value] = pin
        return self._pins[name, value]

    def _near(self, near: Near) -> Any:
        changed = [(self._unknowns[name] != value, 1) for name, value in near.target.items()]
        if not changed or near.changes < 0:
            return z3.BoolVal(near.changes >= 0, self._context)
        return z3.PbLe(changed, near.changes)

    def _formula(self, formula: Formula) -> Any:
        match formula:
            case Truth():
                return z3.BoolVal(formula.value, self._context)
            case Not():
                return z3.Not(self._formula(formula.operand))
            case And():
                return z3.And(*map(self._formula, formula.operands), self._context)
            case Or():
                return z3.Or(*map(self._formula, formula.operands), self._context)
            case Iff():
                return self._formula(formula.left) == self._formula(formula.right)
            case Compare():
                return self._compare(formula)
            case AllDifferent():
                if len(formula.terms) < 2 or too_few_values(formula):
                    return z3.BoolVal(len(formula.terms) < 2, self._context)
                return z3.Distinct(*map(self._term, formula.terms))
        raise FormulaError(f"not a formula: {formula!r}")

    def _compare(self, formula: Compare) -> Any:
        left, right = self._term(formula.left), self._term(formula.right)
        match formula.op:
            case "<=":
                return left <= right
            case "<":
                return left < right
            case ">=":
                return left >= right
            case ">":
                return left > right
            case "==":
                return left == right
            case "!=":
                return left != right
        raise FormulaError(f"unknown comparison {formula.op!r}")

    def _term(self, term: Term) -> Any:
        match term:
            case Constant():
                return z3.IntVal(term.value, self._context)
            case Variable():
                if self._by_name.get(term.name) != term:
                    raise FormulaError(f"the engine has no variable {term.name!r} of sort {term.sort}")
                return self._unknowns[term.name]
            case Sum():
                return z3.Sum(z3.IntVal(0, self._context), *(f * self._term(part) for f, part in term.parts))
            case Abs():
                inner = self._term(term.inner)
                return z3.If(inner >= 0, inner, -inner)
        raise FormulaError(f"not a term: {term!r}")
