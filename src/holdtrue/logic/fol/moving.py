"""Numbers that move with a variable, and how far the variable can move before what was found changes.

A sentence is evaluated at one value of a variable, and so for all values to which nothing that was looked at changes:
no comparison turns, no fact is another one. What repeats itself, as weekdays do, is found for one period and holds in
all. So finitely many values settle what holds of all days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm

from holdtrue.logic.value_sorts import ValueSort


@dataclass(frozen=True, slots=True)
class Rise:
    """A `Rise` says how a number moves with a variable: by `slope` near, and by `drift` over whole periods.

    Where `period` is 0 both are the same, everywhere.
    """

    slope: Fraction
    drift: Fraction
    period: Fraction = Fraction(0)

    def times(self, factor: Fraction) -> Rise:
        return Rise(self.slope * factor, self.drift * factor, self.period)


@dataclass(frozen=True, slots=True)
class Moving:
    """A `Moving` number is `value` at the place where the variables are, and moves with some of them."""

    value: Fraction
    rises: Mapping[str, Rise]

    def __add__(self, other: Number) -> Moving:
        if not isinstance(other, Moving):
            return Moving(self.value + other, self.rises)
        rises = dict(self.rises)
        for name, rise in other.rises.items():
            own = rises.get(name, Rise(Fraction(0), Fraction(0)))
            rises[name] = Rise(own.slope + rise.slope, own.drift + rise.drift, common(own.period, rise.period))
        return Moving(self.value + other.value, {name: rise for name, rise in rises.items() if rise != _STILL})

    __radd__ = __add__

    def __mul__(self, factor: Fraction) -> Moving:
        rises = {name: rise.times(factor) for name, rise in self.rises.items()}
        return Moving(self.value * factor, rises if factor else {})

    __rmul__ = __mul__

    def __sub__(self, other: Number) -> Moving:
        return self + other * Fraction(-1)

    def __rsub__(self, other: Fraction) -> Moving:
        return self * Fraction(-1) + other

    def __truediv__(self, divisor: Fraction) -> Moving:
        return self * (1 / Fraction(divisor))


_STILL = Rise(Fraction(0), Fraction(0))
Number = Fraction | Moving


@dataclass(frozen=True, slots=True)
class Held:
    """A `Held` is what a variable stands for that moves, or moves with another one."""

    worth: Moving
    sort: ValueSort


@dataclass(frozen=True, slots=True)
class Place:
    """A `Place` is where a variable is, and how far its neighbours are apart."""

    at: Fraction
    step: Fraction


@dataclass(slots=True)
class Span:
    """A `Span` has the values of a variable for which nothing changes.

    Those are values from `low` to `high`, either of which may be missing, that are whole periods away from one that
    is from `near[0]` to `near[1]`.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    near: tuple[Fraction | None, Fraction | None] = (None, None)
    period: Fraction = Fraction(0)

    def narrow(self, other: Span) -> None:
        self.low, self.high = _larger(self.low, other.low), _smaller(self.high, other.high)
        self.near = (_larger(self.near[0], other.near[0]), _smaller(self.near[1], other.near[1]))
        self.period = common(self.period, other.period)

    def end(self, upward: bool) -> Fraction | None:
        """Return the last value in a direction before something may change."""
        return _smaller(self.high, self.near[1]) if upward else _larger(self.low, self.near[0])


@dataclass(slots=True)
class Spans:
    """`Spans` are those of several variables, which are at `places`; one without a span may be anything."""

    places: Mapping[str, Place]
    spans: dict[str, Span] = field(default_factory=dict)

    @property
    def tightness(self) -> tuple[int, Fraction, int]:
        """Return a number that is smaller where less is said of variables."""
        own = self.spans.values()
        pinned = sum(1 for span in own if span.low is not None and span.low == span.high)
        ends = sum((span.low is not None) + (span.high is not None) for span in own)
        return pinned, max((span.period for span in own), default=Fraction(0)), ends

    def narrow(self, spans: Mapping[str, Span]) -> None:
        for name, span in spans.items():
            self.spans.setdefault(name, Span()).narrow(span)

    def pin(self, number: Number) -> Fraction:
        """Return what a number is as long as no variable moves with which it does."""
        if not isinstance(number, Moving):
            return number
        for name in number.rises:
            at = self.places[name].at
            self.spans.setdefault(name, Span()).narrow(Span(at, at))
        return number.value

    def positive(self, number: Number, strict: bool) -> None:
        """Take notice that a number has to stay positive, or, unless `strict`, at least zero."""
        if not isinstance(number, Moving):
            return
        *others, name = sorted(number.rises, key=[*self.places].index) or [""]
        if not name:
            return
        rise, place = number.rises[name], self.places[name]
        self.pin(Moving(number.value, {other: number.rises[other] for other in others}))
        span = self.spans.setdefault(name, Span())
        down, up = _room(number.value, rise.slope, place, strict)
        if not rise.period:
            span.narrow(Span(down, up))
            return
        span.narrow(Span(near=(down, up), period=rise.period))
        if rise.drift:  # whole periods in one direction make the number larger, and in the other smaller
            low, high = span.near
            span.narrow(Span(low=low) if rise.drift > 0 else Span(high=high))

    def zero(self, number: Number) -> None:
        """Take notice that a number has to stay zero."""
        if isinstance(number, Moving):
            self.positive(number, strict=False)
            self.positive(number * Fraction(-1), strict=False)

    def quotient(self, number: Moving, divisor: Fraction) -> Number:
        """Return how often a positive divisor goes into a number, as a whole number."""
        whole = Fraction(floor(number.value / divisor))
        if len(number.rises) > 1:
            return Fraction(floor(self.pin(number) / divisor))
        for name, rise in number.rises.items():
            period = common(rise.period, self.period(name, divisor, rise))
            self._stay(Moving(number.value, {name: Rise(rise.slope, Fraction(0), period)}), whole, divisor)
            return Moving(whole, {name: Rise(Fraction(0), rise.drift / divisor, period)})
        return whole

    def _stay(self, number: Moving, whole: Fraction, divisor: Fraction) -> None:
        self.positive(number - whole * divisor, strict=False)
        self.positive((whole + 1) * divisor - number, strict=True)

    def period(self, name: str, length: Fraction, rise: Rise) -> Fraction:
        """Return after how much of a variable a number has moved by a multiple of a length."""
        return common(length / abs(rise.drift), self.places[name].step) if rise.drift else self.places[name].step


def _room(value: Fraction, slope: Fraction, place: Place, strict: bool) -> tuple[Fraction | None, Fraction | None]:
    """Return down to which and up to which place a number stays positive, or at least zero."""
    if not slope:
        return None, None
    steps = value / (abs(slope) * place.step)
    room = (ceil(steps) - 1 if strict else floor(steps)) * place.step
    return (place.at - room, None) if slope > 0 else (None, place.at + room)


def common(one: Fraction, other: Fraction) -> Fraction:
    """Return the least common multiple of two periods, of which 0 is none."""
    if not one or not other:
        return one or other
    whole = lcm(one.denominator, other.denominator)
    return Fraction(lcm(int(one * whole), int(other * whole)), whole)


def _larger(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return other if one is None else one if other is None else max(one, other)


def _smaller(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return other if one is None else one if other is None else min(one, other)
