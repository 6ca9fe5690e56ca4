"""Find out when two types go together, and in which unit."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type, without_null


def unified(left: Type, right: Type) -> Type | None:
    """Return the type of what may be either, or None where there is none: then comparing them is a mistake."""
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
            return left if left is right or _alike(left, right) else None
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
    """Return the step that numbers of both sorts have in the unit of the left one, or None if one of them has none."""
    one, other = left.sort.step, right.sort.step
    if one is None or other is None:
        return None
    other = other * conversion(right, left)
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), 1) / (
        one.denominator * other.denominator
    )


def conversion(number: Number, to: Number) -> Fraction:
    """Return what a number is multiplied by to be in the unit of `to`."""
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
    """Return whether two record types have the same fields, in types that can be compared without converting."""
    if left.fields.keys() != right.fields.keys():
        return False
    return all(
        unified(own.type, right.fields[name].type) is not None and same_units(own.type, right.fields[name].type)
        for name, own in left.fields.items()
    )


def same_units(left: Type, right: Type) -> bool:
    """Return whether values of the two types can be compared as they are, without another unit."""
    left, right = without_null(left), without_null(right)
    match left, right:
        case Number(), Number():
            return conversion(right, left) == 1
        case (ListOf(one), ListOf(other)) | (MapOf(one), MapOf(other)):
            return same_units(one, other)
        case Record(), Record():
            return all(same_units(own.type, right.fields[name].type) for name, own in left.fields.items())
    return True
