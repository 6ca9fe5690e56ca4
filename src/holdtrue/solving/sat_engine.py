"""The engine for finite, small problems: one kept SAT solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pysat.solvers import Minisat22

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Check, compile_formula
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import CLAUSE_LIMIT, Encoder
from holdtrue.solving.engine import Near, Soft, confirm, fixed_id, misfit
from holdtrue.solving.memo import FormulaMemo
from holdtrue.solving.proximity import Proximity
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable

FIRST_CHUNK = 1_000
LARGEST_CHUNK = 16_000
"""Conflicts between two looks at the clock: some tens of milliseconds, at most some tenths of a second."""


class SatEngine:
    """Every distinct formula is encoded once, behind a literal that implies it; a question assumes literals.

    Raises `FormulaTooLarge`, here and in `check`, for a formula that needs more than `limit` clauses.
    """

    name = "minisat22"

    def __init__(
        self, variables: Sequence[Variable], background: Iterable[Formula] = (), *, limit: int = CLAUSE_LIMIT
    ) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self._encoder = Encoder(self.variables, limit=limit)
        self._solver = Minisat22(bootstrap_with=self._encoder.base)
        self._background: list[Check] = []
        for formula in background:
            self._add(self._encoder.assertion(formula))
            self._background.append(compile_formula(formula))
        self._known = FormulaMemo(self._encode)
        self._proximity: Proximity | None = None

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed, near)
        if impossible is not None:
            return impossible
        assumed: dict[int, Id] = {}
        checks = self._background.copy()
        for id, formula in soft.items():
            literal, check = self._known[formula]
            assumed.setdefault(literal, id)
            checks.append(check)
        for name, value in fixed.items():
            assumed.setdefault(self._encoder.literals[name].equal(value), fixed_id(name))
        assumptions = list(assumed)
        if near is not None:
            bound = self._near(near)
            if bound is None:
                return Core(())
            assumptions += bound
        found = self._solve(assumptions, budget)
        if isinstance(found, Unknown):
            return found
        if found:
            return confirm(self._witness(), checks, fixed, near, self.name)
        core = set(self._solver.get_core() or ())
        return Core(tuple(id for literal, id in assumed.items() if literal in core))

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        return self.check(soft, budget, fixed=fixed, near=near)

    def hold(self, soft: Soft) -> None:
        pass

    def _solve(self, assumptions: list[int], budget: Budget) -> bool | Unknown:
        """Solve in chunks of conflicts, looking at the clock in between: no timer threads, no interrupts."""
        deadline = budget.start()
        chunk, spent = FIRST_CHUNK, 0
        while True:
            if deadline.passed:
                return Unknown(f"the time budget of {budget.timeout_s:g} s ran out")
            if budget.conflicts is not None:
                if spent >= budget.conflicts:
                    return Unknown(f"the budget of {budget.conflicts} conflicts ran out")
                chunk = min(chunk, budget.conflicts - spent)
            self._solver.conf_budget(chunk)
            # expect_interrupt only spares PySAT its own signal handler, which jumps out of the solver.
            result: bool | None = self._solver.solve_limited(assumptions, expect_interrupt=True)
            if result is not None:
                return result
            spent += chunk
            chunk = min(2 * chunk, LARGEST_CHUNK)

    def _witness(self) -> dict[str, int]:
        model: list[int] = self._solver.get_model()
        return {name: literals.value(model) for name, literals in self._encoder.literals.items()}

    def _encode(self, formula: Formula) -> tuple[int, Check]:
        literal, clauses = self._encoder.name(formula)
        self._add(clauses)
        return literal, compile_formula(formula)

    def _near(self, near: Near) -> list[int] | None:
        if self._proximity is None:
            self._proximity = Proximity(self._encoder, self._add)
        return self._proximity.assumptions(near)

    def _add(self, clauses: Iterable[list[int]]) -> None:
        for clause in clauses:
            self._solver.add_clause(clause)
