"""Terms: integer-valued expressions, how they are compared, and their linear normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeVar

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic.connectives import Formula, check_formulas
from holdtrue.logic.mistakes import no_arithmetic, no_formula, no_term, no_truth_value, refuse_equality
from holdtrue.logic.node import Node
from holdtrue.logic.sorts import Sort

Comparison = Literal["<=", "<", ">=", ">", "==", "!="]
NEGATED: dict[Comparison, Comparison] = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
TURNED: dict[Comparison, Comparison] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "==", "!=": "!="}
"""The comparison that says the same with its sides exchanged."""

AnyTerm = TypeVar("AnyTerm", bound="Term")


def _refused(words: str) -> Callable[[Term, object], NoReturn]:
    """An operator that terms do not have: of {0} and {1}, the term and the other operand."""

    def refuse(self: Term, other: object) -> NoReturn:
        raise no_arithmetic(words.format(self, other))

    return refuse


class Term(Node):
    """An integer-valued expression."""

    def __add__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (1, term(other))))

    def __radd__(self, other: int) -> Sum:
        return term(other) + self

    def __sub__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (-1, term(other))))

    def __rsub__(self, other: int) -> Sum:
        return term(other) - self

    def __mul__(self, factor: int) -> Sum:
        if not _is_whole(factor):
            raise no_arithmetic(f"{self} times {factor}")
        return Sum(((factor, self),))

    __rmul__ = __mul__

    __truediv__ = __floordiv__ = _refused("a quotient of {0} and {1}")
    __rtruediv__ = __rfloordiv__ = _refused("a quotient of {1} and {0}")
    __mod__, __rmod__ = _refused("{0} modulo {1}"), _refused("{1} modulo {0}")
    __pow__, __rpow__ = _refused("{0} to the power of {1}"), _refused("{1} to the power of {0}")

    def __and__(self, other: object) -> NoReturn:
        # `a < 3 & b > 2` is `a < (3 & b) > 2` for Python.
        raise no_formula(self, "beside & or |")

    __rand__ = __or__ = __ror__ = __and__

    def __invert__(self) -> NoReturn:
        raise no_formula(self, "behind ~")

    def __bool__(self) -> bool:
        raise no_truth_value(self)

    def __neg__(self) -> Sum:
        return Sum(((-1, self),))

    def __abs__(self) -> Abs:
        return Abs(self)

    def __le__(self, other: Term | int) -> Compare:
        return Compare("<=", self, term(other))

    def __lt__(self, other: Term | int) -> Compare:
        return Compare("<", self, term(other))

    def __ge__(self, other: Term | int) -> Compare:
        return Compare(">=", self, term(other))

    def __gt__(self, other: Term | int) -> Compare:
        return Compare(">", self, term(other))

    def eq(self, other: Term | int) -> Compare:
        """The formula that both have the same value."""
        return Compare("==", self, term(other))

    def ne(self, other: Term | int) -> Compare:
        """The formula that their values differ."""
        return Compare("!=", self, term(other))


def _asked_for_a_formula(kind: type[AnyTerm]) -> type[AnyTerm]:
    """Let `==` of these terms raise where somebody writes it for a formula; else it stays the equality of values."""
    equal = kind.__eq__

    def __eq__(self: AnyTerm, other: object) -> bool:
        refuse_equality(self, other)
        return equal(self, other)

    kind.__eq__ = __eq__  # type: ignore[assignment]
    return kind


def term(value: Term | int) -> Term:
    """`value` as a term; a plain integer becomes a `Constant`."""
    if isinstance(value, Term):
        return value
    if not _is_whole(value):
        raise no_term(value)
    return Constant(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_terms(terms: Iterable[object]) -> None:
    """Raise `FormulaMistake` for what is no term."""
    for each in terms:
        if not isinstance(each, Term):
            raise no_term(each)


@_asked_for_a_formula
@dataclass(frozen=True)
class Variable(Term):
    """An unknown with a name, unique in its theory, and the sort that it ranges over."""

    name: str
    sort: Sort

    @property
    def variables(self) -> frozenset[Variable]:
        return frozenset((self,))

    def __hash__(self) -> int:
        # Names are unique in a theory, and strings keep their hash: formulas are looked up often.
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@_asked_for_a_formula
@dataclass(frozen=True)
class Constant(Term):
    value: int

    def __str__(self) -> str:
        return str(self.value)


@_asked_for_a_formula
@dataclass(frozen=True)
class Sum(Term):
    """`factor * term` summed over `parts`."""

    parts: tuple[tuple[int, Term], ...]

    def __add__(self, other: Term | int) -> Sum:
        # A chain stays flat, like one of `&`: `sum(terms)` would be as deep as it is long.
        return Sum((*self.parts, (1, term(other))))

    def __sub__(self, other: Term | int) -> Sum:
        return Sum((*self.parts, (-1, term(other))))

    @property
    def children(self) -> tuple[Node, ...]:
        return tuple(part for _, part in self.parts)

    def written(self, show: Callable[[Term], str]) -> str:
        """The sum, with its terms as `show` writes them."""
        out = ""
        for factor, part in self.parts:
            if isinstance(part, Constant):
                value = factor * part.value
                factor, body = (1 if value >= 0 else -1), str(abs(value))
            else:
                inner = f"({show(part)})" if isinstance(part, Sum) else show(part)
                body = inner if abs(factor) == 1 else f"{abs(factor)}*{inner}"
            sign = "-" if factor < 0 else "+"
            out += f" {sign} {body}" if out else (f"-{body}" if factor < 0 else body)
        return out or "0"

    def __str__(self) -> str:
        return self.written(str)


@_asked_for_a_formula
@dataclass(frozen=True)
class Abs(Term):
    """The absolute value of a term."""

    inner: Term

    def __post_init__(self) -> None:
        check_terms((self.inner,))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)

    def __str__(self) -> str:
        return f"|{self.inner}|"


@_asked_for_a_formula
@dataclass(frozen=True)
class Ite(Term):
    """`then` where the condition holds, `otherwise` where it does not; `ite` takes plain integers too."""

    condition: Formula
    then: Term
    otherwise: Term

    def __post_init__(self) -> None:
        check_formulas(self, (self.condition,))
        check_terms((self.then, self.otherwise))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.condition, self.then, self.otherwise)

    def __str__(self) -> str:
        return f"(if {self.condition} then {self.then} else {self.otherwise})"


def ite(condition: Formula, then: Term | int, otherwise: Term | int) -> Ite:
    """The term that is `then` where the condition holds, and `otherwise` where it does not."""
    return Ite(condition, term(then), term(otherwise))


@_asked_for_a_formula
@dataclass(frozen=True)
class Element(Term):
    """The entry of `table` at `index`, counted from 0.

    Raises `FormulaError` where the table has no entry for some value that the index can have (`term_range`): what
    such an entry should be, only the author can say. An answer may give a variable a value outside its sort all the
    same; an index beyond an end of the table then means the entry at that end.
    """

    table: tuple[int, ...]
    index: Term

    def __post_init__(self) -> None:
        if not isinstance(self.table, tuple):
            raise FormulaMistake(
                f"Element takes a tuple as its table: Element((10, 20), index), not {self.table!r:.80}"
            )
        check_terms((self.index,))
        low, high = term_range(self.index)
        if low < 0 or high >= len(self.table):
            entries = f"0 to {len(self.table) - 1}" if self.table else "no entries"
            raise FormulaError(f"the index {self.index} has values {low} to {high}; its table has {entries}")

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.index,)

    def __str__(self) -> str:
        return f"{list(self.table)}[{self.index}]"


@dataclass(frozen=True)
class Compare(Formula):
    op: Comparison
    left: Term
    right: Term

    def __post_init__(self) -> None:
        check_terms((self.left, self.right))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


Atom = Variable | Abs | Ite | Element
"""What a linear form takes as a whole."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear normal form: `constant + sum(factor * atom)`."""

    factors: tuple[tuple[Atom, int], ...]
    constant: int


def linear(value: Term) -> Linear:
    """The linear normal form of a term: like atoms merged, factors of zero dropped."""
    factors: dict[Atom, int] = {}
    constant = 0
    stack: list[tuple[int, Term]] = [(1, value)]
    while stack:
        factor, node = stack.pop()
        if isinstance(node, Constant):
            constant += factor * node.value
        elif isinstance(node, Sum):
            stack += [(factor * own, part) for own, part in reversed(node.parts)]
        elif isinstance(node, Atom):
            factors[node] = factors.get(node, 0) + factor
        else:
            raise FormulaError(f"not a term: {node!r}")
    return Linear(tuple([item for item in factors.items() if item[1]]), constant)


def term_range(value: Term) -> tuple[int, int]:
    """The least and the greatest value that the term can have, each atom of its linear form taken by itself."""
    match value:
        case Variable():
            return value.sort.low, value.sort.high
        case Abs():
            low, high = term_range(value.inner)
            return max(0, low, -high), max(high, -low)
        case Ite():
            lows, highs = zip(term_range(value.then), term_range(value.otherwise), strict=True)
            return min(lows), max(highs)
        case Element():
            low, high = term_range(value.index)
            reached = value.table[low : high + 1]
            return min(reached), max(reached)
    form = linear(value)
    low = high = form.constant
    for atom, factor in form.factors:
        ends = [factor * end for end in term_range(atom)]
        low, high = low + min(ends), high + max(ends)
    return low, high
