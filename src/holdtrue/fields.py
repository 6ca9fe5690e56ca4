"""Read fields of untrusted JSON: each function returns a value of the right type, or raises an error with its place.

`where` is always the place in the file, such as `turns[3]`, with which the message of a `RecordError` begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from holdtrue.errors import RecordError

Kind = TypeVar("Kind")
Word = TypeVar("Word", bound=str)


class WithId(Protocol):
    """A problem, or anything else that has an id in its file."""

    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=WithId)
_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


@contextmanager
def naming(where: str, error_type: type[Exception] = RecordError) -> Iterator[None]:
    """Turn an error of this type, raised inside of the `with` block, into a `RecordError` that begins with `where`."""
    try:
        yield
    except error_type as error:
        raise RecordError(f"{where}: {error}") from error


def by_id(found: Iterable[tuple[str, Item]], nothing: str | None = None) -> dict[str, Item]:
    """Return problems, or what else has ids, by these; `found` gives each with its place in the file.

    Raises `RecordError` for an id that is there twice, and, with the message `nothing`, if there is nothing at all.
    """
    items: dict[str, Item] = {}
    for where, item in found:
        if item.id in items:
            raise RecordError(f"{where}: id: {item.id!r} is there twice")
        items[item.id] = item
    if not items and nothing is not None:
        raise RecordError(nothing)
    return items


def expect(value: object, kind: type[Kind], where: str) -> Kind:
    """Return the value if it is of this type, and raise `RecordError` if not; `true` is no number."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(f"{where}: {_WORDS[kind]} is needed, got {value!r:.60}")
    return value


def field(record: Mapping[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """Return the field of that name; raises `RecordError` if it is missing or of another type."""
    if name not in record:
        raise RecordError(f"{where}: {name} is missing")
    return expect(record[name], kind, f"{where}.{name}")


def field_or(record: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind) -> Kind:
    """Return the field of that name, or `default` if it is missing or null."""
    return default if record.get(name) is None else field(record, name, kind, where)


def texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return a field that has to be a list of texts."""
    listed = field(record, name, list, where)
    return tuple(expect(item, str, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def numbers(record: Mapping[str, Any], name: str, where: str) -> tuple[int, ...]:
    """Return a field that has to be a list of whole numbers, or an empty tuple if it is missing."""
    listed = field_or(record, name, list, where, [])
    return tuple(expect(item, int, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def choice(value: object, among: Sequence[Word], where: str) -> Word:
    """Return the value, which has to be one of these words; raises `RecordError` otherwise."""
    for word in among:
        if value == word:
            return word
    raise RecordError(f"{where}: {value!r:.60} is none of {', '.join(among)}")
