"""Linear forms rewritten: negated, and freed of absolute values case by case."""

from __future__ import annotations

from holdtrue.logic.formula import Abs, Constant, Linear, Sum, Term, linear


def negated(form: Linear) -> Linear:
    """The form times -1."""
    return Linear(tuple((atom, -factor) for atom, factor in form.factors), -form.constant)


def with_sign(form: Linear, index: int, sign: int) -> Linear:
    """The form with `sign * inner` in place of the absolute value at `index`."""
    parts: list[tuple[int, Term]] = [(1, Constant(form.constant))]
    for position, (atom, factor) in enumerate(form.factors):
        if position == index and isinstance(atom, Abs):
            parts.append((sign * factor, atom.inner))
        else:
            parts.append((factor, atom))
    return linear(Sum(tuple(parts)))


def sides(distance: Abs, factor: int, constant: int) -> list[Linear]:
    """The linear forms one of which is zero exactly when `factor * distance + constant` is zero."""
    size, left_over = divmod(-constant, factor)
    if left_over or size < 0:
        return []
    return [linear(distance.inner - side) for side in sorted({size, -size})]
