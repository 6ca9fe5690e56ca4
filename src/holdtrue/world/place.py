"""Places in declarations, which error messages name, and calls of the code that a declaration brings along."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
