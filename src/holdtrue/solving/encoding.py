"""Translate one formula into CNF.

Negations are pushed down to the comparisons. After that every part occurs positively only. So a literal that names a
part only has to imply it (Plaisted and Greenbaum, "A structure-preserving clause form translation", 1986).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic import formula as f
from holdtrue.solving.arithmetic import negated, substituted, too_few_values, zero_cases
from holdtrue.solving.clauses import (
    FALSE,
    LADDER_FROM,
    TRUE,
    Clause,
    Pool,
    VariableLiterals,
    apart_clauses,
    at_least,
    at_most_clauses,
    at_most_one,
    most_clauses,
    size_of_at_least,
    tidy,
)

CLAUSE_LIMIT = 20_000
"""The most clauses that a formula may need. Beyond that z3 decides it, for sums in milliseconds."""


class NotEncodable(InputError):
    """The formula cannot be expressed as clauses, or only as too many. Another engine decides it."""


class FormulaTooLarge(NotEncodable):
    """The formula would need too many clauses. This is raised before they are made."""


def finite_size(variable: f.Variable) -> int:
    """Return the number of the variable's values. Raises `NotEncodable` if it is unbounded."""
    if variable.sort.size is None:
        raise NotEncodable(f"{variable.name} has no end of values ({variable.sort})")
    return variable.sort.size


def finite_range(term: f.Term) -> tuple[int, int]:
    """Return the least and the greatest value of the term. Raises `NotEncodable` if it is unbounded."""
    low, high = f.term_range(term)
    if low is None or high is None:
        raise NotEncodable(f"{term!s:.80} has no end of values")
    return low, high


class Translator:
    """Translate one formula into clauses over given literals. Clauses that define helper literals go into the pool.

    Raises `FormulaTooLarge`, or `FormulaError` for an unknown kind of formula or comparison.
    """

    def __init__(self, literals: Mapping[str, VariableLiterals], pool: Pool) -> None:
        self._literals = literals
        self._pool = pool
        self._names: dict[tuple[int, bool], int] = {}
        self._size = 0

    def clauses(self, formula: f.Formula) -> list[Clause]:
        """Return the formula as clauses: `[]` is true, `[[]]` is false."""
        return self._clauses(formula, True)

    def name(self, formula: f.Formula) -> int:
        """Return a literal that implies the formula."""
        return self._name(self._clauses(formula, True))

    def _reserve(self, count: int) -> None:
        self._size += count
        if self._size > CLAUSE_LIMIT:
            raise FormulaTooLarge(f"a formula would need up to {self._size} clauses; the limit is {CLAUSE_LIMIT}")

    def _clauses(self, formula: f.Formula, positive: bool) -> list[Clause]:
        """Return clauses of the formula if `positive` is true, else of its negation: `[]` is true, `[[]]` is false."""
        match formula:
            case f.Truth():
                return [] if formula.value is positive else [[]]
            case f.Not():
                return self._clauses(formula.operand, not positive)
            case f.And() | f.Or():
                operands = [self._clauses(operand, positive) for operand in formula.operands]
                return conjoin(operands) if isinstance(formula, f.And) is positive else self._disjoin(operands)
            case f.Iff():
                return self._iff(formula.left, formula.right, positive)
            case f.Xor():
                return self._iff(formula.left, formula.right, not positive)
            case f.IfThenElse():
                return self._cases(
                    formula.condition, self._clauses(formula.then, positive), self._clauses(formula.otherwise, positive)
                )
            case f.Compare():
                return self._compare(formula.op if positive else f.NEGATED[formula.op], formula.left, formula.right)
            case f.AllDifferent():
                return self._all_different(formula) if positive else self._some_equal(formula)
            case f.Count():
                return self._count(formula.op if positive else f.NEGATED[formula.op], formula.bound, formula.operands)
        raise FormulaError(f"not a formula: {formula!r}")

    def _name(self, clauses: list[Clause]) -> int:
        """Return a literal that implies all the clauses. A single clause of one literal is that literal."""
        if not clauses:
            return TRUE
        if len(clauses) == 1 and len(clauses[0]) <= 1:
            return clauses[0][0] if clauses[0] else FALSE
        literal = self._pool.new()
        self._pool.clauses += [[-literal, *clause] for clause in clauses]
        return literal

    def _disjoin(self, options: list[list[Clause]]) -> list[Clause]:
        """Return clauses that demand at least one of the options."""
        if [] in options:
            return []
        together: Clause = []
        several = []
        for clauses in options:
            if len(clauses) == 1:
                together += clauses[0]
            else:
                several.append(clauses)
        if len(several) == 1:
            return [[*together, *clause] for clause in several[0]]
        return [[*together, *map(self._name, several)]]

    def _iff(self, left: f.Formula, right: f.Formula, positive: bool) -> list[Clause]:
        """Return both implications over names of the two formulas, so that nested equivalences stay linear in size."""
        self._reserve(2)
        return conjoin(
            [
                self._disjoin([self._named(left, False), self._named(right, positive)]),
                self._disjoin([self._named(left, True), self._named(right, not positive)]),
            ]
        )

    def _cases(self, condition: f.Formula, then: list[Clause], otherwise: list[Clause]) -> list[Clause]:
        """Return clauses that demand `then` if the condition holds, else `otherwise`."""
        self._reserve(len(then) + len(otherwise))
        return conjoin(
            [
                self._disjoin([self._named(condition, False), then]),
                self._disjoin([self._named(condition, True), otherwise]),
            ]
        )

    def _count(self, op: f.Comparison, bound: int, operands: Sequence[f.Formula]) -> list[Clause]:
        """Return clauses that compare the number of true operands with `bound`, or count false ones instead."""
        among = len(operands)
        match op:
            case "==":
                return conjoin([self._count("<=", bound, operands), self._count(">=", bound, operands)])
            case "!=":
                return self._disjoin([self._count("<", bound, operands), self._count(">", bound, operands)])
            case ">=" | ">":
                least, positive = bound + (op == ">"), True
            case _:
                least, positive = among - bound + (op == "<"), False
        self._reserve(size_of_at_least(least, among))
        names = [self._name(self._named(operand, positive)) for operand in operands]
        return at_least(least, names, self._pool)

    def _named(self, formula: f.Formula, positive: bool) -> list[Clause]:
        key = (id(formula), positive)  # the formula being translated keeps its parts, and so their ids, alive
        if key not in self._names:
            self._names[key] = self._name(self._clauses(formula, positive))
        return tidy([[self._names[key]]])

    def _compare(self, op: f.Comparison, left: f.Term, right: f.Term) -> list[Clause]:
        form = f.linear(left) if isinstance(right, f.Constant) and right.value == 0 else f.linear(left - right)
        match op:
            case "<=" | "<":
                return self._at_most(form, -(op == "<"))
            case ">=" | ">":
                return self._at_most(negated(form), -(op == ">"))
            case "==":
                return self._zero(form)
            case "!=":
                return self._not_zero(form)
        raise FormulaError(f"unknown comparison {op!r}")

    def _at_most(self, form: f.Linear, bound: int) -> list[Clause]:
        for index, (atom, factor) in enumerate(form.factors):
            match atom:
                case f.Abs():
                    cases = [self._at_most(substituted(form, index, sign * atom.inner), bound) for sign in (1, -1)]
                    # factor * |t| is the larger of factor * t and -factor * t, or for a negative factor the smaller.
                    return conjoin(cases) if factor > 0 else self._disjoin(cases)
                case f.Ite():
                    then, otherwise = (
                        self._at_most(substituted(form, index, value), bound) for value in (atom.then, atom.otherwise)
                    )
                    return self._cases(atom.condition, then, otherwise)
                case f.Element():
                    entries = {place: f.Constant(atom.table[place]) for place in atom.places}
                    return self._by_value(atom.index, entries, form, index, bound)
                case f.Least() | f.Greatest():
                    cases = [self._at_most(substituted(form, index, value), bound) for value in atom.terms]
                    # factor * least is the least of all factor * term, or for a negative factor the greatest.
                    return self._disjoin(cases) if isinstance(atom, f.Least) is (factor > 0) else conjoin(cases)
                case f.Product():
                    few, other = sorted((atom.left, atom.right), key=_width)
                    return self._by_value(few, {v: v * other for v in self._values(few)}, form, index, bound)
                case f.Quotient() | f.Remainder() if not isinstance(atom.divisor, f.Constant):
                    kind = type(atom)
                    divided = {value: kind(atom.dividend, f.Constant(value)) for value in self._values(atom.divisor)}
                    return self._by_value(atom.divisor, divided, form, index, bound)
                case f.Quotient() | f.Remainder():
                    return self._divided(atom, form, index, bound)
        parts = [(factor, self._of(atom)) for atom, factor in form.factors if isinstance(atom, f.Variable)]
        self._reserve(most_clauses([x.size for _, x in parts]))
        return at_most_clauses(parts, bound - form.constant)

    def _values(self, term: f.Term) -> range:
        """Return all values of the term, and reserve a clause for each."""
        low, high = finite_range(term)
        self._reserve(high - low + 1)
        return range(low, high + 1)

    def _by_value(
        self, term: f.Term, cases: Mapping[int, f.Term], form: f.Linear, index: int, bound: int
    ) -> list[Clause]:
        """Return clauses for `form <= bound`. For each value of the term, its case replaces the atom at `index`."""
        return conjoin(
            self._disjoin(
                [
                    self._compare("!=", term, f.Constant(value)),
                    self._at_most(substituted(form, index, case), bound),
                ]
            )
            for value, case in cases.items()
        )

    def _divided(self, atom: f.Quotient | f.Remainder, form: f.Linear, index: int, bound: int) -> list[Clause]:
        """Return clauses like `_by_value` for a division by a constant, with one case for each quotient."""
        dividend = atom.dividend
        _, divisor = finite_range(atom.divisor)
        cases = []
        for times in self._values(f.Quotient(dividend, atom.divisor)):
            first = times * divisor
            result = f.Constant(times) if isinstance(atom, f.Quotient) else dividend - first
            cases.append(
                self._disjoin(
                    [
                        self._compare("<", dividend, f.Constant(first)),
                        self._compare(">=", dividend, f.Constant(first + abs(divisor))),
                        self._at_most(substituted(form, index, result), bound),
                    ]
                )
            )
        return conjoin(cases)

    def _zero(self, form: f.Linear) -> list[Clause]:
        match form.factors:
            case ((f.Variable() as variable, factor),):
                value, left_over = divmod(-form.constant, factor)
                return [[]] if left_over else tidy([[self._of(variable).equal(value)]])
            case ((f.Abs() as distance, factor),):
                return self._disjoin([self._zero(case) for case in zero_cases(distance, factor, form.constant)])
        return conjoin([self._at_most(form, 0), self._at_most(negated(form), 0)])

    def _not_zero(self, form: f.Linear) -> list[Clause]:
        match form.factors:
            case ((f.Variable() as variable, factor),):
                value, left_over = divmod(-form.constant, factor)
                return [] if left_over else tidy([[-self._of(variable).equal(value)]])
            case ((f.Variable() as first, a), (f.Variable() as second, b)):
                x, y = self._of(first), self._of(second)
                self._reserve(x.size)
                return apart_clauses((a, x), (b, y), form.constant)
            case ((f.Abs() as distance, factor),):
                return conjoin([self._not_zero(case) for case in zero_cases(distance, factor, form.constant)])
        return self._disjoin([self._at_most(form, -1), self._at_most(negated(form), -1)])

    def _all_different(self, formula: f.AllDifferent) -> list[Clause]:
        terms = formula.terms
        if too_few_values(formula):
            return [[]]
        variables = [term for term in terms if isinstance(term, f.Variable)]
        if len(variables) < len(terms):
            return conjoin([self._compare("!=", left, right) for left, right in combinations(terms, 2)])
        own = [self._of(variable) for variable in variables]
        values = sorted({value for x in own for value in range(x.low, x.high + 1)})
        pairs = len(own) * (len(own) - 1) // 2 if len(own) < LADDER_FROM else 3 * len(own)
        self._reserve(pairs * len(values))
        clauses: list[Clause] = []
        for value in values:
            clauses += at_most_one([x.equal(value) for x in own if x.low <= value <= x.high], self._pool)
        if len(values) == len(terms):
            # If there are as many values as terms, each value is taken. These clauses strengthen propagation.
            clauses += [[x.equal(value) for x in own] for value in values]
        return tidy(clauses)

    def _some_equal(self, formula: f.AllDifferent) -> list[Clause]:
        return self._disjoin([self._compare("==", left, right) for left, right in combinations(formula.terms, 2)])

    def _of(self, variable: f.Variable) -> VariableLiterals:
        return self._literals[variable.name]


def _width(term: f.Term) -> int:
    low, high = finite_range(term)
    return high - low


def conjoin(parts: Iterable[list[Clause]]) -> list[Clause]:
    """Return the clauses of all parts, or just `[[]]` if one part is false."""
    clauses: list[Clause] = []
    for part in parts:
        if part == [[]]:
            return [[]]
        clauses += part
    return clauses
