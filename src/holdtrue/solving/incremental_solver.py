"""Keep one PySAT solver together with all formulas that it was given.

The solver works in chunks of conflicts and looks at the clock in between. This needs no timer threads and no
interrupts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pysat.solvers import Minisat22

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoder import Encoder
from holdtrue.solving.engine import SAT
from holdtrue.solving.memos import FormulaMemo
from holdtrue.solving.result import Unknown

FIRST_CHUNK = 1_000
LARGEST_CHUNK = 16_000
"""The most conflicts between two looks at the clock: some tens of milliseconds, at most some tenths of a second."""


def solve_in_chunks(
    solver: Any, assumptions: Sequence[int], budget: Budget, *, largest: int = LARGEST_CHUNK
) -> bool | Unknown:
    """Return whether the solver's clauses are satisfiable under the assumptions, or `Unknown` if the budget ends.

    `solver` is a PySAT solver that can limit conflicts.
    """
    deadline = budget.start()
    chunk, spent = FIRST_CHUNK, 0
    while True:
        if deadline.passed:
            return Unknown(OUT_OF_TIME)
        if budget.conflicts is not None:
            if spent >= budget.conflicts:
                return Unknown(f"the budget of {budget.conflicts} conflicts ran out")
            chunk = min(chunk, budget.conflicts - spent)
        solver.conf_budget(chunk)
        # With expect_interrupt, PySAT installs no signal handler, which would jump out of the solver.
        result: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
        if result is not None:
            return result
        spent += chunk
        chunk = min(2 * chunk, largest)


class Foreign(LookupError):
    """A question uses a variable or a value that the solver does not have."""


class KeptSolver:
    """A solver that is given formulas in two ways. `hold` asserts a formula for good, and `literals` gives each a name.

    A name is a literal that implies its formula. Each formula is encoded once.
    """

    name = SAT

    def __init__(self, variables: Sequence[Variable]) -> None:
        self._encoder = Encoder(variables)
        self._variables = list(self._encoder.literals.items())
        self._last_order = self._encoder.pool.top
        self._solver = Minisat22()
        self._pins: dict[tuple[str, int], tuple[int, int]] = {}
        self.literals = FormulaMemo(self._encoder.name)
        self._lasting = 0

    def hold(self, formula: Formula) -> None:
        """Assert the formula for good."""
        literal = self.literals.get(formula)
        if literal is None:
            self._encoder.hold(formula)
        else:
            self._encoder.hold_named(literal)

    @property
    def passing(self) -> int:
        """Return how many formulas were named since names were last forgotten."""
        return len(self.literals) - self._lasting

    def forget(self, keep: Collection[Formula]) -> None:
        """Forget the names of all formulas but these. Asserted formulas stay."""
        # In this order, an interrupt cannot leave a dropped literal in the memo.
        self.literals = self.literals.only(keep)
        self._lasting = len(self.literals)
        self._encoder.drop_names(set(self.literals.values()))

    @property
    def worn(self) -> bool:
        """Return whether most literals belong to forgotten formulas."""
        return 2 * self._encoder.dead > self._encoder.pool.top

    def pins(self, fixed: Mapping[str, int]) -> list[int]:
        """Return two literals for each value: not below it, and not above.

        Raises `Foreign` for a value out of range.
        """
        literals: list[int] = []
        for pair in fixed.items():
            literals += self._pins.get(pair) or self._pin(pair)
        return literals

    def _pin(self, pair: tuple[str, int]) -> tuple[int, int]:
        name, value = pair
        own = self._encoder.literals.get(name)
        if own is None or not own.low <= value <= own.high:
            raise Foreign(name)
        pin = self._pins[pair] = own.at_least(value), own.at_most(value)
        return pin

    def solve(self, assumptions: list[int], budget: Budget) -> bool | Unknown:
        """Return whether all formulas that were given hold together under the assumptions."""
        self._give()
        return solve_in_chunks(self._solver, assumptions, budget)

    def refutes(self, assumptions: list[int]) -> bool:
        """Return whether unit propagation alone refutes the assumptions."""
        self._give()
        possible, _ = self._solver.propagate(assumptions)
        return not possible

    def _give(self) -> None:
        """Give the solver the clauses that it has not got yet."""
        waiting = self._encoder.pool.clauses
        for clause in waiting:
            self._solver.add_clause(clause)
        waiting.clear()  # last, so that an interrupt loses no clause

    def core(self) -> set[int]:
        """Return the assumptions that refuted the last question."""
        return set(self._solver.get_core() or ())

    def witness(self, guess: Mapping[str, int] | None, fixed: Mapping[str, int]) -> dict[str, int]:
        """Return the values in the last model. `fixed` values are taken as they are, and a right `guess` is quicker."""
        model: list[int] = self._solver.get_model()
        # The model lacks literals that occur in no clause. They may be false.
        model += [-1] * (self._last_order - len(model))
        values = {}
        for name, literals in self._variables:
            if name in fixed:
                values[name] = fixed[name]
            else:
                values[name] = literals.value(model, None if guess is None else guess[name])
        return values

    @property
    def size(self) -> tuple[int, int]:
        """Return the number of literals and of solver variables. Asking a question again adds none."""
        return self._encoder.pool.top, self._solver.nof_vars()
