"""Facts about terms that need no solver: rewritten linear forms, and counts of possible values."""

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
"""If `high` has at most twice this number of bits, `halfway` returns the middle."""


def compared(op: Comparison, left: Any, right: Any) -> Any:
    """Return the comparison of two integer expressions of a solver, made by Python's operators on them."""
    if op not in COMPARED:
        raise FormulaError(f"unknown comparison {op!r}")
    return COMPARED[op](left, right)


def halfway(low: int, high: int) -> int:
    """Return the middle of `low..high-1` for a bisection, or in a very wide range a value with half as many bits."""
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
    """Return linear forms. One of them is zero if and only if `factor * distance + constant` is zero."""
    size, left_over = divmod(-constant, factor)
    if left_over or size < 0:
        return []
    return [linear(distance.inner - side) for side in sorted({size, -size})]


def count_values(terms: Iterable[Term]) -> int | None:
    """Return how many different values the terms can have together at most, or None if a term is unbounded."""
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
    """Return whether an all-different is impossible by counting: there are more terms than values.

    Solvers that learn clauses need exponential time for this (the pigeonhole principle: Haken, "The intractability of
    resolution", 1985). So it is tested before a solver is asked.
    """
    count = count_values(formula.terms)
    return count is not None and count < len(formula.terms)


def shortages(formula: Formula) -> tuple[str, ...]:
    """Return sentences about the parts of a formula that are impossible by counting: '12 terms share 11 values'."""
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
