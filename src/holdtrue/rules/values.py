"""Values as rules see them: read from JSON by their type, with markers for what nobody has shown."""

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
from holdtrue.logic.value_sorts import Calendar, read_calendar
from holdtrue.rules.local_clocks import instants_of, no_instant, offset_at, offset_text
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type, without_null

MOST_ITEMS = 10_000
"""A list or a map may have so many items."""
MOST_DIGITS = 400
"""A number that is read may have so many digits."""
_TOO_LARGE = 10**MOST_DIGITS
LONGEST_DECIMAL = 3000
"""A number is written as a fraction where its decimal is longer; none that was read has so long a one."""


@dataclass(frozen=True, slots=True)
class NotSeen:
    """A value that nobody has shown: anything of its type. Two of one `path` are the same value.

    Attributes:
        fact: The kind of record that holds it, with its keys, if a call could show it.
        there: Whether it is known that there is such a value; an optional field may be missing.
        fits: Whether it is known to be of its type; what was shown and could not be read may be anything.
    """

    path: str
    type: Type
    fact: FactKey | None = None
    there: bool = True
    fits: bool = True

    def __str__(self) -> str:
        return self.path


def field_path(path: str, name: str) -> str:
    """Return the path of a field; no two fields have the same one, whatever they are called."""
    return f"{path}.{name}" if name.isidentifier() else f"{path}[{name!r}]"


def is_within(path: str, whole: str) -> bool:
    """Return whether a path is that of a value, or of something in it."""
    return path.startswith(whole) and path[len(whole) : len(whole) + 1] in ("", ".", "[")


def key_text(value: Any, type: Type) -> str:
    """Return the key of a record in its path, as rules write it; no two keys of a type are written alike."""
    own = type.value if isinstance(type, Nullable) else type
    return show(value, own) if isinstance(own, Calendar) and value is not None else repr(value)


@dataclass(frozen=True, slots=True)
class FactKey:
    """One record of a kind of facts; `keys` are the values that the record is found by, None for one not known."""

    kind: str
    keys: tuple[object, ...]

    def __str__(self) -> str:
        return f"facts.{self.kind}({', '.join(map(show_plain, self.keys))})"


class Undecided(Exception):
    """It is not decided by what is seen; the text says what is missing."""


class Unseen(Undecided):
    """A value was needed that nobody has shown."""

    def __init__(self, what: NotSeen) -> None:
        super().__init__(f"{what} was not seen")
        self.what = what


class Fault(Undecided):
    """A value was needed that cannot be: a missing optional field, an item beyond the list, a division by zero."""


class TooLong(Undecided):
    """Working this out takes more steps than a rule may take."""


class ValueFault(InputError):
    """A value is not of its type; the message begins with its path. `rests_on` are the paths of all that decided it."""

    def __init__(self, path: str, message: str, rests_on: Sequence[str] = ()) -> None:
        super().__init__(f"{path}: {message}")
        self.path, self.message, self.rests_on = path, message, rests_on


class OffStep(ValueFault):
    """A number is between two multiples of its type's step."""


class OffZone(ValueFault):
    """A moment has no zone where its type asks for one, or has one where there is none."""


_MISSING = object()


class Reader:
    """A `Reader` turns JSON values into values of their types.

    Numbers with a step take the noise of binary floats: 0.30000000000000004 is 0.30. What is `rounded` goes to the
    nearest multiple of its step, of two as near to the even one.
    Objects may have more fields than their type, which are left out; a value may be `NotSeen` anywhere.
    """

    has_more = False
    """Whether some object had more fields than its type."""
    marks_missing = False
    """Whether `left_out` gives something for fields that need not be there."""

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

    def _object(self, value: Any, path: str) -> Mapping[str, Any]:
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
                # An optional one that is null is not there.
                try:
                    found[name] = self.read(each, field.type, f"{path}.{name}")
                except ValueFault as error:
                    is_text = isinstance(each, str) or isinstance(without_null(field.type), ListOf | MapOf)
                    if not field.partly and (not (field.loose and is_text) or isinstance(error, OffZone)):
                        raise
                    self.has_more = True  # The schema may take it all the same: it is there, unread.
                    found[name] = NotSeen(f"{path}.{name}", field.type, fits=False)
        return found

    def left_out(self, name: str, field: Field, path: str) -> dict[str, Any]:
        """Return what stands for a field that is not there. Raises `ValueFault` where there has to be one."""
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
    """Refuse a text that no file can hold."""
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
    return number.numerator if number.denominator == 1 else number


def _noise(number: int | Fraction, step: Fraction) -> Fraction:
    """Return how far the noise of binary floats takes a number: two units in the last place of a double."""
    try:
        return min(2 * Fraction(ulp(float(number))), step / 4)
    except OverflowError:
        return Fraction(0)


def _exact(value: Any, type: Number, path: str) -> int | Fraction | None:
    """Return a number as written: a float counts as the shortest decimal that is read as it."""
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
    """Return the seconds of a written duration, or None for a text that is none.

    It is written as CEL does (`24h`, `1h30m`, `-3s`) or as ISO 8601 does (`PT24H`, `P1DT2H`).
    """
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
    """Return a date, time of day or moment. Raises `ValueFault`.

    A moment of zone `Z` needs an offset or `Z`. One that is local to a place is the instant at which the clocks there
    show the text, or the one that its offset says. One that is local to a place that nobody names has no offset, and
    is what the clocks show.
    """
    if type.kind == "date" and value.__class__ is str and len(value) == 10 and value[4] == value[7] == "-":
        try:
            return date.fromisoformat(value).toordinal()
        except ValueError:
            pass  # The longer way says what is wrong with it.
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
    """Return which kind of calendar value a Python object is, or "" for any other."""
    if isinstance(value, datetime):
        return "moment"
    return "date" if isinstance(value, date) else "time" if isinstance(value, time) else ""


def read_offset(text: str) -> int | None:
    """Return the seconds of an offset from UTC (`Z`, `+02:00`, `-09:30`, `+00:53:28`), or None where a text is none."""
    if text in ("Z", "z"):
        return 0
    match = re.fullmatch(r"([+-])(\d{2}):(\d{2})(?::(\d{2}))?", text, re.ASCII)
    if match is None or int(match[2]) > 23 or int(match[3]) > 59 or int(match[4] or 0) > 59:
        return None
    size = int(match[2]) * 3600 + int(match[3]) * 60 + int(match[4] or 0)
    return -size if match[1] == "-" else size


def show(value: Any, type: Type, longest: int | None = 60) -> str:
    """Return a value in words, as a person would write it; texts in it are shortened unless `longest` is None."""
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
    """Return a value as JSON has it: the inverse of reading.

    A number that no float says exactly is a `Decimal`, and one that no decimal says, which no JSON can have been, a
    text such as `1/3`.
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
    """Return a moment as text, with the part of a second that it has, as `read_moment` reads it.

    One that is local to a place is what the clocks there show, with its offset where they show it twice. One that no
    calendar shows, or whose part of a second is no decimal, is the number of its seconds.
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


def decimal_places(value: int | Fraction) -> int | None:
    """Return with how many decimal places a number is written, or None where no decimal says it."""
    rest, powers = value.denominator, [0, 0]
    for place, base in enumerate((2, 5)):
        while rest % base == 0:
            rest //= base
            powers[place] += 1
    return max(powers) if rest == 1 else None


def _exact_text(value: int | Fraction) -> str:
    """Return a number as a decimal, however long, or as a fraction where no decimal says it."""
    places = decimal_places(value)
    scaled = 0 if places is None else abs(value.numerator) * 10**places // value.denominator
    if places is None or max(scaled, 10**places) >= 10**LONGEST_DECIMAL:
        return f"{value.numerator}/{value.denominator}" if value.denominator > 1 else str(value)
    digits = str(scaled).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if value < 0 else text


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
    """Return a value of any kind as a rule would write it, a text shortened unless `longest` is None."""
    if isinstance(value, str):
        return _shown(value, longest)
    return "?" if value is None else str(value)


def _shown(value: object, longest: int | None = 60) -> str:
    """Return a value shortened unless `longest` is None; one that Python cannot write out is told by its type."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} that is too large to show"
    return text if longest is None or len(text) <= longest else f"{text[: longest - 3]}..."
