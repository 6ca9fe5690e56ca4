"""One PySAT solver that is kept, and everything it was given.

It solves in chunks of conflicts, with a look at the clock in between: no timer threads, no interrupts. 'At most so
many changes' is literals to assume, without growing from question to question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pysat.card import ITotalizer
from pysat.solvers import Minisat22

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.clauses import FALSE, TRUE
from holdtrue.solving.encoder import Encoder
from holdtrue.solving.engine import Near
from holdtrue.solving.memos import FormulaMemo
from holdtrue.solving.result import Unknown

FIRST_CHUNK = 1_000
LARGEST_CHUNK = 16_000
"""Conflicts between two looks at the clock: some tens of milliseconds, at most some tenths of a second."""


def solve_in_chunks(
    solver: Any, assumptions: Sequence[int], budget: Budget, *, largest: int = LARGEST_CHUNK
) -> bool | Unknown:
    """Return whether a PySAT solver with conflict budgets finds its clauses satisfiable under the assumptions."""
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
        # expect_interrupt only spares PySAT its own signal handler, which jumps out of the solver.
        result: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
        if result is not None:
            return result
        spent += chunk
        chunk = min(2 * chunk, largest)


class Foreign(LookupError):
    """A question is about a variable or a value that the solver does not have."""


class KeptSolver:
    """Formulas are asserted for good (`hold`), or encoded once behind a literal that implies them (`literals`)."""

    name = "minisat22"

    def __init__(self, variables: Sequence[Variable]) -> None:
        self._encoder = Encoder(variables)
        self._variables = list(self._encoder.literals.items())
        self._last_order = self._encoder.pool.top
        self._solver = Minisat22()
        self._proximity: Proximity | None = None
        self._pins: dict[tuple[str, int], tuple[int, int]] = {}
        self.literals = FormulaMemo(self._encoder.name)
        self._lasting = 0

    def hold(self, formula: Formula) -> None:
        """Assert the formula; nothing ever takes it back."""
        literal = self.literals.get(formula)
        if literal is None:
            self._encoder.hold(formula)
        else:
            self._encoder.hold_named(literal)

    @property
    def passing(self) -> int:
        """Return how many formulas have got a literal since others were forgotten."""
        return len(self.literals) - self._lasting

    def forget(self, keep: Collection[Formula]) -> None:
        """Forget the literals of all formulas but these; what is held stays."""
        # In this order: no literal that may be denied may still be found, wherever this is interrupted.
        self.literals = self.literals.only(keep)
        self._lasting = len(self.literals)
        self._encoder.drop_names(set(self.literals.values()))

    @property
    def worn(self) -> bool:
        """Return whether most literals were a forgotten formula's: useless by now, they are still in every witness."""
        return 2 * self._encoder.dead > self._encoder.pool.top

    def pins(self, fixed: Mapping[str, int]) -> list[int]:
        """Return two literals for each value: not below it, and not above.

        Raises `Foreign` for a value that its variable cannot have.
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

    def near(self, near: Near) -> list[int]:
        """Literals to assume for a bound on change; raises `Foreign` for a variable that is not here."""
        if not near.target.keys() <= self._encoder.literals.keys():
            raise Foreign(str(near.target))
        if self._proximity is None:
            self._proximity = Proximity(self._encoder)
        bound = self._proximity.assumptions(near)
        return [FALSE] if bound is None else bound

    def solve(self, assumptions: list[int], budget: Budget) -> bool | Unknown:
        """Return whether all that was given holds together under the assumptions."""
        self._give()
        return solve_in_chunks(self._solver, assumptions, budget)

    def refutes(self, assumptions: list[int]) -> bool:
        """Return whether unit propagation alone shows that the assumptions cannot hold beside what was given."""
        self._give()
        possible, _ = self._solver.propagate(assumptions)
        return not possible

    def _give(self) -> None:
        """Give the solver the clauses that it has not seen."""
        waiting = self._encoder.pool.clauses
        for clause in waiting:
            self._solver.add_clause(clause)
        waiting.clear()  # only now: an interrupt in between must lose none of them

    def core(self) -> set[int]:
        """The assumptions that the last answer, unsat, made use of."""
        return set(self._solver.get_core() or ())

    def witness(self, guess: Mapping[str, int] | None, fixed: Mapping[str, int]) -> dict[str, int]:
        """Return the values in the last answer, sat; those of the variables that were fixed need no reading.

        `guess` (all variables) makes it quicker where it is right.
        """
        model: list[int] = self._solver.get_model()
        # The solver has never heard of literals that are in no clause: they may be false.
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
        """Literals and variables in use; questions that were asked before do not add to it."""
        return self._encoder.pool.top, self._solver.nof_vars()


class Proximity:
    """One totalizer over all variables of an engine, whatever the target.

    A variable has one literal that says 'changed'; for every target value that is ever asked about, a literal
    to assume says 'changed, unless it has this value'. The totalizer (Bailleux and Boufkhad, CP 2003;
    iterative: Martins et al., CP 2014) counts the changed ones, and is extended only as far as bounds are
    asked for.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._changed = {name: encoder.pool.new() for name in encoder.literals}
        self._aims: dict[tuple[str, int], int] = {}
        self._totalizer: ITotalizer | None = None

    def assumptions(self, near: Near) -> list[int] | None:
        """Literals to assume; None where more targets lie outside their sorts than changes are allowed."""
        allowed = near.changes
        aims = []
        for pair in near.target.items():
            aim = self._aims.get(pair) or self._make_aim(pair)
            if aim == FALSE:
                allowed -= 1
            else:
                aims.append(aim)
        if allowed < 0:
            return None
        return aims if allowed >= len(aims) else [*aims, -self._more_than(allowed)]

    def _make_aim(self, pair: tuple[str, int]) -> int:
        """The literal that says 'changed, unless it has this value'; FALSE where it cannot have it."""
        name, value = pair
        own, pool = self._encoder.literals[name], self._encoder.pool
        if not own.low <= value <= own.high:
            return FALSE
        aim = pool.new()
        pool.clauses += [
            [-aim, self._changed[name], bound] for bound in (own.at_least(value), own.at_most(value)) if bound != TRUE
        ]
        self._aims[pair] = aim
        return aim

    def _more_than(self, count: int) -> int:
        """The literal that is true when more than `count` variables have changed."""
        pool = self._encoder.pool
        if self._totalizer is None:
            self._totalizer = ITotalizer(lits=list(self._changed.values()), ubound=max(count, 3), top_id=pool.top)
            self._take_new_clauses(self._totalizer)
        elif count > self._totalizer.ubound:
            self._totalizer.increase(ubound=2 * count, top_id=pool.top)
            self._take_new_clauses(self._totalizer)
        literal: int = self._totalizer.rhs[count]
        return literal

    def _take_new_clauses(self, totalizer: ITotalizer) -> None:
        pool = self._encoder.pool
        pool.top = max(pool.top, totalizer.top_id)
        if totalizer.nof_new:
            pool.clauses += totalizer.cnf.clauses[-totalizer.nof_new :]
