"""The engine for finite, small problems: kept SAT solvers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Check, compile_formula
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import CLAUSE_LIMIT
from holdtrue.solving.engine import Near, Soft, fixed_id, misfit
from holdtrue.solving.kept_solver import KeptSolver
from holdtrue.solving.memo import FormulaMemo
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.theory import Theory

HOLD_FROM = 64
"""Below so many formulas, assuming them all costs less than a second solver does."""

MOST_PASSING = 2_000
"""So many formulas may be known that do not stand; then the solvers are made anew, without them."""


class SatEngine:
    """Every distinct formula is encoded once, behind a literal that implies it; a question assumes literals.

    What stands for long is asserted as well, in a solver of its own that gives verdicts without reasons: thousands
    of assumptions are what makes a long ledger slow. A long series of different questions leaves nothing behind.
    Raises `FormulaTooLarge`, here and in questions, for a formula that needs more than `limit` clauses.
    """

    name = KeptSolver.name

    def __init__(
        self, variables: Sequence[Variable], background: Iterable[Formula] = (), *, limit: int = CLAUSE_LIMIT
    ) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self._background = tuple(background)
        self._limit = limit
        self._held: list[Formula] = []
        self._start()

    def _start(self) -> None:
        """As if nothing had been asked yet."""
        self._checks: FormulaMemo[Check] = FormulaMemo(compile_formula)
        self._assuming = self._make_theory()
        self._standing: Theory | None = None
        self._stand()

    def _make_theory(self) -> Theory:
        return Theory(self.variables, self._background, self._checks, self._limit)

    def _stand(self) -> None:
        self._standing = None
        if len(self._held) >= HOLD_FROM:
            self._standing = self._make_theory()
            self._standing.hold(self._held)

    def hold(self, soft: Soft) -> None:
        formulas, before = list(soft.values()), self._held
        self._held = formulas
        if self._standing is not None and formulas[: len(before)] == before:
            self._standing.hold(formulas[len(before) :])
        else:
            self._stand()

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed, near)
        if impossible is not None:
            return impossible
        self._forget(len(soft))
        result, literals = self._assuming.ask(list(soft.values()), budget, fixed, near)
        if not isinstance(result, Unsatisfiable):
            return result
        core = self._assuming.solver.core()
        ids: list[Id] = []
        for literal, id in zip(literals, (*soft, *map(fixed_id, fixed)), strict=True):
            if literal in core:
                core.remove(literal)  # of several that say the same, the first
                ids.append(id)
        return Core(tuple(ids))

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        self._forget(len(soft))
        theory, formulas = self._assuming, list(soft.values())
        if self._standing is not None:
            count = len(self._held)
            if formulas[:count] == self._held:
                theory, formulas = self._standing, formulas[count:]
        if not fixed and near is None:
            known = theory.recall(formulas)
            if known is not None:
                return known
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed, near)
        if impossible is not None:
            return impossible
        return theory.ask(formulas, budget, fixed, near)[0]

    def _forget(self, asked: int) -> None:
        """Start anew where most of what is known has no part in what is asked."""
        if len(self._checks) > MOST_PASSING + 2 * max(len(self._held), asked):
            self._start()
