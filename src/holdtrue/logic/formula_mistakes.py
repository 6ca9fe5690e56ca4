"""Make the errors for mistakes in code that writes formulas, such as `and` or `==`, with a hint at the right form.

The operator `==` stays the equality of values, because terms are keys of dictionaries. While a domain's functions make
formulas (`being_written`), `==` in their code raises an error, since it never makes the intended formula there.
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
    """Let `==` and `!=` with a term raise `FormulaMistake` within the `with` block, in code outside of `logic`."""
    token = _written.set(True)
    try:
        yield
    finally:
        _written.reset(token)


def refuse_equality(term: object, other: object) -> None:
    """Raise `FormulaMistake` if code that writes a formula compares a term; only `__eq__` may call this.

    A comparison of formulas also compares their terms, but its calling frame is in `logic`, so it is allowed.
    """
    if _written.get() and not str(sys._getframe(2).f_globals.get("__name__", "")).startswith(_LOGIC):
        raise FormulaMistake(
            f"{term} is compared by == or != (or by `in`), which is Python's own and gives no formula; write "
            f"{term!s:.60}.eq({other!s:.60}) or .ne(...), and for one of several values "
            f"{term!s:.60}.eq(1) | {term!s:.60}.eq(2). To ask Python whether two variables are the same, "
            "compare their names"
        )


def no_truth_value(what: object) -> FormulaMistake:
    """Return the error for a formula or term in a place where Python needs its truth value."""
    return FormulaMistake(
        f"{what} has no truth value of its own; combine formulas with &, | and ~ in place of and, or and not, write "
        "(low <= x) & (x <= high) for low <= x <= high, and ite(condition, x, y) or IfThenElse(p, q, r) for if"
    )


def no_formula(value: object, where: str) -> FormulaMistake:
    """Return the error for a value in the place of a formula."""
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
    """Return the error for a value in the place of a term."""
    hint = ""
    if isinstance(value, bool):
        hint = " (== between terms gives such a value); of a formula ite(formula, 1, 0) makes a term"
    elif isinstance(value, float):
        hint = "; values are whole numbers: count in smaller units (cents, minutes), and use // in place of /"
    return FormulaMistake(f"a term is a variable, a sum or an integer, not {_shown(value)}{hint}")


def no_sum(formula: object) -> FormulaMistake:
    """Return the error for an addition with a formula."""
    return FormulaMistake(
        f"{formula} is a formula and cannot be added; count formulas with at_most(2, [p, q, r]), at_least or exactly, "
        "or make a term of one: ite(p, 1, 0)"
    )


def no_arithmetic(what: str) -> FormulaMistake:
    """Return the error for arithmetic that terms do not have."""
    return FormulaMistake(
        f"{what} is no term: terms can be added, subtracted and multiplied, divided by // and %, and "
        "abs, ite, least, greatest and Element (a table) make more of them. For / multiply the other side "
        "(x >= 2 * y in place of x / 2 >= y)"
    )


def no_division(what: str, divisor: object) -> FormulaMistake:
    """Return the error for `//` and `%` by a divisor for which Python and SMT-LIB round differently."""
    return FormulaMistake(
        f"{what}: the divisor {divisor} may be negative, where Python's // and % round otherwise than SMT-LIB; write "
        "quotient(a, b) or remainder(a, b), whose remainder is never negative"
    )


def _shown(value: object) -> str:
    if isinstance(value, Node):
        return f"the {'formula' if hasattr(value, 'holds') else 'term'} {value}"
    return f"{value!r:.60}"
