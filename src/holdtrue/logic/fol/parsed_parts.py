"""Keep what was read of a text so far: whether a name is a thing or a statement shows only by where it stands."""

from __future__ import annotations

from typing import NamedTuple, get_args

from holdtrue.logic.fol.alert import AlertKind
from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.naming import is_free_shaped
from holdtrue.logic.fol.syntax import (
    Apply,
    Bound,
    Choice,
    Constant,
    Count,
    Holds,
    Number,
    Operation,
    Operator,
    Plus,
    Sentence,
    Term,
    Times,
    Total,
)
from holdtrue.logic.value_sorts import Instant, Value

Doubt = tuple[AlertKind, str, int]
"""The kind, message and offset of an alert."""


class Name(NamedTuple):
    """A name that is not yet known to be a thing or a statement; without brackets behind it `args` is None."""

    name: str
    args: tuple[Part, ...] | None
    bound: bool
    quoted: bool


class Product(NamedTuple):
    """A number times a term, which is a part of the sum around it."""

    factor: Value
    term: Term


class Part(NamedTuple):
    """A `Part` is what was read, and where it begins."""

    value: Sentence | Term | Name | Product
    at: int


VALUES = (Constant, Bound, Number, Instant, Apply, Plus, Times, Operation, Choice, Count, Total)
"""What is a term by itself."""
_OPERATORS: dict[str, Operator] = {name: name for name in get_args(Operator)}


class Parts:
    """`Parts` turn parts into what their places ask for. `alerts` gets what is doubtful of it."""

    def __init__(self) -> None:
        self.alerts: list[Doubt] = []
        self._free: set[str] = set()

    def alert(self, kind: AlertKind, message: str, where: Token | Part) -> None:
        self.alerts.append((kind, message, where.at))

    def statement(self, part: Part) -> Sentence:
        match part.value:
            case Name(name, args, bound):
                if bound:
                    raise Fault(part.at, f"the variable {name} stands where a statement has to")
                return Holds(name, tuple(map(self.term, args or ())))
            case Product():
                raise Fault(part.at, "a number stands where a statement has to")
        if isinstance(part.value, VALUES):
            raise Fault(part.at, "a number stands where a statement has to")
        return part.value

    def term(self, part: Part) -> Term:
        match part.value:
            case Name(name, None, bound, quoted):
                if bound or (not quoted and is_free_shaped(name)):
                    if not bound and name not in self._free:
                        self._free.add(name)
                        self.alert("free_variable", f"no quantifier binds the variable {name}", part)
                    return Bound(name)
                return Constant(name)
            case Name("if", (condition, then, otherwise), quoted=False):
                return Choice(self.statement(condition), self.term(then), self.term(otherwise))
            case Name(name, args, quoted=False) if args and name in _OPERATORS:
                return Operation(_OPERATORS[name], tuple(map(self.term, args)))
            case Name(name, args):
                return Apply(name, tuple(map(self.term, args or ())))
            case Product(factor, term):
                return Plus(((factor, term),))
        if isinstance(part.value, VALUES):
            return part.value
        raise Fault(part.at, "a statement stands where a thing has to")

    def summand(self, part: Part) -> tuple[Value, Term]:
        if isinstance(part.value, Product):
            return part.value.factor, part.value.term
        return 1, self.term(part)
