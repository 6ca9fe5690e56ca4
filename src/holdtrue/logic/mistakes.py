"""Catch what Python takes for something else than was meant where formulas are written; errors say what to write.

Python's own `==` must stay the equality of values, because terms are keys of dictionaries and parts of formulas that
are compared. Only where somebody's own formulas are being made (`being_written`) it is refused, and only where it
stands in their code: nobody means there to ask whether two terms are the same Python value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from holdtrue.errors import FormulaMistake
from holdtrue.logic.node import Node

_LOGIC = __name__.rpartition(".")[0] + "."
_written: ContextVar[bool] = ContextVar("formulas are being written", default=False)


@contextmanager
def being_written() -> Iterator[None]:
    """Within this, `==` and `!=` with a term raise `FormulaMistake` in code outside of `logic`."""
    token = _written.set(True)
    try:
        yield
    finally:
        _written.reset(token)


def refuse_equality(term: object, other: object) -> None:
    """Raise `FormulaMistake` where the code that compares the term writes a formula; called by `__eq__` alone.

    Comparing formulas, which compare their terms, is let be: the frame that asked for that is one of `logic`.
    """
    if _written.get() and not str(sys._getframe(2).f_globals.get("__name__", "")).startswith(_LOGIC):
        raise FormulaMistake(
            f"{term} is compared by == or != (or by `in`), which is Python's own and gives no formula; write "
            f"{term!s:.60}.eq({other!s:.60}) or .ne(...), and for one of several values "
            f"{term!s:.60}.eq(1) | {term!s:.60}.eq(2). To ask Python whether two variables are the same, "
            "compare their names"
        )


def no_truth_value(what: object) -> FormulaMistake:
    """The error for a formula or term where Python asks whether it is true."""
    return FormulaMistake(
        f"{what} has no truth value of its own; combine formulas with &, | and ~ in place of and, or and not, write "
        "(low <= x) & (x <= high) for low <= x <= high, and ite(condition, x, y) or IfThenElse(p, q, r) for if"
    )


def no_formula(value: object, where: str) -> FormulaMistake:
    """The error for what stands in the place of a formula."""
    if isinstance(value, bool):
        return FormulaMistake(
            f"{where}: a formula was expected and {value} came; comparing terms with == or != gives Python's own truth "
            "value: write a.day.eq(b.day), a.day.ne(b.day); Truth(True) is the formula that always holds"
        )
    if value is None:
        return FormulaMistake(f"{where}: a formula was expected and None came; is a `return` missing?")
    return FormulaMistake(
        f"{where}: a formula was expected and {_shown(value)} came; a formula is a comparison such as a.day.eq(1) or "
        "a.day < b.day, or formulas combined with &, | and ~ (each comparison in parentheses)"
    )


def no_term(value: object) -> FormulaMistake:
    """The error for what stands in the place of a term."""
    hint = ""
    if isinstance(value, bool):
        hint = " (== between terms gives such a value); of a formula ite(formula, 1, 0) makes a term"
    elif isinstance(value, float):
        hint = "; values are whole numbers: count in smaller units (cents, minutes), and use // in place of /"
    return FormulaMistake(f"a term is a variable, a sum or an integer, not {_shown(value)}{hint}")


def no_sum(formula: object) -> FormulaMistake:
    """The error for a formula that is added to something."""
    return FormulaMistake(
        f"{formula} is a formula and cannot be added; count formulas with at_most(2, [p, q, r]), at_least or exactly, "
        "or make a term of one: ite(p, 1, 0)"
    )


def no_arithmetic(what: str) -> FormulaMistake:
    """The error for arithmetic that terms do not have."""
    return FormulaMistake(
        f"{what} is no term: terms can be added, subtracted and multiplied, divided by // and %, and "
        "abs, ite, least, greatest and Element (a table) make more of them. For / multiply the other side "
        "(x >= 2 * y in place of x / 2 >= y)"
    )


def no_division(what: str, divisor: object) -> FormulaMistake:
    """The error for `//` and `%` where Python would round otherwise than is meant here."""
    return FormulaMistake(
        f"{what}: the divisor {divisor} may be negative, where Python's // and % round otherwise than SMT-LIB; write "
        "quotient(a, b) or remainder(a, b), whose remainder is never negative"
    )


def _shown(value: object) -> str:
    if isinstance(value, Node):
        return f"the {'formula' if hasattr(value, 'holds') else 'term'} {value}"
    return f"{value!r:.60}"
