"""A DRAT proof that clauses exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Glucose4

from holdtrue.budget import Budget
from holdtrue.solving.result import Unknown

CHUNK = 2_000
"""Conflicts between two looks at the clock: some tens of milliseconds."""


def refute(clauses: Iterable[Sequence[int]], budget: Budget) -> list[str] | Unknown | None:
    """The lines of a proof, of which the last is the empty clause; None where the clauses can hold together.

    A solver refutes nothing while it solves under assumptions, so the clauses are to be those that are asserted.
    """
    deadline, spent = budget.start(), 0
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        result: bool | None = None
        while result is None:
            if deadline.passed:
                return Unknown(f"the time budget of {budget.timeout_s:.3g} s ran out")
            chunk = CHUNK if budget.conflicts is None else min(CHUNK, budget.conflicts - spent)
            if chunk <= 0:
                return Unknown(f"the budget of {budget.conflicts} conflicts ran out")
            solver.conf_budget(chunk)
            # expect_interrupt only spares PySAT its own signal handler, which jumps out of the solver.
            result = solver.solve_limited(expect_interrupt=True)
            spent += chunk
        return None if result else _lemmas(solver.get_proof())


def _lemmas(lines: Iterable[str]) -> list[str]:
    """What was learned, and nothing deleted.

    All of Glucose's lemmas follow by unit propagation, also from more clauses than it had left; and checkers do not
    agree on what deleting a clause means that is the reason for a literal. Where propagation alone refutes, Glucose
    writes nothing at all.
    """
    learned = [line for line in lines if not line.startswith("d") and line != "0"]
    return [*learned, "0"]
