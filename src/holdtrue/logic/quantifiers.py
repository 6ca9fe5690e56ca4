"""Bounded quantifiers: one formula for each of some things, expanded as it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic.connectives import And, Formula, Or
from holdtrue.logic.mistakes import no_formula
from holdtrue.logic.node import Node

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
    """Return `body` of each thing, in order. Raises like `for_all`, and `FormulaMistake` for what is none of that."""
    given: tuple[object, object] = (things, body)  # whatever the types say
    if not isinstance(given[0], Iterable) or not callable(given[1]):
        raise FormulaMistake(
            "a quantifier takes a list of things and a function that makes a formula of each, "
            f"for_all(names, lambda name: ...), not {things!s:.60} and {body!s:.60}"
        )
    parts: list[Part] = []
    size = 0
    for thing in things:
        part = body(thing)
        if not isinstance(part, Node):
            raise no_formula(part, f"the body of a quantifier, for {thing!s:.60}")
        size += part.size
        if size > LARGEST_EXPANSION:
            raise FormulaError(f"the formula is too large: for all that it ranges over, over {LARGEST_EXPANSION} parts")
        parts.append(part)
    return tuple(parts)
