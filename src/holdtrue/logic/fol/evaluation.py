"""Evaluate sentences over finitely many things with facts about them: true, false, or not known to be either.

Amounts are computed in base units and dates in seconds, exactly, so that kilos and grams compare. Where a fact is
missing a sentence has no truth value unless it has one whatever the fact is (Kleene's strong three-valued logic). This
is sound and not complete: `P(Ann) or not P(Ann)` is not known where `P(Ann)` is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from holdtrue.errors import FormulaError
from holdtrue.logic.civil_days import EXACT
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.signature import thing_name
from holdtrue.logic.fol.term_sorts import Sort, TermSorts, months_in
from holdtrue.logic.fol.vocabulary import ANY
from holdtrue.logic.three_valued import every, opposite
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, Instant, Value

Worth = str | Fraction
"""What a term stands for: the label of a thing, or a number in base units."""
Fact = tuple[str, tuple[Worth, ...]]
"""A predicate or a function with its arguments."""
Parts = tuple[tuple[Value, fol.Term], ...]
"""The terms of a sum with their factors."""
_SIGNS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Evaluation:
    """An `Evaluation` evaluates sentences over `things` with `facts`.

    `at_each` is called for each thing that a sentence is tried with, and may raise to make an end.
    """

    def __init__(
        self,
        things: Mapping[str, frozenset[str]],
        facts: Mapping[Fact, Value | str],
        sorts: TermSorts,
        at_each: Callable[[], object],
        copies: Mapping[str, int],
    ) -> None:
        self._things, self._facts, self._sorts, self._at_each = things, facts, sorts, at_each
        self._copies = copies
        self._ranges: dict[str | None, tuple[str, ...]] = {}

    def truth(self, sentence: fol.Sentence) -> bool | None:
        """Return whether a sentence holds; None where that depends on facts that are missing."""
        return self._truth(sentence, {})

    def _range(self, sort: str | None) -> Iterator[str]:
        if sort not in self._ranges:
            self._ranges[sort] = tuple(t for t, sorts in self._things.items() if sort in (None, ANY) or sort in sorts)
        for thing in self._ranges[sort]:
            self._at_each()
            yield thing

    def _truth(self, node: fol.Sentence, bound: Mapping[str, str]) -> bool | None:
        match node:
            case fol.Holds(predicate, args):
                value = self._fact(predicate, args, bound)
                return None if value is None else bool(value)
            case fol.Compare():
                return self._compared(node, bound)
            case fol.Not(operand):
                value = self._truth(operand, bound)
                return None if value is None else not value
            case fol.And(operands):
                return every(self._truth(operand, bound) for operand in operands)
            case fol.Or(operands):
                return _some(self._truth(operand, bound) for operand in operands)
            case fol.Implies(left, right):
                return _some(self._truth(part, bound) for part in (fol.Not(left), right))
            case fol.Xor(left, right) | fol.Iff(left, right):
                one, other = self._truth(left, bound), self._truth(right, bound)
                return None if one is None or other is None else (one is other) is isinstance(node, fol.Iff)
            case fol.Quantified(quantifier, variable, body, sort):
                over = every if quantifier == "forall" else _some
                return over(self._truth(body, {**bound, variable: thing}) for thing in self._range(sort))

    def _compared(self, node: fol.Compare, bound: Mapping[str, str]) -> bool | None:
        left, right = (self._worth(side, bound) for side in (node.left, node.right))
        if left is None or right is None:
            return None
        if isinstance(left, str) or isinstance(right, str):
            left, right = (self._label(side, worth) for side, worth in ((node.left, left), (node.right, right)))
            if node.op not in ("=", "!="):
                raise FormulaError("a thing stands where a number has to")
            return (left == right) is (node.op == "=")
        return _SIGNS[node.op](left, right)

    def _label(self, term: fol.Term, worth: Worth) -> str:
        """The label of a thing; a number where a thing stands is the thing that is called by its digits."""
        if isinstance(worth, str):
            return worth
        name = thing_name(term)
        if name is None:
            raise FormulaError("a number stands where a thing has to")
        return name

    def _fact(self, name: str, args: Sequence[fol.Term], bound: Mapping[str, str]) -> Value | str | None:
        wanted: Sequence[Sort] = self._sorts.arguments.get(name, (ANY,) * len(args))
        found = []
        for term, sort in zip(args, wanted, strict=True):
            worth = self._worth(term, bound)
            if worth is None:
                return None
            found.append(self._label(term, worth) if isinstance(sort, str) else worth)
        return self._facts.get((name, tuple(found)))

    def _worth(self, term: fol.Term, bound: Mapping[str, str]) -> Worth | None:
        match term:
            case fol.Bound(name):
                if name not in bound:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                return bound[name]
            case fol.Constant(name):
                if name not in self._things:
                    raise FormulaError(f"{name} is not one of the things that there are")
                return name
            case fol.Number(value, unit):
                return Fraction(value) * unit.factor
            case Instant(moment, calendar):
                return moment * calendar.unit.factor
            case fol.Apply(function, args):
                return self._applied(function, args, bound)
            case fol.Count(variable, body, sort):
                return self._counted(variable, body, sort, bound)
            case fol.Choice(condition, then, otherwise):
                holds = self._truth(condition, bound)
                if holds is not None:
                    return self._worth(then if holds else otherwise, bound)
                one, other = self._worth(then, bound), self._worth(otherwise, bound)
                return one if one == other else None
        return self._number(term, bound)

    def _applied(self, function: str, args: Sequence[fol.Term], bound: Mapping[str, str]) -> Worth | None:
        value, sort = self._fact(function, args, bound), self._sorts.result(function)
        if value is None or isinstance(sort, str):
            return None if value is None else str(value)
        return Fraction(value) * sort.unit.factor

    def _number(self, term: fol.Term, bound: Mapping[str, str]) -> Fraction | None:
        """A term of arithmetic; None where a part is not known, unless a factor of 0 makes it of no account."""
        match term:
            case fol.Plus(summed):
                summed, months = split_months(summed, self._sorts)
                total = Fraction(0)
                for factor, part in summed:
                    if factor:
                        value = self._exact(part, bound)
                        if value is None:
                            return None
                        total += factor * value
                return _day(total, lambda day: EXACT.later(day, months)) * DAY.factor if months else total
            case fol.Times(left, right):
                one, other = self._exact(left, bound), self._exact(right, bound)
                if one == 0 or other == 0:
                    return Fraction(0)
                return None if one is None or other is None else one * other
            case fol.Total(variable, summed_term, body, sort):
                return self._summed(variable, summed_term, body, sort, bound)
            case fol.Operation(op, args):
                values = [self._exact(arg, bound) for arg in args]
                known = [value for value in values if value is not None]
                return _operated(op, known) if len(known) == len(values) else None
        raise FormulaError(f"no term: {term!r:.80}")

    def _exact(self, term: fol.Term, bound: Mapping[str, str]) -> Fraction | None:
        worth = self._worth(term, bound)
        if isinstance(worth, str):
            raise FormulaError(f"{worth} is a thing, and stands where a number has to")
        return worth

    def _counted(
        self, variable: str, body: fol.Sentence, sort: str | None, bound: Mapping[str, str]
    ) -> Fraction | None:
        count = 0
        for thing in self._range(sort):
            holds = self._truth(body, {**bound, variable: thing})
            if holds is None:
                return None
            count += self._copies.get(thing, 1) if holds else 0
        return Fraction(count)

    def _summed(
        self, variable: str, term: fol.Term, body: fol.Sentence, sort: str | None, bound: Mapping[str, str]
    ) -> Fraction | None:
        total = Fraction(0)
        for thing in self._range(sort):
            inner = {**bound, variable: thing}
            holds = self._truth(body, inner)
            if holds is False:
                continue
            value = self._exact(term, inner)
            if value is None or (holds is None and value):
                return None
            total += value * self._copies.get(thing, 1)
        return total


def split_months(summed: Parts, sorts: TermSorts) -> tuple[Parts, int]:
    """Return the parts of a sum without the months that are added to a date, and how many these are; they come last.

    A sum that is no date stays whole: years of age are added like any amount.
    """
    months = [(factor, months_in(term)) for factor, term in summed]
    if not any(count for _, count in months) or not any(is_date(term, sorts) for _, term in summed):
        return summed, 0
    rest = tuple(part for part, (_, count) in zip(summed, months, strict=True) if count is None)
    return rest, int(sum(factor * count for factor, count in months if count is not None))


def is_date(term: fol.Term, sorts: TermSorts) -> bool:
    """Return whether a term stands for a date; variables do not, as they are things."""
    match term:
        case Instant(_, sort):
            return sort.kind == "date"
        case fol.Apply(function):
            return sorts.result(function) == DATE
        case fol.Operation(op, args):
            return op == "date_of" or (op in ("min", "max") and any(is_date(arg, sorts) for arg in args))
        case fol.Choice(_, then, otherwise):
            return is_date(then, sorts) or is_date(otherwise, sorts)
        case fol.Plus(summed):
            return sum(factor for factor, part in summed if is_date(part, sorts)) == 1
    return False


def _day(seconds: Fraction, of: Callable[[int], int]) -> Fraction:
    """Return what belongs to a date, which is in seconds."""
    return Fraction(of(floor(seconds / DAY.factor)))


def _some(truths: Iterator[bool | None]) -> bool | None:
    return opposite(every(map(opposite, truths)))


def _operated(op: fol.Operator, values: Sequence[Fraction]) -> Fraction:
    match op:
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "abs":
            return abs(values[0])
        case "floor":
            return Fraction(floor(values[0]))
        case "ceil":
            return Fraction(ceil(values[0]))
        case "date_of":
            return Fraction((values[0] // DAY.factor + 1) * DAY.factor)
        case "time_of":
            return Fraction(values[0] % DAY.factor)
        case "year_of" | "month_of" | "day_of" | "weekday_of":
            return _day(values[0], lambda day: EXACT.part(op, day))
    dividend, divisor = values
    if divisor == 0:
        raise FormulaError(f"{op} by zero has no value")
    # As in SMT-LIB: the remainder is never negative.
    quotient = Fraction(dividend // abs(divisor) * (1 if divisor > 0 else -1))
    return quotient if op == "div" else dividend - divisor * quotient
