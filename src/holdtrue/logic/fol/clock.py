"""Weaken sentences to what they say whatever becomes of sums of times of day that pass midnight.

A time of day is counted in seconds since midnight, so that 23:30 and 90 minutes are 25:00, which no clock shows, and
from 22:00 to 06:00 it is minus sixteen hours, where people mean eight. So nothing is concluded from a sum that leaves
the day, or from a difference whose first time is the earlier one. Times that follow a written one in steps, as those of
a timetable do, are those of the same day that the sentence says they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.term_sorts import TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary
from holdtrue.logic.value_sorts import DATE, TIME, Calendar, Instant

_MIDNIGHT, _NEXT_MIDNIGHT = Instant(0, TIME), Instant(86_400, TIME)
_NEVER = fol.Compare("<", fol.Number(1), fol.Number(0))
Bindings = Mapping[str, str]


def has_clock(vocabulary: Vocabulary) -> bool:
    """Return whether a name of the vocabulary has or takes a time of day or a moment: else no sum leaves the day."""
    named = {own.result for own in vocabulary.functions}.union(*(own.sorts for own in vocabulary.applied))
    sorts = map(vocabulary.value_sort, named)
    return any(isinstance(sort, Calendar) and sort != DATE for sort in sorts)


def beyond_midnight(sentence: fol.Sentence, vocabulary: Vocabulary) -> fol.Sentence:
    """Return what a sentence of the vocabulary says whatever its sums of times of day are that leave the day.

    It follows from the sentence, and is the sentence itself if there is no such sum.
    """
    return _Weakening(vocabulary).weaker(sentence, {}, positive=True)


class _Weakening:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._sorts = TermSorts(vocabulary)

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
        within = tuple(dict.fromkeys(self._conditions(node, bound, {})))
        if not within:
            return node
        return fol.Or((fol.Not(fol.And(within)), node)) if positive else fol.And((*within, node))

    def _conditions(
        self, node: fol.Sentence | fol.Term, bound: Bindings, inner: Mapping[str, str | None]
    ) -> Iterator[fol.Sentence]:
        """Return what holds if no sum in a part leaves the day, for all things that are gone through inside it."""
        match node:
            case fol.Quantified(_, variable, _, sort) | fol.Count(variable, _, sort) | fol.Total(variable, _, _, sort):
                # A variable that is bound again stands last, so that it is the one that is meant.
                inner = {**{name: of for name, of in inner.items() if name != variable}, variable: sort}
                bound = {**bound, variable: sort or ANY}
            case fol.Plus():
                condition = self._condition(node, bound)
                if condition is not None:
                    free = fol.free_variables(condition)
                    for name, of in reversed(tuple(inner.items())):
                        condition = fol.Quantified("forall", name, condition, of) if name in free else condition
                    yield condition
        for part in fol.parts(node):
            yield from self._conditions(part, bound, inner)

    def _condition(self, summed: fol.Plus, bound: Bindings) -> fol.Sentence | None:
        times = [(factor, term) for factor, term in summed.parts if self._sorts.sort(term, bound) == TIME]
        if not times or len(summed.parts) == 1 or self._is_progression(summed):
            return None
        if sum(factor for factor, _ in times) == 1:
            return fol.And((fol.Compare(">=", summed, _MIDNIGHT), fol.Compare("<", summed, _NEXT_MIDNIGHT)))
        if len(times) != 2:
            return _NEVER
        later, earlier = sorted(times, key=lambda own: -own[0])
        return fol.Compare(">=", later[1], earlier[1])

    def _is_progression(self, summed: fol.Plus) -> bool:
        """Return whether a sum is so many equal steps behind a written time: who says so says which times are meant."""
        written = [term for _, term in summed.parts if isinstance(term, Instant)]
        steps = [term for _, term in summed.parts if isinstance(term, fol.Times | fol.Bound)]
        plain = all(isinstance(own, fol.Bound | fol.Number) for term in steps for own in fol.parts(term) or (term,))
        return len(written) == len(steps) == 1 and len(summed.parts) == 2 and plain
