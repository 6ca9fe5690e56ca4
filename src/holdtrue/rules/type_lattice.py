"""Combine two types: for a comparison, into the nearest type that contains both, or into their intersection."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, lcm

from holdtrue.logic.units import ONE, SECOND
from holdtrue.logic.value_sorts import Amount, Calendar, common_divisor
from holdtrue.rules.types import (
    NULL,
    TEXT,
    Field,
    Flag,
    ListOf,
    MapOf,
    Name,
    Null,
    Nullable,
    Number,
    Record,
    Type,
    Unread,
    without_null,
)


def unified(left: Type, right: Type) -> Type | None:
    """Return the common type of two comparable types, or None if values of them cannot be compared."""
    if isinstance(left, Null) or isinstance(right, Null):
        other = right if isinstance(left, Null) else left
        return other if isinstance(other, Null | Nullable) else Nullable(other)
    if isinstance(left, Nullable) or isinstance(right, Nullable):
        inner = unified(without_null(left), without_null(right))
        return None if inner is None else Nullable(inner)
    match left, right:
        case Flag(), Flag():
            return left
        case Number(), Number():
            return _number(left, right)
        case Calendar(), Calendar():
            return left if left == right else None
        case Name(), Name():
            return _name(left, right)
        case ListOf(one), ListOf(other):
            item = unified(one, other)
            return None if item is None else ListOf(item)
        case MapOf(one), MapOf(other):
            value = unified(one, other)
            return None if value is None else MapOf(value)
        case Record(), Record():
            either = right if right.may_be_absent else left
            return either if left is right or _alike(left, right) else None
    return None


def _number(left: Number, right: Number) -> Number | None:
    if left.bare and right.bare:
        return Number(Amount(ONE, common_step(left, right)), bare=True)
    if left.bare or right.bare:
        own = right if left.bare else left
        return Number(Amount(own.sort.unit, common_step(left, right)))
    if left.sort.unit.dimension != right.sort.unit.dimension:
        return None
    return Number(Amount(left.sort.unit, common_step(left, right)))


def common_step(left: Number, right: Number) -> Fraction | None:
    """Return the greatest common step of two numbers in the unit of the left one, or None if one has no step."""
    one, other = left.sort.step, right.sort.step
    if one is None or other is None:
        return None
    return common_divisor(one, other * conversion(right, left))


def conversion(number: Number, to: Number) -> Fraction:
    """Return the factor that converts a number to the unit of `to`."""
    if number.bare or to.bare:
        return Fraction(1)
    return number.sort.unit.factor / to.sort.unit.factor


def _name(left: Name, right: Name) -> Name | None:
    if left.kind and right.kind and left.kind != right.kind:
        return None
    if left.values is None or right.values is None:
        return Name(left.kind or right.kind)
    both = tuple(dict.fromkeys((*left.values, *right.values)))
    return Name(left.kind or right.kind, both)


def _alike(left: Record, right: Record) -> bool:
    """Return whether two record types have the same fields, with types that are comparable without conversion."""
    if left.fields.keys() != right.fields.keys():
        return False
    return all(
        unified(own.type, right.fields[name].type) is not None and same_units(own.type, right.fields[name].type)
        for name, own in left.fields.items()
    )


def same_units(left: Type, right: Type) -> bool:
    """Return whether values of two comparable types have the same units."""
    left, right = without_null(left), without_null(right)
    match left, right:
        case Number(), Number():
            return conversion(right, left) == 1
        case (ListOf(one), ListOf(other)) | (MapOf(one), MapOf(other)):
            return same_units(one, other)
        case Record(), Record():
            return all(same_units(own.type, right.fields[name].type) for name, own in left.fields.items())
    return True


def wider(one: Type, other: Type) -> Type | None:
    """Return the nearest type that contains both types, or None if there is none, as for a text and a number.

    Dates, times, moments and durations are texts in JSON, so the union of a date and a text is a text. A field of only
    one of two records is optional.
    """
    if one == other:
        return one
    if isinstance(one, Null | Nullable) or isinstance(other, Null | Nullable):
        if isinstance(one, Null) or isinstance(other, Null):
            rest = other if isinstance(one, Null) else one
            return rest if isinstance(rest, Nullable) else Nullable(rest)
        inner = wider(without_null(one), without_null(other))
        return None if inner is None else Nullable(inner)
    match one, other:
        case Number(), Number():
            return _wider_number(one, other)
        case Name(kind, values), Name(second, others):
            listed = None if values is None or others is None else tuple(dict.fromkeys((*values, *others)))
            return Name(kind if kind == second else "", listed)
        case ListOf(item, most, least), ListOf(second_item, second_most, second_least):
            inner = wider(item, second_item)
            limit = None if most is None or second_most is None else max(most, second_most)
            return None if inner is None else ListOf(inner, limit, min(least, second_least))
        case MapOf(value), MapOf(second_value):
            inner = wider(value, second_value)
            return None if inner is None else MapOf(inner)
        case Record(), Record():
            return _either(one, other)
    return TEXT if _is_text(one) and _is_text(other) else None


def _is_text(type: Type) -> bool:
    return isinstance(type, Name | Calendar) or (isinstance(type, Number) and type.sort.unit == SECOND)


def _wider_number(one: Number, other: Number) -> Number | None:
    if one.sort.unit != other.sort.unit:
        return None
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return Number(Amount(one.sort.unit, common_step(one, other)), low, high)


def _either(one: Record, other: Record) -> Record:
    fields: dict[str, Field] = {}
    unread = {**other.unread, **one.unread}
    for name in dict.fromkeys((*one.fields, *other.fields)):
        own, second = one.fields.get(name), other.fields.get(name)
        if name in unread:
            unread[name] = Unread(unread[name].why, required=False)
        elif own is None or second is None:
            fields[name] = replace(own or second or Field(TEXT), required=False, partly=True)
        elif (type := wider(own.type, second.type)) is None:
            unread[name] = Unread(f"it may be {own.type} or {second.type}", own.required and second.required)
        else:
            loose = own.loose or second.loose
            fields[name] = Field(type, own.required and second.required, own.partly or second.partly, loose)
    return Record(fields, _title(one, other, "or"), unread)


def narrower(one: Type, other: Type) -> Type | None:
    """Return the nearest type that contains the intersection of two types, or None if the intersection is empty."""
    if isinstance(one, Record) and isinstance(other, Record):
        return one if one == other else both(one, other)
    if isinstance(one, Nullable) != isinstance(other, Nullable) and NULL not in (one, other):
        return narrower(without_null(one), without_null(other))
    wide = wider(one, other)
    if wide is not None and isinstance(one, Number) and isinstance(other, Number):
        lows, highs = ([n for n in own if n is not None] for own in ((one.low, other.low), (one.high, other.high)))
        sort = Amount(one.sort.unit, common_multiple(one.sort.step, other.sort.step))
        return aligned(Number(sort, max(lows, default=None), min(highs, default=None)))
    return other if wide == one else one if wide and (wide == other or NULL not in (one, other)) else None


def both(one: Record, other: Record) -> Record:
    """Return the intersection of two record types; a field whose types have no common values becomes unread."""
    fields, apart = dict(one.fields), dict[str, Unread]()
    for name, own in other.fields.items():
        known = fields.get(name, own)
        sure = [each.type for each in (known, own) if not each.partly]
        if (type := narrower(sure[0], sure[-1]) if sure else wider(known.type, own.type)) is None:
            why = f"its parts are of types that do not go together, {known.type} and {own.type}"
            apart[name] = Unread(why, fields.pop(name, own).required or own.required)
            continue
        required, loose = own.required or known.required, own.loose or known.loose
        fields[name] = Field(type, required, own.partly and known.partly, loose)
    unread = {name: own for name, own in {**one.unread, **other.unread, **apart}.items() if name not in fields}
    return Record(fields, _title(one, other, "and"), unread)


def _title(one: Record, other: Record, word: str) -> str:
    if one.title == other.title:
        return one.title
    return f"{one.title} {word} {other.title}"[:200]


def common_multiple(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    """Return the least common multiple of two steps; None is the step of all numbers."""
    if one is None or other is None:
        return one or other
    return Fraction(lcm(one.numerator * other.denominator, other.numerator * one.denominator)) / (
        one.denominator * other.denominator
    )


def aligned(number: Number) -> Number | None:
    """Return a type with its bounds moved inwards to multiples of its step, or None if no number is left."""
    low, high, step = number.low, number.high, number.sort.step
    if step is not None:
        low = None if low is None else ceil(low / step) * step
        high = None if high is None else floor(high / step) * step
    if low is not None and high is not None and low > high:
        return None
    return Number(number.sort, low, high, number.bare, open_low=number.open_low, open_high=number.open_high)
