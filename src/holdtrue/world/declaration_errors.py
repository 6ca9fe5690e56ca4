"""Turn mistakes in a domain's declaration, and errors of its functions, into a `DomainError` that names the place."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import DomainError, InputError


@dataclass(frozen=True, slots=True)
class Place:
    """A `Place` is a part of a declaration, such as `shifts.json: constraint type 'on': argument {1}`."""

    where: str

    def at(self, part: str) -> Place:
        """Return a place inside this one."""
        return Place(f"{self.where}: {part}")

    def at_argument(self, number: int) -> Place:
        """Return the place of an argument, written as in a sentence: `{0}` is the first."""
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
"""The errors that Python raises for wrong code, or for arguments that a function does not support."""


@contextmanager
def own_code(place: Place) -> Iterator[None]:
    """Turn an error of a declared function in the `with` block into a `DomainError` at the place.

    A `DomainError` of the function itself passes unchanged.
    """
    try:
        yield
    except DomainError:
        raise
    except InputError as error:
        raise place.error(str(error)) from error
    except MISTAKES as error:
        raise place.error(in_words(error)) from error


def in_words(error: Exception) -> str:
    """Return the message of an error; an error of Python also shows its class, and a `KeyError` a hint."""
    if isinstance(error, InputError):
        return str(error)
    hint = " (a setting that the problem does not give, perhaps)" if isinstance(error, KeyError) else ""
    return f"{type(error).__name__}: {error}{hint}"


def check_takes(place: Place, what: str, function: Any, count: int, given: str) -> None:
    """Raise `DomainError` if `function` is not a function of `count` arguments, which `given` describes."""
    if not callable(function):
        raise place.error(f"{what} must be a function of {given}, not {function!r:.60}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Some functions in C have no signature.
    try:
        signature.bind(*[None] * count)
    except TypeError as error:
        raise place.error(f"{what} must take {count} arguments ({given}), and does not: {error}") from error
