"""Direct evaluation of formulas, compiled once into nested closures.

Evaluating a complete assignment costs well under a microsecond a formula; no solver is asked.
Values are not checked against the variables' sorts here: an assignment may be out of range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    Abs,
    AllDifferent,
    And,
    Compare,
    Comparison,
    Constant,
    Formula,
    Iff,
    Linear,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    linear,
)

Values = Mapping[str, int]
Check = Callable[[Values], bool]
Measure = Callable[[Values], int]


def evaluate(formula: Formula, values: Values) -> bool:
    """Whether `formula` holds under `values` (variable name -> value).

    Raises `KeyError` for a variable without a value.
    """
    return compile_formula(formula)(values)


def compile_formula(formula: Formula) -> Check:
    """A closure that tells whether the formula holds; `KeyError` for a variable without a value."""
    match formula:
        case Truth():
            value = formula.value
            return lambda values: value
        case Compare():
            return _compare(formula)
        case And():
            conjuncts = tuple(map(compile_formula, formula.operands))
            return lambda values: all(check(values) for check in conjuncts)
        case Or():
            disjuncts = tuple(map(compile_formula, formula.operands))
            return lambda values: any(check(values) for check in disjuncts)
        case Not():
            inner = compile_formula(formula.operand)
            return lambda values: not inner(values)
        case Iff():
            left, right = compile_formula(formula.left), compile_formula(formula.right)
            return lambda values: left(values) is right(values)
        case AllDifferent():
            terms = tuple(map(compile_term, formula.terms))
            return lambda values: len({term(values) for term in terms}) == len(terms)
    raise FormulaError(f"not a formula: {formula!r}")


def compile_term(value: Term) -> Measure:
    """A closure that computes the term's value."""
    match value:
        case Constant():
            number = value.value
            return lambda values: number
        case Variable():
            name = value.name
            return lambda values: values[name]
        case Abs():
            inner = compile_term(value.inner)
            return lambda values: abs(inner(values))
    return _linear_measure(linear(value))


def _linear_measure(form: Linear) -> Measure:
    constant = form.constant
    match form.factors:
        case ((Variable(name=a), 1), (Variable(name=b), -1)):
            return lambda values: values[a] - values[b] + constant
        case ((Variable(name=a), 1), (Variable(name=b), 1)):
            return lambda values: values[a] + values[b] + constant
        case ((Variable(name=a), 1),):
            return lambda values: values[a] + constant
    parts = tuple((factor, compile_term(atom)) for atom, factor in form.factors)
    return lambda values: constant + sum(factor * measure(values) for factor, measure in parts)


def _compare(formula: Compare) -> Check:
    if isinstance(formula.right, Constant):
        return _against_constant(formula.op, compile_term(formula.left), formula.right.value)
    left, right = compile_term(formula.left), compile_term(formula.right)
    match formula.op:
        case "<=":
            return lambda values: left(values) <= right(values)
        case "<":
            return lambda values: left(values) < right(values)
        case ">=":
            return lambda values: left(values) >= right(values)
        case ">":
            return lambda values: left(values) > right(values)
        case "==":
            return lambda values: left(values) == right(values)
        case "!=":
            return lambda values: left(values) != right(values)
    raise FormulaError(f"unknown comparison {formula.op!r}")


def _against_constant(op: Comparison, left: Measure, bound: int) -> Check:
    match op:
        case "<=":
            return lambda values: left(values) <= bound
        case "<":
            return lambda values: left(values) < bound
        case ">=":
            return lambda values: left(values) >= bound
        case ">":
            return lambda values: left(values) > bound
        case "==":
            return lambda values: left(values) == bound
        case "!=":
            return lambda values: left(values) != bound
    raise FormulaError(f"unknown comparison {op!r}")
