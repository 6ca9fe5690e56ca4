"""The literals that stand for a bounded integer variable in CNF.

Order encoding (Tamura, Taga, Kitagawa and Banbara, "Compiling finite linear CSP into SAT", Constraints 2009)
for comparisons, channelled to direct literals for single values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import bounded

Clause = list[int]

TRUE = 1
"""The literal that is asserted in every encoding; its negation is the literal that is always false."""
FALSE = -TRUE


class Pool:
    """The literals in use, `1..top`, and the clauses that give them their meaning, until somebody takes them."""

    __slots__ = ("clauses", "top")

    def __init__(self) -> None:
        self.top = TRUE
        self.clauses: list[Clause] = [[TRUE]]

    def new(self) -> int:
        self.top += 1
        return self.top

    def take(self) -> list[Clause]:
        """The clauses that nobody has taken yet."""
        taken, self.clauses = self.clauses, []
        return taken


class VariableLiterals:
    """Literals for `x <= value`, `x >= value` and `x == value`; TRUE or FALSE where the sort decides.

    The literals of `x >= low + 1 .. x >= high` are consecutive, `order`, so that a model is read off quickly. Those of
    single values are made when they are first asked for: many variables are only ever compared.
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
        # The two end values coincide with order literals; only inner values need literals of their own.
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
        """The variable's value in a model, given as one signed literal for each of 1, 2, 3, ...

        A right `guess` makes it quick.
        """
        first = self.order.start - 1  # where `x >= low + 1` stands in the model
        if guess is not None and self.low <= guess <= self.high:
            index = first + guess - self.low
            if (guess == self.low or model[index - 1] > 0) and (guess == self.high or model[index] < 0):
                return guess
        # The true literals come first: halve until the first false one is found.
        low, high = 0, len(self.order)
        while low < high:
            middle = (low + high) // 2
            if model[first + middle] > 0:
                low = middle + 1
            else:
                high = middle
        return self.low + low


def tidy(clauses: Iterable[Clause]) -> list[Clause]:
    """The same clauses without the constants: `[]` is true and `[[]]` is false."""
    kept: list[Clause] = []
    for clause in clauses:
        if TRUE in clause:
            continue
        rest = [literal for literal in clause if literal != FALSE]
        if not rest:
            return [[]]
        kept.append(rest)
    return kept
