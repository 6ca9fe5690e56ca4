"""Linear forms rewritten: negated, and freed case by case of what is not linear."""

from __future__ import annotations

from holdtrue.logic.formula import Abs, Constant, Linear, Sum, Term, linear


def negated(form: Linear) -> Linear:
    """The form times -1."""
    return Linear(tuple((atom, -factor) for atom, factor in form.factors), -form.constant)


def put(form: Linear, index: int, value: Term) -> Linear:
    """The form with `value` in place of the atom at `index`."""
    parts: list[tuple[int, Term]] = [(1, Constant(form.constant))]
    for position, (atom, factor) in enumerate(form.factors):
        parts.append((factor, value if position == index else atom))
    return linear(Sum(tuple(parts)))


def sides(distance: Abs, factor: int, constant: int) -> list[Linear]:
    """The linear forms one of which is zero exactly when `factor * distance + constant` is zero."""
    size, left_over = divmod(-constant, factor)
    if left_over or size < 0:
        return []
    return [linear(distance.inner - side) for side in sorted({size, -size})]
