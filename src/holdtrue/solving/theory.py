"""A kept solver with everything that stands in it: the background, and formulas held until further notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Check
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Near, confirm
from holdtrue.solving.kept_solver import KeptSolver
from holdtrue.solving.memo import FormulaMemo
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness


class Theory:
    """What stands is asserted; what is asked on top of it is assumed.

    `stands` are the held formulas, in order. `witness` is the last one that was found and confirmed: it keeps the
    background, and all of `stands` up to what was added since.
    """

    def __init__(
        self, variables: Sequence[Variable], background: Iterable[Formula], checks: FormulaMemo[Check], limit: int
    ) -> None:
        self.solver = KeptSolver(variables, limit)
        self.stands: list[Formula] = []
        self.witness: Witness | None = None
        self._checks = checks
        self._about: dict[str, list[Check]] = {variable.name: [] for variable in variables}
        self._unseen: list[Check] = []
        for formula in background:
            self._assert(formula)

    def hold(self, formulas: Iterable[Formula]) -> None:
        """Add to what stands."""
        for formula in formulas:
            self._assert(formula)
            self.stands.append(formula)

    def recall(self, formulas: Sequence[Formula]) -> Satisfiable | None:
        """The last witness, if it keeps what stands and the formulas as well."""
        if self.witness is None:
            return None
        witness = self.witness
        for check in self._unseen:
            if not check(witness):
                return None
        # Later formulas are newer, and more likely to be what the witness does not know yet.
        for check in reversed(self._checks.each(formulas)):
            if not check(witness):
                return None
        self._unseen = []
        return Satisfiable(witness)

    def ask(
        self, formulas: Sequence[Formula], budget: Budget, fixed: Mapping[str, int], near: Near | None
    ) -> tuple[Satisfiable | Unsatisfiable | Unknown, list[int]]:
        """The verdict, and the literals that were assumed for the formulas and then for the fixed values."""
        solver = self.solver
        literals = solver.literals.each(formulas)
        if fixed:
            literals += solver.pins(fixed)
        found = solver.solve(literals if near is None else literals + solver.near(near), budget)
        if isinstance(found, Unknown):
            return found, literals
        if not found:
            return Unsatisfiable(), literals
        witness = solver.witness(self.witness)
        checks = [*self._due(witness), *self._checks.each(formulas)]
        result = confirm(witness, checks, fixed, near, solver.name)
        self.witness, self._unseen = witness, []
        return result, literals

    def _assert(self, formula: Formula) -> None:
        self.solver.hold(formula)
        check = self._checks[formula]
        self._unseen.append(check)
        for variable in formula.variables:
            self._about[variable.name].append(check)

    def _due(self, witness: Witness) -> list[Check]:
        """What of all that stands has to be looked at: what is new, or is about a value that has changed."""
        before, due = self.witness, self._unseen.copy()
        if before is not None:
            for name, value in witness.items():
                if before[name] != value:
                    due += self._about[name]
        return due
