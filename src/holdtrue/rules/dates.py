"""This module defines the operations on dates, times and moments, and the functions that apply these operations.

A `Maker` turns the call of a function into a typed expression. `symbolic_calendar` has the operations on symbolic
values. Source of the functions: CEL specification, "List of standard definitions". Dates, times of day and amounts with
units are additions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.units import SECOND, unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules import symbolic_calendar as formulas
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.local_clocks import FIXED, check_place, instants_of, no_instant, offset_at
from holdtrue.rules.numbers import ADD, ONCE, REMAINDER, SCALE, SUBTRACT, WHOLE_DIVIDE, number_of
from holdtrue.rules.signatures import Args, Checker, Maker, expect, literal, written_duration, wrong
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.typed_expressions import described
from holdtrue.rules.types import DURATION, Number, without_null
from holdtrue.rules.values import Fault, ValueFault, read_moment, read_offset

_UTC = Calendar("moment", "Z")


# Operations on known values


def _clock_of(node: t.Apply) -> Callable[[Any], Any]:
    place = formulas.zone_of(node.args[0].type)
    return lambda value: value + offset_at(place, floor(number_of(value)))


def _instant_of(node: t.Apply) -> Callable[[Any], Any]:
    place = formulas.zone_of(node.type)
    return lambda value: _instant(place, number_of(value))


def _instant(place: str, reading: int | Fraction) -> int | Fraction:
    whole = floor(reading)
    instants = instants_of(place, whole)
    if len(instants) != 1:
        text = Calendar("moment").show(whole)
        raise Fault(f"{text} {no_instant(place, instants, whole)}")
    return instants[0] + (reading - whole)


def _day(part: Callable[[date], int]) -> Callable[[Any], int]:
    """Return an operation that takes a part of a date and raises `Fault` for a day outside the calendar."""

    def operate(value: Any) -> int:
        try:
            return part(date.fromordinal(number_of(value)))
        except (ValueError, OverflowError) as error:
            raise Fault("the date is in no year from 1 to 9999") from error

    return operate


def _part_of_day(name: str, unit: int, size: int) -> t.Operation:
    """Return the operation that counts the whole units of `unit` seconds in a time, modulo `size`."""
    return t.Operation(name, lambda value: int(number_of(value) // unit % size), formulas.part(unit, size))


CLOCK_OF = t.Operation("clock_of", _clock_of, formulas.clock_of, per_node=True)
INSTANT_OF = t.Operation("instant_of", _instant_of, formulas.instant_of, per_node=True)
DATE_OF = t.Operation("date_of", lambda value: int(number_of(value) // 86_400) + 1, formulas.date_of)
TIME_OF = t.Operation("time_of", lambda value: number_of(value) % 86_400, formulas.time_of)
DAY_START = t.Operation("day_start", lambda value: (number_of(value) - 1) * 86_400, formulas.day_start)
YEAR = t.Operation("year", _day(lambda day: day.year), formulas.year)
MONTH = t.Operation("month", _day(lambda day: day.month), formulas.month)
DAY = t.Operation("day", _day(lambda day: day.day), formulas.day)
DAY_OF_YEAR = t.Operation("day_of_year", _day(lambda day: day.timetuple().tm_yday), formulas.day_of_year)
WEEKDAY = t.Operation("weekday", lambda value: number_of(value) % 7, formulas.weekday)
HOUR = _part_of_day("hour", 3600, 24)
MINUTE = _part_of_day("minute", 60, 60)
SECOND_OF = _part_of_day("second", 1, 60)


# Functions


def _written(name: str, type: Calendar) -> Maker:
    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        text = literal(name, args, place)
        own = type
        if type.kind == "moment" and (text.strip()[-1:] in "Zz" or text.strip()[-6:-5] in ("+", "-")):
            own = Calendar("moment", "Z")
        try:
            return t.Given(read_moment(text, own, name), own, place)
        except ValueFault as error:
            raise RuleError(str(error), place) from error

    return make


def _duration(checker: Checker, args: Args, place: Place) -> t.Node:
    return written_duration(literal("duration", args, place), place)


def _measured(name: str) -> Maker:
    """Return the maker of a function that gives a number a unit of time: `days(3)`."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        expect(args, 1, name, place)
        return _with_unit(args[0], name.rstrip("s"), place)

    return make


def _amount(checker: Checker, args: Args, place: Place) -> t.Node:
    expect(args, 2, "amount", place)
    if not isinstance(args[1], t.Given) or not isinstance(args[1].value, str):
        raise RuleError("amount takes a number and a written unit: amount(5, 'USD')", place)
    return _with_unit(args[0], args[1].value, place)


def _with_unit(node: t.Node, name: str, place: Place) -> t.Node:
    type = without_null(node.type)
    if not isinstance(type, Number) or (not type.bare and type.sort.unit.dimension):
        raise wrong("a unit", "a number that has none", node, place)
    try:
        made = Number(Amount(unit(name), type.sort.step))
    except FormulaError as error:
        raise RuleError(str(error), place) from error
    return replace(node, type=made)


def _part(name: str, operation: t.Operation, sorts: tuple[str, ...], less: int = 0) -> Maker:
    """Return the maker of a function for a part of a date or moment. `less` is 1 for a part that begins at 0."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        node = _shifted(f".{name}()", args, place)
        type = without_null(node.type)
        if isinstance(type, Number) and type.sort.unit.dimension == SECOND.dimension and operation in _LENGTHS:
            return _length(node, operation, place)
        if not isinstance(type, Calendar) or type.kind not in sorts:
            raise wrong(f".{name}()", f"a {' or a '.join(sorts)}", node, place)
        node = _on_clock(node)
        if type.kind == "moment" and "date" in sorts:
            node = t.Apply(DATE_OF, (node,), DATE, place=place)
        found = t.Apply(operation, (node,), Number(WHOLE), place=place)
        if not less:
            return found
        one = t.Given(less, Number(WHOLE), place)
        return t.Apply(SUBTRACT, (found, one), Number(WHOLE), place=place)

    return make


def _on_clock(node: t.Node) -> t.Node:
    """Return the reading of the clocks at a moment in the zone of a place; return other nodes unchanged."""
    type = without_null(node.type)
    if not isinstance(type, Calendar) or type.zone in FIXED:
        return node
    return t.Apply(CLOCK_OF, (node,), MOMENT, place=node.place)


def _shifted(name: str, args: Args, place: Place) -> t.Node:
    """Return the moment in the first argument, moved by the offset in the second one, if there is one."""
    if len(args) != 2:
        expect(args, 1, name, place)
        return args[0]
    type = without_null(args[0].type)
    if type != _UTC:
        raise wrong(f"{name} with an offset", "a moment in UTC", args[0], place)
    text = literal(name, args[1:], place)
    shift = 0 if text == "UTC" else read_offset(text if text[:1] in ("+", "-") else f"+{text}")
    if shift is None:
        raise RuleError(f"{text!r} is no offset such as +02:00; which zones have which offset is not known here", place)
    if not shift:
        return args[0]
    return t.Apply(ADD, (args[0], t.Given(shift, Number(Amount(SECOND, Fraction(1))), place)), _UTC, place=place)


def _milliseconds(checker: Checker, args: Args, place: Place) -> t.Node:
    """Return the whole milliseconds of a moment or duration within its last second."""
    node = _shifted(".getMilliseconds()", args, place)
    type = without_null(node.type)
    if isinstance(type, Number) and type.sort.unit.dimension == SECOND.dimension:
        node = t.Apply(SCALE, args, DURATION, type.sort.unit.factor, place)
    elif not isinstance(type, Calendar) or type.kind != "moment":
        raise wrong(".getMilliseconds()", "a moment or a duration", node, place)
    rest = t.Apply(REMAINDER, (node, ONCE), Number(NUMBER), place=place)
    return t.Apply(
        WHOLE_DIVIDE,
        (t.Apply(SCALE, (rest,), Number(NUMBER), Fraction(1000), place), ONCE),
        Number(WHOLE),
        place=place,
    )


_LENGTHS = {HOUR: 3600, MINUTE: 60, SECOND_OF: 1}


def _length(node: t.Node, operation: t.Operation, place: Place) -> t.Node:
    """Return the number of whole hours, minutes or seconds of a duration."""
    type = without_null(node.type)
    if not isinstance(type, Number):
        raise TypeError("a duration is a number")
    seconds = t.Apply(SCALE, (node,), DURATION, type.sort.unit.factor, place)
    scaled = t.Apply(SCALE, (seconds,), Number(NUMBER), Fraction(1, _LENGTHS[operation]), place)
    return t.Apply(WHOLE_DIVIDE, (scaled, ONCE), Number(WHOLE), place=place)


def _shown_at(name: str, operation: t.Operation, made: Calendar) -> Maker:
    """Return the maker of a function that takes the date or time from a moment, or reads it from a text."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        expect(args, 1, name, place)
        if isinstance(args[0], t.Given) and isinstance(args[0].value, str):
            return _written(name, made)(checker, args, place)
        type = without_null(args[0].type)
        if not isinstance(type, Calendar) or type.kind != "moment":
            raise wrong(name, f"a moment, or a written {name}", args[0], place)
        return t.Apply(operation, (_on_clock(args[0]),), made, place=place)

    return make


_date_of, _time_of = _shown_at("date", DATE_OF, DATE), _shown_at("time", TIME_OF, TIME)


def _at(checker: Checker, args: Args, place: Place) -> t.Node:
    """Return the moment of a date and a time of day, in the zone that the third argument names, if any."""
    zone = literal("at", args[2:], place) if len(args) == 3 else ""
    try:
        check_place(zone)
    except InputError as error:
        raise RuleError(str(error), place) from error
    expect(args[:2] if len(args) == 3 else args, 2, ".at()", place)
    day, clock = (without_null(own.type) for own in args[:2])
    if day != DATE or clock != TIME:
        raise RuleError(
            f"at joins a date and a time, and these are {described(args[0])} and {described(args[1])}", place
        )
    start = t.Apply(DAY_START, (args[0],), MOMENT, place=place)
    reading = t.Apply(ADD, (start, args[1]), MOMENT, place=place)
    if zone in FIXED:
        return replace(reading, type=Calendar("moment", zone))
    return t.Apply(INSTANT_OF, (reading,), Calendar("moment", zone), place=place)


FUNCTIONS: Mapping[str, Maker] = {
    "timestamp": _written("timestamp", MOMENT),
    "date": _date_of,
    "time": _time_of,
    "duration": _duration,
    **{name: _measured(name) for name in ("days", "weeks", "hours", "minutes")},
    "amount": _amount,
}
METHODS: Mapping[str, Maker] = {
    "date": _date_of,
    "time": _time_of,
    "at": _at,
    "getFullYear": _part("getFullYear", YEAR, ("date", "moment")),
    "getMonth": _part("getMonth", MONTH, ("date", "moment"), 1),
    "getDate": _part("getDate", DAY, ("date", "moment")),
    "getDayOfMonth": _part("getDayOfMonth", DAY, ("date", "moment"), 1),
    "getDayOfWeek": _part("getDayOfWeek", WEEKDAY, ("date", "moment")),
    "getDayOfYear": _part("getDayOfYear", DAY_OF_YEAR, ("date", "moment"), 1),
    "getHours": _part("getHours", HOUR, ("time", "moment")),
    "getMinutes": _part("getMinutes", MINUTE, ("time", "moment")),
    "getSeconds": _part("getSeconds", SECOND_OF, ("time", "moment")),
    "getMilliseconds": _milliseconds,
}
