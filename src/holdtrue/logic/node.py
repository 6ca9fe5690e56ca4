"""This module has the base class of formulas and terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdtrue.errors import FormulaError

if TYPE_CHECKING:
    from holdtrue.logic.terms import Variable

DEEPEST = 200
"""The greatest depth of a formula, since recursive functions walk it and Python allows a thousand calls."""


class Node:
    """A `Node` is a formula or a term."""

    @property
    def children(self) -> tuple[Node, ...]:
        """Return the direct parts of the node, in order."""
        return ()

    @property
    def variables(self) -> frozenset[Variable]:
        """Return every variable in the node. Raises `FormulaError` if it is nested deeper than `DEEPEST`."""
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
                    found |= node.variables  # A leaf that is no variable has no variables.
            level = below
        return frozenset(found)

    @property
    def size(self) -> int:
        """Return the number of formulas and terms in the node, itself included."""
        count, stack = 0, [self]
        while stack:
            count += 1
            stack += stack.pop().children
        return count
