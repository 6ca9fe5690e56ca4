"""What the sorts of variables alone say about terms: ranges, and how many values there are to go round."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.logic.formula import AllDifferent, Formula, Term, term_range
from holdtrue.logic.node import Node

__all__ = ["term_range", "count_values", "too_few_values", "shortages"]


def count_values(terms: Iterable[Term]) -> int:
    """How many different values the terms can have between them (at most)."""
    count = 0
    reached: int | None = None
    for low, high in sorted(map(term_range, terms)):
        start = low if reached is None else max(low, reached + 1)
        if high >= start:
            count += high - start + 1
            reached = high
    return count


def too_few_values(formula: AllDifferent) -> bool:
    """Whether an all-different is impossible by counting: more terms than values.

    Solvers that learn clauses need exponential time to find this out by themselves (the pigeonhole
    principle: Haken, "The intractability of resolution", 1985), so it is asked before they are.
    """
    return count_values(formula.terms) < len(formula.terms)


def shortages(formula: Formula) -> tuple[str, ...]:
    """What counting alone makes impossible in a formula, in words: '12 terms share 11 values'."""
    found: dict[str, None] = {}
    stack: list[Node] = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, AllDifferent) and too_few_values(node):
            found[f"{len(node.terms)} terms share {_values(count_values(node.terms))}"] = None
        stack += node.children
    return tuple(found)


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
