"""CNF clauses for bounded integers: literals for their values, counts of true literals, and linear comparisons.

Comparisons use the order encoding, with a literal for each `x >= value`. Single values get direct literals, which
clauses link to the order literals. A sum `sum(factor * x) <= bound` becomes one clause for each case: if the other
variables reach certain values, the last one has a bound. Both encodings are from Tamura, Taga, Kitagawa and Banbara,
"Compiling finite linear CSP into SAT", Constraints 2009.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import prod

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import bounded

Clause = list[int]

TRUE = 1
"""The literal that every encoding asserts. Its negation is always false."""
FALSE = -TRUE


class Pool:
    """The literals in use, `1..top`, and the clauses that define them and were not taken yet."""

    __slots__ = ("clauses", "top")

    def __init__(self) -> None:
        self.top = TRUE
        self.clauses: list[Clause] = [[TRUE]]

    def new(self) -> int:
        self.top += 1
        return self.top

    def take(self) -> list[Clause]:
        """Return the clauses that were not taken before, and empty the pool."""
        taken, self.clauses = self.clauses, []
        return taken


class VariableLiterals:
    """The literals of one variable for `x <= value`, `x >= value` and `x == value`. They are TRUE or FALSE if the sort
    decides.

    The literals of `x >= low + 1 .. x >= high` are consecutive (`order`), so that a value is read quickly from a model.
    Literals of single values are made on demand, since many variables are only compared.
    """

    __slots__ = ("_equal", "_pool", "high", "low", "name", "order")

    def __init__(self, variable: Variable, pool: Pool) -> None:
        self.name = variable.name
        self.low, self.high = bounded(variable.sort)
        self.order = range(pool.top + 1, pool.top + 1 + self.high - self.low)
        self._pool = pool
        self._equal: dict[int, int] = {}
        pool.top += len(self.order)
        pool.clauses += [[-above, here] for here, above in zip(self.order, self.order[1:], strict=False)]

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def at_least(self, value: int) -> int:
        if value <= self.low:
            return TRUE
        return self.order[value - self.low - 1] if value <= self.high else FALSE

    def at_most(self, value: int) -> int:
        return -self.at_least(value + 1)

    def equal(self, value: int) -> int:
        known = self._equal.get(value)
        if known is not None:
            return known
        if not self.low <= value <= self.high:
            return FALSE
        # The two end values coincide with order literals. Only inner values need a literal.
        if value == self.low:
            return self.at_most(value)
        if value == self.high:
            return self.at_least(value)
        made = self._equal[value] = self._define(value)
        return made

    def _define(self, value: int) -> int:
        exactly, here, above = self._pool.new(), self.at_least(value), self.at_least(value + 1)
        self._pool.clauses += [[here, -exactly], [-above, -exactly], [-here, above, exactly]]
        return exactly

    def value(self, model: Sequence[int], guess: int | None = None) -> int:
        """Return the value in a model (one signed literal for each of 1, 2, 3, ...).

        A right `guess` makes this quick.
        """
        first = self.order.start - 1  # where `x >= low + 1` stands in the model
        if guess is not None and self.low <= guess <= self.high:
            index = first + guess - self.low
            if (guess == self.low or model[index - 1] > 0) and (guess == self.high or model[index] < 0):
                return guess
        # The true literals come first. Bisection finds the first false one.
        low, high = 0, len(self.order)
        while low < high:
            middle = (low + high) // 2
            if model[first + middle] > 0:
                low = middle + 1
            else:
                high = middle
        return self.low + low


def tidy(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the same clauses without constants: `[]` is true and `[[]]` is false."""
    kept: list[Clause] = []
    for clause in clauses:
        if TRUE in clause:
            continue
        rest = [literal for literal in clause if literal != FALSE]
        if not rest:
            return [[]]
        kept.append(rest)
    return kept


LADDER_FROM = 12
"""From this many literals on, at-most-one uses helper literals. The number of clauses is then linear, not quadratic."""


def at_most_one(literals: Sequence[int], pool: Pool) -> list[Clause]:
    """Return clauses that allow at most one true literal. Clauses that define helper literals go into the pool."""
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
    """Return clauses that demand at least `count` true literals: `[]` is true, `[[]]` is false. A repeated literal
    counts twice.

    This is the sequential counter (Sinz, CP 2005) in the other direction: `reached[k]` implies that k literals so far
    are true.
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
            # Skip counts that cannot be reached yet, and counts from which the goal is out of reach.
            if goal > position or count - goal > len(open_ones) - position:
                reached.append(FALSE)
                continue
            here = pool.new()
            pool.clauses += tidy([[-here, before[goal], literal], [-here, before[goal], before[goal - 1]]])
            reached.append(here)
    return [[reached[count]]]


def size_of_at_least(count: int, among: int) -> int:
    """Estimate the number of clauses that `at_least` makes."""
    return 2 * max(0, count) * max(0, among - count + 1)


Part = tuple[int, VariableLiterals]


def most_clauses(sizes: Sequence[int]) -> int:
    """Return the most clauses of an inequality: one per combination of values of all variables but the largest."""
    return prod(sorted(sizes)[:-1])


def at_most_clauses(parts: Sequence[Part], bound: int) -> list[Clause]:
    """Return clauses of `sum(factor * x) <= bound`. `[]` is true, `[[]]` is false. No factor may be zero."""
    if not parts:
        return [] if bound >= 0 else [[]]
    # The variable with the most values comes last, where one literal bounds it instead of a case for each value.
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
    """Yield clauses of `parts[index:] <= bound`, each weakened by the literals `so_far`.

    `ranges[i]` holds the least and greatest sum of `parts[i:]`. The bound lies between them.
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
    """Return clauses of `a * x + b * y + constant != 0`, one for each forbidden pair of values of two variables."""
    (a, x), (b, y) = first, second
    clauses = []
    for value in range(x.low, x.high + 1):
        other, left_over = divmod(-constant - a * value, b)
        if left_over == 0:
            clauses.append([-x.equal(value), -y.equal(other)])
    return tidy(clauses)
