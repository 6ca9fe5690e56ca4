"""Solving in chunks of conflicts, with a look at the clock in between: no timer threads, no interrupts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.solving.result import Unknown

FIRST_CHUNK = 1_000
LARGEST_CHUNK = 16_000
"""Conflicts between two looks at the clock: some tens of milliseconds, at most some tenths of a second."""


def solve_in_chunks(
    solver: Any, assumptions: Sequence[int], budget: Budget, *, largest: int = LARGEST_CHUNK
) -> bool | Unknown:
    """Whether a PySAT solver that knows conflict budgets finds its clauses satisfiable under the assumptions."""
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
