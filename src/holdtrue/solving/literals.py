"""The literals that stand for a bounded integer variable in CNF.

Order encoding (Tamura, Taga, Kitagawa and Banbara, "Compiling finite linear CSP into SAT", Constraints 2009)
for comparisons, channelled to direct literals for single values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdtrue.logic.formula import Variable

Clause = list[int]

TRUE = 1
"""The literal that is asserted in every encoding; its negation is the literal that is always false."""
FALSE = -TRUE


class VariableLiterals:
    """Literals for `x <= value`, `x >= value` and `x == value`; TRUE or FALSE where the sort decides.

    `first` is the smallest unused literal; `first + count` is unused afterwards. The order literals
    `x >= low + 1 .. x >= high` come first, consecutively, so that a model is read off with one slice.
    """

    __slots__ = ("_direct", "_first", "count", "high", "low", "name")

    def __init__(self, variable: Variable, first: int) -> None:
        self.name = variable.name
        self.low, self.high = variable.sort.low, variable.sort.high
        self._first = first
        steps = self.high - self.low
        # The two end values coincide with order literals; only inner values need literals of their own.
        self._direct = first + steps
        self.count = steps + max(0, steps - 1)

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def at_least(self, value: int) -> int:
        if value <= self.low:
            return TRUE
        return self._first + value - self.low - 1 if value <= self.high else FALSE

    def at_most(self, value: int) -> int:
        return -self.at_least(value + 1)

    def equal(self, value: int) -> int:
        if not self.low <= value <= self.high:
            return FALSE
        if value == self.low:
            return self.at_most(value)
        if value == self.high:
            return self.at_least(value)
        return self._direct + value - self.low - 1

    def clauses(self) -> Iterator[Clause]:
        """The order of the order literals, and the meaning of the direct ones."""
        for value in range(self.low + 1, self.high):
            here, above, exactly = self.at_least(value), self.at_least(value + 1), self.equal(value)
            yield [here, -above]
            yield [here, -exactly]
            yield [-above, -exactly]
            yield [-here, above, exactly]

    def value(self, model: Sequence[int]) -> int:
        """The variable's value in a model, given as one signed literal for each of 1, 2, 3, ..."""
        steps = model[self._first - 1 : self._first - 1 + self.high - self.low]
        return self.low + sum(literal > 0 for literal in steps)


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
