"""Read fields of untrusted JSON. Each function returns a value of the right type, or raises an error with its place.

`where` is the place in the file, such as `turns[3]`. The message of a `RecordError` begins with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from holdtrue.errors import RecordError

Kind = TypeVar("Kind")
Word = TypeVar("Word", bound=str)


class WithId(Protocol):
    """An item of a file that has an id, such as a problem."""

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
    """Turn an error of this type inside the `with` block into a `RecordError` that begins with `where`."""
    try:
        yield
    except error_type as error:
        raise RecordError(f"{where}: {error}") from error


def by_id(found: Iterable[tuple[str, Item]], nothing: str | None = None) -> dict[str, Item]:
    """Return the items by id. Raises `RecordError` for a repeated id, or with the message `nothing` for no items."""
    items: dict[str, Item] = {}
    for where, item in found:
        if item.id in items:
            raise RecordError(f"{where}: id: {item.id!r} is there twice")
        items[item.id] = item
    if not items and nothing is not None:
        raise RecordError(nothing)
    return items


def expect(value: object, kind: type[Kind], where: str) -> Kind:
    """Return the value if it has this type, else raise `RecordError`. `true` is not a number."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(f"{where}: {_WORDS[kind]} is needed, got {value!r:.60}")
    return value


def field(record: Mapping[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """Return the field of that name. Raises `RecordError` if it is missing or has another type."""
    if name not in record:
        raise RecordError(f"{where}: {name} is missing")
    return expect(record[name], kind, f"{where}.{name}")


def field_or(record: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind) -> Kind:
    """Return the field of that name, or `default` if it is missing or null."""
    return default if record.get(name) is None else field(record, name, kind, where)


def texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return a field that must be a list of texts."""
    listed = field(record, name, list, where)
    return tuple(expect(item, str, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def numbers(record: Mapping[str, Any], name: str, where: str) -> tuple[int, ...]:
    """Return a field that must be a list of whole numbers, or an empty tuple if it is missing."""
    listed = field_or(record, name, list, where, [])
    return tuple(expect(item, int, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def choice(value: object, among: Sequence[Word], where: str) -> Word:
    """Return the value, which must be one of these words. Raises `RecordError` if it is not."""
    for word in among:
        if value == word:
            return word
    raise RecordError(f"{where}: {value!r:.60} is none of {', '.join(among)}")
