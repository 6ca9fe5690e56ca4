"""Weaken sentences to what they say whatever becomes of sums of dates and times that calendars leave open.

A time of day is counted in seconds since midnight, so that 23:30 and 90 minutes are 25:00, which no clock shows, and
from 22:00 to 06:00 it is minus sixteen hours, where people mean eight; and days may lie between two times. A year after
29 February there is no such day. An hour after a local moment another one may be shown, where clocks change. Nothing is
then concluded from such sums. Times that follow a written one in steps, as those of a timetable do, are those of the
day that the sentence says they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.term_sorts import Bindings, TermSorts, split_months
from holdtrue_claims.fol.value_readings import in_day
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary

_SOME_DAY = Instant(0, DATE)
_NEVER = fol.Compare("<", fol.Number(1), fol.Number(0))


CalendarConvention = Literal["one_day", "month_ends", "clocks"]
"""By which sums of times of one day, of months and a date, and of local moments mean what their numbers say."""


def calendar_weakened(sentence: fol.Sentence, vocabulary: Vocabulary, dropped: Collection[str]) -> fol.Sentence:
    """Return what a sentence says whatever sums are that mean something only by these conventions.

    It follows from the sentence, and is the sentence itself if there is no such sum.
    """
    return _Weakening(vocabulary, dropped).weaker(sentence, {}, positive=True)


class _Weakening:
    def __init__(self, vocabulary: Vocabulary, dropped: Collection[str]) -> None:
        self._sorts, self._dropped = TermSorts(vocabulary), dropped

    def weaker(self, node: fol.Sentence, bound: Bindings, *, positive: bool) -> fol.Sentence:
        """Return a sentence that follows from one, or, unless `positive`, one from which it follows."""
        match node:
            case fol.Not(operand):
                return fol.Not(self.weaker(operand, bound, positive=not positive))
            case fol.And(operands) | fol.Or(operands):
                return type(node)(tuple(self.weaker(own, bound, positive=positive) for own in operands))
            case fol.Implies(left, right):
                then = self.weaker(right, bound, positive=positive)
                return fol.Implies(self.weaker(left, bound, positive=not positive), then)
            case fol.Quantified(quantifier, variable, body, sort):
                inner = {**bound, variable: sort or ANY}
                return fol.Quantified(quantifier, variable, self.weaker(body, inner, positive=positive), sort)
            case fol.Iff(left, right) if self._matters(node, bound):
                both = (fol.Implies(left, right), fol.Implies(right, left))
                return fol.And(tuple(self.weaker(own, bound, positive=positive) for own in both))
            case fol.Xor(left, right) if self._matters(node, bound):
                return self.weaker(fol.Iff(left, fol.Not(right)), bound, positive=positive)
        within = tuple(dict.fromkeys(self._conditions(node, bound, {}, short=positive and _is_short(node))))
        if not within:
            return node
        return fol.Or((fol.Not(fol.And(within)), node)) if positive else fol.And((*within, node))

    def _matters(self, node: fol.Sentence, bound: Bindings) -> bool:
        """Return whether there is a sum in a sentence that may not mean what its numbers say."""
        return any(True for _ in self._conditions(node, bound, {}, short=False))

    def _conditions(
        self, node: fol.Sentence | fol.Term, bound: Bindings, inner: Mapping[str, str | None], *, short: bool
    ) -> Iterator[fol.Sentence]:
        """Return what holds if all sums in a part mean what their numbers say, for all things gone through in it."""
        match node:
            case fol.Quantified(_, variable, _, sort) | fol.Count(variable, _, sort) | fol.Total(variable, _, _, sort):
                # A variable that is bound again stands last, so that it is the one that is meant.
                inner = {**{name: of for name, of in inner.items() if name != variable}, variable: sort}
                bound = {**bound, variable: sort or ANY}
            case fol.Plus():
                condition = self._condition(node, bound, short=short)
                if condition is not None:
                    free = fol.free_variables(condition)
                    for name, of in reversed(tuple(inner.items())):
                        condition = fol.Quantified("forall", name, condition, of) if name in free else condition
                    yield condition
        for part in fol.parts(node):
            yield from self._conditions(part, bound, inner, short=short)

    def _condition(self, summed: fol.Plus, bound: Bindings, *, short: bool) -> fol.Sentence | None:
        if len(summed.parts) == 1 or self._is_progression(summed):
            return None
        sorts = [self._sorts.sort(term, bound) for _, term in summed.parts]
        if "clocks" in self._dropped and MOMENT in sorts:
            return _NEVER
        dates = {name: _SOME_DAY for name, of in bound.items() if self._sorts.ranged(of) == DATE}
        rest, months = split_months(summed.parts, self._sorts, dates)
        if months and "month_ends" in self._dropped:
            before = rest[0][1] if len(rest) == 1 and rest[0][0] == 1 else fol.Plus(rest)
            return _has_the_day(before, summed, months)
        if "one_day" not in self._dropped or TIME not in sorts:
            return None
        times = [(factor, term) for (factor, term), sort in zip(summed.parts, sorts, strict=True) if sort == TIME]
        if sum(factor for factor, _ in times) == 1:
            return in_day(summed)
        if len(times) != 2 or not short:
            return _NEVER
        later, earlier = sorted(times, key=lambda own: -own[0])
        return fol.Compare(">=", later[1], earlier[1])

    def _is_progression(self, summed: fol.Plus) -> bool:
        """Return whether a sum is so many equal steps behind a written time: who says so says which times are meant."""
        written = [term for _, term in summed.parts if isinstance(term, Instant)]
        steps = [term for _, term in summed.parts if isinstance(term, fol.Times | fol.Bound)]
        plain = all(isinstance(own, fol.Bound | fol.Number) for term in steps for own in fol.parts(term) or (term,))
        return len(written) == len(steps) == 1 and len(summed.parts) == 2 and plain


def _has_the_day(before: fol.Term, after: fol.Term, months: int) -> fol.Sentence:
    """Return that the month of the later date has the day of the earlier one; every month has 28 days."""
    day = fol.Operation("day_of", (before,))
    always = fol.Compare("<=", day, fol.Number(28))
    if months % 12 == 0:
        return fol.Or((always, fol.Compare("!=", fol.Operation("month_of", (before,)), fol.Number(2))))
    return fol.Or((always, fol.Compare("=", fol.Operation("day_of", (after,)), day)))


def _is_short(node: fol.Sentence) -> bool:
    """Return whether a sentence says that something lasts less than a day, so that no days lie between its ends."""
    match node:
        case fol.Compare("=" | "<" | "<=", _, fol.Number(value, unit)) | fol.Compare(
            "=" | ">" | ">=", fol.Number(value, unit), _
        ):
            return 0 <= value * unit.factor < DAY.factor
    return False
