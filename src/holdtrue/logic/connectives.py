"""This module defines the base class of formulas, and the connectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from holdtrue.errors import FormulaMistake
from holdtrue.logic.formula_mistakes import no_formula, no_sum, no_truth_value
from holdtrue.logic.node import Node

if TYPE_CHECKING:
    from holdtrue.logic.terms import Variable


class Formula(Node):
    """A `Formula` is a statement that is true or false once every variable has a value."""

    @cached_property
    def holds(self) -> Callable[[Mapping[str, int]], bool]:
        """Return a function that decides the formula for values (variable name -> value): `formula.holds(values)`.

        It raises `KeyError` if the result depends on a variable without a value. Raises `FormulaError` like
        `check_depth`.
        """
        self.check_depth()
        from holdtrue.logic.evaluate import compile_formula  # `evaluate` imports this module.

        return compile_formula(self)

    def own_check(self) -> Callable[[Mapping[str, int]], bool] | None:
        """Return a function that decides the formula if `evaluate` does not know its class, or None."""
        return None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("holds", "negation", "variables")}

    @cached_property
    def variables(self) -> frozenset[Variable]:
        """Return every variable of the formula. Raises `FormulaError` like `check_depth`."""
        return super().variables

    def check_depth(self) -> None:
        """Raise `FormulaError` if the formula is nested deeper than `DEEPEST`; call it before any recursive walk.

        The constructor does not check this, since the check would cost more than the construction.
        """
        _ = self.variables

    @cached_property
    def negation(self) -> Not:
        """Return the negated formula, always the same object, so that engines recognise it."""
        return Not(self)

    def __and__(self, other: Formula) -> And:
        # A chain stays flat, since a deep formula could not be read from JSON.
        return And((*self.operands, other) if isinstance(self, And) else (self, other))

    def __or__(self, other: Formula) -> Or:
        return Or((*self.operands, other) if isinstance(self, Or) else (self, other))

    def __invert__(self) -> Not:
        return Not(self)

    def __rand__(self, other: object) -> And:
        raise no_formula(other, f"before & {self}")

    def __ror__(self, other: object) -> Or:
        raise no_formula(other, f"before | {self}")

    def __add__(self, other: object) -> NoReturn:
        raise no_sum(self)

    __radd__ = __add__

    def __bool__(self) -> bool:
        # Python's `and`, `or`, `not` and `a < b < c` would silently drop one side.
        raise no_truth_value(self)

    def implies(self, other: Formula) -> Or:
        return Or((Not(self), other))

    def iff(self, other: Formula) -> Iff:
        return Iff(self, other)

    def xor(self, other: Formula) -> Xor:
        return Xor(self, other)


def expect_formula(value: object, where: str) -> None:
    """Raise `FormulaMistake`, which begins with `where`, if the value is not a formula."""
    if not isinstance(value, Formula):
        raise no_formula(value, where)


def check_formulas(owner: object, formulas: object) -> None:
    """Raise `FormulaMistake` for operands that are not a tuple of formulas."""
    name = type(owner).__name__
    if not isinstance(formulas, tuple):
        raise FormulaMistake(
            f"{name} takes a tuple of formulas, {name}((p, q)) or {name}(tuple(...)), not {formulas!r:.80}"
        )
    for formula in formulas:
        if not isinstance(formula, Formula):
            raise no_formula(formula, f"an operand of {name}")


@dataclass(frozen=True)
class Truth(Formula):
    """A `Truth` is the formula that is always true, or always false."""

    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True)
class _Several(Formula):
    """A `_Several` joins any number of operands by a word."""

    operands: tuple[Formula, ...]
    _words: ClassVar[tuple[str, str]]

    def __post_init__(self) -> None:
        check_formulas(self, self.operands)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.operands

    def __str__(self) -> str:
        between, without = self._words
        return "(" + f" {between} ".join(map(str, self.operands)) + ")" if self.operands else without


@dataclass(frozen=True)
class And(_Several):
    """An `And` holds if all operands hold, also if there are none."""

    _words = "and", "true"


@dataclass(frozen=True)
class Or(_Several):
    """An `Or` holds if some operand holds."""

    _words = "or", "false"


@dataclass(frozen=True)
class Not(Formula):
    operand: Formula

    def __post_init__(self) -> None:
        check_formulas(self, (self.operand,))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)

    def __str__(self) -> str:
        return f"(not {self.operand})"


@dataclass(frozen=True)
class _Paired(Formula):
    """A `_Paired` joins two formulas by a word."""

    left: Formula
    right: Formula
    _word: ClassVar[str]

    def __post_init__(self) -> None:
        check_formulas(self, (self.left, self.right))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} {self._word} {self.right})"


@dataclass(frozen=True)
class Iff(_Paired):
    """An `Iff` holds if both operands hold or neither does."""

    _word = "iff"


@dataclass(frozen=True)
class Xor(_Paired):
    """A `Xor` holds if exactly one operand holds."""

    _word = "xor"


@dataclass(frozen=True)
class IfThenElse(Formula):
    """An `IfThenElse` has the truth value of `then` if `condition` holds, and else that of `otherwise`."""

    condition: Formula
    then: Formula
    otherwise: Formula

    def __post_init__(self) -> None:
        check_formulas(self, (self.condition, self.then, self.otherwise))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.condition, self.then, self.otherwise)

    def __str__(self) -> str:
        return f"(if {self.condition} then {self.then} else {self.otherwise})"
