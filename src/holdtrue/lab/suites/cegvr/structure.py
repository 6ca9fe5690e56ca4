"""What can be told of a problem by looking at it: how large it is, and how hard that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdtrue.kinds.search.problem import Difficulty
from holdtrue.logic.formula import Compare, Formula, Variable, linear
from holdtrue.logic.node import Node

EASY, MEDIUM = 14, 22
"""Up to these sizes a problem is easy, and medium."""


def size(variables: Sequence[Variable], formulas: Iterable[Formula]) -> int:
    """How much there is to keep in mind: variables and constraints, an equation being two constraints.

    Like the original's measure, without the time that its solver happened to take.
    """
    return len(variables) + sum(2 if isinstance(one, Compare) and one.op == "==" else 1 for one in formulas)


def difficulty_of(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Difficulty:
    """The bin of a problem of this size."""
    found = size(variables, formulas)
    if found <= EASY:
        return "easy"
    return "medium" if found <= MEDIUM else "hard"


def widest_sum(formulas: Iterable[Formula]) -> int:
    """The most variables that are compared with each other in one place."""
    return max((len(linear(one.left - one.right).factors) for one in _comparisons(formulas)), default=0)


def _comparisons(formulas: Iterable[Formula]) -> Iterator[Compare]:
    """Every comparison, also within other formulas."""
    stack: list[Node] = list(formulas)
    while stack:
        node = stack.pop()
        if isinstance(node, Compare):
            yield node
        stack += node.children
