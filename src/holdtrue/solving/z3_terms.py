"""Translate formulas and terms into z3 expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.solving.arithmetic import compared, too_few_values

FEW = 64
"""If a factor or divisor has at most this many values, each value becomes a case."""

PAIRED = 32
"""The most terms of an all-different that z3 may compare in pairs. More are numbered by `Z3Terms._numbered`."""


class Z3Terms:
    """Translate formulas over fixed variables into one z3 context. `unknowns` maps names to the z3 variables.

    `state` asserts side conditions, which define the helpers in a translated formula.
    """

    def __init__(self, variables: Sequence[f.Variable], context: Any, state: Callable[[Any], None]) -> None:
        # SMT-LIB symbols, because z3 cuts a name at its first NUL, and two variables could become one.
        self.unknowns: Mapping[str, Any] = {
            variable.name: z3.Int(symbol_of(variable.name), context) for variable in variables
        }
        self._by_name = {variable.name: variable for variable in variables}
        self._context = context
        self._state = state
        self._differing: dict[f.AllDifferent, Any] = {}
        self._made: dict[int, tuple[f.Term, Any]] = {}
        """The translated terms by their ids. Dates consist of few terms, each of which occurs many times."""

    def formula(self, formula: f.Formula) -> Any:
        """Return the formula as a Boolean of z3. Raises `FormulaError` for an unknown variable."""
        match formula:
            case f.Truth():
                return self._truth(formula.value)
            case f.Not():
                return z3.Not(self.formula(formula.operand))
            case f.And():
                return z3.And(*map(self.formula, formula.operands), self._context)
            case f.Or():
                return z3.Or(*map(self.formula, formula.operands), self._context)
            case f.Iff():
                return self.formula(formula.left) == self.formula(formula.right)
            case f.Xor():
                return self.formula(formula.left) != self.formula(formula.right)
            case f.IfThenElse():
                return z3.If(*map(self.formula, (formula.condition, formula.then, formula.otherwise)))
            case f.Compare():
                return compared(formula.op, self.term(formula.left), self.term(formula.right))
            case f.AllDifferent():
                if len(formula.terms) < 2 or too_few_values(formula):
                    return self._truth(len(formula.terms) < 2)
                if len(formula.terms) <= PAIRED:
                    return z3.Distinct(*map(self.term, formula.terms))
                if (
                    formula not in self._differing
                ):  # one helper for all occurrences, so that it contradicts its negation
                    self._differing[formula] = self._numbered(list(map(self.term, formula.terms)))
                return self._differing[formula]
            case f.Count():
                return self._count(formula)
        raise FormulaError(f"not a formula: {formula!r}")

    def term(self, term: f.Term) -> Any:
        """Return the term as an integer of z3. Raises like `formula`."""
        made = self._made.get(id(term))
        if made is None:
            # The term is kept, so that no other one gets its id.
            made = self._made[id(term)] = term, self._translated(term)
        return made[1]

    def _translated(self, term: f.Term) -> Any:
        match term:
            case f.Constant():
                return self._number(term.value)
            case f.Variable():
                if self._by_name.get(term.name) != term:
                    raise FormulaError(f"the engine has no variable {term.name!r} of sort {term.sort}")
                return self.unknowns[term.name]
            case f.Sum():
                return z3.Sum(self._number(0), *(factor * self.term(part) for factor, part in term.parts))
            case f.Abs():
                inner = self.term(term.inner)
                return z3.If(inner >= 0, inner, -inner)
            case f.Ite():
                return z3.If(self.formula(term.condition), self.term(term.then), self.term(term.otherwise))
            case f.Element():
                index, places = self.term(term.index), term.places
                return self._by_value(index, [self._number(term.table[place]) for place in places], places.start)
            case f.Product():
                return self._product(term)
            case f.Quotient() | f.Remainder():
                return self._divided(term)
            case f.Least() | f.Greatest():
                return self._chosen(isinstance(term, f.Least), list(map(self.term, term.terms)))
        raise FormulaError(f"not a term: {term!r}")

    def _numbered(self, terms: Sequence[Any]) -> Any:
        """Return a Boolean that is true if and only if all terms differ, of a size linear in their number.

        If all differ, some function maps each term to its position. If not, two terms share some value. Inside a larger
        formula, z3 expands `Distinct` into all pairs, and ignores the time limit meanwhile: 137 s for 3,000 terms.
        """
        integers = z3.IntSort(self._context)
        differ, number = z3.FreshBool("differ", self._context), z3.FreshFunction(integers, integers)
        shared = z3.FreshInt("shared", self._context)
        numbers = [number(term) == place for place, term in enumerate(terms)]
        self._state(z3.Implies(differ, z3.And(*numbers, self._context)))
        self._state(z3.Implies(self.at_most([(term == shared, 1) for term in terms], 1), differ))
        return differ

    def _count(self, formula: f.Count) -> Any:
        held = [(self.formula(operand), 1) for operand in formula.operands]
        match formula.op:
            case "<=":
                return self.at_most(held, formula.bound)
            case "<":
                return self.at_most(held, formula.bound - 1)
            case ">=":
                return z3.Not(self.at_most(held, formula.bound - 1))
            case ">":
                return z3.Not(self.at_most(held, formula.bound))
        exact = z3.And(self.at_most(held, formula.bound), z3.Not(self.at_most(held, formula.bound - 1)))
        return exact if formula.op == "==" else z3.Not(exact)

    def at_most(self, held: Sequence[tuple[Any, int]], bound: int) -> Any:
        """Return the statement that the weights of the true Booleans add up to at most `bound`."""
        # z3 needs at least one Boolean, and a bound that is not negative and not huge.
        return z3.PbLe(held, bound) if 0 <= bound < len(held) else self._truth(bound >= 0)

    def _product(self, term: f.Product) -> Any:
        """Return the product. If one factor has few values, it is a choice of multiples, which z3 always decides."""
        few, other = sorted((term.left, term.right), key=_size)
        found, factor = self.term(few), self.term(other)
        low, high = f.term_range(few)
        if low is None or high is None or high - low >= FEW:
            return found * factor
        return self._by_value(found, [value * factor for value in range(low, high + 1)], low)

    def _divided(self, term: f.Quotient | f.Remainder) -> Any:
        """Return the quotient or remainder.

        A divisor with few values gives a choice, since z3 divides well by constants.
        """
        dividend, divisor = self.term(term.dividend), self.term(term.divisor)
        low, high = f.term_range(term.divisor)
        if low is None or high is None or high - low >= FEW:
            return dividend / divisor if isinstance(term, f.Quotient) else dividend % divisor
        values = [self._number(value) for value in range(low, high + 1)]
        results = [dividend / own if isinstance(term, f.Quotient) else dividend % own for own in values]
        return self._by_value(divisor, results, low)

    def _chosen(self, least: bool, terms: Sequence[Any]) -> Any:
        """Return the least or the greatest term by bisection, because a chain of conditions would nest deeply."""
        if len(terms) == 1:
            return terms[0]
        half = len(terms) // 2
        one, other = self._chosen(least, terms[:half]), self._chosen(least, terms[half:])
        return z3.If(one <= other if least else one >= other, one, other)

    def _by_value(self, value: Any, cases: Sequence[Any], low: int) -> Any:
        """Return `cases[value - low]` by bisection, because a chain of conditions would nest deeply."""
        if all(case.eq(cases[0]) for case in cases):
            return cases[0]
        half = len(cases) // 2
        below, above = self._by_value(value, cases[:half], low), self._by_value(value, cases[half:], low + half)
        return z3.If(value < low + half, below, above)

    def _truth(self, value: bool) -> Any:
        return z3.BoolVal(value, self._context)

    def _number(self, value: int) -> Any:
        return z3.IntVal(value, self._context)


def _size(term: f.Term) -> float:
    """Return the size of the term's range minus one, or infinity."""
    low, high = f.term_range(term)
    return inf if low is None or high is None else high - low
