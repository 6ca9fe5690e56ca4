"""Clauses about how many literals are true."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from holdtrue.solving.literals import FALSE, TRUE, Clause, Pool, tidy

LADDER_FROM = 12
"""From so many literals on, at-most-one is written with helper literals: linear, not quadratic, in number."""


def at_most_one(literals: Sequence[int], pool: Pool) -> list[Clause]:
    """Clauses of which no two literals are true; what helper literals mean goes into the pool."""
    if len(literals) < LADDER_FROM:
        return [[-first, -second] for first, second in combinations(literals, 2)]
    # Sequential counter (Sinz, CP 2005): `seen` means that one of the literals so far is true.
    clauses: list[Clause] = []
    seen = literals[0]
    for literal in literals[1:]:
        clauses.append([-seen, -literal])
        following = pool.new()
        pool.clauses += tidy([[-seen, following], [-literal, following]])
        seen = following
    return clauses


def at_least(count: int, literals: Sequence[int], pool: Pool) -> list[Clause]:
    """Clauses of which at least so many are true: `[]` is true, `[[]]` is false. A literal given twice counts twice.

    Sequential counter (Sinz, CP 2005), read the other way round: `reached[k]` is true only where k of the literals so
    far are.
    """
    open_ones = [literal for literal in literals if literal not in (TRUE, FALSE)]
    count -= list(literals).count(TRUE)
    if count <= 0:
        return []
    if count > len(open_ones):
        return [[]]
    if count == 1:
        return [open_ones]
    if count == len(open_ones):
        return [[literal] for literal in open_ones]
    reached = [TRUE] + [FALSE] * count
    for position, literal in enumerate(open_ones, 1):
        before = reached
        reached = [TRUE]
        for goal in range(1, count + 1):
            # Only what can be reached so far, and what is still of use with those that are left.
            if goal > position or count - goal > len(open_ones) - position:
                reached.append(FALSE)
                continue
            here = pool.new()
            pool.clauses += tidy([[-here, before[goal], literal], [-here, before[goal], before[goal - 1]]])
            reached.append(here)
    return [[reached[count]]]


def size_of_at_least(count: int, among: int) -> int:
    """About how many clauses `at_least` makes."""
    return 2 * max(0, count) * max(0, among - count + 1)
