"""This module checks the number and types of the operands of functions and operators, and reads texts among them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, int_if_whole
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.typed_expressions import described
from holdtrue.rules.types import Number, Type, without_null
from holdtrue.rules.values import read_duration

Args = tuple[t.Node, ...]


class Checker(Protocol):
    """This is the part of the type checker that makers of operators and functions call."""

    def converted(self, node: t.Node, type: Type) -> t.Node: ...
    def fresh(self, name: str, type: Type) -> t.Root: ...


Maker = Callable[[Checker, Args, Place], t.Node]
"""A function that makes the node of an operator or function. It raises `RuleError` for wrong operands."""


def expect(args: Args, count: int, name: str, place: Place) -> None:
    """Raise `RuleError` if there is another number of operands."""
    if len(args) != count:
        raise RuleError(f"{name} takes {count} argument{'s' if count > 1 else ''}, not {len(args)}", place)


def wrong(name: str, wanted: str, node: t.Node, place: Place) -> RuleError:
    """Return the error for an operand of the wrong type."""
    return RuleError(f"{name} takes {wanted}, and this is {described(node)}", place)


def taking(
    name: str, wanted: str, kinds: type | tuple[type, ...], make: Callable[[Args, Any, Place], t.Node], count: int = 1
) -> Maker:
    """Return a maker that accepts `count` operands of these kinds; `make` also gets the type of the first one."""

    def made(checker: Checker, args: Args, place: Place) -> t.Node:
        expect(args, count, name, place)
        for own in args:
            if not isinstance(without_null(own.type), kinds):
                raise wrong(name, wanted, own, place)
        return make(args, without_null(args[0].type), place)

    return made


def literal(name: str, args: Args, place: Place) -> str:
    """Return the only operand, a text that the rule states. Raises `RuleError` for any other operand."""
    expect(args, 1, name, place)
    if not isinstance(args[0], t.Given) or not isinstance(args[0].value, str):
        raise RuleError(f"{name} takes a written text: {name}('...')", place)
    return args[0].value


def written_duration(text: str, place: Place) -> t.Given:
    """Return a duration as a constant. Raises `RuleError` for a text that is not a duration."""
    seconds = read_duration(text)
    if seconds is None:
        raise RuleError(f"{text!r} is no duration; write 24h, 1h30m or PT24H", place)
    step = Fraction(1) if seconds.denominator == 1 else None
    value = int_if_whole(seconds)
    return t.Given(value, Number(Amount(SECOND, step)), place)
