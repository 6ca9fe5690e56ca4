"""Evaluate sentences over finitely many things with facts about them: true, false, or unknown.

Amounts are computed in base units and dates in seconds, exactly, so that kilos and grams are comparable. A sentence
about a missing fact is unknown, unless its known parts decide it (Kleene's strong three-valued logic). This is sound
but incomplete: while `P(Ann)` is unknown, `P(Ann) or not P(Ann)` is unknown too. An infinite range of values is checked
region by region, and within a region no truth value changes (`moving`).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from holdtrue.errors import FormulaError
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import TIME, Instant, Value, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.moving import Held, Moving, Number, Place, Rise, Span, Spans, common
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import Sort, TermSorts, split_months
from holdtrue_claims.fol.value_windows import Literal, is_value, literal, step_of, values_in, window, worth_of
from holdtrue_claims.fol.vocabulary import ANY

Worth = str | Number
"""The value of a term: the label of a thing, or a number in base units."""
Fact = tuple[str, tuple[str | Fraction, ...]]
"""A predicate or a function with its arguments."""
Ends = Callable[[str, int], Sequence[Fraction] | None]
"""Returns the argument values at which the facts of a name may change; None if that is unknown."""
Choices = Mapping[str, "str | Literal | Held"]
"""The value of each variable: the label of a thing, or a value."""


class Evaluation:
    """An `Evaluation` evaluates sentences over `things` with `facts`.

    `at_each` is called for each thing or value that a variable takes, and may raise to stop. If `things` is None, only
    sentences that do not depend on things have a truth value; all others raise `FormulaError`.
    """

    def __init__(
        self,
        things: Mapping[str, frozenset[str]] | None,
        facts: Mapping[Fact, Value | str],
        sorts: TermSorts,
        at_each: Callable[[], object],
        copies: Mapping[str, int],
        ends: Ends = lambda name, place: None,
    ) -> None:
        self._things, self._facts, self._sorts, self._at_each = things, facts, sorts, at_each
        self._copies, self._ends = copies, ends
        self._spans, self._regions = Spans({}), 0
        self._settling: Fraction | None = None
        # The operand is kept, too, so that its id stays valid.
        self._long: dict[int, tuple[fol.Sentence, bool]] = {}
        self._ranges: dict[str | None, tuple[str, ...]] = {}
        self._apart: dict[int, tuple[fol.Quantified, tuple[fol.Sentence, ...]]] = {}

    def truth(self, sentence: fol.Sentence) -> bool | None:
        """Return whether a sentence holds; None if that depends on missing facts."""
        return self._truth(sentence, {})

    def worth(self, term: fol.Term) -> Worth | None:
        """Return the value of a term; None if that depends on missing facts."""
        return self._worth(term, {})

    def settling(self, node: fol.Quantified, bound: Choices) -> Fraction | None:
        """Return a value that decides a quantifier over values: a witness, or a counterexample.

        The result is None if no such value exists, or if that is unknown.
        """
        truth = self._quantified(node, bound)
        return self._settling if truth is (node.quantifier == "exists") else None

    def values(self, node: fol.Binder, sort: ValueSort, bound: Choices) -> list[Literal | Held] | None:
        """Return the values on which a quantifier, a count or a sum depends; None if there are too many."""
        return window(node, sort, lambda term, at: self._exact(term, {**bound, node.variable: at}), self._spans)

    def _range(self, node: fol.Binder, bound: Choices) -> Iterator[str | Literal | Held] | None:
        """Return the labels or values of a bound variable; None if there are too many values."""
        values = self._sorts.ranged(node.sort)
        if values is None:
            return self._things_of(node.sort)
        found = self.values(node, values, bound)
        return None if found is None else self._each(found)

    def _each(self, found: Iterable[Literal | Held]) -> Iterator[Literal | Held]:
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
            case fol.And(operands) | fol.Or(operands):
                return self._joined(operands, bound, settles=isinstance(node, fol.Or))
            case fol.Implies(left, right):
                return self._joined((fol.Not(left), right), bound, settles=True)
            case fol.Xor(left, right) | fol.Iff(left, right):
                one, other = self._truth(left, bound), self._truth(right, bound)
                return None if one is None or other is None else (one is other) is isinstance(node, fol.Iff)
            case fol.Quantified():
                return self._quantified(node, bound)

    def _joined(self, operands: Sequence[fol.Sentence], bound: Choices, *, settles: bool) -> bool | None:
        """Return whether some operand holds if `settles` is True, or whether all do if it is False.

        If several operands settle the result, the one that does so for most values of the variables counts.
        """
        found: bool | None = not settles
        before, best = self._spans, None
        looked: list[Spans] = []
        for operand in operands:
            if best is not None and (not best.spans or self._goes_through(operand)):
                continue
            self._spans = Spans(before.places)
            own = self._truth(operand, bound)
            if own is settles and (best is None or self._spans.tightness < best.tightness):
                best = self._spans
            looked.append(self._spans)
            found = None if own is None else found
        self._spans = before
        self._narrow(looked if best is None else [best])
        return found if best is None else settles

    def _goes_through(self, operand: fol.Sentence) -> bool:
        """Return whether an operand has a quantifier, so that evaluating it may take long."""
        if id(operand) not in self._long:
            binders = (isinstance(own, fol.Binder) for own in fol.walk(operand))
            self._long[id(operand)] = operand, any(binders)
        return self._long[id(operand)][1]

    def _narrow(self, looked: Iterable[Spans]) -> None:
        for spans in looked:
            self._spans.narrow(spans.spans)

    def _quantified(self, node: fol.Quantified, bound: Choices) -> bool | None:
        settles = node.quantifier == "exists"
        before, found = self._spans, not settles
        if outside := self._outside(node):
            self._spans = Spans(before.places)
            settled = self._joined(outside, bound, settles=not settles) is (not settles)
            self._spans, looked_at = before, self._spans
            if settled:
                self._narrow([looked_at])
                return not settles
        tried = self._range(node, bound)
        looked: list[Spans] = []
        unknown = False
        for own in self._likely(node, bound) if tried is None else tried:
            self._spans = Spans(before.places)
            truth = self._truth(node.body, {**bound, node.variable: own})
            looked.append(self._spans)
            if truth is settles:
                found, unknown, looked = settles, False, looked[-1:]
                self._settling = _place_of(own)
                break
            unknown = unknown or truth is None
        self._spans = before
        if tried is None and found is not settles:
            # The tried values do not settle the result, but one of the infinitely many others may.
            return self._swept(node, bound)
        self._narrow(looked)
        return None if unknown else found

    def _outside(self, node: fol.Quantified) -> tuple[fol.Sentence, ...]:
        """Return the operands of a quantified body that do not contain the variable; they may decide the whole body."""
        if id(node) not in self._apart:
            kind = fol.Or if node.quantifier == "forall" else fol.And
            parts = node.body.operands if isinstance(node.body, kind) else ()
            apart = tuple(own for own in parts if node.variable not in fol.free_in(own))
            self._apart[id(node)] = node, apart
        return self._apart[id(node)][1]

    def _swept(self, node: fol.Quantified, bound: Choices) -> bool | None:
        """Check all values of a sort by regions of constant truth; None if there are too many regions."""
        sort, settles = self._sorts.ranged(node.sort), node.quantifier == "exists"
        if sort is None:
            return None
        step = step_of(sort) or Fraction(1)
        before = self._spans
        looked: list[Spans] = []
        places = dict(before.places)
        start = next((worth_of(own) for own in values_in(fol.walk(node.body), sort)), Fraction(0))
        found: bool | None = not settles
        unlimited = True
        for forth in (step, -step):
            at: Fraction | None = start if forth > 0 else start + forth
            since, period = at or start, Fraction(0)
            reach: Fraction | None = None
            lonely = 0
            while at is not None and (sort != TIME or 0 <= at < DAY.factor):
                self._regions += 1
                if self._regions > MOST_REGIONS or lonely > _MOST_LONELY:
                    self._spans = before
                    return None
                self._at_each()
                places[node.variable] = Place(at, step)
                self._spans = Spans(places)
                own = Held(Moving(at, {node.variable: Rise(Fraction(1), Fraction(1))}), sort)
                truth = self._truth(node.body, {**bound, node.variable: own})
                span = self._spans.spans.pop(node.variable, Span())
                looked.append(self._spans)
                if truth is settles:
                    self._spans, self._settling = before, at
                    before.narrow(looked[-1].spans)
                    return settles
                found = None if truth is None else found
                last, end = span.end(forth > 0), span.high if forth > 0 else span.low
                unlimited = unlimited and span.low is None
                if last is None:
                    break
                if step_of(sort) is None:  # there are values between neighbours
                    self._spans = before
                    return None
                reach = end if reach is None else reach if end is None else (min if forth > 0 else max)(reach, end)
                period = common(period, span.period)
                lonely = lonely + 1 if end == at else 0
                at = last + forth
                if reach is not None and (at - reach) / forth > 0:
                    since, reach, period = at, None, Fraction(0)
                elif period and abs(at - since) >= period:
                    # A whole period decides all following values, until something other than the period changes.
                    if reach is None and unlimited and forth > 0:
                        self._spans = before
                        self._narrow(looked)
                        return found
                    at = None if reach is None else reach + forth
                    since, reach, period = at or start, None, Fraction(0)
        self._spans = before
        self._narrow(looked)
        return found

    def _likely(self, node: fol.Quantified, bound: Choices) -> Iterator[Literal]:
        """Yield the values that a sentence mentions, and their neighbours."""
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
        return self._spans.compares(node.op, left, right)

    def _label(self, term: fol.Term, worth: Worth) -> str:
        """Return the label of a thing. A number in the place of a thing is the thing named by its digits."""
        if isinstance(worth, str):
            return worth
        name = thing_name(term)
        if name is None:
            raise FormulaError("a number stands where a thing has to")
        return name

    def _fact(self, name: str, args: Sequence[fol.Term], bound: Choices) -> Value | str | None:
        wanted: Sequence[Sort] = self._sorts.arguments.get(name, (ANY,) * len(args))
        found: list[str | Fraction] = []
        for place, (term, sort) in enumerate(zip(args, wanted, strict=True)):
            worth = self._worth(term, bound)
            if worth is None:
                return None
            own = self._label(term, worth) if isinstance(sort, str) else worth
            found.append(self._looked_up(name, place, own) if isinstance(own, Moving) else own)
        return self._facts.get((name, tuple(found)))

    def _looked_up(self, name: str, place: int, worth: Moving) -> Fraction:
        """Return the value at which a fact is looked up, and require that the number moves to no other fact."""
        ends = self._ends(name, place)
        if ends is None:
            return self._spans.pin(worth)
        after = bisect(ends, worth.value)
        if after:
            self._spans.positive(worth - ends[after - 1], strict=False)
        if after < len(ends):
            self._spans.positive(ends[after] - worth, strict=True)
        return worth.value

    def _worth(self, term: fol.Term, bound: Choices) -> Worth | None:
        match term:
            case fol.Bound(name):
                if name not in bound:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                own = bound[name]
                return own if isinstance(own, str) else own.worth if isinstance(own, Held) else worth_of(own)
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

    def _number(self, term: fol.Term, bound: Choices) -> Number | None:
        """Return the value of an arithmetic term; None if a part is unknown and no factor of 0 makes it irrelevant."""
        match term:
            case fol.Plus(summed):
                summed, months = split_months(summed, self._sorts, bound)
                total: Number = Fraction(0)
                for factor, part in summed:
                    if factor:
                        value = self._exact(part, bound)
                        if value is None:
                            return None
                        total += Fraction(factor) * value
                return self._spans.calendar("later", total, months) if months else total
            case fol.Times(left, right):
                one, other = self._exact(left, bound), self._exact(right, bound)
                if one == 0 or other == 0:
                    return Fraction(0)
                if one is None or other is None:
                    return None
                return one * self._spans.pin(other) if isinstance(one, Moving) else one * other
            case fol.Operation(op, args):
                values = [self._exact(arg, bound) for arg in args]
                known = [value for value in values if value is not None]
                return self._operated(op, known) if len(known) == len(values) else None
        raise FormulaError(f"no term: {term!r:.80}")

    def _operated(self, op: fol.Operator, values: Sequence[Number]) -> Number:
        first = values[0]
        match op:
            case "min" | "max":
                found = first
                for value in values[1:]:
                    found = value if self._spans.compares("<" if op == "min" else ">", value, found) else found
                return found
            case "abs":
                return first if self._spans.compares(">=", first, Fraction(0)) else first * Fraction(-1)
            case "floor" | "ceil":
                return self._spans.rounded(first, op == "ceil")
            case "date_of":
                return (self._spans.quotient(first, DAY.factor) + Fraction(1)) * DAY.factor
            case "time_of":
                return first - self._spans.quotient(first, DAY.factor) * DAY.factor
            case "year_of" | "month_of" | "day_of" | "weekday_of":
                return self._spans.calendar(op, first, 0)
        divisor = self._spans.pin(values[1])
        if divisor == 0:
            raise FormulaError(f"{op} by zero has no value")
        # As in SMT-LIB, the remainder is never negative.
        quotient = self._spans.quotient(first, abs(divisor)) * Fraction(1 if divisor > 0 else -1)
        return quotient if op == "div" else first - quotient * divisor

    def _exact(self, term: fol.Term, bound: Choices) -> Number | None:
        worth = self._worth(term, bound)
        if isinstance(worth, str):
            raise FormulaError(f"{worth} is a thing, and stands where a number has to")
        return worth

    def _summed(self, node: fol.Count | fol.Total, bound: Choices) -> Number | None:
        """Return a sum over things or values; a count is a sum of ones."""
        total: Number = Fraction(0)
        tried = self._range(node, bound)
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
            total += value * Fraction(self._times(own))
        return total

    def _times(self, own: str | Literal | Held) -> int:
        return self._copies.get(own, 1) if isinstance(own, str) else 1


def _place_of(own: str | Literal | Held) -> Fraction | None:
    return None if isinstance(own, str) else own.worth.value if isinstance(own, Held) else worth_of(own)


MOST_REGIONS = 30_000
"""The largest number of regions for a sentence: 400 years have 26,000 ends of weeks and months."""
_MOST_LONELY = 100
"""The largest number of consecutive regions that have only one value each."""
