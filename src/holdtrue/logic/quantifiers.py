"""Bounded quantifiers: one formula for each of some things, expanded as it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import And, Formula, Node, Or

LARGEST_EXPANSION = 100_000
"""Formulas and terms in one expansion. More is a mistake: no engine here decides so much in a second."""

Thing = TypeVar("Thing")
Part = TypeVar("Part", bound=Node)


def for_all(things: Iterable[Thing], body: Callable[[Thing], Formula]) -> And:
    """`body` holds for every one of the things: entities of an instance, pairs of them, days...

    Raises `FormulaError` where that would have more than `LARGEST_EXPANSION` parts.
    """
    return And(expand(things, body))


def exists(things: Iterable[Thing], body: Callable[[Thing], Formula]) -> Or:
    """`body` holds for one of the things at least. Raises like `for_all`."""
    return Or(expand(things, body))


def expand(things: Iterable[Thing], body: Callable[[Thing], Part]) -> tuple[Part, ...]:
    """`body` of each of the things, in order. Raises like `for_all`."""
    parts: list[Part] = []
    size = 0
    for thing in things:
        part = body(thing)
        size += part.size
        if size > LARGEST_EXPANSION:
            raise FormulaError(f"the formula is too large: for all that it ranges over, over {LARGEST_EXPANSION} parts")
        parts.append(part)
    return tuple(parts)
