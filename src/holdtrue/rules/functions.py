"""The meaning of functions, called alone, `size(x)`, or on a target, `x.size()`.

Source: CEL specification, "List of standard definitions", and its extensions `math` and `sets`; `sum`, `flatten`,
dates and amounts with units are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.units import ONE, SECOND, unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules import typed as t
from holdtrue.rules.combining import unified
from holdtrue.rules.local_clocks import FIXED, check_place
from holdtrue.rules.operators import Checker, Maker, written_duration
from holdtrue.rules.patterns import check_pattern
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.typed import Operation, described
from holdtrue.rules.types import (
    BARE,
    COUNT,
    DURATION,
    FLAG,
    TEXT,
    ListOf,
    MapOf,
    Name,
    Nullable,
    Number,
    Type,
    in_words,
    without_null,
)
from holdtrue.rules.values import ValueFault, read_moment, read_offset

Args = tuple[t.Node, ...]
_ONE = t.Given(1, Number(WHOLE))
_UTC = Calendar("moment", "Z")


def _expect(args: Args, count: int, name: str, place: Place) -> None:
    if len(args) != count:
        raise RuleError(f"{name} takes {count} argument{'s' if count > 1 else ''}, not {len(args)}", place)


def _wrong(name: str, wanted: str, node: t.Node, place: Place) -> RuleError:
    return RuleError(f"{name} takes {wanted}, and this is {described(node)}", place)


def _size(checker: Checker, args: Args, place: Place) -> t.Node:
    _expect(args, 1, "size", place)
    match without_null(args[0].type):
        case ListOf() | MapOf():
            return t.Apply("size", args, COUNT, place=place)
        case Name():
            return t.Apply("text_size", args, COUNT, place=place)
    raise _wrong("size", "a list, a map or a text", args[0], place)


def _item(name: str, args: Args, place: Place) -> Type:
    _expect(args, 1, name, place)
    type = without_null(args[0].type)
    if not isinstance(type, ListOf):
        raise _wrong(name, "a list", args[0], place)
    return type.item


def _total(checker: Checker, args: Args, place: Place) -> t.Node:
    item = without_null(_item("sum", args, place))
    if not isinstance(item, Number):
        raise _wrong("sum", "a list of numbers", args[0], place)
    return t.Apply("sum", args, Number(item.sort, bare=item.bare), place=place)


def _flatten(checker: Checker, args: Args, place: Place) -> t.Node:
    item = without_null(_item("flatten", args, place))
    if not isinstance(item, ListOf):
        raise _wrong("flatten", "a list of lists", args[0], place)
    return t.Apply("flatten", args, ListOf(item.item), place=place)


def _extreme(operation: Operation) -> Maker:
    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        if len(args) == 1 and isinstance(without_null(args[0].type), ListOf):
            item = without_null(_item(operation, args, place))
            if not isinstance(item, Number | Calendar):
                raise _wrong(f"math.{operation}", "numbers or dates", args[0], place)
            return t.Apply(operation, args, item, place=place)
        if not args:
            raise RuleError(f"math.{operation} takes at least one argument", place)
        type: Type = args[0].type
        for own in args:
            found = unified(type, own.type)
            if found is None or not isinstance(without_null(found), Number | Calendar):
                kinds = f"{in_words(type)} and {in_words(own.type)}"
                raise RuleError(f"math.{operation} takes numbers of one unit, not {kinds}", place)
            type = found
        made = t.MakeList(tuple(checker.converted(own, type) for own in args), ListOf(type, len(args)), place)
        return t.Apply(operation, (made,), without_null(type), place=place)

    return make


def _amount_of(name: str, args: Args, place: Place) -> Number:
    """Return the type of the number that a function takes alone."""
    _expect(args, 1, name, place)
    type = without_null(args[0].type)
    if not isinstance(type, Number):
        raise _wrong(name, "a number", args[0], place)
    return type


def _absolute(checker: Checker, args: Args, place: Place) -> t.Node:
    type = _amount_of("math.abs", args, place)
    return t.Apply("absolute", args, Number(type.sort, bare=type.bare), place=place)


def _sign(checker: Checker, args: Args, place: Place) -> t.Node:
    _amount_of("math.sign", args, place)
    return t.Apply("sign", args, BARE, place=place)


def _int(checker: Checker, args: Args, place: Place) -> t.Node:
    """Return the whole number that is left of a number without its decimals."""
    type = _amount_of("int", args, place)
    if type.sort.unit != ONE:
        raise _wrong("int", "a number that has no unit", args[0], place)
    return (
        args[0] if type.whole else t.Apply("whole_divide", (args[0], _ONE), Number(WHOLE, bare=type.bare), place=place)
    )


def _rounded(name: str) -> Maker:
    """Return the maker of a function that rounds a number, whose type stays that of a decimal, in its unit."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        type = _amount_of(f"math.{name}", args, place)
        made = Number(Amount(type.sort.unit, Fraction(1, 10 if type.sort.unit == ONE else 1)), bare=type.bare)
        if type.whole:
            return args[0]
        if name == "trunc":
            return t.Apply("whole_divide", (args[0], _ONE), made, place=place)
        if name == "ceil":
            turned = t.Apply("negative", args, type, place=place)
            return t.Apply("negative", (t.Apply("floor", (turned,), made, place=place),), made, place=place)
        return t.Apply("floor" if name == "floor" else "round", args, made, place=place)

    return make


def _text(name: str, operation: Operation, type: Type, count: int = 2) -> Maker:
    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        _expect(args, count, name, place)
        for own in args:
            if not isinstance(without_null(own.type), Name):
                raise _wrong(name, "texts", own, place)
        return t.Apply(operation, args, type, place=place)

    return make


def _matches(checker: Checker, args: Args, place: Place) -> t.Node:
    found = _text("matches", "matches", FLAG)(checker, args, place)
    pattern = args[1]
    if not isinstance(pattern, t.Given) or not isinstance(pattern.value, str):
        raise RuleError("the pattern of matches() is written as a text in the rule itself", pattern.place)
    check_pattern(pattern.value, pattern.place)
    return found


def _set_contains(checker: Checker, args: Args, place: Place) -> t.Node:
    _expect(args, 2, "sets.contains", place)
    return _with_both(_within(checker, args[1], args[0], place), args, place)


def _set_equivalent(checker: Checker, args: Args, place: Place) -> t.Node:
    _expect(args, 2, "sets.equivalent", place)
    found = (_within(checker, args[1], args[0], place), _within(checker, args[0], args[1], place))
    return _with_both(t.Junction(True, found, FLAG, place), args, place)


def _set_intersects(checker: Checker, args: Args, place: Place) -> t.Node:
    _expect(args, 2, "sets.intersects", place)
    found = _within(checker, args[0], args[1], place)
    return _with_both(replace(found, macro="exists"), args, place)


def _with_both(found: t.Node, args: Args, place: Place) -> t.Node:
    """Return a condition on two lists that is an error wherever one of them is, though it may look at neither."""
    unsure = [own for own in args if isinstance(own.type, Nullable) or not t.is_sure(own)]
    if not unsure:
        return found
    read = [t.Apply("size", (own,), COUNT, place=place) for own in unsure]
    none = t.Given(0, COUNT, place)
    return t.Choose(
        t.Junction(True, tuple(t.Apply("at_most", (none, own), FLAG, place=place) for own in read), FLAG, place),
        found,
        t.Given(False, FLAG, place),
        FLAG,
        place,
    )


def _within(checker: Checker, of: t.Node, other: t.Node, place: Place) -> t.Over:
    """Return the condition that every item of one list is in another."""
    one, two = without_null(of.type), without_null(other.type)
    if not isinstance(one, ListOf) or not isinstance(two, ListOf):
        raise RuleError(f"sets are lists, and these are {described(of)} and {described(other)}", place)
    empty = any(isinstance(own, t.Given) and not own.value for own in (of, other))
    if not empty and unified(one.item, two.item) is None:
        raise RuleError(f"these lists have nothing in common: {described(of)} and {described(other)}", place)
    item = checker.fresh("item", one.item)
    found = t.Apply("in_list", (item if empty else checker.converted(item, two.item), other), FLAG, place=place)
    return t.Over("all", of, item.name, found, FLAG, place=place)


def _literal(name: str, args: Args, place: Place) -> str:
    _expect(args, 1, name, place)
    if not isinstance(args[0], t.Given) or not isinstance(args[0].value, str):
        raise RuleError(f"{name} takes a written text: {name}('...')", place)
    return args[0].value


def _written(name: str, type: Calendar) -> Maker:
    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        text = _literal(name, args, place)
        own = type
        if type.kind == "moment" and (text.strip()[-1:] in "Zz" or text.strip()[-6:-5] in ("+", "-")):
            own = Calendar("moment", "Z")
        try:
            return t.Given(read_moment(text, own, name), own, place)
        except ValueFault as error:
            raise RuleError(str(error), place) from error

    return make


def _duration(checker: Checker, args: Args, place: Place) -> t.Node:
    return written_duration(_literal("duration", args, place), place)


def _measured(name: str) -> Maker:
    """Return the maker of a function that gives a bare number a unit of time: `days(3)`."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        _expect(args, 1, name, place)
        return _with_unit(args[0], name.rstrip("s"), place)

    return make


def _amount(checker: Checker, args: Args, place: Place) -> t.Node:
    _expect(args, 2, "amount", place)
    if not isinstance(args[1], t.Given) or not isinstance(args[1].value, str):
        raise RuleError("amount takes a number and a written unit: amount(5, 'USD')", place)
    return _with_unit(args[0], args[1].value, place)


def _with_unit(node: t.Node, name: str, place: Place) -> t.Node:
    type = without_null(node.type)
    if not isinstance(type, Number) or (not type.bare and type.sort.unit.dimension):
        raise _wrong("a unit", "a number that has none", node, place)
    try:
        made = Number(Amount(unit(name), type.sort.step))
    except FormulaError as error:
        raise RuleError(str(error), place) from error
    return replace(node, type=made)


def _part(name: str, operation: Operation, sorts: tuple[str, ...], less: int = 0) -> Maker:
    """Return the maker of a function that takes a part of a date or moment; `less` is what CEL counts it from."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        node = _shifted(f".{name}()", args, place)
        type = without_null(node.type)
        if isinstance(type, Number) and type.sort.unit.dimension == SECOND.dimension and operation in _LENGTHS:
            return _length(node, operation, place)
        if not isinstance(type, Calendar) or type.kind not in sorts:
            raise _wrong(f".{name}()", f"a {' or a '.join(sorts)}", node, place)
        node = _on_clock(node)
        if type.kind == "moment" and "date" in sorts:
            node = t.Apply("date_of", (node,), DATE, place=place)
        found = t.Apply(operation, (node,), Number(WHOLE), place=place)
        if not less:
            return found
        one = t.Given(less, Number(WHOLE), place)
        return t.Apply("subtract", (found, one), Number(WHOLE), place=place)

    return make


def _on_clock(node: t.Node) -> t.Node:
    """Return what clocks show at a moment that is local to a place; anything else as it is."""
    type = without_null(node.type)
    if not isinstance(type, Calendar) or type.zone in FIXED:
        return node
    return t.Apply("clock_of", (node,), MOMENT, place=node.place)


def _shifted(name: str, args: Args, place: Place) -> t.Node:
    """Return a function's moment, moved by the offset that its second argument writes, if there is one."""
    if len(args) != 2:
        _expect(args, 1, name, place)
        return args[0]
    type = without_null(args[0].type)
    if type != _UTC:
        raise _wrong(f"{name} with an offset", "a moment in UTC", args[0], place)
    text = _literal(name, args[1:], place)
    shift = 0 if text == "UTC" else read_offset(text if text[:1] in ("+", "-") else f"+{text}")
    if shift is None:
        raise RuleError(f"{text!r} is no offset such as +02:00; which zones have which offset is not known here", place)
    if not shift:
        return args[0]
    return t.Apply("add", (args[0], t.Given(shift, Number(Amount(SECOND, Fraction(1))), place)), _UTC, place=place)


def _milliseconds(checker: Checker, args: Args, place: Place) -> t.Node:
    """Return the whole milliseconds that a moment or a duration has beyond its seconds."""
    node = _shifted(".getMilliseconds()", args, place)
    type = without_null(node.type)
    if isinstance(type, Number) and type.sort.unit.dimension == SECOND.dimension:
        node = t.Apply("scale", args, DURATION, type.sort.unit.factor, place)
    elif not isinstance(type, Calendar) or type.kind != "moment":
        raise _wrong(".getMilliseconds()", "a moment or a duration", node, place)
    rest = t.Apply("remainder", (node, _ONE), Number(NUMBER), place=place)
    return t.Apply(
        "whole_divide",
        (t.Apply("scale", (rest,), Number(NUMBER), Fraction(1000), place), _ONE),
        Number(WHOLE),
        place=place,
    )


_LENGTHS = {"hour": 3600, "minute": 60, "second": 1}


def _length(node: t.Node, operation: Operation, place: Place) -> t.Node:
    """Return how many whole hours, minutes or seconds a duration has."""
    type = without_null(node.type)
    if not isinstance(type, Number):
        raise TypeError("a duration is a number")
    seconds = t.Apply("scale", (node,), DURATION, type.sort.unit.factor, place)
    scaled = t.Apply("scale", (seconds,), Number(NUMBER), Fraction(1, _LENGTHS[operation]), place)
    return t.Apply("whole_divide", (scaled, _ONE), Number(WHOLE), place=place)


def _shown_at(name: str, operation: Operation, made: Calendar) -> Maker:
    """Return the maker of the date or time of day that clocks show at a moment, or that a text writes."""

    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        _expect(args, 1, name, place)
        if isinstance(args[0], t.Given) and isinstance(args[0].value, str):
            return _written(name, made)(checker, args, place)
        type = without_null(args[0].type)
        if not isinstance(type, Calendar) or type.kind != "moment":
            raise _wrong(name, f"a moment, or a written {name}", args[0], place)
        return t.Apply(operation, (_on_clock(args[0]),), made, place=place)

    return make


_date_of, _time_of = _shown_at("date", "date_of", DATE), _shown_at("time", "time_of", TIME)


def _at(checker: Checker, args: Args, place: Place) -> t.Node:
    """Return the moment of a date and a time of day: local, or in the zone that a third argument writes."""
    zone = _literal("at", args[2:], place) if len(args) == 3 else ""
    try:
        check_place(zone)
    except InputError as error:
        raise RuleError(str(error), place) from error
    _expect(args[:2] if len(args) == 3 else args, 2, ".at()", place)
    day, clock = (without_null(own.type) for own in args[:2])
    if day != DATE or clock != TIME:
        raise RuleError(
            f"at joins a date and a time, and these are {described(args[0])} and {described(args[1])}", place
        )
    start = t.Apply("day_start", (args[0],), MOMENT, place=place)
    reading = t.Apply("add", (start, args[1]), MOMENT, place=place)
    if zone in FIXED:
        return replace(reading, type=Calendar("moment", zone))
    return t.Apply("instant_of", (reading,), Calendar("moment", zone), place=place)


FUNCTIONS: Mapping[str, Maker] = {
    "size": _size,
    "sum": _total,
    "flatten": _flatten,
    "lists.flatten": _flatten,
    "math.least": _extreme("least"),
    "math.greatest": _extreme("greatest"),
    "math.abs": _absolute,
    "math.sign": _sign,
    **{f"math.{name}": _rounded(name) for name in ("floor", "ceil", "round", "trunc")},
    "int": _int,
    "sets.contains": _set_contains,
    "sets.equivalent": _set_equivalent,
    "sets.intersects": _set_intersects,
    "timestamp": _written("timestamp", MOMENT),
    "date": _date_of,
    "time": _time_of,
    "duration": _duration,
    **{name: _measured(name) for name in ("days", "weeks", "hours", "minutes")},
    "amount": _amount,
}
METHODS: Mapping[str, Maker] = {
    "size": _size,
    "sum": _total,
    "flatten": _flatten,
    "startsWith": _text("startsWith", "starts_with", FLAG),
    "endsWith": _text("endsWith", "ends_with", FLAG),
    "contains": _text("contains", "contains", FLAG),
    "matches": _matches,
    "lowerAscii": _text("lowerAscii", "lower", TEXT, 1),
    "upperAscii": _text("upperAscii", "upper", TEXT, 1),
    "trim": _text("trim", "trim", TEXT, 1),
    "date": _date_of,
    "time": _time_of,
    "at": _at,
    "getFullYear": _part("getFullYear", "year", ("date", "moment")),
    "getMonth": _part("getMonth", "month", ("date", "moment"), 1),
    "getDate": _part("getDate", "day", ("date", "moment")),
    "getDayOfMonth": _part("getDayOfMonth", "day", ("date", "moment"), 1),
    "getDayOfWeek": _part("getDayOfWeek", "weekday", ("date", "moment")),
    "getDayOfYear": _part("getDayOfYear", "day_of_year", ("date", "moment"), 1),
    "getHours": _part("getHours", "hour", ("time", "moment")),
    "getMinutes": _part("getMinutes", "minute", ("time", "moment")),
    "getSeconds": _part("getSeconds", "second", ("time", "moment")),
    "getMilliseconds": _milliseconds,
}
