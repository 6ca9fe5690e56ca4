"""Direct evaluation of integer terms without quantifiers, compiled once into nested closures; no solver is asked.

Division and remainder are the standard's: `(mod m n)` is in 0..|n|-1 whatever the signs, and
`m = n * (div m n) + (mod m n)` (theory Ints; Boute, "The Euclidean definition of the functions div and mod",
TOPLAS 1992). What a divisor of zero gives is anybody's choice there, and undecided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.intervals import quotient
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue.logic.smtlib.typed_terms import Call, Let, Literal, Local, Operation, SmtTerm

LARGEST_BITS = 10_000
"""Larger numbers are not computed: squaring again and again outgrows any memory within a few lines of text."""

Slots = list[Any]
"""The values of bound names while a term is evaluated, a slot for every binding in the term."""

Compiled = Callable[[Mapping[str, int], Slots], Any]
"""Values of the variables and slots in, the term's value out: a bool or an int."""

Scope = Mapping[str, int]


class Undecided(Exception):
    """The value cannot be told by evaluation (a divisor of zero, numbers too large)."""


def divide(values: Sequence[int]) -> int:
    if 0 in values[1:]:
        raise Undecided("a division by zero")
    return reduce(quotient, values)


def remain(values: Sequence[int]) -> int:
    m, n = values
    if n == 0:
        raise Undecided("a division by zero")
    return m % abs(n)


def _sized(value: int) -> int:
    if value.bit_length() > LARGEST_BITS:
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
    "+": lambda values: _sized(sum(values)),
    "-": lambda values: -values[0] if len(values) == 1 else _sized(values[0] - sum(values[1:])),
    "*": lambda values: reduce(lambda a, b: _sized(a * b), values),
    "div": divide,
    "mod": remain,
    "abs": lambda values: abs(values[0]),
}
"""Operators that take the values of all operands."""


def compile_term(term: SmtTerm) -> Callable[[Mapping[str, int]], bool]:
    """A closure that tells whether a term of sort Bool holds; `KeyError` for a variable without a value.

    What cannot be computed does not hold: a division by zero, a number that grows without end.
    """
    compiler = _Compiler()
    value = compiler.compile(term, {})
    size = compiler.size

    def check(values: Mapping[str, int]) -> bool:
        try:
            return bool(value(values, [None] * size))
        except Undecided:
            return False

    return check


class _Compiler:
    """Compiles terms. `size` is the number of slots that what was compiled so far needs."""

    def __init__(self) -> None:
        self.size = 0

    def compile(self, term: SmtTerm, scope: Scope) -> Compiled:
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
                name = name_of(term.function.name)
                return lambda values, slots: values[name]
            case Let():
                return self._let(term, scope)
        raise FormulaError(f"no term of an opaque formula: {term!r}")

    def _let(self, term: Let, scope: Scope) -> Compiled:
        first = self.size
        self.size += len(term.bindings)
        bound = [(first + index, self.compile(value, scope)) for index, (_, value) in enumerate(term.bindings)]
        inner = {own.name: first + index for index, (own, _) in enumerate(term.bindings)}
        body = self.compile(term.body, {**scope, **inner})

        def value(values: Mapping[str, int], slots: Slots) -> Any:
            for slot, own in bound:
                slots[slot] = own(values, slots)
            return body(values, slots)

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
        between = COMPARED[term.op]
        return _folded(own, lambda found: all(between(left, right) for left, right in pairwise(found)))
    return _folded(own, FOLDED[term.op])


# Plain loops: `any`, `all` and comprehensions cost two or three calls a level, and terms may be deep.
def _until(operands: Sequence[Compiled], stop: bool) -> Compiled:
    """Return a closure that tells whether some operand is true (`stop` is True), or none is false."""

    def value(values: Mapping[str, int], slots: Slots) -> Any:
        for operand in operands:
            if operand(values, slots) is stop:
                return stop
        return not stop

    return value


def _folded(operands: Sequence[Compiled], fold: Callable[[Sequence[Any]], Any]) -> Compiled:
    def value(values: Mapping[str, int], slots: Slots) -> Any:
        found = []
        for operand in operands:
            found.append(operand(values, slots))  # noqa: PERF401
        return fold(found)

    return value
