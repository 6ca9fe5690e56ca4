"""Read the short notation of types in policy files, which are texts, lists and mappings in YAML.

    text, bool, null, date, time, duration      moment (local), moment Z, moment EST
    whole, number, decimal(2), USD(2), USD, kg, mg/kg, whole night
    whole 0..10, number 0.5.., USD(2) ..500, duration 1h..24h, number by 0.25
    id of user                                  list of X, list of X from 1 up to 5, map of X, X or null
    [economy, business]                         an enumeration: a list of texts
    {seats: whole 1.., note?: text}             a record; `?` marks a field that may be left out
    {list of: X, from: 1, up to: 5}, {map of: X}, {or null: X}     if X is no text
    Flight                                      a type declared elsewhere

Parentheses group: `list of (text or null)`, `(list of text) or null`. If the name of a field ends in `?` or `!`, or is
`list of`, `map of` or `or null`, write `!` after it.

>>> str(read_type("list of USD(2) up to 3", {}, "types.Payments"))
'list of USD(2)'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.units import ONE, known_unit
from holdtrue.logic.value_sorts import Amount, Calendar, read_sort, show_number
from holdtrue.rules.local_clocks import check_place
from holdtrue.rules.paths import below, check_text, instead, nearest_name, shortened
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.types import FLAG, NULL, TEXT, Field, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type
from holdtrue.rules.values import MOST_ITEMS, read_duration

MOST_PARTS = 100_000
"""The greatest number of fields, items and values of a type."""
MOST_LETTERS = 1000
"""The greatest number of characters of a type in one text."""

FORMS = {"list of": "[]", "map of": "{}", "or null": ""}
"""The keys of mappings that declare another type than a record, each with its suffix for the path in messages."""
_LIST = re.compile(r"list of (?P<item>.*?)(?: from (?P<least>\d{1,9}))?(?: up to (?P<most>\d{1,9}))?", re.ASCII)
_INNER_LIST = re.compile(r"(?:(?:list|map) of )*list of ")


def read_type(data: object, named: Mapping[str, Type], where: str, title: str = "") -> Type:
    """Return the type of a text, list or mapping. Raises `RuleError`, with the path and a hint.

    `named` has the types declared elsewhere, and messages begin with the path `where`. A record is named by `title`
    in error messages about rules, or by its path if there is no title.
    """
    found = _NotationReader(named).read(data, where, 0)
    return Record(found.fields, title) if title and isinstance(data, Mapping) and isinstance(found, Record) else found


class _NotationReader:
    def __init__(self, named: Mapping[str, Type]) -> None:
        self._named = named
        self._parts = 0

    def read(self, data: object, where: str, depth: int) -> Type:
        self._count(where, 1)
        _check_depth(where, depth)
        if isinstance(data, str):
            if len(data) > MOST_LETTERS:
                raise RuleError(f"{where}: a type is written in {MOST_LETTERS:,} characters at most, not {len(data):,}")
            check_text(data, where)
            return self._phrase(" ".join(data.split()), where, depth)
        if isinstance(data, Mapping):
            form = next((own for own in FORMS if own in data), None)
            return self._record(data, where, depth) if form is None else self._form(data, form, where, depth)
        if isinstance(data, list | tuple):
            return self._enumeration(data, where)
        if data is None:
            raise RuleError(f"{where}: no type is written here; write one, such as text, or 'null' in quotes")
        raise RuleError(f"{where}: a type is a text, a list of texts or a mapping of fields, not {shortened(data)}")

    def _count(self, where: str, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise RuleError(f"{where}: the type is made of over {MOST_PARTS:,} parts")

    def _enumeration(self, data: list[Any] | tuple[Any, ...], where: str) -> Name:
        if not data:
            raise RuleError(f"{where}: an enumeration has at least one value")
        if len(data) > MOST_ITEMS:
            raise RuleError(f"{where}: an enumeration has {MOST_ITEMS:,} values at most, not {len(data):,}")
        self._count(where, len(data))
        for place, own in enumerate(data):
            if isinstance(own, bool):
                raise RuleError(f"{where}[{place}]: {_yes_or_no(own)}")
            if not isinstance(own, str):
                raise RuleError(f"{where}[{place}]: the values of an enumeration are texts, not {shortened(own)}")
            check_text(own, f"{where}[{place}]")
        twice, count = Counter(data).most_common(1)[0]
        if count > 1:
            raise RuleError(f"{where}: the value {shortened(twice)} is listed twice")
        return Name(values=tuple(data))

    def _record(self, data: Mapping[Any, Any], where: str, depth: int) -> Record:
        if len(data) > MOST_ITEMS:
            raise RuleError(f"{where}: a record has {MOST_ITEMS:,} fields at most, not {len(data):,}")
        fields: dict[str, Field] = {}
        for key, own in data.items():
            if isinstance(key, bool):
                raise RuleError(f"{where}: {_yes_or_no(key)}")
            if not isinstance(key, str):
                raise RuleError(f"{where}: the name of a field is a text, so {shortened(key)} needs quotes")
            check_text(key, where)
            name = key[:-1] if key.endswith(("?", "!")) else key
            if not name:
                raise RuleError(f"{where}: a field has a name, and {key!r} is none")
            if name in fields:
                raise RuleError(f"{below(where, name)}: the field is there twice")
            fields[name] = Field(self.read(own, below(where, name), depth + 1), not key.endswith("?"))
        return Record(fields, where)

    def _form(self, data: Mapping[Any, Any], form: str, where: str, depth: int) -> Type:
        allowed = (form, "from", "up to") if form == "list of" else (form,)
        if wrong := [key for key in data if key not in allowed]:
            raise RuleError(
                f"{where}: {shortened(wrong[0])} cannot stand beside {form!r}; a field with that name is '{form}!'"
            )
        inner = self.read(data[form], f"{where}{FORMS[form]}", depth + 1)
        if form == "map of":
            return MapOf(inner)
        if form == "or null":
            return _nullable(inner, where)
        for key in ("from", "up to"):
            if type(data.get(key, 0)) is not int or data.get(key, 0) < 0:
                raise RuleError(f"{where}: {key!r} is a whole number from 0, not {shortened(data[key])}")
        return _list(inner, data.get("up to"), data.get("from", 0), where)

    def _phrase(self, text: str, where: str, depth: int) -> Type:
        _check_depth(where, depth)
        if text in self._named:
            if text.split(" ")[0] in WORDS:
                raise RuleError(f"{where}: {text!r} is a word of the notation, and no name for a type of your own")
            return self._named[text]
        if text.endswith(" or null"):
            inner = text.removesuffix(" or null")
            if inner.startswith(("list of ", "map of ")):
                form, _, item = inner.partition(" of ")
                raise RuleError(
                    f"{where}: what may be null here? Write ({inner}) or null, or {form} of ({item} or null)"
                )
            return _nullable(self._phrase(inner, where, depth + 1), where)
        if text.startswith("("):
            if (end := _closing(text)) != len(text) - 1:
                wrong = "do not match" if end < 0 else f"are followed by {shortened(text[end + 1 :].strip())}"
                raise RuleError(f"{where}: the parentheses of {shortened(text)} {wrong}")
            return self._phrase(text[1:-1].strip(), where, depth + 1)
        if (match := _LIST.fullmatch(text)) is not None:
            return self._list(match, where, depth)
        if text.startswith("map of "):
            return MapOf(self._phrase(text.removeprefix("map of "), f"{where}{{}}", depth + 1))
        return read_scalar(text, self._named.keys(), where)

    def _list(self, match: re.Match[str], where: str, depth: int) -> ListOf:
        item, least, most = match["item"], match["least"], match["most"]
        sizes = match.string[match.end("item") :]
        if sizes and _INNER_LIST.match(item):
            raise RuleError(
                f"{where}: which list has{sizes}? Write list of ({item}){sizes}, or list of ({item}{sizes})"
            )
        inner = self._phrase(item, f"{where}[]", depth + 1)
        return _list(inner, int(most) if most else None, int(least or 0), where)


def _check_depth(where: str, depth: int) -> None:
    if depth > DEEPEST:
        raise RuleError(f"{where}: the type is nested deeper than {DEEPEST}")


def _yes_or_no(value: bool) -> str:
    words = "yes, on and true" if value else "no, off and false"
    return f"YAML reads {words} as {str(value).lower()}, which is no text: put it in quotes"


def _nullable(inner: Type, where: str) -> Nullable:
    if isinstance(inner, Nullable | Null):
        raise RuleError(f"{where}: this may be null already; write 'or null' once")
    return Nullable(inner)


def _list(item: Type, most: int | None, least: int, where: str) -> ListOf:
    if most is not None and least > most:
        raise RuleError(f"{where}: no list has at least {least} and at most {most} items")
    return ListOf(item, most, least)


def _closing(text: str) -> int:
    """Return the index of the parenthesis that closes the first one, or -1."""
    level = 0
    for place, sign in enumerate(text):
        level += (sign == "(") - (sign == ")")
        if level == 0:
            return place
    return -1


# Types without inner types: `text`, `whole 0..10`, `USD(2)`, `moment Z`, `id of user`

_PLAIN: Mapping[str, Type] = {"text": TEXT, "bool": FLAG, "null": NULL}
WORDS = (*_PLAIN, "whole", "number", "decimal", "date", "time", "moment", "duration", "list", "map", "id")
"""The words of the notation, which cannot be names of declared types."""
_ELSEWHERE = {
    **dict.fromkeys(("string", "str", "char", "varchar"), "text"),
    **dict.fromkeys(("int", "integer", "long"), "whole"),
    **dict.fromkeys(("float", "double", "real"), "number"),
    **dict.fromkeys(("boolean", "flag"), "bool"),
    **dict.fromkeys(("datetime", "date-time", "timestamp"), "moment, or moment Z"),
    **dict.fromkeys(("none", "nil"), "null"),
    **dict.fromkeys(("timedelta", "interval"), "duration"),
    **dict.fromkeys(("array", "list", "list of"), "list of X"),
    **dict.fromkeys(("dict", "map", "mapping", "map of"), "map of X"),
    **dict.fromkeys(("object", "record"), "its fields, as a mapping"),
    **dict.fromkeys(("enum", "literal"), "its values, as a list of texts"),
    **dict.fromkeys(("money", "currency"), "its currency, such as USD(2)"),
    **dict.fromkeys(("uuid", "id", "id of"), "id of X"),
}
"""The word of this notation for each word of other notations, for hints."""
_EXACT = re.compile(r"-?\d{1,400}(?:\.\d{1,400}|/0*[1-9]\d{0,399})?", re.ASCII)
_KIND = re.compile(r"[^\W\d][\w-]*")


def read_scalar(text: str, named: Collection[str], where: str) -> Type:
    """Return the type of a text, whose words have single spaces between them. Raises `RuleError` if it is not a type.

    `named` are the names of declared types, for messages.
    """
    if text.startswith("id of "):
        kind = text.removeprefix("id of ")
        if _KIND.fullmatch(kind) is None:
            raise RuleError(f"{where}: an id is that of a kind, which is one word: id of user, not {shortened(text)}")
        return Name(kind)
    head, _, tail = text.rpartition(" ")
    head, span = (head, tail) if ".." in tail else (text, "")
    head, rounded = head.removesuffix(" rounded"), head.endswith(" rounded")
    head, _, step = head.partition(" by ")
    try:
        sort = None if head in _PLAIN else read_sort(head)
    except FormulaError as error:
        raise RuleError(f"{where}: {error}") from error
    if isinstance(sort, Amount):
        _check_unit(sort, head, named, where)
        found = _number(sort, step, span, where, duration=head == "duration")
        if rounded and found.sort.step is None:
            raise RuleError(f"{where}: what is rounded needs a step: {head}(2) rounded, or {head} by 0.25 rounded")
        return replace(found, rounded=rounded)
    plain = _PLAIN.get(head, sort)
    if plain is None:
        raise RuleError(f"{where}: {_unknown(text, head, named)}")
    if span or step or rounded:
        raise RuleError(f"{where}: {head} has no range; numbers and durations have: whole 0..10")
    if isinstance(plain, Calendar) and plain.zone.casefold() in ("z", "utc", "gmt") and plain.zone != "Z":
        raise RuleError(f"{where}: write moment Z for moments of {plain.zone}")
    if isinstance(plain, Calendar):
        try:
            check_place(plain.zone)
        except InputError as error:
            raise RuleError(f"{where}: {error}") from error
    return plain


def _unknown(text: str, head: str, named: Collection[str]) -> str:
    if not head:
        return "a range needs the kind of number: whole 0..10" if text else "no type is written here; write text"
    if (known := _ELSEWHERE.get(head.casefold())) is not None:
        return f"there is no type {shortened(head)} here; write {known}"
    near = nearest_name(head, (*WORDS, *named), 0.7)
    if near is not None:
        meant = _ELSEWHERE.get(near, near) if near in WORDS else near
        return f"there is no type {shortened(head)}; did you mean {shortened(meant)}?"
    own = f", or {instead(head, named, 'one of:')}" if named else ""
    return (
        f"there is no type {shortened(head)}; write text, bool, whole, number, decimal(2), a unit (USD(2), kg), date, "
        f"time, moment, duration, id of X, list of X, map of X{own}; "
        "a unit of your own needs a scale, or whole before it: point(2), whole night"
    )


def _check_unit(sort: Amount, head: str, named: Collection[str], where: str) -> None:
    """Raise `RuleError` for a misspelt word that would become a new unit: `decimel(2)`."""
    name = head.removeprefix("whole ").partition("(")[0].strip()
    if sort.unit == ONE or head in WORDS or known_unit(name):
        return
    meant = _ELSEWHERE.get(name.casefold()) or nearest_name(name, WORDS, 0.8)
    if meant is None and name in named:
        meant = f"{name}, which has no scale"
    if meant is not None:
        raise RuleError(f"{where}: {shortened(name)} is no unit that is known; did you mean {meant}?")


def _number(sort: Amount, step: str, span: str, where: str, *, duration: bool) -> Number:
    if step:
        own = _exact(step)
        if own is None or own <= 0 or sort.step is not None:
            raise RuleError(f"{where}: a step is a number over 0, with no other step beside it: number by 0.25")
        sort = Amount(sort.unit, own)
    if not span:
        return Number(sort)
    low, high = (_bound(text, sort, span, where, duration=duration) for text in span.split("..", 1))
    if low is None and high is None:
        raise RuleError(f"{where}: a range has a bound: 0..10, 0.. or ..10")
    if low is not None and high is not None and low > high:
        raise RuleError(f"{where}: no number is at least {show_number(low)} and at most {show_number(high)}")
    return Number(sort, low, high)


def _bound(text: str, sort: Amount, span: str, where: str, *, duration: bool) -> Fraction | None:
    if not text:
        return None
    bound = read_duration(text) if duration else _exact(text)
    if bound is None:
        example = "duration 1h..24h" if duration else "whole 0..10, whole 0.. or number ..0.5"
        raise RuleError(f"{where}: {shortened(span)} is no range; write {example}")
    if sort.step is not None and (bound / sort.step).denominator != 1:
        raise RuleError(f"{where}: {text} is no {sort}, so it is no bound of one")
    return bound


def _exact(text: str) -> Fraction | None:
    return Fraction(text) if _EXACT.fullmatch(text) else None
