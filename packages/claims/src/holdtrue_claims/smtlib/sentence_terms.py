"""Make SMT-LIB terms of typed sentences, which mean the same: amounts in base units, dates and times in seconds.

Counts and sums over a closed list are written out. Of an open sort a count is compared with a written number, by things
that are told apart. What SMT-LIB has no words for is an error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, floor

from holdtrue.errors import FormulaError
from holdtrue.logic.civil_days import EXACT
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.typed_terms import apply_operator
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import TIME, Calendar, Instant, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import Parts, TermSorts, split_months, words_of
from holdtrue_claims.fol.vocabulary import ANY, Entity, Vocabulary
from holdtrue_claims.fol.written_out import goes_through_values, written_out
from holdtrue_claims.smtlib.number_terms import (
    CALENDAR_PARTS,
    LATER,
    absolute,
    exact,
    greatest,
    least,
    operated,
    real,
    scaled,
)
from holdtrue_claims.smtlib.sentence_symbols import SentenceSymbols, base_factor, fresh_symbol

MOST_APART = 30
"""So many things at most are told apart one by one."""
MOST_PARTS = 50_000
"""A sentence with more parts, once counts are written out, is refused."""


@dataclass(frozen=True, slots=True)
class Ranged:
    """A `Ranged` is what a variable of a sort of values stands for, in base units: so many steps of the sort."""

    value: smt.SmtTerm
    number: smt.Local
    sort: ValueSort


Environment = Mapping[str, "smt.SmtTerm | Ranged"]
"""What each variable stands for."""
_DAY = int(DAY.factor)
_ZERO = smt.number(0)


class SentenceTerms:
    """`SentenceTerms` are made over one vocabulary, in which the sentences have a meaning (`fol.meaning.state`)."""

    def __init__(self, vocabulary: Vocabulary, symbols: SentenceSymbols) -> None:
        self._vocabulary, self._symbols = vocabulary, symbols
        self._sorts = TermSorts(vocabulary)
        self._things = {symbols.thing, *symbols.own.values()}
        self._left = MOST_PARTS

    def stated(self, sentence: fol.Sentence) -> smt.SmtTerm:
        """Return the formula of a closed sentence; raises `FormulaError` for what has no text in SMT-LIB."""
        self._left = MOST_PARTS
        through = goes_through_values(sentence, self._sorts)
        return self.sentence(written_out(sentence, self._sorts) if through else sentence, {})

    def member(self, sort: str | None, thing: smt.SmtTerm) -> smt.SmtTerm | None:
        """Return that a thing is of a sort; None where that goes without saying."""
        if sort is None or sort == ANY or sort in self._symbols.own:
            return None
        if sort not in self._symbols.members:
            raise FormulaError(f"{sort} is no sort of things")
        return smt.Call(self._symbols.members[sort], (thing,))

    def sentence(self, node: fol.Sentence, environment: Environment) -> smt.SmtTerm:
        self._count()
        match node:
            case fol.Holds(predicate, args):
                return smt.Call(self._symbols.predicates[predicate], self._arguments(predicate, args, environment))
            case fol.Compare():
                return self._compared(node, environment)
            case fol.Quantified():
                return self._quantified(node, environment)
        operands = [self.sentence(part, environment) for part in fol.parts(node)]  # type: ignore[arg-type]
        match node:
            case fol.And() | fol.Or() if not operands:
                return smt.Literal(isinstance(node, fol.And), smt.BOOL)
        return apply_operator(_CONNECTIVES[type(node)], operands)

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise FormulaError(f"with its counts and sums written out, a sentence has over {MOST_PARTS} parts")

    def _quantified(self, node: fol.Quantified, environment: Environment) -> smt.SmtTerm:
        every = node.quantifier == "forall"
        values = self._sorts.ranged(node.sort)
        if values is not None:
            whole = isinstance(values, Calendar) or values.step is not None
            (number,) = self._variables(node.variable, node.sort, environment, kind=smt.INT if whole else smt.REAL)
            own = Ranged(scaled(number, base_factor(values)), number, values)
            held = self.sentence(node.body, {**environment, node.variable: own})
            if values == TIME:
                inside = apply_operator("and", [operated("<=", _ZERO, number), operated("<", number, smt.number(_DAY))])
                held = apply_operator("=>" if every else "and", [inside, held])
            return smt.Quantified(every, (number,), held)
        (variable,) = self._variables(node.variable, node.sort, environment)
        held = self.sentence(node.body, {**environment, node.variable: variable})
        here = self.member(node.sort, variable)
        if here is not None:
            held = apply_operator("=>" if every else "and", [here, held])
        return smt.Quantified(every, (variable,), held)

    def _variables(
        self,
        name: str,
        sort: str | None,
        environment: Environment,
        number: int = 1,
        kind: smt.SmtSort | None = None,
    ) -> list[smt.Local]:
        """Return new variables, which nothing that is in reach is called like."""
        kind = kind or self._symbols.own.get(sort or ANY, self._symbols.thing)
        reach = [own.number if isinstance(own, Ranged) else own for own in environment.values()]
        taken = {*self._symbols.taken, *(own.name for own in reach if isinstance(own, smt.Local))}
        found = []
        for place in range(1, number + 1):
            symbol = fresh_symbol(name if number == 1 else f"{name}{place}", taken)
            taken.add(symbol)
            found.append(smt.Local(symbol, kind))
        return found

    # --- comparisons -------------------------------------------------------------------------------------------------

    def _compared(self, node: fol.Compare, environment: Environment) -> smt.SmtTerm:
        op, left, right = node.op, node.left, node.right
        if isinstance(left, fol.Number) and isinstance(right, fol.Count):
            op, left, right = fol.TURNED[op], right, left
        if isinstance(left, fol.Count) and isinstance(right, fol.Number) and self._listed(left) is None:
            return self._counted(op, left, Fraction(right.value) * right.unit.factor, environment)
        sides = [self.term(left, environment), self.term(right, environment)]
        if any(side.sort in self._things for side in sides):
            sides = [self._thing(left, environment), self._thing(right, environment)]
            return apply_operator("=" if op == "=" else "distinct", sides)
        return operated("distinct" if op == "!=" else op, *sides)

    def _counted(self, op: fol.Comparison, count: fol.Count, value: Fraction, environment: Environment) -> smt.SmtTerm:
        match op:
            case ">=":
                return self._at_least(ceil(value), count, environment)
            case ">":
                return self._at_least(floor(value) + 1, count, environment)
            case "<":
                return _not(self._at_least(ceil(value), count, environment))
            case "<=":
                return _not(self._at_least(floor(value) + 1, count, environment))
        if value.denominator != 1:
            return smt.Literal(op == "!=", smt.BOOL)
        number = int(value)
        more = _not(self._at_least(number + 1, count, environment))
        exactly = apply_operator("and", [self._at_least(number, count, environment), more])
        return exactly if op == "=" else _not(exactly)

    def _at_least(self, number: int, count: fol.Count, environment: Environment) -> smt.SmtTerm:
        if number <= 0:
            return smt.Literal(True, smt.BOOL)
        if number > MOST_APART:
            raise FormulaError(
                f"{words_of(count)} is compared with more than {MOST_APART}, and so many things of an open sort "
                f"are not told apart in SMT-LIB"
            )
        variables = self._variables(count.variable, count.sort, environment, number)
        held = [apply_operator("distinct", variables)] if number > 1 else []
        for variable in variables:
            here = self.member(count.sort, variable)
            held += [] if here is None else [here]
            held.append(self.sentence(count.body, {**environment, count.variable: variable}))
        return smt.Quantified(False, tuple(variables), apply_operator("and", held))

    # --- terms -------------------------------------------------------------------------------------------------------

    def term(self, term: fol.Term, environment: Environment) -> smt.SmtTerm:
        self._count()
        match term:
            case fol.Bound(name):
                own = environment[name]
                return own.value if isinstance(own, Ranged) else own
            case fol.Constant(name):
                return smt.Call(self._symbols.named[name])
            case fol.Number(value, unit):
                return exact(Fraction(value) * unit.factor)
            case Instant(instant, sort):
                return exact(instant * sort.unit.factor)
            case fol.Apply(function, args):
                applied = smt.Call(self._symbols.functions[function], self._arguments(function, args, environment))
                return scaled(applied, base_factor(self._sorts.result(function)))
            case fol.Plus(summed):
                return self._sum(summed, environment)
            case fol.Times(left, right):
                return operated("*", self.term(left, environment), self.term(right, environment))
            case fol.Operation(op, args):
                return self._operation(op, args, environment)
            case fol.Choice(condition, then, otherwise):
                chosen = [self.term(then, environment), self.term(otherwise, environment)]
                if any(each.sort in self._things for each in chosen):
                    chosen = [self._thing(then, environment), self._thing(otherwise, environment)]
                elif chosen[0].sort != chosen[1].sort:
                    chosen = list(map(real, chosen))
                return apply_operator("ite", [self.sentence(condition, environment), *chosen])
            case fol.Count() | fol.Total():
                return self._total(term, environment)
        raise FormulaError(f"no term: {term!r:.80}")

    def _arguments(self, name: str, args: Sequence[fol.Term], environment: Environment) -> tuple[smt.SmtTerm, ...]:
        wanted = self._sorts.arguments[name]
        return tuple(
            self._thing(arg, environment) if isinstance(sort, str) else real(self.term(arg, environment))
            for arg, sort in zip(args, wanted, strict=True)
        )

    def _thing(self, term: fol.Term, environment: Environment) -> smt.SmtTerm:
        """Return a term that stands for a thing; a number is the thing that is called by its digits."""
        name = thing_name(term)
        if name is None:
            return self.term(term, environment)
        if name not in self._symbols.named:
            raise FormulaError(f"{name} is not one of the things that there are")
        return smt.Call(self._symbols.named[name])

    def _sum(self, summed: Parts, environment: Environment) -> smt.SmtTerm:
        rest, months = split_months(summed, self._sorts, environment)
        parts = [scaled(self.term(part, environment), Fraction(factor)) for factor, part in rest]
        total = operated("+", *parts) if parts else _ZERO
        if not months:
            return total
        day = _day(total)
        if (written := _written(day)) is not None:
            return smt.number(EXACT.later(written, months) * _DAY)
        return scaled(smt.Call(LATER.function, (day, smt.number(months))), Fraction(_DAY))

    def _operation(self, op: fol.Operator, args: Sequence[fol.Term], environment: Environment) -> smt.SmtTerm:
        values = [self.term(arg, environment) for arg in args]
        first = values[0]
        match op:
            case "min":
                return reduce(least, values)
            case "max":
                return reduce(greatest, values)
            case "abs":
                return absolute(first)
            case "floor":
                return _whole(first)
            case "ceil":
                return first if first.sort == smt.INT else operated("-", _whole(operated("-", first)))
            case "date_of":
                return scaled(operated("+", _day(first), smt.number(1)), Fraction(_DAY))
            case "time_of":
                return operated("-", first, scaled(_day(first), Fraction(_DAY)))
            case "div" | "mod":
                return _divided(op, first, args[1])
        day = _day(first)
        if (written := _written(day)) is not None:
            return smt.number(EXACT.part(op, written))
        return smt.Call(CALENDAR_PARTS[op].function, (day,))

    # --- counts and sums ---------------------------------------------------------------------------------------------

    def _listed(self, node: fol.Count | fol.Total) -> tuple[Entity, ...] | None:
        """Return the things that can be counted or summed, or None where nobody listed them all."""
        if self._sorts.ranged(node.sort) is not None:
            raise FormulaError(f"{words_of(node)} has no text in SMT-LIB: its least and greatest value are not known")
        sort, closed = node.sort or ANY, self._vocabulary.closed
        if sort in closed:
            return self._vocabulary.named(sort)
        if ANY in closed:
            return tuple(own for own in self._vocabulary.entities if own.sort in (sort, ANY))
        return None

    def _total(self, node: fol.Count | fol.Total, environment: Environment) -> smt.SmtTerm:
        listed = self._listed(node)
        if listed is None:
            what = "a sum over" if isinstance(node, fol.Total) else "only with a written number is compared a count of"
            raise FormulaError(f"{words_of(node)} has no text in SMT-LIB: {what} an open sort of things")
        found: list[smt.SmtTerm] = []
        for own in listed:
            thing = smt.Call(self._symbols.named[own.name])
            inner = {**environment, node.variable: thing}
            held = self.sentence(node.body, inner)
            if own.sort != node.sort and (here := self.member(node.sort, thing)) is not None:
                held = apply_operator("and", [here, held])
            worth = smt.number(1) if isinstance(node, fol.Count) else self.term(node.term, inner)
            found.append(apply_operator("ite", [held, worth, real(_ZERO) if worth.sort == smt.REAL else _ZERO]))
        return operated("+", *found) if found else _ZERO


_CONNECTIVES: Mapping[type, str] = {
    fol.Not: "not", fol.And: "and", fol.Or: "or", fol.Xor: "xor", fol.Implies: "=>", fol.Iff: "="
}  # fmt: skip


def _not(term: smt.SmtTerm) -> smt.SmtTerm:
    if isinstance(term, smt.Literal):
        return smt.Literal(not term.value, smt.BOOL)
    return apply_operator("not", [term])


def _whole(term: smt.SmtTerm) -> smt.SmtTerm:
    return term if term.sort == smt.INT else apply_operator("to_int", [term])


def _day(seconds: smt.SmtTerm) -> smt.SmtTerm:
    """The whole days in a number of seconds."""
    match seconds:
        case smt.Literal(value, smt.INT):
            return smt.number(int(value) // _DAY)
        case smt.Operation("*", (smt.Literal(value, smt.INT), days)) if value == _DAY:
            return days
    return apply_operator("div", [_whole(seconds), smt.number(_DAY)])


def _written(term: smt.SmtTerm) -> int | None:
    return int(term.value) if isinstance(term, smt.Literal) else None


def _divided(op: str, dividend: smt.SmtTerm, by: fol.Term) -> smt.SmtTerm:
    if not isinstance(by, fol.Number) or not by.value:
        raise FormulaError(f"{op} needs a written number other than 0 as its divisor")
    divisor = Fraction(by.value) * by.unit.factor
    if dividend.sort == smt.INT and divisor.denominator == 1:
        return apply_operator(op, [dividend, exact(divisor)])
    # Whole numbers of a unit that is a fraction of the base unit, such as grams; rounded as SMT-LIB does.
    quotient = _whole(scaled(real(dividend), 1 / abs(divisor)))
    if divisor < 0:
        quotient = operated("-", quotient)
    return quotient if op == "div" else operated("-", dividend, scaled(quotient, divisor))
