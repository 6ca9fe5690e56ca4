"""Clauses for linear comparisons over order-encoded variables, by propagation of bounds.

`sum(factor * x) <= bound` becomes: whenever the first variables contribute at least so much, the last one
is at most so big (Tamura et al., "Compiling finite linear CSP into SAT", Constraints 2009, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from holdtrue.solving.literals import FALSE, TRUE, Clause, VariableLiterals, tidy

Part = tuple[int, VariableLiterals]


def most_clauses(sizes: Sequence[int]) -> int:
    """Return how many clauses an inequality between variables with so many values may need at most.

    All combinations of values except those of the largest variable.
    """
    return prod(sorted(sizes)[:-1])


def at_most_clauses(parts: Sequence[Part], bound: int) -> list[Clause]:
    """Return clauses of `sum(factor * x) <= bound`; `[]` is true, `[[]]` is false. No factor is zero."""
    if not parts:
        return [] if bound >= 0 else [[]]
    # The variable with the most values last: it is bounded by one literal instead of case by case.
    ordered = sorted(parts, key=lambda part: part[1].size)
    ranges = [(0, 0)]
    for factor, x in reversed(ordered):
        low, high = sorted((factor * x.low, factor * x.high))
        ranges.append((ranges[-1][0] + low, ranges[-1][1] + high))
    ranges.reverse()
    if bound < ranges[0][0]:
        return [[]]
    return list(_walk(ordered, ranges, 0, bound, [])) if bound < ranges[0][1] else []


def _walk(
    parts: Sequence[Part], ranges: Sequence[tuple[int, int]], index: int, bound: int, so_far: Clause
) -> Iterator[Clause]:
    """Clauses of `parts[index:] <= bound`, each weakened by the literals `so_far`.

    `ranges[i]` holds the least and greatest sum of `parts[i:]`; the bound lies between them.
    """
    factor, x = parts[index]
    if index == len(parts) - 1:
        literal = x.at_most(bound // factor) if factor > 0 else x.at_least(-(bound // -factor))
        if literal != TRUE:
            yield so_far if literal == FALSE else [*so_far, literal]
        return
    least, greatest = ranges[index + 1]
    values = range(x.low, x.high + 1) if factor > 0 else range(x.high, x.low - 1, -1)
    for value in values:
        rest = bound - factor * value
        if rest >= greatest:
            continue
        # The contribution is at least factor * value unless this literal holds.
        unless = x.at_most(value - 1) if factor > 0 else x.at_least(value + 1)
        weakened = so_far if unless == FALSE else [*so_far, unless]
        if rest < least:
            yield weakened
            return
        yield from _walk(parts, ranges, index + 1, rest, weakened)


def apart_clauses(first: Part, second: Part, constant: int) -> list[Clause]:
    """Return clauses of `a * x + b * y + constant != 0` for two different variables: one per forbidden pair."""
    (a, x), (b, y) = first, second
    clauses = []
    for value in range(x.low, x.high + 1):
        other, left_over = divmod(-constant - a * value, b)
        if left_over == 0:
            clauses.append([-x.equal(value), -y.equal(other)])
    return tidy(clauses)
