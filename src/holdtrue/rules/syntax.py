"""This module defines the syntax tree of CEL expressions, in which each node has its place in the text.

The module `checker` gives the nodes types and meanings.
Source of the language: CEL specification, "Language definition" (github.com/google/cel-spec).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from holdtrue.errors import InputError

DEEPEST = 60
"""The greatest depth of a nested expression; recursive functions walk it."""


class RuleError(InputError):
    """A rule cannot be parsed, or has no type. The message begins with the place if it is known."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(f"{place}: {message}" if place and place.line else message)
        self.message, self.place = message, place


@dataclass(frozen=True, slots=True)
class Place:
    """A `Place` is a line and a column of a text, both from 1. Line 0 marks an expression that was made in Python."""

    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Constant:
    value: bool | int | Fraction | str | None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Ident:
    """An `Ident` is a name: that of a root such as `call`, or of a macro's variable."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Select:
    of: Expression
    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    of: Expression
    key: Expression
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Invoke:
    """An `Invoke` calls a function, operator or macro by name, as a method if it has a `target`.

    Operators have their signs as names: `+`, `&&`, `!`, `in`. With one argument `-` negates, and `?:` has three.
    """

    name: str
    args: tuple[Expression, ...]
    target: Expression | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Expression, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Entries:
    entries: tuple[tuple[Expression, Expression], ...]
    place: Place = field(default=NOWHERE, compare=False)


Expression = Constant | Ident | Select | Index | Invoke | Items | Entries


def parts(node: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression, in order."""
    match node:
        case Select(of):
            return (of,)
        case Index(of, key):
            return of, key
        case Invoke(_, args, target):
            return args if target is None else (target, *args)
        case Items(items):
            return items
        case Entries(entries):
            return tuple(part for entry in entries for part in entry)
    return ()


def with_part(node: Expression, place: int, part: Expression) -> Expression:
    """Return an expression with another one in place of its direct part number `place`."""
    found = [*parts(node)]
    found[place] = part
    match node:
        case Select():
            return replace(node, of=part)
        case Index():
            return replace(node, of=found[0], key=found[1])
        case Invoke(_, _, None):
            return replace(node, args=tuple(found))
        case Invoke():
            return replace(node, target=found[0], args=tuple(found[1:]))
        case Items():
            return replace(node, items=tuple(found))
        case Entries():
            return replace(node, entries=tuple(zip(found[::2], found[1::2], strict=True)))
    raise IndexError(f"{node!r:.60} has no part number {place}")
