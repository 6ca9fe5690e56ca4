"""This module has the base of formulas and terms: the parts that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdtrue.errors import FormulaError

if TYPE_CHECKING:
    from holdtrue.logic.terms import Variable

DEEPEST = 200
"""Nothing may be nested deeper: formulas are walked by recursion, and Python allows a thousand calls in all."""


class Node:
    """A formula or a term: what formulas are made of."""

    @property
    def children(self) -> tuple[Node, ...]:
        """The formulas and terms that it is made of directly, in order."""
        return ()

    @property
    def variables(self) -> frozenset[Variable]:
        """Every variable that occurs in it; raises `FormulaError` where it is nested deeper than `DEEPEST`."""
        found: set[Variable] = set()
        level: Sequence[Node] = self.children
        depth = 0
        while level:
            depth += 1
            if depth > DEEPEST:
                raise FormulaError(f"a formula may be nested {DEEPEST} deep at most")
            below: list[Node] = []
            for node in level:
                children = node.children
                if children:
                    below += children
                else:
                    found |= node.variables  # of the leaves, a variable has itself and all others have none
            level = below
        return frozenset(found)

    @property
    def size(self) -> int:
        """Return how many formulas and terms it is made of, itself included."""
        count, stack = 0, [self]
        while stack:
            count += 1
            stack += stack.pop().children
        return count
