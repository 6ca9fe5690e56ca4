"""Numbers that move with a variable, and the range of the variable in which a result stays the same.

A sentence is evaluated at one value of a variable. The result holds for all values at which no comparison and no fact
changes. Periodic parts, such as weekdays, are evaluated for one period. So finitely many values decide a statement
about all days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, lcm

from holdtrue.logic.civil_days import EXACT
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import ValueSort
from holdtrue_claims.fol import syntax as fol


@dataclass(frozen=True, slots=True)
class Rise:
    """A `Rise` says how a number moves with a variable: by `slope` locally, and by `drift` over whole periods.

    If `period` is 0, both are the same everywhere. Otherwise the slope is valid from `near[0]` to `near[1]`, which are
    less than a period apart. A `steady` number never moves against its drift, as years do not.
    """

    slope: Fraction
    drift: Fraction
    period: Fraction = Fraction(0)
    near: tuple[Fraction | None, Fraction | None] = (None, None)
    steady: bool = True

    def times(self, factor: Fraction) -> Rise:
        return replace(self, slope=self.slope * factor, drift=self.drift * factor)

    def and_(self, other: Rise) -> Rise:
        near = (_larger(self.near[0], other.near[0]), _smaller(self.near[1], other.near[1]))
        steady = self.steady and other.steady and self.drift * other.drift >= 0
        period = common(self.period, other.period)
        return Rise(self.slope + other.slope, self.drift + other.drift, period, near, steady)


@dataclass(frozen=True, slots=True)
class Moving:
    """A `Moving` number is `value` at the current place of the variables, and moves with some of them."""

    value: Fraction
    rises: Mapping[str, Rise]

    def __add__(self, other: Number) -> Moving:
        if not isinstance(other, Moving):
            return Moving(self.value + other, self.rises)
        rises = dict(self.rises)
        for name, rise in other.rises.items():
            rises[name] = rises.get(name, _STILL).and_(rise)
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
_ERA = 146_097
"""The number of days after which the calendar repeats: 400 years."""


@dataclass(frozen=True, slots=True)
class Held:
    """A `Held` is the current value of a variable that moves, by itself or with another variable."""

    worth: Moving
    sort: ValueSort


@dataclass(frozen=True, slots=True)
class Place:
    """A `Place` is the current value of a variable and the distance to its neighbours."""

    at: Fraction
    step: Fraction


@dataclass(slots=True)
class Span:
    """A `Span` is the set of values of a variable for which a result stays the same.

    Its values lie from `low` to `high`, where None is no bound. They are whole periods away from a value between
    `near[0]` and `near[1]`.
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
    """`Spans` has the spans of several variables at `places`. A variable without a span may have any value."""

    places: Mapping[str, Place]
    spans: dict[str, Span] = field(default_factory=dict)

    @property
    def tightness(self) -> tuple[int, Fraction, int]:
        """Return a measure that is smaller if less is required of the variables."""
        own = self.spans.values()
        pinned = sum(1 for span in own if span.low is not None and span.low == span.high)
        ends = sum((span.low is not None) + (span.high is not None) for span in own)
        return pinned, max((span.period for span in own), default=Fraction(0)), ends

    def narrow(self, spans: Mapping[str, Span]) -> None:
        for name, span in spans.items():
            self.spans.setdefault(name, Span()).narrow(span)

    def pin(self, number: Number) -> Fraction:
        """Return the value of a number, and require that the variables do not change it."""
        if not isinstance(number, Moving):
            return number
        for name, rise in number.rises.items():
            at = self.places[name].at
            own = (
                Span(at, at)
                if rise.slope
                else Span(*rise.near)
                if rise.drift
                else Span(None, None, rise.near, rise.period)
            )
            self.spans.setdefault(name, Span()).narrow(own)
        return number.value

    def positive(self, number: Number, strict: bool) -> None:
        """Require that a number stays positive, or at least zero if `strict` is false."""
        if not isinstance(number, Moving):
            return
        *others, name = sorted(number.rises, key=[*self.places].index) or [""]
        if not name:
            return
        rise, place = number.rises[name], self.places[name]
        self.pin(Moving(number.value, {other: number.rises[other] for other in others}))
        span = self.spans.setdefault(name, Span())
        down, up = _room(number.value, rise.slope, place, strict)
        down, up = _larger(down, rise.near[0]), _smaller(up, rise.near[1])
        if not rise.period:
            span.narrow(Span(down, up))
        elif rise.drift and rise.steady:
            span.narrow(Span(low=down) if rise.drift > 0 else Span(high=up))
        else:
            span.narrow(Span(near=(down, up), period=rise.period))
            if rise.drift:  # whole periods change the number in one direction
                low, high = (place.at if end is None else end for end in rise.near)
                span.narrow(Span(low=low) if rise.drift > 0 else Span(high=high))

    def zero(self, number: Number) -> None:
        """Require that a number stays zero."""
        if isinstance(number, Moving):
            self.positive(number, strict=False)
            self.positive(number * Fraction(-1), strict=False)

    def compares(self, op: fol.Comparison, left: Number, right: Number) -> bool:
        """Return whether two numbers compare this way, and require that this stays so."""
        difference = left - right
        if not isinstance(difference, Moving):
            return bool(fol.COMPARED[op](difference, 0))
        holds = bool(fol.COMPARED[op](difference.value, 0))
        if op in ("=", "!="):
            if difference.value:
                self.positive(difference if difference.value > 0 else difference * Fraction(-1), strict=True)
            else:
                self.zero(difference)
            return holds
        upward = (op in (">", ">=")) is holds
        self.positive(difference if upward else difference * Fraction(-1), strict=(op in ("<", ">")) is holds)
        return holds

    def rounded(self, number: Number, up: bool = False) -> Number:
        """Return a number rounded down, or up, to a whole number."""
        if up:
            return self.rounded(number * Fraction(-1)) * Fraction(-1)
        if not isinstance(number, Moving):
            return Fraction(floor(number))
        steps = ((rise.slope * self.places[name].step) for name, rise in number.rises.items() if not rise.period)
        if all(step.denominator == 1 for step in steps) and not any(own.period for own in number.rises.values()):
            return number + (floor(number.value) - number.value)
        return self.quotient(number, Fraction(1))

    def calendar(self, name: str, seconds: Number, months: int) -> Number:
        """Return a part of a date, or the date that many months later."""
        if name == "weekday_of":
            return (seconds - self.quotient(seconds - DAY.factor, 7 * DAY.factor) * (7 * DAY.factor)) / DAY.factor
        if isinstance(seconds, Moving) and len(seconds.rises) != 1:
            seconds = self.pin(seconds)
        day = floor((seconds.value if isinstance(seconds, Moving) else seconds) / DAY.factor)
        value = Fraction(EXACT.later(day, months) * DAY.factor if name == "later" else EXACT.part(name, day))
        if not isinstance(seconds, Moving):
            return value
        month = EXACT.month(day)
        first, last = EXACT.first_day(month), EXACT.first_day(month + 1) - 1
        goes = name in ("later", "day_of")
        if name == "later":
            fits = first + EXACT.first_day(month + months + 1) - 1 - EXACT.first_day(month + months)
            goes = day <= fits
            first, last = (first, min(last, fits)) if goes else (fits + 1, last)
        variable, rise = self._staying(seconds, first * DAY.factor, (last + 1) * DAY.factor, _ERA * DAY.factor)
        unit = Fraction(1) if name == "later" else 1 / DAY.factor
        drift = rise.drift * (1 if name == "later" else Fraction(400, _ERA) / DAY.factor if name == "year_of" else 0)
        slope, steady = rise.slope * unit if goes else Fraction(0), rise.steady and name in ("later", "year_of")
        return Moving(value, {variable: replace(rise, slope=slope, drift=drift, steady=steady)})

    def quotient(self, number: Number, divisor: Fraction) -> Number:
        """Return the whole quotient of a number and a positive divisor."""
        if isinstance(number, Moving) and len(number.rises) != 1:
            number = self.pin(number)
        if not isinstance(number, Moving):
            return Fraction(number // divisor)
        whole = Fraction(number.value // divisor)
        name, rise = self._staying(number, whole * divisor, (whole + 1) * divisor, divisor)
        return Moving(whole, {name: replace(rise, slope=Fraction(0), drift=rise.drift / divisor)})

    def _staying(self, number: Moving, low: Fraction, high: Fraction, length: Fraction) -> tuple[str, Rise]:
        """Return how a number rises while it stays from `low` to below `high`; the calendar repeats after `length`."""
        ((name, rise),) = number.rises.items()
        place = self.places[name]
        period = common(rise.period, place.step)
        if rise.drift:
            period = common(period, length / abs(rise.drift))
        after = _room(number.value - low, rise.slope, place, strict=False)
        before = _room(high - number.value, -rise.slope, place, strict=True)
        found = rise.and_(Rise(Fraction(0), Fraction(0), period, after)).and_(
            Rise(Fraction(0), Fraction(0), period, before)
        )
        return name, found


def _room(value: Fraction, slope: Fraction, place: Place, strict: bool) -> tuple[Fraction | None, Fraction | None]:
    """Return the lowest and the highest place at which a number stays positive, or at least zero."""
    if not slope:
        return None, None
    steps = value / (abs(slope) * place.step)
    room = (ceil(steps) - 1 if strict else floor(steps)) * place.step
    return (place.at - room, None) if slope > 0 else (None, place.at + room)


def common(one: Fraction, other: Fraction) -> Fraction:
    """Return the least common multiple of two periods; 0 means no period."""
    if not one or not other:
        return one or other
    whole = lcm(one.denominator, other.denominator)
    return Fraction(lcm(int(one * whole), int(other * whole)), whole)


def _larger(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return other if one is None else one if other is None else max(one, other)


def _smaller(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return other if one is None else one if other is None else min(one, other)
