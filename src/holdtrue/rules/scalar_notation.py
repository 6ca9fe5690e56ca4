"""The notation of types without inner ones: `text`, `whole 0..10`, `USD(2)`, `moment Z`, `id of user`.

>>> str(read_scalar("USD(2) 0..500", (), "call.price"))
'USD(2)'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.units import ONE, known_unit
from holdtrue.logic.value_sorts import Amount, Calendar, read_sort, show_number
from holdtrue.rules.local_clocks import check_place
from holdtrue.rules.paths import instead, nearest_name, shortened
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import FLAG, NULL, TEXT, Name, Number, Type
from holdtrue.rules.values import read_duration

_PLAIN: Mapping[str, Type] = {"text": TEXT, "bool": FLAG, "null": NULL}
WORDS = (*_PLAIN, "whole", "number", "decimal", "date", "time", "moment", "duration", "list", "map", "id")
"""The words that types are written with; no type of one's own has one of them as its name."""
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
"""What is written here for words of other languages."""
_EXACT = re.compile(r"-?\d{1,400}(?:\.\d{1,400}|/0*[1-9]\d{0,399})?", re.ASCII)
_KIND = re.compile(r"[^\W\d][\w-]*")


def read_scalar(text: str, named: Collection[str], where: str) -> Type:
    """Return the type that a text names, with single spaces between its words.

    `named` are the names of types of one's own, for messages. Raises `RuleError` for a text that names no type.
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
    """Refuse a misspelt word that would be read as a unit of its own: `decimel(2)`."""
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
