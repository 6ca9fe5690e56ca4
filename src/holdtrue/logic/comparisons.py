"""Compile comparisons of linear sums to Python closures, with one written out for each frequent shape.

Every answer is checked against every commitment. A closure that only looks values up takes a third of the time of one
that is composed of smaller closures, so the frequent shapes are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from holdtrue.errors import FormulaError
from holdtrue.logic.terms import Abs, Atom, Comparison, Constant, Linear, Term, Variable, linear

Values = Mapping[str, int]
Check = Callable[[Values], bool]
Measure = Callable[[Values], int]
CompileTerm = Callable[[Term], Measure]

Relation = Literal["<=", ">=", "==", "!="]
# Values are integers, so that the strict comparisons are their neighbours.
_LENIENT: dict[Comparison, tuple[Relation, int]] = {
    "<=": ("<=", 0),
    "<": ("<=", -1),
    ">=": (">=", 0),
    ">": (">=", 1),
    "==": ("==", 0),
    "!=": ("!=", 0),
}


def constantly(truth: bool) -> Check:
    """Return a closure that gives this truth value for all values."""
    return lambda values: truth


def compile_comparison(op: Comparison, left: Term, right: Term, compile_term: CompileTerm) -> Check:
    """Return a closure that decides `left op right`; `compile_term` compiles terms that are no variables."""
    if op not in _LENIENT:
        raise FormulaError(f"unknown comparison {op!r}")
    relation, more = _LENIENT[op]
    # Most comparisons are as simple as this, and need no normal form.
    if isinstance(right, Constant) and isinstance(left, Variable | Abs):
        return _atom(relation, left, right.value + more, compile_term)
    if isinstance(left, Variable) and isinstance(right, Variable):
        return _difference(relation, left.name, right.name, more)
    if relation == ">=":
        relation, more, left, right = "<=", -more, right, left
    form = linear(left - right)
    return _linear(relation, form, more - form.constant, compile_term)


def compile_sum(form: Linear, compile_term: CompileTerm) -> Measure:
    """Return a closure that computes the value of a linear form."""
    constant = form.constant
    match form.factors:
        case ((Variable(name=a), 1), (Variable(name=b), 1)):
            return lambda values: values[a] + values[b] + constant
        case ((Variable(name=a), 1), (Variable(name=b), -1)) | ((Variable(name=b), -1), (Variable(name=a), 1)):
            return lambda values: values[a] - values[b] + constant
    parts = tuple((factor, compile_term(atom)) for atom, factor in form.factors)

    def total(values: Values) -> int:
        value = constant
        for factor, measure in parts:
            value += factor * measure(values)
        return value

    return total


def _linear(relation: Relation, form: Linear, bound: int, compile_term: CompileTerm) -> Check:
    """The atoms of `form` times their factors, without its constant, against `bound`; `>=` does not occur."""
    match form.factors:
        case ((atom, factor),):
            quotient, left_over = divmod(bound, factor)
            if relation == "<=":
                # Of a negative factor the bound is the least value, rounded up.
                return _atom(
                    "<=" if factor > 0 else ">=", atom, quotient if factor > 0 else -(bound // -factor), compile_term
                )
            return constantly(relation == "!=") if left_over else _atom(relation, atom, quotient, compile_term)
        case ((Variable(name=a), 1), (Variable(name=b), -1)) | ((Variable(name=b), -1), (Variable(name=a), 1)):
            return _difference(relation, a, b, bound)
        case ((Variable(name=a), 1), (Variable(name=b), 1)) if relation == "<=":
            return lambda values: values[a] + values[b] <= bound
        case ((Variable(name=a), 1), (Variable(name=b), 1), (Variable(name=c), -1)) if relation == "<=":
            return lambda values: values[a] + values[b] - values[c] <= bound
    return _measure(relation, compile_sum(Linear(form.factors, 0), compile_term), bound)


def _atom(relation: Relation, atom: Atom, bound: int, compile_term: CompileTerm) -> Check:
    match atom:
        case Variable(name=name):
            return _variable(relation, name, bound)
        case Abs(inner=inner):
            return _absolute(relation, linear(inner), bound, compile_term)
    return _measure(relation, compile_term(atom), bound)


def _variable(relation: Relation, name: str, bound: int) -> Check:
    match relation:
        case "<=":
            return lambda values: values[name] <= bound
        case ">=":
            return lambda values: values[name] >= bound
        case "==":
            return lambda values: values[name] == bound
        case "!=":
            return lambda values: values[name] != bound


def _difference(relation: Relation, a: str, b: str, bound: int) -> Check:
    """`a - b relation bound`."""
    match relation:
        case "<=":
            return lambda values: values[a] - values[b] <= bound
        case ">=":
            return lambda values: values[a] - values[b] >= bound
        case "==":
            return lambda values: values[a] - values[b] == bound
        case "!=":
            return lambda values: values[a] - values[b] != bound


def _absolute(relation: Relation, inner: Linear, bound: int, compile_term: CompileTerm) -> Check:
    """`|inner| relation bound`; a difference of two variables is held against both sides at once."""
    match inner.factors:
        case ((Variable(name=a), 1), (Variable(name=b), -1)) | ((Variable(name=b), -1), (Variable(name=a), 1)):
            low, high = -bound - inner.constant, bound - inner.constant
        case _:
            inside = compile_sum(inner, compile_term)
            return _measure(relation, lambda values: abs(inside(values)), bound)
    sides = (low, high) if bound >= 0 else ()
    match relation:
        case "<=":
            return lambda values: low <= values[a] - values[b] <= high
        case ">=":
            return lambda values: not low < values[a] - values[b] < high
        case "==":
            return lambda values: values[a] - values[b] in sides
        case "!=":
            return lambda values: values[a] - values[b] not in sides


def _measure(relation: Relation, measure: Measure, bound: int) -> Check:
    match relation:
        case "<=":
            return lambda values: measure(values) <= bound
        case ">=":
            return lambda values: measure(values) >= bound
        case "==":
            return lambda values: measure(values) == bound
        case "!=":
            return lambda values: measure(values) != bound
