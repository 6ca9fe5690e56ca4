"""Compile formulas and terms into Python closures, which evaluate them for values of the variables.

An evaluation takes some tenths of a microsecond for each formula, and needs no solver. Values may be outside of the
variables' sorts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f

Values = Mapping[str, int]
Check = Callable[[Values], bool]
Measure = Callable[[Values], int]


def evaluate(formula: f.Formula, values: Values) -> bool:
    """Return whether `formula` holds for `values` (variable name -> value). Raises like its closure."""
    return formula.holds(values)


def compile_formula(formula: f.Formula) -> Check:
    """Return a closure that decides the formula; it raises `KeyError` if a variable that it needs has no value."""
    return _compile(formula, True)


def _compile(formula: f.Formula, positive: bool) -> Check:
    """Return the closure of the formula if `positive` is true, and else of its negation."""
    match formula:
        case f.Compare():
            op = formula.op if positive else f.NEGATED.get(formula.op, formula.op)
            return _comparison(op, formula.left, formula.right)
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
            return _constantly(formula.value is positive)
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
    return _sum(f.linear(value))


def _constantly(truth: bool) -> Check:
    """Return a closure that gives this truth value for all values."""
    return lambda values: truth


def _comparison(op: f.Comparison, left: f.Term, right: f.Term) -> Check:
    """Return a closure that decides `left op right`.

    The frequent forms, one variable or a difference of two against a number, read their values directly. A closure that
    calls smaller closures takes twice as long.
    """
    if op not in f.COMPARED:
        raise FormulaError(f"unknown comparison {op!r}")
    form = f.linear(left - right)
    holds, bound = f.COMPARED[op], -form.constant
    match form.factors:
        case ():
            return _constantly(holds(0, bound))
        case ((f.Variable(name=a), 1),):
            return lambda values: holds(values[a], bound)
        case ((f.Variable(name=a), 1), (f.Variable(name=b), -1)) | ((f.Variable(name=b), -1), (f.Variable(name=a), 1)):
            return lambda values: holds(values[a] - values[b], bound)
        case ((f.Abs(inner=inner), 1),):
            inside = _sum(f.linear(inner))
            return lambda values: holds(abs(inside(values)), bound)
    measure = _sum(f.Linear(form.factors, 0))
    return lambda values: holds(measure(values), bound)


def _sum(form: f.Linear) -> Measure:
    """Return a closure that computes the value of a linear form."""
    constant = form.constant
    match form.factors:
        case ((f.Variable(name=a), 1), (f.Variable(name=b), 1)):
            return lambda values: values[a] + values[b] + constant
        case ((f.Variable(name=a), 1), (f.Variable(name=b), -1)) | ((f.Variable(name=b), -1), (f.Variable(name=a), 1)):
            return lambda values: values[a] - values[b] + constant
    parts = tuple((factor, compile_term(atom)) for atom, factor in form.factors)

    def total(values: Values) -> int:
        value = constant
        for factor, measure in parts:
            value += factor * measure(values)
        return value

    return total


def _all(checks: Sequence[Check]) -> Check:
    match checks:
        case []:
            return _constantly(True)
        case [only]:
            return only
        case [one, other]:
            return lambda values: one(values) and other(values)
    checks = tuple(checks)

    def check(values: Values) -> bool:
        # A loop, since `all` over a generator takes twice as long.
        for check in checks:  # noqa: SIM110
            if not check(values):
                return False
        return True

    return check


def _any(checks: Sequence[Check]) -> Check:
    match checks:
        case []:
            return _constantly(False)
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
        return _constantly(positive)
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
        # Python would count a negative index from the end.
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
        return -(dividend(values) // -own) if own else 0  # Zero comes only from values out of range.

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
