"""Direct evaluation of formulas, compiled once into nested closures.

Evaluating a complete assignment costs some tenths of a microsecond a formula; no solver is asked.
Values are not checked against the variables' sorts here: an assignment may be out of range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.comparisons import Check, Measure, Values, compile_comparison, compile_sum, constantly

__all__ = ["Check", "Measure", "Values", "compile_formula", "compile_term", "evaluate"]


def evaluate(formula: f.Formula, values: Values) -> bool:
    """Return whether `formula` holds under `values` (variable name -> value). Raises like its closure."""
    return formula.holds(values)


def compile_formula(formula: f.Formula) -> Check:
    """Return a closure that tells whether the formula holds.

    It raises `KeyError` for a variable without a value, where the formula's truth depends on that.
    """
    return _compile(formula, True)


def _compile(formula: f.Formula, positive: bool) -> Check:
    """The closure of the formula, or of its negation: pushed down, that costs nothing."""
    match formula:
        case f.Compare():
            op = formula.op if positive else f.NEGATED.get(formula.op, formula.op)
            return compile_comparison(op, formula.left, formula.right, compile_term)
        case f.Not():
            return _compile(formula.operand, not positive)
        case f.And() | f.Or():
            checks = [_compile(operand, positive) for operand in formula.operands]
            return _all(checks) if isinstance(formula, f.And) is positive else _any(checks)
        case f.Iff() | f.Xor():
            left, right = _compile(formula.left, True), _compile(formula.right, True)
            if isinstance(formula, f.Iff) is positive:
                return lambda values: left(values) is right(values)
            return lambda values: left(values) is not right(values)
        case f.IfThenElse():
            condition = _compile(formula.condition, True)
            then, otherwise = _compile(formula.then, positive), _compile(formula.otherwise, positive)
            return lambda values: then(values) if condition(values) else otherwise(values)
        case f.AllDifferent():
            return _all_different(formula.terms, positive)
        case f.Count():
            return _count(formula, positive)
        case f.Truth():
            return constantly(formula.value is positive)
    own = _own_check(formula)
    if own is not None:
        return own if positive else lambda values: not own(values)
    raise FormulaError(f"not a formula: {formula!r}")


def _own_check(formula: object) -> Check | None:
    return formula.own_check() if isinstance(formula, f.Formula) else None


def compile_term(value: f.Term) -> Measure:
    """Return a closure that computes the term's value."""
    match value:
        case f.Constant():
            number = value.value
            return lambda values: number
        case f.Variable():
            name = value.name
            return lambda values: values[name]
        case f.Abs():
            inner = compile_term(value.inner)
            return lambda values: abs(inner(values))
        case f.Ite():
            condition = compile_formula(value.condition)
            then, otherwise = compile_term(value.then), compile_term(value.otherwise)
            return lambda values: then(values) if condition(values) else otherwise(values)
        case f.Element():
            return _element(value)
        case f.Product():
            left, right = compile_term(value.left), compile_term(value.right)
            return lambda values: left(values) * right(values)
        case f.Quotient():
            return _quotient(compile_term(value.dividend), value.divisor)
        case f.Remainder():
            return _remainder(compile_term(value.dividend), value.divisor)
        case f.Least() | f.Greatest():
            return _chosen(min if isinstance(value, f.Least) else max, tuple(map(compile_term, value.terms)))
    return compile_sum(f.linear(value), compile_term)


def _all(checks: Sequence[Check]) -> Check:
    match checks:
        case []:
            return constantly(True)
        case [only]:
            return only
        case [one, other]:
            return lambda values: one(values) and other(values)
    checks = tuple(checks)

    def check(values: Values) -> bool:
        # A loop of its own: `all` over a generator takes twice as long.
        for check in checks:  # noqa: SIM110
            if not check(values):
                return False
        return True

    return check


def _any(checks: Sequence[Check]) -> Check:
    match checks:
        case []:
            return constantly(False)
        case [only]:
            return only
        case [one, other]:
            return lambda values: one(values) or other(values)
    checks = tuple(checks)

    def check(values: Values) -> bool:
        for check in checks:  # noqa: SIM110
            if check(values):
                return True
        return False

    return check


def _all_different(terms: Sequence[f.Term], positive: bool) -> Check:
    count = len(terms)
    if count < 2:
        return constantly(positive)
    if all(isinstance(term, f.Variable) for term in terms):
        pick = itemgetter(*(str(term) for term in terms))
        if positive:
            return lambda values: len(set(pick(values))) == count
        return lambda values: len(set(pick(values))) < count
    measures = tuple(map(compile_term, terms))
    return lambda values: (len({measure(values) for measure in measures}) == count) is positive


def _count(formula: f.Count, positive: bool) -> Check:
    checks = tuple(map(compile_formula, formula.operands))
    holds, bound = f.COMPARED[formula.op], formula.bound

    def check(values: Values) -> bool:
        count = 0
        for check in checks:
            if check(values):
                count += 1
        return holds(count, bound) is positive

    return check


def _element(value: f.Element) -> Measure:
    table, index, last = value.table, compile_term(value.index), len(value.table) - 1

    def entry(values: Values) -> int:
        # No negative index: Python would count it from the end.
        return table[min(max(index(values), 0), last)]

    return entry


def _quotient(dividend: Measure, divisor: f.Term) -> Measure:
    if isinstance(divisor, f.Constant) and divisor.value > 0:
        positive = divisor.value
        return lambda values: dividend(values) // positive
    by = compile_term(divisor)

    def quotient(values: Values) -> int:
        own = by(values)
        if own > 0:
            return dividend(values) // own
        return -(dividend(values) // -own) if own else 0  # zero only of values that are out of range

    return quotient


def _remainder(dividend: Measure, divisor: f.Term) -> Measure:
    if isinstance(divisor, f.Constant):
        size = abs(divisor.value)
        return lambda values: dividend(values) % size
    by = compile_term(divisor)

    def remainder(values: Values) -> int:
        own = by(values)
        return dividend(values) % abs(own) if own else dividend(values)

    return remainder


def _chosen(choose: Callable[[Iterable[int]], int], measures: Sequence[Measure]) -> Measure:
    return lambda values: choose([measure(values) for measure in measures])
