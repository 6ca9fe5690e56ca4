"""This module has the parts that declare a `Domain`: attributes, types of constraints with arguments, and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdtrue.errors import DomainError
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import EnumSort, IntSort, Sort

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance

Context = Mapping[str, Any]
Bound = int | Callable[["Instance"], int]


class Attribute:
    """An `Attribute` is what an answer gives each entity: an integer `low..high`, or one of the named `values`.

    One of `low` and `high` may be left out: there is no bound then at that end.

    `distinct`: no two entities share a value. `optional`: an answer may leave it out, and is then judged by
    whether some value fits. `values` are ordered as given. Shown to the model as `label` (default: `name`).
    """

    __slots__ = ("distinct", "label", "name", "optional", "sort")

    def __init__(
        self,
        name: str,
        low: int | None = None,
        high: int | None = None,
        *,
        values: Sequence[str] | None = None,
        distinct: bool = False,
        optional: bool = False,
        label: str | None = None,
    ) -> None:
        if not is_text(name):
            raise DomainError(f"an attribute needs a name, not {name!r:.60}")
        self.sort: Sort
        if values is not None and low is None and high is None:
            self.sort = EnumSort(name, _labels(name, values))
        elif values is None and (low is not None or high is not None):
            for bound in (low, high):
                if isinstance(bound, bool) or not isinstance(bound, int | None):
                    raise DomainError(f"attribute {name!r}: low and high are whole numbers, not {bound!r:.60}")
            try:
                self.sort = IntSort(low, high)
            except DomainError as error:
                raise DomainError(f"attribute {name!r}: {error}") from error
        else:
            raise DomainError(f"attribute {name!r} needs low or high or both, or values")
        self.name = name
        self.distinct = distinct
        self.optional = optional
        self.label = label or name


def is_text(value: object) -> bool:
    """Return whether the value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def _labels(name: str, values: object) -> tuple[str, ...]:
    """The named values of an attribute."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise DomainError(f"attribute {name!r}: values are a list of names, not {values!r:.60}")
    for value in values:
        if not is_text(value):
            raise DomainError(
                f"attribute {name!r}: a value is a name such as 'Late', not {value!r:.60}; numbers have low and high"
            )
    return tuple(values)


@dataclass(frozen=True, slots=True)
class Entity:
    """An argument that names an entity."""


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer argument; bounds may depend on the instance."""

    low: Bound
    high: Bound


@dataclass(frozen=True, slots=True)
class AttributeName:
    """An argument that names one of the attributes (a category of a logic grid, say); one `among` these, if given.

    Where attributes are of several kinds (roles and resources, say), a type takes one kind of them.
    """

    among: Callable[[Instance], Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class ValueOf:
    """An argument that names a value of one attribute.

    `argument` is the attribute's name, as in `ValueOf("day")`, or the number (from 0) of an earlier argument,
    `AttributeName()`, that names it.
    """

    argument: int | str

    def attribute_in(self, args: Sequence[str | int]) -> str:
        """The attribute whose value it is, where these are the arguments, or those before it."""
        return self.argument if isinstance(self.argument, str) else str(args[self.argument])


Argument = Entity | Integer | AttributeName | ValueOf


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence that states a constraint, for teaching a model to read: never taken from test data."""

    sentence: str
    args: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that tell the direction of a relation, as a regular expression over lower-case text.

    "A <cue> B" means the constraint of (A, B), or of (B, A) with `swap`. `side`: the words name a side that
    somebody has ("left": left of B, B's left, on her left).
    """

    pattern: str
    swap: bool = False
    side: bool = False


@dataclass(frozen=True, slots=True)
class ConstraintType:
    """One kind of thing that can be agreed.

    `sentence` is a format string over the arguments; `formula(instance, *args)` receives each entity as an
    object whose attributes are its variables, all other arguments as they stand (attribute names as strings,
    values as their integers). `symmetric`: the first two arguments may be swapped. `canonical` brings
    arguments into a normal form beyond that. `applies`: whether the type exists in an instance at all.
    `definition` and `examples` teach a model to read it. `wordings` are short other ways to say the same, as
    format strings; for types with a direction they should begin with either entity ("{0} is before {1}",
    "{1} is after {0}"), because small models keep the order in which names were mentioned; models read by them, and
    the reader `templates` reads `sentence` alone. `number_words` stand
    for a number of this type without naming it (("overlap", 0), say). `cues` are the words that tell which of
    two entities is the first argument.
    """

    name: str
    arguments: tuple[Argument, ...]
    sentence: str
    formula: Callable[..., Formula]
    symmetric: bool = False
    canonical: Callable[[tuple[str | int, ...]], tuple[str | int, ...]] | None = None
    applies: Callable[[Instance], bool] | None = None
    definition: str = ""
    examples: tuple[Example, ...] = ()
    number_words: tuple[tuple[str, int], ...] = ()
    wordings: tuple[str, ...] = ()
    cues: tuple[Cue, ...] = ()
    distinct_entities: bool = True
