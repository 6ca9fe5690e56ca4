"""This module defines typed expressions: `checker` makes them, and they are evaluated or translated to formulas."""

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
    """A `Given` is a constant that the rule, or a table of its policy, states."""

    value: object
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Root:
    """A `Root` is a name that the environment gives a value: `call`, `now`, or the variable of a macro."""

    name: str
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Get:
    """A `Get` reads a field of a record. Reading an `optional` field that is missing is an error."""

    of: Node
    name: str
    type: Type
    optional: bool = False
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Has:
    """A `Has` is the condition that a record has an optional field, or a map a key."""

    of: Node
    name: str
    type: Type = FLAG
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class At:
    """An `At` reads an item of a list, counted from 0, or the value of a key in a map."""

    of: Node
    key: Node
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """A `Fact` is the record of a kind with these keys that a tool's result has shown."""

    kind: str
    keys: tuple[Node, ...]
    type: Type
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Operation:
    """An `Operation` is a function or operator with two meanings: on known values, and on values that no one has shown.

    Attributes:
        values: Returns the result for known values. Raises `Fault` for an error of CEL, such as a division by zero.
        formulas: Returns the symbolic result for partly unknown operands, and a formula that is true if the result is
            not an error. Raises `NotSayable` if no formula expresses the result.
        may_be_null: The positions of the operands that may be null; elsewhere null is an error.
        per_node: Whether `values` takes the expression, for its factor or time zone, and returns the function.
    """

    name: str
    values: Callable[..., Any]
    formulas: Callable[[Unknowns, Apply, Sequence[Any]], tuple[Any, Formula]]
    may_be_null: tuple[int, ...] = ()
    per_node: bool = False

    def on_values(self, node: Apply) -> Callable[..., Any]:
        """Return the function from the values of the operands to the value of this expression."""
        return self.values(node) if self.per_node else self.values

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return repr(self.name)


@dataclass(frozen=True, slots=True)
class Apply:
    """An `Apply` applies an operation to operands; only the operation `scale` uses the `factor`."""

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
    """A `Junction` is a conjunction if `every` is true, else a disjunction. An operand that decides absorbs errors."""

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
    """An `Over` is a macro over a list or map. It binds `variable` to each item, and `index` to its position or key.

    The `body` is the condition for an item. For `map` it is the new value, and `condition` selects the items.
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
    """Return the direct parts of a node."""
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
    """Yield the node and all nodes within it."""
    stack = [node]
    while stack:
        own = stack.pop()
        yield own
        stack += parts(own)


def is_sure(node: Node) -> bool:
    """Return whether an expression is never an error, in any environment."""
    match node:
        case Root() | Given():
            return True
        case Get(of, _, _, optional):
            return not optional and isinstance(of.type, Record) and not of.type.may_be_absent and is_sure(of)
        case Fact(_, keys):
            return not any(isinstance(own.type, Nullable) or not is_sure(own) for own in keys)
    return False


def described(node: Node) -> str:
    """Return the type of an expression, with its path, for messages: "a date (call.back)"."""
    name = path(node)
    return f"{in_words(node.type)} ({name})" if name else in_words(node.type)


def path(node: Node) -> str:
    """Return the text of an expression that is a path or a constant, and else ""."""
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
