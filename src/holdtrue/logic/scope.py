"""Resolve what the names in a formula's JSON form stand for, and the variables of its quantifiers.

A quantifier names one variable, `"x"`, or several, `["x", "y"]`, which then stand for every choice of entities, also
for the same one. Where its name ends in `-distinct` no entity goes by two names: the variables stand for different
entities, none of which has a name already (`$0`, `$e`, a variable further out).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from holdtrue.errors import FormulaError
from holdtrue.logic.node import Node
from holdtrue.logic.quantifiers import expand
from holdtrue.logic.terms import Term

Resolve = Callable[[str], Term | int]
Part = TypeVar("Part", bound=Node)


@runtime_checkable
class Scope(Protocol):
    """A `Resolve` that knows entities to quantify over."""

    def __call__(self, name: str) -> Term | int: ...

    def choices(self, variables: Sequence[str], *, distinct: bool) -> Iterable[Scope]:
        """Return this scope with the variables besides, once for every choice of entities that they can stand for.

        Raises `FormulaError` for a variable that stands for something already.
        """
        ...


def quantified(op: str, variables: object, resolve: Resolve) -> Iterator[Resolve]:
    """The scopes for the body of a quantifier; raises `FormulaError` where there is nothing to quantify over."""
    given = variables if isinstance(variables, list) else [variables]
    names = [name for name in given if isinstance(name, str) and name.isidentifier()]
    if not names or len(names) < len(given):
        raise FormulaError(f"{op!r} takes the name of a variable or a list of such, not {variables!r:.80}")
    if len(set(names)) < len(names):
        raise FormulaError(f"{op!r} names a variable twice: {', '.join(names)}")
    if not isinstance(resolve, Scope):
        raise FormulaError(f"{op!r} has no entities to range over here")
    yield from resolve.choices(names, distinct=op.endswith("-distinct"))


def spread(items: Iterable[object], resolve: Resolve, read: Callable[[object, Resolve], Part]) -> tuple[Part, ...]:
    """Return each operand read, and in place of one that begins with `each` its body for all that it ranges over."""
    parts: list[Part] = []
    for item in items:
        match item:
            case [("each" | "each-distinct") as op, variables, body]:
                parts += expand(quantified(op, variables, resolve), partial(read, body))
            case _:
                parts.append(read(item, resolve))
    return tuple(parts)
