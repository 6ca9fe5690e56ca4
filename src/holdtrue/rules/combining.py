"""Combine types: the nearest one that is wider than two, records that are both of two, numbers within two bounds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, lcm

from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.types import (
    TEXT,
    Field,
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
from holdtrue.rules.unify import common_step


def wider(one: Type, other: Type) -> Type | None:
    """Return the nearest type that has all values of both, or None if no type has: a text is no number.

    Dates, times, moments and durations are texts in JSON, so a date or another text is a text. Of two records, fields
    that only one of them has are optional.
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
            fields[name] = replace(own or second or Field(TEXT), required=False)
        elif (type := wider(own.type, second.type)) is None:
            unread[name] = Unread(f"it may be {own.type} or {second.type}", own.required and second.required)
        else:
            fields[name] = Field(type, own.required and second.required)
    return Record(fields, _title(one, other, "or"), unread, one.open or other.open)


def both(one: Record, other: Record) -> Record | None:
    """Return the record that is both of two, or None where they give a field two types."""
    fields = dict(one.fields)
    for name, own in other.fields.items():
        known = fields.get(name, own)
        if known.type != own.type:
            return None
        fields[name] = Field(own.type, own.required or known.required)
    unread = {name: own for name, own in {**one.unread, **other.unread}.items() if name not in fields}
    return Record(fields, _title(one, other, "and"), unread, one.open or other.open)


def _title(one: Record, other: Record, word: str) -> str:
    if one.title == other.title:
        return one.title
    return f"{one.title} {word} {other.title}"[:200]


def common_multiple(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    """Return the step of the numbers that are multiples of both steps; a step of None is any number."""
    if one is None or other is None:
        return one or other
    return Fraction(lcm(one.numerator * other.denominator, other.numerator * one.denominator)) / (
        one.denominator * other.denominator
    )


def aligned(number: Number) -> Number | None:
    """Return a number whose bounds are multiples of its step, or None where no number is within them."""
    low, high, step = number.low, number.high, number.sort.step
    if step is not None:
        low = None if low is None else ceil(low / step) * step
        high = None if high is None else floor(high / step) * step
    if low is not None and high is not None and low > high:
        return None
    return Number(number.sort, low, high, number.bare)
