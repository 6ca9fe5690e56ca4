"""One formula as CNF.

Negations are pushed into comparisons as the formula is walked; what needs a name gets a literal that implies
it, and nothing more, because after that every part occurs positively only (Plaisted and Greenbaum, "A
structure-preserving clause form translation", 1986).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.formula import (
    NEGATED,
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
from holdtrue.solving.bounds import too_few_values
from holdtrue.solving.forms import negated, sides, with_sign
from holdtrue.solving.linear_clauses import apart_clauses, at_most_clauses, most_clauses
from holdtrue.solving.literals import FALSE, TRUE, Clause, Pool, VariableLiterals, tidy

CLAUSE_LIMIT = 20_000
"""A formula that may need more clauses than this is too large for CNF; z3 decides such sums in milliseconds."""

LADDER_FROM = 12
"""From so many literals on, at-most-one is written with helper literals: linear, not quadratic, in number."""


class FormulaTooLarge(InputError):
    """The formula would need too many clauses; raised before they are made."""


class Translator:
    """Turns one formula into clauses over given literals. What a helper literal means goes into the pool's clauses.

    Raises `FormulaTooLarge`, or `FormulaError` for a variable that has no literals.
    """

    def __init__(self, literals: Mapping[str, VariableLiterals], pool: Pool, *, limit: int = CLAUSE_LIMIT) -> None:
        self._literals = literals
        self._pool = pool
        self._limit = limit
        self._names: dict[tuple[int, bool], int] = {}
        self._size = 0

    def clauses(self, formula: Formula) -> list[Clause]:
        """The formula as clauses: `[]` is true, `[[]]` is false."""
        return self._clauses(formula, True)

    def name(self, formula: Formula) -> int:
        """A literal that implies the formula."""
        return self._name(self._clauses(formula, True))

    def _reserve(self, count: int) -> None:
        self._size += count
        if self._size > self._limit:
            raise FormulaTooLarge(f"a formula would need up to {self._size} clauses; the limit is {self._limit}")

    def _clauses(self, formula: Formula, positive: bool) -> list[Clause]:
        """The formula, or its negation, as clauses: `[]` is true, `[[]]` is false."""
        match formula:
            case Truth():
                return [] if formula.value is positive else [[]]
            case Not():
                return self._clauses(formula.operand, not positive)
            case And() | Or():
                operands = [self._clauses(operand, positive) for operand in formula.operands]
                return conjoin(operands) if isinstance(formula, And) is positive else self._disjoin(operands)
            case Iff():
                return self._iff(formula, positive)
            case Compare():
                return self._compare(formula.op if positive else NEGATED[formula.op], formula.left, formula.right)
            case AllDifferent():
                return self._all_different(formula) if positive else self._some_equal(formula)
        raise FormulaError(f"not a formula: {formula!r}")

    def _name(self, clauses: list[Clause]) -> int:
        """A literal that implies all the clauses: their own where there is only one."""
        if not clauses:
            return TRUE
        if len(clauses) == 1 and len(clauses[0]) <= 1:
            return clauses[0][0] if clauses[0] else FALSE
        literal = self._pool.new()
        self._pool.clauses += [[-literal, *clause] for clause in clauses]
        return literal

    def _disjoin(self, options: list[list[Clause]]) -> list[Clause]:
        """One of the options holds."""
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

    def _iff(self, formula: Iff, positive: bool) -> list[Clause]:
        """Both directions, over named sides, so that nested equivalences stay linear in size."""
        left, right = formula.left, formula.right
        self._reserve(2)
        return conjoin(
            [
                self._disjoin([self._named(left, False), self._named(right, positive)]),
                self._disjoin([self._named(left, True), self._named(right, not positive)]),
            ]
        )

    def _named(self, formula: Formula, positive: bool) -> list[Clause]:
        key = (id(formula), positive)  # the formula being translated keeps its parts, and so their ids, alive
        if key not in self._names:
            self._names[key] = self._name(self._clauses(formula, positive))
        return tidy([[self._names[key]]])

    def _compare(self, op: Comparison, left: Term, right: Term) -> list[Clause]:
        form = linear(left) if isinstance(right, Constant) and right.value == 0 else linear(left - right)
        match op:
            case "<=":
                return self._at_most(form, 0)
            case "<":
                return self._at_most(form, -1)
            case ">=":
                return self._at_most(negated(form), 0)
            case ">":
                return self._at_most(negated(form), -1)
            case "==":
                return self._zero(form)
            case "!=":
                return self._not_zero(form)
        raise FormulaError(f"unknown comparison {op!r}")

    def _at_most(self, form: Linear, bound: int) -> list[Clause]:
        for index, (atom, factor) in enumerate(form.factors):
            if isinstance(atom, Abs):
                cases = [self._at_most(with_sign(form, index, sign), bound) for sign in (1, -1)]
                # factor * |t| is the larger of factor * t and -factor * t, or for a negative factor the smaller.
                return conjoin(cases) if factor > 0 else self._disjoin(cases)
        parts = [(factor, self._of(atom)) for atom, factor in form.factors if isinstance(atom, Variable)]
        self._reserve(most_clauses([x.size for _, x in parts]))
        return at_most_clauses(parts, bound - form.constant)

    def _zero(self, form: Linear) -> list[Clause]:
        match form.factors:
            case ((Variable() as variable, factor),):
                value, left_over = divmod(-form.constant, factor)
                return [[]] if left_over else tidy([[self._of(variable).equal(value)]])
            case ((Abs() as distance, factor),):
                return self._disjoin([self._zero(case) for case in sides(distance, factor, form.constant)])
        return conjoin([self._at_most(form, 0), self._at_most(negated(form), 0)])

    def _not_zero(self, form: Linear) -> list[Clause]:
        match form.factors:
            case ((Variable() as variable, factor),):
                value, left_over = divmod(-form.constant, factor)
                return [] if left_over else tidy([[-self._of(variable).equal(value)]])
            case ((Variable() as first, a), (Variable() as second, b)):
                x, y = self._of(first), self._of(second)
                self._reserve(x.size)
                return apart_clauses((a, x), (b, y), form.constant)
            case ((Abs() as distance, factor),):
                return conjoin([self._not_zero(case) for case in sides(distance, factor, form.constant)])
        return self._disjoin([self._at_most(form, -1), self._at_most(negated(form), -1)])

    def _all_different(self, formula: AllDifferent) -> list[Clause]:
        terms = formula.terms
        if too_few_values(formula):
            return [[]]
        variables = [term for term in terms if isinstance(term, Variable)]
        if len(variables) < len(terms):
            return conjoin([self._compare("!=", left, right) for left, right in combinations(terms, 2)])
        own = [self._of(variable) for variable in variables]
        values = sorted({value for x in own for value in range(x.low, x.high + 1)})
        pairs = len(own) * (len(own) - 1) // 2 if len(own) < LADDER_FROM else 3 * len(own)
        self._reserve(pairs * len(values))
        clauses: list[Clause] = []
        for value in values:
            clauses += self._at_most_one([x.equal(value) for x in own if x.low <= value <= x.high])
        if len(values) == len(terms):
            # As many values as terms: each value is taken, which makes propagation see much more.
            clauses += [[x.equal(value) for x in own] for value in values]
        return tidy(clauses)

    def _at_most_one(self, literals: Sequence[int]) -> list[Clause]:
        if len(literals) < LADDER_FROM:
            return [[-first, -second] for first, second in combinations(literals, 2)]
        # Sequential counter (Sinz, CP 2005): `seen` means that one of the literals so far is true.
        clauses: list[Clause] = []
        seen = literals[0]
        for literal in literals[1:]:
            clauses.append([-seen, -literal])
            following = self._pool.new()
            self._pool.clauses += tidy([[-seen, following], [-literal, following]])
            seen = following
        return clauses

    def _some_equal(self, formula: AllDifferent) -> list[Clause]:
        return self._disjoin([self._compare("==", left, right) for left, right in combinations(formula.terms, 2)])

    def _of(self, variable: Variable) -> VariableLiterals:
        return self._literals[variable.name]


def conjoin(parts: Iterable[list[Clause]]) -> list[Clause]:
    """All parts hold; `[[]]`, and nothing beside it, where one of them is false."""
    clauses: list[Clause] = []
    for part in parts:
        if part == [[]]:
            return [[]]
        clauses += part
    return clauses
