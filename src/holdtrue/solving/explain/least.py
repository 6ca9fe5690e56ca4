"""The witness of the least cost, by bisection of the cost: what an engine cannot do by cores, as for wide sums.

The bound is halved between what is ruled out and what the best witness costs (binary search: Fu and Malik, "On solving
the partial MAX-SAT problem", SAT 2006, section 2). A question that an engine does not decide in its share of the time
rules nothing out, and the search goes on above it: what is found then is legal, and not proved the cheapest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.logic.formula import Compare, Constant, Formula, Term
from holdtrue.solving.arithmetic import halfway
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness

Ask = Callable[[Formula, Budget], Satisfiable | Unsatisfiable | Unknown]
"""Whether a bound can be kept, within a limit."""

SHARE = 4
"""A question may take so great a part of the time that is left, so that a hard one leaves time for others."""


@dataclass(frozen=True, slots=True)
class Least:
    """The cheapest witness that was found, what it costs, and whether nothing cheaper is proved to exist."""

    witness: Witness
    cost: int
    optimal: bool


def least(
    ask: Ask,
    cost: Term,
    value: Callable[[Witness], int],
    known: Witness,
    budget: Budget,
    deadline: Deadline,
    *,
    probe: int | None = None,
) -> Least:
    """The cheapest witness from a `known` one on.

    `value` tells what a witness costs, which `cost` says as a term; nothing costs less than 0. The `deadline` is the
    budget's. `probe` is the cost that is asked about first, by default the middle.
    """
    best, least_cost, proved = known, value(known), 0
    at = 0  # nothing below this is looked for any more
    while at < least_cost and not deadline.passed:
        bound = halfway(at, least_cost) if probe is None else probe
        probe = None
        found = ask(Compare("<=", cost, Constant(bound)), budget.until(deadline, SHARE))
        if isinstance(found, Satisfiable):
            best, least_cost = found.witness, value(found.witness)
        else:
            if isinstance(found, Unsatisfiable) and proved == at:
                proved = bound + 1
            at = bound + 1
    return Least(best, least_cost, proved >= least_cost)
