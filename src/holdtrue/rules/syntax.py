"""Expressions as they are written: CEL's abstract syntax, each node with its place in the text.

What an expression means, its types and its overloads, is worked out in `checker`.
Source of the language: CEL specification, "Language definition" (github.com/google/cel-spec).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from holdtrue.errors import InputError

DEEPEST = 60
"""Expressions may be nested so deep: they are walked by recursion."""


class RuleError(InputError):
    """A rule cannot be read, or has no type; the message begins with the place if it is known."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(f"{place}: {message}" if place and place.line else message)
        self.message, self.place = message, place


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, both numbers from 1; line 0 is nowhere, for an expression that was made in Python."""

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
    """A root such as `call`, or the variable of a macro."""

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
    """A function, operator or macro by name, with the target that it is called on, if there is one.

    Operators are called by their signs: `+`, `&&`, `!`, `in`; `-` of one argument is the negative, `?:` has three.
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
    """Return the expressions that one is made of directly, in order."""
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
