"""The engine for finite, small problems: kept SAT solvers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import CLAUSE_LIMIT
from holdtrue.solving.engine import EngineFault, Near, Soft, fixed_id, misfit
from holdtrue.solving.incremental_solver import Foreign, KeptSolver
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.theory import Theory

HOLD_FROM = 64
"""Below so many formulas, assuming them all costs less than a second solver does."""

MOST_PASSING = 500
"""So many formulas may be known that do not stand; then a solver forgets them."""


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
        self.background = tuple(background)
        self._limit = limit
        self._held: list[Formula] = []
        self._start()

    def _start(self) -> None:
        """As if nothing had been asked yet."""
        self._assuming = self._make_theory()
        self._standing: Theory | None = None
        self._stand(self._held)

    def _make_theory(self) -> Theory:
        return Theory(self.variables, self.background, self._limit)

    def hold(self, soft: Soft) -> None:
        self._stand(list(soft.values()))

    def _stand(self, formulas: list[Formula]) -> None:
        before, standing = self._held, self._standing
        # Nothing is held until all is: where one cannot be encoded, what follows it must not be taken for asserted.
        self._held, self._standing = [], None
        if len(formulas) >= HOLD_FROM:
            if standing is None or formulas[: len(before)] != before:
                before, standing = [], self._make_theory()
            standing.hold(formulas[len(before) :])
            self._standing = standing
        self._held = formulas

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        self._forget(soft)
        try:
            result, literals = self._assuming.ask(list(soft.values()), budget, fixed, near)
        except Foreign:
            return self._misfit(fixed, near)
        if not isinstance(result, Unsatisfiable):
            return result
        core = self._assuming.solver.core()
        ids = []
        # Of several formulas that say the same, only the first is named; the literals of values come in pairs.
        for literal, id in zip(literals, soft, strict=False):
            if literal in core:
                core.remove(literal)
                ids.append(id)
        if core and fixed:
            pairs = zip(literals[len(soft) :: 2], literals[len(soft) + 1 :: 2], fixed, strict=True)
            ids += [fixed_id(name) for below, above, name in pairs if below in core or above in core]
        return Core(tuple(ids))

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        fixed = fixed or {}
        theory, formulas = self._theory(soft)
        if near is None:
            known = theory.glance(formulas, fixed)
            if known is not None:
                return known
        if self._forget(soft):
            theory, formulas = self._theory(soft)
        try:
            found = theory.probe(formulas, budget, fixed) if near is None else None
            return theory.ask(formulas, budget, fixed, near)[0] if found is None else found
        except Foreign:
            return self._misfit(fixed, near)

    def _theory(self, soft: Soft) -> tuple[Theory, list[Formula]]:
        """Return who decides on these formulas, and those of them that do not stand there."""
        formulas = list(soft.values())
        if self._standing is not None and formulas[: len(self._held)] == self._held:
            return self._standing, formulas[len(self._held) :]
        return self._assuming, formulas

    def _misfit(self, fixed: Mapping[str, int], near: Near | None) -> Core:
        found = misfit(self._by_name, fixed, near)
        if found is None:
            raise EngineFault("a question was refused as foreign, and is not")
        return found

    def _forget(self, soft: Soft) -> bool:
        """Forget what has no part in what stands or is asked now, once there is much of it; return whether all is new.

        Nobody has to before a formula gets a literal.
        """
        assuming = self._assuming.solver
        standing = assuming if self._standing is None else self._standing.solver
        if assuming.passing > MOST_PASSING:
            assuming.forget([*self._held, *soft.values()])
        if standing.passing > MOST_PASSING:
            standing.forget(())  # what is held needs no literal there
        is_worn = assuming.worn or standing.worn
        if is_worn:
            self._start()
        return is_worn
