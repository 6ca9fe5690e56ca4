"""Compile comparisons of linear sums to Python closures.

Every answer is checked against every commitment. The frequent shapes, one variable or the difference of two against a
number, look their values up by themselves: a closure that is composed of smaller closures takes twice as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.errors import FormulaError
from holdtrue.logic.terms import COMPARED, Abs, Comparison, Linear, Term, Variable, linear

Values = Mapping[str, int]
Check = Callable[[Values], bool]
Measure = Callable[[Values], int]
CompileTerm = Callable[[Term], Measure]


def constantly(truth: bool) -> Check:
    """Return a closure that gives this truth value for all values."""
    return lambda values: truth


def compile_comparison(op: Comparison, left: Term, right: Term, compile_term: CompileTerm) -> Check:
    """Return a closure that decides `left op right`; `compile_term` compiles terms that are no variables."""
    if op not in COMPARED:
        raise FormulaError(f"unknown comparison {op!r}")
    form = linear(left - right)
    holds, bound = COMPARED[op], -form.constant
    match form.factors:
        case ():
            return constantly(holds(0, bound))
        case ((Variable(name=a), 1),):
            return lambda values: holds(values[a], bound)
        case ((Variable(name=a), 1), (Variable(name=b), -1)) | ((Variable(name=b), -1), (Variable(name=a), 1)):
            return lambda values: holds(values[a] - values[b], bound)
        case ((Abs(inner=inner), 1),):
            inside = compile_sum(linear(inner), compile_term)
            return lambda values: holds(abs(inside(values)), bound)
    measure = compile_sum(Linear(form.factors, 0), compile_term)
    return lambda values: holds(measure(values), bound)


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
