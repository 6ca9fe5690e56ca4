"""Tell without a solver what is known of terms: linear forms rewritten, and how many values there are to go round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    COMPARED,
    Abs,
    AllDifferent,
    Comparison,
    Constant,
    Formula,
    Linear,
    Sum,
    Term,
    linear,
    term_range,
)
from holdtrue.logic.node import Node

FEW_BITS = 20
"""Numbers of up to twice as many bits are simply halved."""


def compared(op: Comparison, left: Any, right: Any) -> Any:
    """Return the comparison of two integers of a solver, made by its own operators."""
    if op not in COMPARED:
        raise FormulaError(f"unknown comparison {op!r}")
    return COMPARED[op](left, right)


def halfway(low: int, high: int) -> int:
    """Return which of `low..high-1`, counted from 0, to ask about next: the middle, or one of half as many digits.

    A solver's first witness may have dozens of digits where a range is open, and the least value hardly ever has.
    """
    few, many = max(low.bit_length(), FEW_BITS), high.bit_length()
    return 1 << (few + many) // 2 if many > 2 * few else (low + high - 1) // 2


def negated(form: Linear) -> Linear:
    """Return the form times -1."""
    return Linear(tuple((atom, -factor) for atom, factor in form.factors), -form.constant)


def substituted(form: Linear, index: int, value: Term) -> Linear:
    """Return the form with `value` in place of the atom at `index`."""
    parts: list[tuple[int, Term]] = [(1, Constant(form.constant))]
    for position, (atom, factor) in enumerate(form.factors):
        parts.append((factor, value if position == index else atom))
    return linear(Sum(tuple(parts)))


def zero_cases(distance: Abs, factor: int, constant: int) -> list[Linear]:
    """Return linear forms one of which is zero exactly when `factor * distance + constant` is zero."""
    size, left_over = divmod(-constant, factor)
    if left_over or size < 0:
        return []
    return [linear(distance.inner - side) for side in sorted({size, -size})]


def count_values(terms: Iterable[Term]) -> int | None:
    """Return how many different values the terms can have between them (at most); None where there is no end."""
    ranges = []
    for term in terms:
        low, high = term_range(term)
        if low is None or high is None:
            return None
        ranges.append((low, high))
    count = 0
    reached: int | None = None
    for low, high in sorted(ranges):
        start = low if reached is None else max(low, reached + 1)
        if high >= start:
            count += high - start + 1
            reached = high
    return count


def too_few_values(formula: AllDifferent) -> bool:
    """Return whether an all-different is impossible by counting: more terms than values.

    Solvers that learn clauses need exponential time to find this out by themselves (the pigeonhole
    principle: Haken, "The intractability of resolution", 1985), so it is asked before they are.
    """
    count = count_values(formula.terms)
    return count is not None and count < len(formula.terms)


def shortages(formula: Formula) -> tuple[str, ...]:
    """Tell what counting alone makes impossible in a formula, in words: '12 terms share 11 values'."""
    found: dict[str, None] = {}
    stack: list[Node] = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, AllDifferent) and too_few_values(node):
            found[f"{len(node.terms)} terms share {_values(count_values(node.terms) or 0)}"] = None
        stack += node.children
    return tuple(found)


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
