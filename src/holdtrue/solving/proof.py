"""A DRAT proof that clauses exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Glucose4

from holdtrue.budget import Budget
from holdtrue.solving.incremental_solver import solve_in_chunks
from holdtrue.solving.result import Unknown

CHUNK = 2_000
"""Conflicts between two looks at the clock, at most: some tens of milliseconds."""


def refute(clauses: Iterable[Sequence[int]], budget: Budget) -> list[str] | Unknown | None:
    """The lines of a proof, of which the last is the empty clause; None where the clauses can hold together.

    A solver refutes nothing while it solves under assumptions, so the clauses are to be those that are asserted.
    """
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        found = solve_in_chunks(solver, [], budget, largest=CHUNK)
        if isinstance(found, Unknown):
            return found
        return None if found else _lemmas(solver.get_proof())


def _lemmas(lines: Iterable[str]) -> list[str]:
    """Return what was learned, and nothing deleted.

    All of Glucose's lemmas follow by unit propagation, also from more clauses than it had left; and checkers do not
    agree on what deleting a clause means that is the reason for a literal. Where propagation alone refutes, Glucose
    writes nothing at all.
    """
    learned = [line for line in lines if not line.startswith("d") and line != "0"]
    return [*learned, "0"]
