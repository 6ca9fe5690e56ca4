"""Expressions with their types, names looked up and overloads chosen: what closures and formulas are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from holdtrue.logic.formula import Formula
from holdtrue.logic.value_sorts import show_number
from holdtrue.rules.syntax import NOWHERE, Place
from holdtrue.rules.types import FLAG, Nullable, Record, Type, in_words
from holdtrue.rules.unknowns import Unknowns

Macro = Literal["all", "exists", "exists_one", "filter", "map"]


@dataclass(frozen=True, slots=True)
class Given:
    """A value that the rule itself, or a table of its policy, states."""

    value: object
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Root:
    """A `Root` is what the surroundings give under a name: `call`, `now`, or the variable of a macro."""

    name: str
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Get:
    """A field of a record; if `optional` it may not be there, which is an error unless `Has` was asked before."""

    of: Node
    name: str
    type: Type
    optional: bool = False
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Has:
    """The condition that a record has an optional field, or a map a key."""

    of: Node
    name: str
    type: Type = FLAG
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class At:
    """An item of a list, counted from 0, or the value of a key in a map."""

    of: Node
    key: Node
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """The record of a kind with these keys, as tools have shown it."""

    kind: str
    keys: tuple[Node, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Operation:
    """An operation, with both of its meanings: on values, and on what was not seen.

    Attributes:
        values: Returns what it makes of values. Raises `Fault` for what CEL calls an error, such as a division by zero.
        formulas: Returns what it makes of operands of which some are not known, and the formula that this is no error.
            Raises `NotSayable` where no formula says it.
        may_be_null: The places of operands that may be null; null in any other place is an error.
        per_node: Whether `values` is given the expression first, for its factor or place, and returns the operation.
    """

    name: str
    values: Callable[..., Any]
    formulas: Callable[[Unknowns, Apply, Sequence[Any]], tuple[Any, Formula]]
    may_be_null: tuple[int, ...] = ()
    per_node: bool = False

    def on_values(self, node: Apply) -> Callable[..., Any]:
        """Return what an expression with this operation does with the values of its operands."""
        return self.values(node) if self.per_node else self.values

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return repr(self.name)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation; `factor` is what `scale` multiplies by."""

    operation: Operation
    args: tuple[Node, ...]
    type: Type
    factor: Fraction = Fraction(1)
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Node
    type: Type = FLAG
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Junction:
    """All operands hold, or, unless `every`, one of them at least; what settles that decides, as in CEL."""

    every: bool
    operands: tuple[Node, ...]
    type: Type = FLAG
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    condition: Node
    then: Node
    otherwise: Node
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MakeList:
    items: tuple[Node, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MakeMap:
    entries: tuple[tuple[str, Node], ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Over:
    """A macro over the items of a list (or the keys of a map): `variable` is the item, `index` its place or key.

    `body` is the condition; of a `map` it is what the list is made of, and `condition` which items take part.
    """

    macro: Macro
    of: Node
    variable: str
    body: Node
    type: Type
    index: str | None = None
    condition: Node | None = None
    place: Place = field(default=NOWHERE, compare=False)


Node = Given | Root | Get | Has | At | Fact | Apply | Not | Junction | Choose | MakeList | MakeMap | Over


def parts(node: Node) -> tuple[Node, ...]:
    """Return the nodes that one is made of directly."""
    match node:
        case Get(of) | Has(of):
            return (of,)
        case At(of, key):
            return of, key
        case Fact(_, keys):
            return keys
        case Apply(_, args):
            return args
        case Not(operand):
            return (operand,)
        case Junction(_, operands):
            return operands
        case Choose(condition, then, otherwise):
            return condition, then, otherwise
        case MakeList(items):
            return items
        case MakeMap(entries):
            return tuple(own for _, own in entries)
        case Over(_, of, _, body, _, _, condition):
            return (of, body) if condition is None else (of, condition, body)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Return the node and all that it is made of."""
    stack = [node]
    while stack:
        own = stack.pop()
        yield own
        stack += parts(own)


def is_sure(node: Node) -> bool:
    """Return whether an expression has a value that is no error, whatever is given."""
    match node:
        case Root() | Given():
            return True
        case Get(of, _, _, optional):
            return not optional and isinstance(of.type, Record) and not of.type.may_be_absent and is_sure(of)
        case Fact(_, keys):
            return not any(isinstance(own.type, Nullable) or not is_sure(own) for own in keys)
    return False


def described(node: Node) -> str:
    """Return what an expression is, for messages: "a date (call.back)"."""
    name = path(node)
    return f"{in_words(node.type)} ({name})" if name else in_words(node.type)


def path(node: Node) -> str:
    """Return how an expression is written, for those that name a thing."""
    match node:
        case Root(name):
            return name.split("#")[0]
        case Get(of, name):
            inner = path(of)
            return f"{inner}.{name}" if inner else name
        case At(of, Given(key)):
            return f"{path(of)}[{key!r}]"
        case At(of, key):
            return f"{path(of)}[{path(key)}]"
        case Fact(kind, keys):
            return f"facts.{kind}({', '.join(path(own) or '...' for own in keys)})"
        case Given(bool(value)):
            return "true" if value else "false"
        case Given(value) if isinstance(value, str | int | Fraction):
            return repr(value) if isinstance(value, str) else show_number(value)
    return ""
