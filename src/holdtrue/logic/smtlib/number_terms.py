"""Terms of SMT-LIB for exact numbers: literals, multiples, quotients, and the least, greatest and absolute value."""

from __future__ import annotations

from fractions import Fraction

from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.operators import apply_operator


def exact(value: Fraction) -> smt.SmtTerm:
    """Return a number: whole where it is, else a decimal, or a quotient where it has no end as a decimal."""
    if value.denominator == 1:
        return smt.number(value.numerator)
    size, rest = abs(value), value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    found: smt.SmtTerm = smt.Literal(size, smt.REAL)
    if rest != 1:
        sides = (smt.Literal(Fraction(size.numerator), smt.REAL), smt.Literal(Fraction(size.denominator), smt.REAL))
        found = smt.Operation("/", sides, smt.REAL)
    return found if value > 0 else smt.Operation("-", (found,), smt.REAL)


def real(term: smt.SmtTerm) -> smt.SmtTerm:
    """Return a number as a real one; a written one becomes a decimal."""
    match term:
        case smt.Literal(value, smt.INT):
            return smt.Literal(Fraction(value), smt.REAL)
        case smt.Operation("-", (smt.Literal() as size,), smt.INT):
            return smt.Operation("-", (real(size),), smt.REAL)
    return apply_operator("to_real", [term]) if term.sort == smt.INT else term


def operated(op: str, *terms: smt.SmtTerm) -> smt.SmtTerm:
    """Return an operation of numbers, all of them real where one is; a single summand or factor is itself."""
    if len(terms) == 1 and op in ("+", "*"):
        return terms[0]
    mixed = any(term.sort == smt.REAL for term in terms)
    return apply_operator(op, [real(term) if mixed and term.sort == smt.INT else term for term in terms])


def scaled(term: smt.SmtTerm, factor: Fraction) -> smt.SmtTerm:
    """Return a multiple, which stays whole where it can."""
    if factor == 1:
        return term
    return operated("*", exact(factor), term)


def least(one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    """Return the smaller one of two numbers, by a definition of `CHOSEN`."""
    return _of_two(*LEAST, one, other)


def greatest(one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    """Return the greater one of two numbers, by a definition of `CHOSEN`."""
    return _of_two(*GREATEST, one, other)


def absolute(term: smt.SmtTerm) -> smt.SmtTerm:
    """Return a number without its sign."""
    return apply_operator("abs", [term]) if term.sort == smt.INT else smt.Call(ABSOLUTE.function, (term,))


def _of_two(whole: smt.Definition, of_reals: smt.Definition, one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    if one.sort == other.sort == smt.INT:
        return smt.Call(whole.function, (one, other))
    return smt.Call(of_reals.function, (real(one), real(other)))


def _choice(name: str, op: str, sort: smt.SmtSort) -> smt.Definition:
    one, other = smt.Local("one", sort), smt.Local("other", sort)
    body = apply_operator("ite", [apply_operator(op, [one, other]), one, other])
    return smt.Definition(smt.Function(name, (sort, sort), sort), (one, other), body)


def _absolute() -> smt.Definition:
    number = smt.Local("number", smt.REAL)
    positive = apply_operator(">=", [number, smt.Literal(Fraction(0), smt.REAL)])
    body = apply_operator("ite", [positive, number, apply_operator("-", [number])])
    return smt.Definition(smt.Function("absolute value", (smt.REAL,), smt.REAL), (number,), body)


LEAST = (_choice("lesser whole number", "<=", smt.INT), _choice("lesser number", "<=", smt.REAL))
GREATEST = (_choice("greater whole number", ">=", smt.INT), _choice("greater number", ">=", smt.REAL))
ABSOLUTE = _absolute()
CHOSEN = (*LEAST, *GREATEST, ABSOLUTE)
"""The definitions that these terms need: of the smaller and the greater one, and of a number without its sign."""
