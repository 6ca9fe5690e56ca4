"""This module defines the parts of a `Domain`: attributes, and constraint types with their arguments and wordings."""

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
    """An answer gives each entity a value of each `Attribute`: an integer `low..high`, or one of the named `values`.

    Either `low` or `high` may be missing, which means no bound at that end. Named values have the order of the list. If
    the attribute is `distinct`, no two entities share a value. An answer may omit an `optional` attribute; it is then
    right if some value of the attribute fits. Prompts call the attribute by its `label`, which is its `name` by
    default.
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
    """Return the named values of an attribute. Raises `DomainError` if they are not a list of names."""
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
    """An `Entity` argument names an entity."""


@dataclass(frozen=True, slots=True)
class Integer:
    """An `Integer` argument is an integer within bounds, which may depend on the instance."""

    low: Bound
    high: Bound


@dataclass(frozen=True, slots=True)
class AttributeName:
    """An `AttributeName` argument names an attribute, such as a category of a logic grid.

    `among` returns the names that are allowed, for a domain with several kinds of attributes; None allows all.
    """

    among: Callable[[Instance], Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class ValueOf:
    """A `ValueOf` argument names a value of an attribute.

    `argument` is the attribute's name, as in `ValueOf("day")`, or the number (from 0) of an earlier `AttributeName()`
    argument.
    """

    argument: int | str

    def attribute_in(self, args: Sequence[str | int]) -> str:
        """Return the name of the attribute, given the constraint's arguments, or at least the earlier ones."""
        return self.argument if isinstance(self.argument, str) else str(args[self.argument])


Argument = Entity | Integer | AttributeName | ValueOf


@dataclass(frozen=True, slots=True)
class Example:
    """An `Example` is a sentence that states a constraint, for prompts; it never comes from test data."""

    sentence: str
    args: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Cue:
    """A `Cue` is a regular expression, over lower-case text, for words that show the direction of a relation.

    "A <cue> B" means the constraint of (A, B), or of (B, A) if `swap` is true. `side` is true for words that name a
    side of someone ("left": left of B, B's left, on her left).
    """

    pattern: str
    swap: bool = False
    side: bool = False


@dataclass(frozen=True, slots=True)
class ConstraintType:
    """A `ConstraintType` is a kind of constraint that users can state.

    Attributes:
        name: The name of the type in records and JSON.
        arguments: The kinds of its arguments, in order.
        sentence: A format string over the arguments, which states the constraint. The reader `templates` reads only
            this text.
        formula: Returns the formula, given the instance and the arguments. An entity argument has its variables as
            Python attributes, an attribute argument is a name, and a value is an integer.
        symmetric: Whether the first two arguments may be swapped.
        canonical: Returns the normal form of the arguments, beyond symmetry.
        applies: Returns whether the type exists in an instance.
        definition: A text that explains the type to a model.
        examples: Example sentences for prompts.
        number_words: Words that imply a number without naming it, such as ("overlap", 0).
        wordings: Other short texts for the constraint, as format strings, for prompts. A type with a direction needs
            two: "{0} is before {1}" and "{1} is after {0}". Small models keep the order of the names in a message.
        cues: The words that show which of two entities is the first argument.
        distinct_entities: Whether all entities of the constraint have to be different.
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
