"""Read and write the values of rules as JSON by their types. `NotSeen` marks a value that nothing has shown yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite, ulp
from typing import Any

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Calendar, decimal_places, decimal_text, int_if_whole, read_calendar
from holdtrue.rules.local_clocks import instants_of, no_instant, offset_at, offset_text
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type, without_null

MOST_ITEMS = 10_000
"""The greatest number of items of a list or map."""
MOST_DIGITS = 400
"""The greatest number of digits of a number that is read."""
_TOO_LARGE = 10**MOST_DIGITS
LONGEST_DECIMAL = 3000
"""The greatest number of digits of a decimal that is written; a longer number is written as a fraction."""


@dataclass(frozen=True, slots=True)
class NotSeen:
    """A `NotSeen` stands for a value of a type that nothing has shown yet. Equal paths mean the same value.

    Attributes:
        fact: The record that holds the value, if a tool call could show it.
        there: Whether the value is known to exist; an optional field may be missing.
        fits: Whether the value is known to be of its type; a shown value that could not be read may not be.
    """

    path: str
    type: Type
    fact: FactKey | None = None
    there: bool = True
    fits: bool = True

    def __str__(self) -> str:
        return self.path


def field_path(path: str, name: str) -> str:
    """Return the path of a field; two fields never have the same path."""
    return f"{path}.{name}" if name.isidentifier() else f"{path}[{name!r}]"


def is_within(path: str, whole: str) -> bool:
    """Return whether a path is that of the value at `whole`, or of a part of it."""
    return path.startswith(whole) and path[len(whole) : len(whole) + 1] in ("", ".", "[")


def key_text(value: Any, type: Type) -> str:
    """Return the text of a key in a record's path; two keys of a type never have the same text."""
    own = type.value if isinstance(type, Nullable) else type
    return show(value, own) if isinstance(own, Calendar) and value is not None else repr(value)


@dataclass(frozen=True, slots=True)
class FactKey:
    """A `FactKey` identifies a record by its kind and keys; a key that is not known is None."""

    kind: str
    keys: tuple[object, ...]

    def __str__(self) -> str:
        return f"facts.{self.kind}({', '.join(map(show_plain, self.keys))})"


class Undecided(Exception):
    """The values that were seen do not decide the result; the message says why."""


class Unseen(Undecided):
    """The result needs a value that nothing has shown."""

    def __init__(self, what: NotSeen) -> None:
        super().__init__(f"{what} was not seen")
        self.what = what


class Fault(Undecided):
    """The expression is an error, such as a missing field, an item beyond the list or a division by zero."""


class TooLong(Undecided):
    """The evaluation takes more steps, or more time, than a rule may take."""


class ValueFault(InputError):
    """A value is not of its type; the message begins with its path. `rests_on` has the paths of the deciding parts."""

    def __init__(self, path: str, message: str, rests_on: Sequence[str] = ()) -> None:
        super().__init__(f"{path}: {message}")
        self.path, self.message, self.rests_on = path, message, rests_on


class OffStep(ValueFault):
    """A number is between two multiples of its type's step."""


class OffZone(ValueFault):
    """A moment lacks the zone that its type requires, or has a zone that its type does not allow."""


_MISSING = object()


class Reader:
    """A `Reader` turns JSON values into values of their types.

    A number loses the noise of binary floats if its type has a step: 0.30000000000000004 becomes 0.30. A `rounded`
    number is rounded to its step, half to even. Objects may have more fields than their type, which are omitted. Any
    value may be `NotSeen`.
    """

    has_more = False
    """Whether some object had a field that its type does not have, or could not read."""
    marks_missing = False
    """Whether missing optional fields also go to `left_out`."""

    def read(self, value: Any, type: Type, path: str) -> Any:
        """Return the value. Raises `ValueFault` for one that is not of the type, with its path."""
        if isinstance(value, NotSeen):
            return value
        scalar = _SCALARS.get(type.__class__)
        if scalar is not None:
            return scalar(value, type, path)
        if type.__class__ is Record:
            return self._record(value, type, path)
        match type:
            case Nullable(inner):
                return None if value is None else self.read(value, inner, path)
            case Null():
                if value is not None:
                    raise ValueFault(path, f"it has to be null, not {_shown(value)}")
                return None
            case ListOf():
                return self._list(value, type, path)
            case MapOf(inner):
                fields = self._object(value, path)
                return {key: self.read(own, inner, f"{path}[{key!r}]") for key, own in fields.items()}
        raise TypeError(f"no type: {type!r}")

    @staticmethod
    def _object(value: Any, path: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueFault(path, f"it has to be an object, not {_shown(value)}")
        if len(value) > MOST_ITEMS:
            raise ValueFault(path, f"it has {len(value):,} entries, over {MOST_ITEMS:,}")
        for key in value:
            if not isinstance(key, str):
                raise ValueFault(path, f"its keys have to be texts, not {_shown(key)}")
            _check_text(key, path)
        return value

    def _record(self, value: Any, type: Record, path: str) -> dict[str, Any]:
        own = self._object(value, path)
        self.has_more |= not own.keys() <= type.fields.keys()
        found: dict[str, Any] = {}
        for name, field in type.fields.items():
            each = own.get(name, _MISSING)
            if each is _MISSING:
                if field.required or self.marks_missing:
                    found |= self.left_out(name, field, f"{path}.{name}")
            elif each is not None or field.required or isinstance(field.type, Nullable | Null):
                # An optional field that is null counts as missing.
                try:
                    found[name] = self.read(each, field.type, f"{path}.{name}")
                except ValueFault as error:
                    is_text = isinstance(each, str) or isinstance(without_null(field.type), ListOf | MapOf)
                    if not field.partly and (not (field.loose and is_text) or isinstance(error, OffZone)):
                        raise
                    self.has_more = True  # The schema may still allow the value, so the field exists and is unread.
                    found[name] = NotSeen(f"{path}.{name}", field.type, fits=False)
        return found

    def left_out(self, name: str, field: Field, path: str) -> dict[str, Any]:
        """Return the entries for a missing field, which subclasses override. Raises `ValueFault` if it is required."""
        if field.required:
            raise ValueFault(path, "it is missing")
        return {}

    def _list(self, value: Any, type: ListOf, path: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise ValueFault(path, f"it has to be a list, not {_shown(value)}")
        limit = MOST_ITEMS if type.most is None else type.most
        if len(value) > limit:
            raise ValueFault(path, f"it has {len(value):,} items; there can be {limit:,} at most")
        if len(value) < type.least:
            raise ValueFault(path, f"it has {len(value):,} items; there have to be {type.least:,} at least")
        return tuple([self.read(own, type.item, f"{path}[{place}]") for place, own in enumerate(value)])


def _flag(value: Any, type: Flag, path: str) -> bool:
    if not isinstance(value, bool):
        raise ValueFault(path, f"it has to be true or false, not {_shown(value)}")
    return value


def _name(value: Any, type: Name, path: str) -> str:
    if not isinstance(value, str):
        raise ValueFault(path, f"it has to be a text, not {_shown(value)}")
    _check_text(value, path)
    if type.values is not None and value not in type.values:
        raise ValueFault(path, f"it has to be one of {', '.join(type.values)}, not {_shown(value)}")
    return value


def _check_text(text: str, path: str) -> None:
    """Raise `ValueFault` for a text with a lone surrogate, which no file can hold."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueFault(path, f"it has half a character, U+{ord(text[error.start]):X}: {_shown(text)}") from error


def _number(value: Any, type: Number, path: str) -> int | Fraction:
    number = _exact(value, type, path)
    if number is None:
        kind = "a whole number" if type.whole else f"a number ({type})"
        kind = "a duration such as PT2H or 90m" if type.sort.unit == SECOND else kind
        raise ValueFault(path, f"it has to be {kind}, not {_shown(value)}")
    step = type.sort.step
    if step is not None and number.numerator * step.denominator % (number.denominator * step.numerator):
        nearest = round(number / step) * step
        if not type.rounded and abs(number - nearest) > _noise(number, step):
            raise OffStep(path, f"{show_plain(value):.60} is no {type}")
        number = nearest
    if type.low is not None and number < type.low:
        raise ValueFault(path, f"it has to be at least {type.low}, not {_shown(value)}")
    if type.high is not None and number > type.high:
        raise ValueFault(path, f"it has to be at most {type.high}, not {_shown(value)}")
    return int_if_whole(number)


def _noise(number: int | Fraction, step: Fraction) -> Fraction:
    """Return the tolerance for rounding errors: two units in the last place of a double, at most a quarter step."""
    try:
        return min(2 * Fraction(ulp(float(number))), step / 4)
    except OverflowError:
        return Fraction(0)


def _exact(value: Any, type: Number, path: str) -> int | Fraction | None:
    """Return the exact number, or None if there is none. A float counts as the shortest decimal that rounds to it."""
    if value.__class__ is int and -_TOO_LARGE < value < _TOO_LARGE:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return Fraction(*Decimal(repr(value)).as_integer_ratio()) if isfinite(value) else None
    if isinstance(value, str | timedelta):
        if type.sort.unit != SECOND:
            return None
        micro = timedelta(microseconds=1)
        value = read_duration(value) if isinstance(value, str) else Fraction(value // micro, 1_000_000)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return None
        if value and max(abs(value.adjusted()), len(value.as_tuple().digits)) > 2 * MOST_DIGITS:
            raise ValueFault(path, f"it has over {MOST_DIGITS} digits")
        value = Fraction(value)
    if not isinstance(value, int | Fraction):
        return None
    if max(abs(value.numerator), value.denominator) >= _TOO_LARGE:
        raise ValueFault(path, f"it has over {MOST_DIGITS} digits")
    return value


_PERIOD = re.compile(
    r"(-?)P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.ASCII
)
_GO = re.compile(r"(-?)((?:\d+(?:\.\d+)?(?:ms|us|ns|h|m|s))+)", re.ASCII)
_GO_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|us|ns|h|m|s)", re.ASCII)
_SECONDS = {
    "h": Fraction(3600),
    "m": Fraction(60),
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
}


def read_duration(text: str) -> Fraction | None:
    """Return the seconds of a duration of CEL (`24h`, `1h30m`, `-3s`) or ISO 8601 (`P1DT2H`), and else None."""
    if len(text) > LONGEST_DECIMAL:
        return None
    if (match := _GO.fullmatch(text)) is not None:
        size = sum((Fraction(number) * _SECONDS[unit] for number, unit in _GO_PART.findall(match[2])), Fraction(0))
        return -size if match[1] else size
    if (match := _PERIOD.fullmatch(text)) is not None:
        sign, *parts = match.groups()
        sizes = (604_800, 86_400, 3600, 60, 1)
        size = sum((Fraction(own) * size for own, size in zip(parts, sizes, strict=True) if own), Fraction(0))
        return -size if sign else size
    return None


_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2}(?::\d{2})?)?",
    re.ASCII,
)


def read_moment(value: Any, type: Calendar, path: str = "it") -> int | Fraction:
    """Return a date, time of day or moment as a number. Raises `ValueFault`.

    A moment in the zone `Z` needs an offset or `Z`. In the zone of a place, it is the instant at which the clocks there
    show the text. If there are two such instants, an offset has to decide. Without a zone, a moment is the reading of
    an unnamed clock, and takes no offset.
    """
    if type.kind == "date" and value.__class__ is str and len(value) == 10 and value[4] == value[7] == "-":
        try:
            return date.fromisoformat(value).toordinal()
        except ValueError:
            pass  # The code below raises an error with the reason.
    again = False
    if _kind_of(value) == type.kind:
        again, value = bool(value.fold) if type.kind == "moment" else False, value.isoformat()
    if not isinstance(value, str):
        raise ValueFault(path, f"it has to be a {type.kind}, not {_shown(value)}")
    if type.kind != "moment":
        try:
            instant = read_calendar(value.strip())
        except FormulaError as error:
            raise ValueFault(path, str(error)) from error
        if instant.sort.kind != type.kind or (type.kind == "time" and instant.value == 86_400):
            raise ValueFault(path, f"it has to be a {type.kind}, not {_shown(value)}")
        return instant.value
    match = _MOMENT.fullmatch(value.strip())
    if match is None:
        raise ValueFault(path, f"it has to be a moment such as 2026-03-01T14:30:00, not {_shown(value)}")
    day, clock, part, offset = match.groups()
    if (not type.zone) if offset else (type.zone == "Z"):
        need = "is local, and has no zone or offset" if offset else "needs a zone, such as Z or +02:00"
        raise OffZone(path, f"this moment {need}: {_shown(value)}")
    try:
        reading = read_calendar(f"{day}T{clock}").value
        instants = instants_of(type.zone, reading)
    except InputError as error:
        raise ValueFault(path, str(error)) from error
    if offset:
        shift = read_offset(offset)
        if shift is None:
            raise ValueFault(path, f"there is no offset {offset}")
        instants = (reading - shift,)
    if len(instants) != 1 and not (instants and again):
        raise ValueFault(path, f"{day}T{clock} {no_instant(type.zone, instants, reading)}")
    return instants[-1] + Fraction(int(part), 10 ** len(part)) if part and int(part) else instants[-1]


_SCALARS: Mapping[type, Callable[[Any, Any, str], Any]] = {
    Flag: _flag,
    Number: _number,
    Name: _name,
    Calendar: read_moment,
}


def _kind_of(value: object) -> str:
    """Return "moment", "date" or "time" for a Python object of that kind, and else ""."""
    if isinstance(value, datetime):
        return "moment"
    return "date" if isinstance(value, date) else "time" if isinstance(value, time) else ""


def read_offset(text: str) -> int | None:
    """Return the seconds of an offset from UTC (`Z`, `+02:00`, `-09:30`, `+00:53:28`), and else None."""
    if text in ("Z", "z"):
        return 0
    match = re.fullmatch(r"([+-])(\d{2}):(\d{2})(?::(\d{2}))?", text, re.ASCII)
    if match is None or int(match[2]) > 23 or int(match[3]) > 59 or int(match[4] or 0) > 59:
        return None
    size = int(match[2]) * 3600 + int(match[3]) * 60 + int(match[4] or 0)
    return -size if match[1] == "-" else size


def show(value: Any, type: Type, longest: int | None = 60) -> str:
    """Return a value as a person would write it. Texts within it are cut to `longest` characters, if it is given."""
    if isinstance(value, NotSeen):
        return f"(not seen: {value})"
    match type:
        case Nullable(inner):
            return "null" if value is None else show(value, inner, longest)
        case Flag():
            return "true" if value else "false"
        case Number(sort) if value is not None:
            return sort.show(value)
        case Calendar("moment", zone) if value is not None and (value % 1 or zone not in ("", "Z")):
            return moment_text(value, type) + ("" if zone in ("", "Z") else f" {zone}")
        case Calendar() if value is not None:
            return type.show(value)
        case ListOf(item) if value is not None:
            return "[" + ", ".join(show(own, item, longest) for own in value) + "]"
        case MapOf(inner) if value is not None:
            return "{" + ", ".join(f"{key}: {show(own, inner, longest)}" for key, own in value.items()) + "}"
        case Record(fields) if value is not None:
            return "{" + ", ".join(f"{key}: {show(own, fields[key].type, longest)}" for key, own in value.items()) + "}"
    return show_plain(value, longest)


def to_json(value: Any, type: Type) -> Any:
    """Return a value as JSON; `Reader.read` is the inverse.

    A number without an exact float is a `Decimal`. A number without an exact decimal is a text such as `1/3`.
    """
    if value is None or isinstance(value, NotSeen):
        return None
    match type:
        case Nullable(inner):
            return to_json(value, inner)
        case Calendar():
            return type.show(value) if type.kind != "moment" else moment_text(value, type)
        case Number(sort):
            if sort.unit == SECOND:
                return f"{_exact_text(value)}s"
            return value if isinstance(value, int) else _short(value)
        case ListOf(item):
            return [to_json(own, item) for own in value]
        case MapOf(inner):
            return {key: to_json(own, inner) for key, own in value.items()}
        case Record(fields):
            return {key: to_json(own, fields[key].type) for key, own in value.items()}
    return value


def moment_text(value: int | Fraction, type: Calendar) -> str:
    """Return a moment as a text that `read_moment` reads, with its fraction of a second.

    In the zone of a place, the text is the reading of the clocks there. It has an offset if they show it twice. A
    moment outside the calendar, or with no decimal fraction of a second, is a number of seconds.
    """
    whole = int(value // 1)
    local = Calendar("moment")
    offset = offset_at(type.zone, whole)
    zone = "Z" if type.zone == "Z" else ""
    if len(instants_of(type.zone, whole + offset)) > 1:
        zone = offset_text(offset)
    text = local.show(whole + offset)
    part = _exact_text(value - whole)[1:] if value % 1 else ""
    if "T" not in text or "/" in part:
        return local.show(value) if value % 1 else text
    return f"{text}{'' if text.count(':') == 2 else ':00'}{part}{zone}"


def _exact_text(value: int | Fraction) -> str:
    """Return a number as an exact decimal, or as a fraction if the decimal is too long or does not exist."""
    places = decimal_places(value)
    if places is None or places >= LONGEST_DECIMAL or abs(value) * 10**places >= 10**LONGEST_DECIMAL:
        return f"{value.numerator}/{value.denominator}" if value.denominator > 1 else str(value)
    return decimal_text(value, places)


def _short(value: Fraction) -> float | Decimal | str:
    text = _exact_text(value)
    if "/" in text:
        return text
    exact = Decimal(text)
    try:
        number = float(value)
    except OverflowError:
        return exact
    return number if Decimal(repr(number)) == exact else exact


def show_plain(value: object, longest: int | None = 60) -> str:
    """Return a value as a rule would write it; a text is cut to `longest` characters, if it is given."""
    if isinstance(value, str):
        return _shown(value, longest)
    return "?" if value is None else str(value)


def _shown(value: object, longest: int | None = 60) -> str:
    """Return the `repr` of a value, cut to `longest` characters if it is given, or its type if it has no `repr`."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} that is too large to show"
    return text if longest is None or len(text) <= longest else f"{text[: longest - 3]}..."
