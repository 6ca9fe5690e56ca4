"""This module defines the types of the values in rules: the arguments of tool calls, records and answers of an app.

A type contains the unit of a number. A text is a *name*: rules mostly ask whether two names are equal. Values are plain
Python:

    flag                True, False
    number              int, or Fraction, in the type's unit; never a float
    calendar            int: days, or seconds (see `value_sorts`)
    name                str
    list                tuple
    record, map dict with str keys null None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from holdtrue.logic.units import ONE, SECOND
from holdtrue.logic.value_sorts import NUMBER, WHOLE, Amount, Calendar


@dataclass(frozen=True, slots=True)
class Flag:
    """A `Flag` is the type of true and false."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Number:
    """A `Number` is the type of amounts in one unit, within the bounds `low` and `high` of the schema.

    A `bare` number was written without a unit, as in `call.amount <= 500`, and takes the unit of the other operand. If
    a number in a result is `rounded`, it is rounded to the step, half to even. A schema may exclude the bounds
    themselves: `open_low`, `open_high`. Values at such a bound are read all the same.
    """

    sort: Amount = NUMBER
    low: Fraction | None = None
    high: Fraction | None = None
    bare: bool = False
    rounded: bool = False
    open_low: bool = False
    open_high: bool = False

    @property
    def whole(self) -> bool:
        """Return whether this is a whole number without a unit, which divides like CEL's `int`."""
        return self.sort.step is not None and self.sort.step.denominator == 1 and self.sort.unit == ONE

    def __str__(self) -> str:
        if self.sort.unit == SECOND:
            return "duration"
        return str(self.sort)


@dataclass(frozen=True, slots=True)
class Name:
    """A `Name` is the type of texts: all texts, those in `values`, or ids of a `kind` of thing."""

    kind: str = ""
    values: tuple[str, ...] | None = None

    def __str__(self) -> str:
        if self.values is not None:
            return f"one of {', '.join(self.values)}"
        return f"id of {self.kind}" if self.kind else "text"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A `ListOf` is the type of lists with `least` to `most` items; a `most` of None is no limit."""

    item: Type
    most: int | None = None
    least: int = 0

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A `MapOf` is the type of objects whose keys no schema lists."""

    value: Type

    def __str__(self) -> str:
        return f"map of {self.value}"


@dataclass(frozen=True, slots=True)
class Field:
    type: Type
    required: bool = True
    partly: bool = False  # Whether only some shapes of a union have the field, so that it may have another type.
    loose: bool = False  # Whether the schema allows texts for the field, or for its items, that the type cannot read.


@dataclass(frozen=True, slots=True)
class Unread:
    """An `Unread` is a field that has no type, for the reason `why`: "it may be a text or a number".

    `is_open` marks an object, or a list of objects, whose fields the schema does not list.
    """

    why: str
    required: bool = True
    is_open: bool = False


@dataclass(frozen=True, eq=False)
class Record:
    """A `Record` is the type of objects with these fields. Two record types are equal if they are the same object.

    Values omit the fields in `unread`, which exist but have no type. A record that `may_be_absent` may lack all its
    fields, even the required ones, until it is seen.
    """

    fields: Mapping[str, Field]
    title: str = "record"
    unread: Mapping[str, Unread] = field(default_factory=dict)
    may_be_absent: bool = False

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True, slots=True)
class Nullable:
    """A `Nullable` is the type of a value or null."""

    value: Type

    def __str__(self) -> str:
        return f"{self.value} or null"


@dataclass(frozen=True, slots=True)
class Null:
    def __str__(self) -> str:
        return "null"


Type = Flag | Number | Calendar | Name | ListOf | MapOf | Record | Nullable | Null

FLAG, TEXT, NULL = Flag(), Name(), Null()
COUNT = Number(WHOLE, Fraction(0))
"""The type of `size`."""
BARE = Number(WHOLE, bare=True)
DURATION = Number(Amount(SECOND))


def in_words(type: Type) -> str:
    """Return the type in words for messages: "a date", "money in USD", "a text or null"."""
    match type:
        case Flag():
            return "a bool"
        case Number(sort):
            return _number_in_words(type, sort)
        case Calendar(kind, zone):
            if kind != "moment":
                return "a time of day" if kind == "time" else "a date"
            place = f"local to {zone}" if zone else "without a zone"
            return "a moment in UTC" if zone == "Z" else f"a moment {place}"
        case Name(kind, None):
            return f"an id of {kind}" if kind else "a text"
        case ListOf() | MapOf():
            return f"a {type}"
        case Record(_, title):
            return "a record" if title == "record" else title
        case Nullable(value):
            return f"{in_words(value)} or null"
    return str(type)


def _number_in_words(type: Number, sort: Amount) -> str:
    if sort.unit == SECOND:
        return "a duration"
    if sort.unit == ONE:
        return "a whole number" if type.whole else "a number"
    money = len(sort.unit.name) == 3 and sort.unit.name.isupper()
    return f"money in {sort.unit}" if money else f"an amount in {sort.unit}"


def without_null(type: Type) -> Type:
    """Return the type without null."""
    return type.value if isinstance(type, Nullable) else type


def types_within(type: Type) -> dict[Type, None]:
    """Return a type and all types within it, each once."""
    found: dict[Type, None] = {}
    left = [type]
    while left:
        if (own := left.pop()) in found:
            continue
        found[own] = None
        match own:
            case ListOf(inner) | MapOf(inner) | Nullable(inner):
                left.append(inner)
            case Record(fields):
                left += reversed([field.type for field in fields.values()])
    return found


def has_names_of(one: Type, other: Type) -> bool:
    """Return whether `one` has each field of `other`, at any depth."""
    if one is other:
        return True
    match without_null(one), without_null(other):
        case Record(fields) as record, Record(others):
            open_names = {name for name, own in record.unread.items() if own.is_open}
            named = [(fields.get(name), own.type, name) for name, own in others.items()]
            return all(has_names_of(known.type, own) if known else name in open_names for known, own, name in named)
        case (ListOf(item), ListOf(own)) | (MapOf(item), MapOf(own)):
            return has_names_of(item, own)
        case _, own:
            return not isinstance(own, Record | ListOf | MapOf)
