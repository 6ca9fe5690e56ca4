"""Places in declarations, which error messages name, and calls of the code that a declaration brings along."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from string import Formatter
from typing import Any

from holdtrue.errors import DomainError, InputError


@dataclass(frozen=True, slots=True)
class Place:
    """A place such as `shifts.json: constraint type 'on': argument {1}`."""

    where: str

    def at(self, part: str) -> Place:
        """A place inside this one."""
        return Place(f"{self.where}: {part}")

    def at_argument(self, number: int) -> Place:
        """The argument with this number (from 0), as the sentence of its type writes it: `{0}` is the first."""
        return self.at(f"argument {{{number}}}")

    def error(self, message: str) -> DomainError:
        return DomainError(f"{self.where}: {message}")

    def members(self, data: object, known: Sequence[str], *, required: Sequence[str]) -> dict[str, Any]:
        """`data` as an object that has the required members and no unknown ones."""
        if not isinstance(data, dict):
            raise self.error(f"must be an object, not {data!r:.60}")
        for key in data:
            if key not in known:
                raise self.error(f"unknown key {key!r}; known keys: {', '.join(known)}")
        for key in required:
            if key not in data:
                raise self.error(f"the key {key!r} is missing")
        return data

    def text(self, members: Mapping[str, Any], key: str, default: str | None = None) -> str:
        """A text that is not blank, or the default where there is none."""
        if key not in members and default is not None:
            return default
        value = members[key]
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{key!r} must be a text, not {value!r:.60}")
        return value

    def flag(self, members: Mapping[str, Any], key: str) -> bool:
        """True or false; false where it is not given."""
        value = members.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"{key!r} must be true or false, not {value!r:.60}")
        return value

    def items(self, members: Mapping[str, Any], key: str) -> list[Any]:
        """A list; empty where it is not given."""
        value = members.get(key, [])
        if not isinstance(value, list):
            raise self.error(f"{key!r} must be a list, not {value!r:.60}")
        return value

    def texts(self, members: Mapping[str, Any], key: str) -> list[str]:
        """A list of texts; empty where it is not given."""
        items = self.items(members, key)
        for position, item in enumerate(items, start=1):
            if not isinstance(item, str) or not item.strip():
                raise self.error(f"item {position} of {key!r} must be a text, not {item!r:.60}")
        return items

    def template(self, text: str, names: Sequence[str]) -> str:
        """`text`, checked to be a format string that uses only these names, each as a bare `{name}`."""
        try:
            fields = list(Formatter().parse(text))
        except ValueError as error:
            raise self.error(f"{text!r:.60} is no format string: {error}") from error
        for _, name, form, conversion in fields:
            if name is not None and (name not in names or form or conversion):
                known = ", ".join(f"{{{known}}}" for known in names) or "none"
                raise self.error(f"{text!r:.60} may not contain {{{name}}}; known fields: {known}")
        return text


def unique_members(members: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """For `json.loads`: an object whose keys are all different; `ValueError` otherwise."""
    out: dict[str, Any] = {}
    for key, value in members:
        if key in out:
            raise ValueError(f"the key {key!r} is given twice")
        out[key] = value
    return out


MISTAKES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What Python raises where somebody's code is wrong, or not made for what it is given."""


@contextmanager
def own_code(place: Place) -> Iterator[None]:
    """Turn mistakes of the code within into a `DomainError` at the place; let one that it raises itself through."""
    try:
        yield
    except DomainError:
        raise
    except InputError as error:
        raise place.error(str(error)) from error
    except MISTAKES as error:
        raise place.error(in_words(error)) from error


def in_words(error: Exception) -> str:
    """The error with its kind, where the kind says more than its text: `KeyError: 'days'`."""
    if isinstance(error, InputError):
        return str(error)
    hint = " (a setting that the problem does not give, perhaps)" if isinstance(error, KeyError) else ""
    return f"{type(error).__name__}: {error}{hint}"


def check_takes(place: Place, what: str, function: Any, count: int, given: str) -> None:
    """Raise `DomainError` where something is no function of so many arguments; `given` says what these are."""
    if not callable(function):
        raise place.error(f"{what} must be a function of {given}, not {function!r:.60}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some functions that are written in C do not say what they take
    try:
        signature.bind(*[None] * count)
    except TypeError as error:
        raise place.error(f"{what} must take {count} arguments ({given}), and does not: {error}") from error
