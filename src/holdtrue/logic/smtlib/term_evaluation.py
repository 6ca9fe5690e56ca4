"""Direct evaluation of terms, compiled once into nested closures over Python's own numbers; no solver is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise, product
from typing import Any, Protocol

from holdtrue.logic.smtlib.typed_terms import (
    Call,
    Function,
    Let,
    Literal,
    Local,
    Operation,
    Quantified,
    SmtSort,
    SmtTerm,
)

LARGEST_BITS = 10_000
"""Larger numbers are not computed: squaring again and again outgrows any memory within a few lines of text."""


class Undecided(Exception):
    """The value cannot be told by evaluation (a divisor of zero, infinitely many values, numbers too large)."""


def quotient(m: int, n: int) -> int:
    """`(div m n)`."""
    return m // n if n > 0 else -(m // -n)


def divide(values: Sequence[int]) -> int:
    if 0 in values[1:]:
        raise Undecided("a division by zero")
    return reduce(quotient, values)


def remain(values: Sequence[int]) -> int:
    m, n = values
    if n == 0:
        raise Undecided("a division by zero")
    return m % abs(n)


def _add(values: Sequence[Any]) -> Any:
    return _sized(sum(values))


def _subtract(values: Sequence[Any]) -> Any:
    return -values[0] if len(values) == 1 else _sized(values[0] - sum(values[1:]))


def _multiply(values: Sequence[Any]) -> Any:
    return reduce(lambda a, b: _sized(a * b), values)


def _share(values: Sequence[Fraction]) -> Fraction:
    if 0 in values[1:]:
        raise Undecided("a division by zero")
    return reduce(lambda a, b: _sized(a / b), values)


def _sized(value: Any) -> Any:
    if value.numerator.bit_length() > LARGEST_BITS or value.denominator.bit_length() > LARGEST_BITS:
        raise Undecided("numbers too large")
    return value


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "<=": lambda a, b: bool(a <= b),
    "<": lambda a, b: bool(a < b),
    ">=": lambda a, b: bool(a >= b),
    ">": lambda a, b: bool(a > b),
}
"""Operators that hold between each operand and the next."""

FOLDED: dict[str, Callable[[Sequence[Any]], Any]] = {
    "xor": lambda values: sum(values) % 2 == 1,
    "distinct": lambda values: len(set(values)) == len(values),
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _share,
    "div": divide,
    "mod": remain,
    "abs": lambda values: abs(values[0]),
    "to_real": lambda values: Fraction(values[0]),
    "to_int": lambda values: values[0].numerator // values[0].denominator,
    "is_int": lambda values: values[0].denominator == 1,
}
"""Operators that take the values of all operands."""


Slots = list[Any]
"""The values of bound variables while a term is evaluated, a slot for every binding in the term."""

Compiled = Callable[[Mapping[str, Any], Slots], Any]
"""Values of the free symbols and slots in, the term's value out: bool, int, Fraction or an `Element`."""

Scope = Mapping[str, int]


class Meaning(Protocol):
    """What the symbols of a term mean."""

    def call(self, function: Function) -> Callable[[Mapping[str, Any], Sequence[Any]], Any]:
        """The value of a function, given the values of the free symbols and of its operands."""
        ...

    def elements(self, sort: SmtSort) -> Sequence[Any]:
        """All values of a sort. Raises `Undecided` where they are unknown or infinitely many."""
        ...

    def spend(self, steps: int) -> None:
        """Called before work that repeats, with the number of terms in it; raises `Undecided` to end it."""
        ...


class Compiler:
    """Compiles terms under one meaning. `size` is the number of slots that what was compiled so far needs."""

    def __init__(self, meaning: Meaning, parameters: Iterable[Local] = ()) -> None:
        self._meaning = meaning
        self._parameters = {own.name: index for index, own in enumerate(parameters)}
        self.size = len(self._parameters)
        self.terms = 0

    def compile(self, term: SmtTerm, scope: Scope | None = None) -> Compiled:
        """The closure that evaluates the term; parameters are in the first slots."""
        scope = self._parameters if scope is None else scope
        self.terms += 1
        match term:
            case Literal():
                value = term.value
                return lambda values, slots: value
            case Local():
                index = scope[term.name]
                return lambda values, slots: slots[index]
            case Operation():
                return _operation(term, [self.compile(operand, scope) for operand in term.operands])
            case Call():
                call = self._meaning.call(term.function)
                operands = tuple([self.compile(operand, scope) for operand in term.operands])
                return lambda values, slots: call(values, [own(values, slots) for own in operands])
            case Let():
                return self._let(term, scope)
            case Quantified():
                return self._quantified(term, scope)

    def _slot(self) -> int:
        self.size += 1
        return self.size - 1

    def _let(self, term: Let, scope: Scope) -> Compiled:
        bound = [(own.name, self._slot(), self.compile(value, scope)) for own, value in term.bindings]
        body = self.compile(term.body, {**scope, **{name: slot for name, slot, _ in bound}})
        bindings = tuple((slot, value) for _, slot, value in bound)

        def value(values: Mapping[str, Any], slots: Slots) -> Any:
            for slot, own in bindings:
                slots[slot] = own(values, slots)
            return body(values, slots)

        return value

    def _quantified(self, term: Quantified, scope: Scope) -> Compiled:
        meaning, every = self._meaning, term.every
        own_slots = {own.name: self._slot() for own in term.variables}
        before = self.terms
        body = self.compile(term.body, {**scope, **own_slots})
        cost = self.terms - before
        indices = tuple(own_slots.values())
        sorts = tuple(own.sort for own in term.variables)

        def value(values: Mapping[str, Any], slots: Slots) -> bool:
            for chosen in product(*map(meaning.elements, sorts)):
                meaning.spend(cost)
                for index, element in zip(indices, chosen, strict=True):
                    slots[index] = element
                if body(values, slots) is not every:
                    return not every
            return every

        return value


def _operation(term: Operation, operands: Sequence[Compiled]) -> Compiled:
    own = tuple(operands)
    match term.op:
        case "not":
            (inner,) = own
            return lambda values, slots: not inner(values, slots)
        case "and":
            return _until(own, False)
        case "or":
            return _until(own, True)
        case "=>":
            *premises, last = own
            premised = _until(premises, False)
            return lambda values, slots: not premised(values, slots) or last(values, slots)
        case "ite":
            choice, yes, no = own
            return lambda values, slots: yes(values, slots) if choice(values, slots) else no(values, slots)
    if term.op in COMPARED and len(own) == 2:
        holds, (first, second) = COMPARED[term.op], own
        return lambda values, slots: holds(first(values, slots), second(values, slots))
    if term.op in COMPARED:
        return _folded(own, partial(_chained, COMPARED[term.op]))
    return _folded(own, FOLDED[term.op])


# Plain loops: `any`, `all` and comprehensions cost two or three calls a level, and terms may be deep.
def _until(operands: Sequence[Compiled], stop: bool) -> Compiled:
    """Whether some operand is true (`stop` is True), or none is false."""

    def value(values: Mapping[str, Any], slots: Slots) -> Any:
        for operand in operands:
            if operand(values, slots) is stop:
                return stop
        return not stop

    return value


def _folded(operands: Sequence[Compiled], fold: Callable[[Sequence[Any]], Any]) -> Compiled:
    def value(values: Mapping[str, Any], slots: Slots) -> Any:
        found = []
        for operand in operands:
            found.append(operand(values, slots))  # noqa: PERF401
        return fold(found)

    return value


def _chained(holds: Callable[[Any, Any], bool], found: Sequence[Any]) -> bool:
    return all(holds(left, right) for left, right in pairwise(found))
