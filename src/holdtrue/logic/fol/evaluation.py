"""Evaluate sentences over finitely many things with facts about them: true, false, or not known to be either.

Amounts are computed in base units and dates in seconds, exactly, so that kilos and grams compare. Where a fact is
missing a sentence has no truth value unless it has one whatever the fact is (Kleene's strong three-valued logic). This
is sound and not complete: `P(Ann) or not P(Ann)` is not known where `P(Ann)` is not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from holdtrue.errors import FormulaError
from holdtrue.logic.civil_days import EXACT
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.signature import thing_name
from holdtrue.logic.fol.term_sorts import Sort, TermSorts, months_in
from holdtrue.logic.fol.value_windows import Binder, Literal, is_value, literal, step_of, values_in, window, worth_of
from holdtrue.logic.fol.vocabulary import ANY
from holdtrue.logic.three_valued import every, opposite
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, Instant, Value, ValueSort

Worth = str | Fraction
"""What a term stands for: the label of a thing, or a number in base units."""
Fact = tuple[str, tuple[Worth, ...]]
"""A predicate or a function with its arguments."""
Parts = tuple[tuple[Value, fol.Term], ...]
"""The terms of a sum with their factors."""
Choices = Mapping[str, "str | Literal"]
"""What each variable stands for: the label of a thing, or a value."""
_SIGNS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Evaluation:
    """An `Evaluation` evaluates sentences over `things` with `facts`.

    `at_each` is called for each thing or value that a sentence is tried with, and may raise to make an end. Where the
    things are None, only what no thing matters for has a truth value, and all else raises `FormulaError`.
    """

    def __init__(
        self,
        things: Mapping[str, frozenset[str]] | None,
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

    def values(self, node: Binder, sort: ValueSort, bound: Choices) -> list[Literal] | None:
        """Return the values on which it depends what a quantifier, a count or a sum says; None for too many."""
        return window(node, sort, lambda term, at: self._exact(term, {**bound, node.variable: at}))

    def _range(self, node: Binder, bound: Choices) -> Iterator[str | Literal] | None:
        """Return the labels or values that a binder goes through; None where there are too many values."""
        values = self._sorts.ranged(node.sort)
        if values is None:
            return self._things_of(node.sort)
        found = self.values(node, values, bound)
        return None if found is None else self._each(found)

    def _each(self, found: list[Literal]) -> Iterator[Literal]:
        for value in found:
            self._at_each()
            yield value

    def _things_of(self, sort: str | None) -> Iterator[str]:
        if self._things is None:
            raise FormulaError("nobody said which things there are")
        if sort not in self._ranges:
            self._ranges[sort] = tuple(t for t, sorts in self._things.items() if sort in (None, ANY) or sort in sorts)
        for thing in self._ranges[sort]:
            self._at_each()
            yield thing

    def _truth(self, node: fol.Sentence, bound: Choices) -> bool | None:
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
            case fol.Quantified(quantifier, variable, body):
                over = every if quantifier == "forall" else _some
                tried = self._range(node, bound)
                found = over(self._truth(body, {**bound, variable: own}) for own in tried or self._likely(node, bound))
                # Of infinitely many values one may tell, but those that were tried do not tell of the others.
                return found if tried is not None or found is (quantifier == "exists") else None

    def _likely(self, node: fol.Quantified, bound: Choices) -> Iterator[Literal]:
        """The values that a sentence names, and their neighbours."""
        sort = self._sorts.ranged(node.sort)
        if sort is None:
            return
        for value in values_in((*fol.walk(node.body), *bound.values()), sort):
            step = step_of(sort) or Fraction(1)
            for near in (worth_of(value), worth_of(value) + step, worth_of(value) - step):
                if is_value(near, sort):
                    self._at_each()
                    yield literal(near, sort)

    def _compared(self, node: fol.Compare, bound: Choices) -> bool | None:
        left, right = (self._worth(side, bound) for side in (node.left, node.right))
        if left is None or right is None:
            return None
        if isinstance(left, str) or isinstance(right, str):
            left, right = (self._label(side, worth) for side, worth in ((node.left, left), (node.right, right)))
            if node.op not in ("=", "!="):
                raise FormulaError("a thing stands where a number has to")
            return (left == right) is (node.op == "=")
        return bool(_SIGNS[node.op](left, right))

    def _label(self, term: fol.Term, worth: Worth) -> str:
        """The label of a thing; a number where a thing stands is the thing that is called by its digits."""
        if isinstance(worth, str):
            return worth
        name = thing_name(term)
        if name is None:
            raise FormulaError("a number stands where a thing has to")
        return name

    def _fact(self, name: str, args: Sequence[fol.Term], bound: Choices) -> Value | str | None:
        wanted: Sequence[Sort] = self._sorts.arguments.get(name, (ANY,) * len(args))
        found = []
        for term, sort in zip(args, wanted, strict=True):
            worth = self._worth(term, bound)
            if worth is None:
                return None
            found.append(self._label(term, worth) if isinstance(sort, str) else worth)
        return self._facts.get((name, tuple(found)))

    def _worth(self, term: fol.Term, bound: Choices) -> Worth | None:
        match term:
            case fol.Bound(name):
                if name not in bound:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                own = bound[name]
                return own if isinstance(own, str) else self._worth(own, {})
            case fol.Constant(name):
                if self._things is None or name not in self._things:
                    raise FormulaError(f"{name} is not one of the things that there are")
                return name
            case fol.Number() | Instant():
                return worth_of(term)
            case fol.Apply(function, args):
                return self._applied(function, args, bound)
            case fol.Count() | fol.Total():
                return self._summed(term, bound)
            case fol.Choice(condition, then, otherwise):
                holds = self._truth(condition, bound)
                if holds is not None:
                    return self._worth(then if holds else otherwise, bound)
                one, other = self._worth(then, bound), self._worth(otherwise, bound)
                return one if one == other else None
        return self._number(term, bound)

    def _applied(self, function: str, args: Sequence[fol.Term], bound: Choices) -> Worth | None:
        value, sort = self._fact(function, args, bound), self._sorts.result(function)
        if value is None or isinstance(sort, str):
            return None if value is None else str(value)
        return Fraction(value) * sort.unit.factor

    def _number(self, term: fol.Term, bound: Choices) -> Fraction | None:
        """A term of arithmetic; None where a part is not known, unless a factor of 0 makes it of no account."""
        match term:
            case fol.Plus(summed):
                summed, months = split_months(summed, self._sorts, bound)
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
            case fol.Operation(op, args):
                values = [self._exact(arg, bound) for arg in args]
                known = [value for value in values if value is not None]
                return _operated(op, known) if len(known) == len(values) else None
        raise FormulaError(f"no term: {term!r:.80}")

    def _exact(self, term: fol.Term, bound: Choices) -> Fraction | None:
        worth = self._worth(term, bound)
        if isinstance(worth, str):
            raise FormulaError(f"{worth} is a thing, and stands where a number has to")
        return worth

    def _summed(self, node: fol.Count | fol.Total, bound: Choices) -> Fraction | None:
        """Return a sum over things or values; a count is one of as many ones."""
        total, tried = Fraction(0), self._range(node, bound)
        if tried is None:
            return None
        for own in tried:
            inner = {**bound, node.variable: own}
            holds = self._truth(node.body, inner)
            if holds is False:
                continue
            value = Fraction(1) if isinstance(node, fol.Count) else self._exact(node.term, inner)
            if value is None or (holds is None and value):
                return None
            total += value * self._times(own)
        return total

    def _times(self, own: str | Literal) -> int:
        return self._copies.get(own, 1) if isinstance(own, str) else 1


def split_months(summed: Parts, sorts: TermSorts, bound: Mapping[str, object]) -> tuple[Parts, int]:
    """Return the parts of a sum without the months that are added to a date, and how many these are; they come last.

    A sum that is no date stays whole: years of age are added like any amount. `bound` has what each variable stands
    for; what stands for a date has that as its `sort`.
    """
    months = [(factor, months_in(term)) for factor, term in summed]
    if not any(count for _, count in months) or not any(is_date(term, sorts, bound) for _, term in summed):
        return summed, 0
    rest = tuple(part for part, (_, count) in zip(summed, months, strict=True) if count is None)
    return rest, int(sum(factor * count for factor, count in months if count is not None))


def is_date(term: fol.Term, sorts: TermSorts, bound: Mapping[str, object]) -> bool:
    """Return whether a term stands for a date, where `bound` has what each variable stands for."""
    match term:
        case Instant(_, sort):
            return sort.kind == "date"
        case fol.Bound(name):
            return getattr(bound.get(name), "sort", None) == DATE
        case fol.Apply(function):
            return sorts.result(function) == DATE
        case fol.Operation(op, args):
            return op == "date_of" or (op in ("min", "max") and any(is_date(arg, sorts, bound) for arg in args))
        case fol.Choice(_, then, otherwise):
            return is_date(then, sorts, bound) or is_date(otherwise, sorts, bound)
        case fol.Plus(summed):
            return sum(factor for factor, part in summed if is_date(part, sorts, bound)) == 1
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
