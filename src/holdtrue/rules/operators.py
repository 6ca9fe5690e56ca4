"""This module gives operators their meaning: it checks the types and units of operands and makes the typed node."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from holdtrue.logic.units import DAY, ONE, SECOND
from holdtrue.logic.value_sorts import NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.comparison import AT_MOST, EQUAL, IN_LIST, IN_MAP, LESS
from holdtrue.rules.lists import CONCATENATE
from holdtrue.rules.numbers import ADD, DIVIDE, MULTIPLY, NEGATIVE, REMAINDER, SCALE, SUBTRACT, WHOLE_DIVIDE
from holdtrue.rules.signatures import Checker, Maker, written_duration
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.texts import JOIN, TEXT_AT_MOST, TEXT_LESS
from holdtrue.rules.type_lattice import unified
from holdtrue.rules.typed_expressions import described, path
from holdtrue.rules.types import FLAG, TEXT, ListOf, MapOf, Name, Number, Type, in_words, without_null
from holdtrue.rules.values import ValueFault, read_moment


def _equality(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = agreed(args)
    type = unified(left.type, right.type)
    if type is None:
        raise RuleError(_mismatch(left, right, "cannot be compared"), place)
    _check_value(left, right, place)
    _check_value(right, left, place)
    right = checker.converted(right, left.type)
    return t.Apply(EQUAL, (left, right), FLAG, place=place)


def _check_value(named: t.Node, other: t.Node, place: Place) -> None:
    """Raise `RuleError` for a text that is not a value of an enumeration, since the two would never be equal."""
    type = without_null(named.type)
    if isinstance(type, Name) and type.values is not None and isinstance(other, t.Given):
        wrong = other.value
        if isinstance(wrong, str) and wrong not in type.values:
            raise RuleError(f"{path(named) or 'this'} is {in_words(type)}, and never {wrong!r}", other.place)


def _inequality(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    return t.Not(_equality(checker, args, place), FLAG, place)


def _order(operation: t.Operation, of_texts: t.Operation, *, turned: bool) -> Maker:
    def make(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
        left, right = agreed(args)
        one, other = without_null(left.type), without_null(right.type)
        if isinstance(one, Name) and isinstance(other, Name):
            pair = (right, left) if turned else (left, right)
            return t.Apply(of_texts, pair, FLAG, place=place)
        if unified(one, other) is None or not isinstance(one, Number | Calendar):
            raise RuleError(_mismatch(left, right, "have no order"), place)
        right = checker.converted(right, left.type)
        pair = (right, left) if turned else (left, right)
        return t.Apply(operation, pair, FLAG, place=place)

    return make


def agreed(args: tuple[t.Node, ...]) -> tuple[t.Node, t.Node]:
    """Return both operands; a text is read as a date, time, moment or duration if the other operand is one."""
    left, right = args
    return read_as(left, right.type), read_as(right, left.type)


def read_as(node: t.Node, type: Type) -> t.Node:
    """Return a constant text as a date, time, moment or duration if the type is one; return other nodes unchanged."""
    type = without_null(type)
    if not isinstance(node, t.Given) or not isinstance(node.value, str):
        return node
    if isinstance(type, Calendar):
        try:
            return t.Given(read_moment(node.value, type), type, node.place)
        except ValueFault as error:
            raise RuleError(f"{node.value!r} is no {type}: {error.message}", node.place) from error
    if isinstance(type, Number) and type.sort.unit.dimension == SECOND.dimension and not type.bare:
        return written_duration(node.value, node.place)
    return node


def _mismatch(left: t.Node, right: t.Node, what: str) -> str:
    one, other, name = in_words(left.type), in_words(right.type), path(left)
    if one == other:
        return f"{name or 'this'} is {one}, and so is {path(right) or 'that'}: they {what}"
    return f"{name} is {one}, not {other}: they {what}" if name else f"{one} and {other} {what}"


def _membership(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    item, of = args
    type = without_null(of.type)
    match type:
        case ListOf(own):
            item = read_as(item, own)
            if isinstance(own, Name) and isinstance(of, t.Given) and isinstance(without_null(item.type), Calendar):
                of = _read_items(of, item.type)
                own = item.type
            if unified(item.type, own) is None:
                raise RuleError(f"{described(item)} is looked for in {in_words(type)}", place)
            if isinstance(of, t.Given):
                for value in of.value:  # type: ignore[attr-defined]
                    _check_value(item, t.Given(value, TEXT, place), place)
            return t.Apply(IN_LIST, (checker.converted(item, own), of), FLAG, place=place)
        case MapOf():
            if not isinstance(without_null(item.type), Name):
                raise RuleError(f"the keys of {in_words(type)} are texts, and this is {described(item)}", place)
            return t.Apply(IN_MAP, (item, of), FLAG, place=place)
    raise RuleError(f"in looks into a list or a map, and this is {described(of)}", place)


def _read_items(of: t.Given, type: Type) -> t.Given:
    """Return a constant list of texts as a list of dates, times or moments."""
    texts: tuple[object, ...] = of.value if isinstance(of.value, tuple) else ()
    read = (read_as(t.Given(text, TEXT, of.place), type) for text in texts)
    return t.Given(tuple(own.value for own in read if isinstance(own, t.Given)), ListOf(type), of.place)


def _add(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = args
    one, other = without_null(left.type), without_null(right.type)
    match one, other:
        case Number(), Number():
            return _sum(checker, ADD, left, right, place)
        case Name(), Name():
            return t.Apply(JOIN, (left, right), TEXT, place=place)
        case ListOf(), ListOf():
            type = unified(one, other)
            if type is not None:
                return t.Apply(CONCATENATE, (left, checker.converted(right, one)), type, place=place)
        case Calendar(), Number():
            return _moved(ADD, left, right, place)
        case Number(), Calendar():
            return _moved(ADD, right, left, place)
    raise RuleError(_mismatch(left, right, "cannot be added"), place)


def _subtract(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = args
    if isinstance(without_null(left.type), Calendar):
        right = read_as(right, left.type)
    elif isinstance(without_null(right.type), Calendar):
        left = read_as(left, right.type)
    one, other = without_null(left.type), without_null(right.type)
    match one, other:
        case Number(), Number():
            return _sum(checker, SUBTRACT, left, right, place)
        case Calendar(), Calendar() if one == other:
            unit = DAY if one.kind == "date" else SECOND
            step = Fraction(1) if one.kind != "moment" else None
            return t.Apply(SUBTRACT, (left, right), Number(Amount(unit, step)), place=place)
        case Calendar(), Number():
            return _moved(SUBTRACT, left, right, place)
    raise RuleError(_mismatch(left, right, "cannot be subtracted"), place)


def _sum(checker: Checker, operation: t.Operation, left: t.Node, right: t.Node, place: Place) -> t.Node:
    type = unified(without_null(left.type), without_null(right.type))
    if type is None:
        sign = "added" if operation is ADD else "subtracted"
        raise RuleError(_mismatch(left, right, f"cannot be {sign}"), place)
    return t.Apply(operation, (checker.converted(left, type), checker.converted(right, type)), type, place=place)


def _moved(operation: t.Operation, calendar: t.Node, by: t.Node, place: Place) -> t.Node:
    """Return a date or moment plus or minus an amount of time."""
    type, amount = without_null(calendar.type), without_null(by.type)
    if not isinstance(type, Calendar) or not isinstance(amount, Number):
        raise TypeError("a calendar value is moved by a number")
    unit = DAY if type.kind == "date" else SECOND
    if amount.bare or amount.sort.unit.dimension != unit.dimension:
        wrong = f"{described(calendar)} is moved by time, such as {_example(type)}, not by {in_words(amount)}"
        raise RuleError(wrong, place)
    factor = amount.sort.unit.factor / unit.factor
    if type == TIME:
        raise RuleError("a time of day has no day to go on to: add to a moment", place)
    if type.kind == "date" and (amount.sort.step is None or (amount.sort.step * factor).denominator != 1):
        raise RuleError(f"a date is moved by whole days, such as {_example(type)}, not by {in_words(amount)}", place)
    moved = by if factor == 1 else t.Apply(SCALE, (by,), Number(Amount(unit)), factor, by.place)
    return t.Apply(operation, (calendar, moved), type, place=place)


def _example(type: Calendar) -> str:
    return "days(3)" if type.kind == "date" else "duration('24h')"


def _multiply(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = args
    one, other = without_null(left.type), without_null(right.type)
    if not isinstance(one, Number) or not isinstance(other, Number):
        raise RuleError(_mismatch(left, right, "cannot be multiplied"), place)
    step = None if one.sort.step is None or other.sort.step is None else one.sort.step * other.sort.step
    unit = one.sort.unit * other.sort.unit
    bare = (one.bare and other.sort.unit == ONE) or (other.bare and one.sort.unit == ONE)
    return t.Apply(MULTIPLY, (left, right), Number(Amount(unit, step), bare=bare), place=place)


def _divide(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = args
    one, other = without_null(left.type), without_null(right.type)
    if not isinstance(one, Number) or not isinstance(other, Number):
        raise RuleError(_mismatch(left, right, "cannot be divided"), place)
    bare = one.bare and other.bare
    if one.whole and other.whole:
        return t.Apply(WHOLE_DIVIDE, (left, right), Number(WHOLE, bare=bare), place=place)
    unit = one.sort.unit / other.sort.unit
    if unit.dimension == () and unit.factor != 1:
        node = t.Apply(DIVIDE, (left, right), Number(NUMBER), place=place)
        return t.Apply(SCALE, (node,), Number(NUMBER), unit.factor, place)
    return t.Apply(DIVIDE, (left, right), Number(Amount(unit), bare=bare), place=place)


def _modulo(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    left, right = args
    one, other = without_null(left.type), without_null(right.type)
    if not isinstance(one, Number) or not isinstance(other, Number) or not one.whole or not other.whole:
        raise RuleError(_mismatch(left, right, "have no remainder: % takes whole numbers"), place)
    return t.Apply(REMAINDER, (left, right), Number(WHOLE, bare=one.bare and other.bare), place=place)


def _minus(checker: Checker, args: tuple[t.Node, ...], place: Place) -> t.Node:
    if len(args) == 2:
        return _subtract(checker, args, place)
    type = without_null(args[0].type)
    if not isinstance(type, Number):
        raise RuleError(f"- takes a number, and this is {described(args[0])}", place)
    return t.Apply(NEGATIVE, args, Number(type.sort, bare=type.bare), place=place)


OPERATORS: Mapping[str, Maker] = {
    "==": _equality,
    "!=": _inequality,
    "<": _order(LESS, TEXT_LESS, turned=False),
    "<=": _order(AT_MOST, TEXT_AT_MOST, turned=False),
    ">": _order(LESS, TEXT_LESS, turned=True),
    ">=": _order(AT_MOST, TEXT_AT_MOST, turned=True),
    "in": _membership,
    "+": _add,
    "-": _minus,
    "*": _multiply,
    "/": _divide,
    "%": _modulo,
}
