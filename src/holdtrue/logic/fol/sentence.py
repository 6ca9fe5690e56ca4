"""First-order sentences as immutable values: predicates and functions of things, equality, whole-number arithmetic.

Nothing here has a meaning yet: `ground` gives a sentence one over finitely many things. Names are compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Quantifier = Literal["forall", "exists"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A named thing, such as `Alan`."""

    name: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A variable of the innermost quantifier around it that has this name; free where there is none."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Apply:
    """The value of a function of things: a whole number, such as `pos(Blue)`."""

    function: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Plus:
    """`coefficient * term` summed over the parts."""

    parts: tuple[tuple[int, Term], ...]


Term = Constant | Bound | Number | Apply | Plus


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate holds of these things; one without arguments is a proposition."""

    predicate: str
    args: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Compare:
    """Two things are the same or not, or two numbers compare."""

    op: Comparison
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not:
    operand: Sentence


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Xor:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Implies:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Iff:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Quantified:
    """`body` for all things, or for some, in place of the variable; only things of the `sort`, where there is one."""

    quantifier: Quantifier
    variable: str
    body: Sentence
    sort: str | None = None


Sentence = Holds | Compare | Not | And | Or | Xor | Implies | Iff | Quantified


def children(sentence: Sentence) -> tuple[Sentence, ...]:
    """The sentences that it is made of directly, in order."""
    match sentence:
        case Holds() | Compare():
            return ()
        case Not(operand):
            return (operand,)
        case And(operands) | Or(operands):
            return operands
        case Xor(left, right) | Implies(left, right) | Iff(left, right):
            return (left, right)
        case Quantified(body=body):
            return (body,)
