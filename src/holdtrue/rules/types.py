"""Types of the values that rules speak of: what an app's schema says of its calls, records and answers.

Numbers and dates are those of `holdtrue.logic.value_sorts`, so that units are part of the type. A text is a name:
two names are the same or they are not. Values are plain Python:

    flag                True, False
    number              int, or Fraction, in the type's unit; never a float
    calendar            int: days, or seconds (see `value_sorts`)
    name                str
    list                tuple
    record, map         dict by str
    null                None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from holdtrue.logic.units import ONE, SECOND
from holdtrue.logic.value_sorts import NUMBER, WHOLE, Amount, Calendar


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Number:
    """An amount in a unit; `low` and `high` are what a schema says of it, in the same unit.

    A `bare` number was written without a unit, as in `call.amount <= 500`, and takes that of what it meets. Where
    results show a `rounded` one, any number is rounded to its step, half to even.
    """

    sort: Amount = NUMBER
    low: Fraction | None = None
    high: Fraction | None = None
    bare: bool = False
    rounded: bool = False

    @property
    def whole(self) -> bool:
        """Return whether it is a plain whole number, which is divided as CEL's `int` is."""
        return self.sort.step is not None and self.sort.step.denominator == 1 and self.sort.unit == ONE

    def __str__(self) -> str:
        if self.sort.unit == SECOND:
            return "duration"
        return str(self.sort)


@dataclass(frozen=True, slots=True)
class Name:
    """A text of which only equality counts; `values` are all that it can be, `kind` says of what it is an id."""

    kind: str = ""
    values: tuple[str, ...] | None = None

    def __str__(self) -> str:
        if self.values is not None:
            return f"one of {', '.join(self.values)}"
        return f"id of {self.kind}" if self.kind else "text"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; it has `least` items at least, and `most` at most, if anybody says so."""

    item: Type
    most: int | None = None
    least: int = 0

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class MapOf:
    """Values by names that no schema lists."""

    value: Type

    def __str__(self) -> str:
        return f"map of {self.value}"


@dataclass(frozen=True, slots=True)
class Field:
    type: Type
    required: bool = True
    partly: bool = False  # Whether only some of several shapes have it, so that others may give it another type.
    loose: bool = False  # Whether the schema takes texts for it, or for its items, that its type does not read.


@dataclass(frozen=True, slots=True)
class Unread:
    """A field of which no type can say what it holds; `why` continues a sentence: "it may be a text or a number".

    `is_open` says that it is an object, or a list of them, of whose fields the schema says nothing at all.
    """

    why: str
    required: bool = True
    is_open: bool = False


@dataclass(frozen=True, eq=False)
class Record:
    """Fields by name. Two record types are the same if they are one object: a schema is read once.

    `unread` are fields that are known to be there, and that are left out of values since they have no type. A record
    that `may_be_absent` may turn out to have no fields at all, not even its required ones, until it is seen.
    """

    fields: Mapping[str, Field]
    title: str = "record"
    unread: Mapping[str, Unread] = field(default_factory=dict)
    may_be_absent: bool = False

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True, slots=True)
class Nullable:
    """A value, or null."""

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
    """Return what a value of a type is, for messages: "a date", "money in USD", "a text or null"."""
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
    """Return the type of the values that are not null."""
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
    """Return whether a type has each field that another one has, however deep."""
    match without_null(one), without_null(other):
        case Record(fields) as record, Record(others):
            open_names = {name for name, own in record.unread.items() if own.is_open}
            named = [(fields.get(name), own.type, name) for name, own in others.items()]
            return all(has_names_of(known.type, own) if known else name in open_names for known, own, name in named)
        case (ListOf(item), ListOf(own)) | (MapOf(item), MapOf(own)):
            return has_names_of(item, own)
        case _, own:
            return not isinstance(own, Record | ListOf | MapOf)
