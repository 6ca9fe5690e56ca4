"""Random well-sorted scripts over few values, a naive recursive evaluation of them, and brute force over it.

There are the constants `a`, `b é` (0..2) and `p`, and a sort of people with the constants `u` and `v` and a predicate
`red`. A satisfiable formula without functions on people has a model in which `u` and `v` are all people, so brute force
is complete.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from typing import Any

from hypothesis import strategies as st

from holdtrue.logic.smtlib.script import Assertion, Script
from holdtrue.logic.smtlib.typed_terms import (
    BOOL,
    INT,
    Call,
    Definition,
    Function,
    Let,
    Literal,
    Local,
    Operation,
    Quantified,
    SmtSort,
    SmtTerm,
    apply_operator,
    number,
)

PERSON = SmtSort("tall person")
HIGHEST = 2
A, B = Function("a", (), INT), Function("b é", (), INT)
FLAG = Function("p", (), BOOL)
U, V = Function("u", (), PERSON), Function("v", (), PERSON)
RED = Function("red", (PERSON,), BOOL)
COUNT, X = Local("i", INT), Local("x", BOOL)
DOUBLE = Definition(
    Function("double", (INT,), INT), (Local("a", INT),), apply_operator("+", [Local("a", INT), Local("a", INT)])
)


def call(function: Function, *operands: SmtTerm) -> SmtTerm:
    return Call(function, operands)


def range_of(function: Function) -> SmtTerm:
    return apply_operator("<=", [number(0), call(function), number(HIGHEST)])


numbers = st.integers(0, 4).map(number)
divisors = st.sampled_from([-3, -2, 1, 2, 3]).map(number)
people = st.sampled_from([call(U), call(V)])


def _larger_integers(inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        st.builds(apply_operator, st.sampled_from("+-*"), several),
        st.builds(lambda x: apply_operator("-", [x]), inner),
        st.builds(lambda x: apply_operator("abs", [x]), inner),
        st.builds(lambda x: call(DOUBLE.function, x), inner),
        st.builds(lambda op, x, d: apply_operator(op, [x, d]), st.sampled_from(["div", "mod"]), inner, divisors),
        st.builds(lambda x, y: apply_operator("ite", [call(FLAG), x, y]), inner, inner),
        st.builds(
            lambda x, y: Let(((COUNT, x), (Local("j", INT), call(A))), apply_operator("+", [COUNT, y])), inner, inner
        ),
    )


integers = st.recursive(numbers | st.sampled_from([call(A), call(B), COUNT]), _larger_integers, max_leaves=4)

atoms = st.one_of(
    st.sampled_from([call(FLAG), X, Literal(True, BOOL), Literal(False, BOOL)]),
    st.builds(
        apply_operator,
        st.sampled_from(["<", "<=", ">", ">=", "=", "distinct"]),
        st.lists(integers, min_size=2, max_size=3),
    ),
    st.builds(lambda x: call(RED, x), people),
    st.builds(apply_operator, st.sampled_from(["=", "distinct"]), st.lists(people, min_size=2, max_size=3)),
)


def _larger_formulas(inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        st.builds(apply_operator, st.sampled_from(["and", "or", "xor", "=>", "=", "distinct"]), several),
        st.builds(lambda x: apply_operator("not", [x]), inner),
        st.builds(lambda x, y, z: apply_operator("ite", [x, y, z]), inner, inner, inner),
        st.builds(lambda every, body: Quantified(every, (X,), body), st.booleans(), inner),
        st.builds(lambda every, body: Quantified(every, (X, Local("y", BOOL)), body), st.booleans(), inner),
        st.builds(lambda x, body: Let(((X, x),), body), inner, inner),
    )


def _closed(formula: SmtTerm) -> SmtTerm:
    return Let(((COUNT, call(A)), (X, call(FLAG))), formula)


formulas = st.recursive(atoms, _larger_formulas, max_leaves=5).map(_closed)


def _script(formulas: list[SmtTerm]) -> Script:
    asserted = [range_of(A), range_of(B), *formulas]
    return Script((PERSON,), (A, B, FLAG, U, V, RED), (DOUBLE,), tuple(map(Assertion, asserted)))


scripts = st.lists(formulas, max_size=3).map(_script)

World = Mapping[str, Any]
"""A world has the values of constants, and the elements for which `red` is true."""


def worlds() -> Iterator[World]:
    """Every way in which things can be, as far as the formulas can tell."""
    values = range(HIGHEST + 1)
    reds = [set(), {0}, {1}, {0, 1}]
    for a, b, flag, v, red in product(values, values, (False, True), (0, 1), reds):
        yield {A.name: a, B.name: b, FLAG.name: flag, U.name: 0, V.name: v, RED.name: red}


def possible(script: Script) -> bool:
    """Whether the assertions hold together somewhere."""
    return any(all(value_of(own.formula, world) for own in script.assertions) for world in worlds())


def value_of(term: SmtTerm, world: World) -> Any:
    """The naive twin of `evaluate.Compiler`: bound names are entries of the world like any others."""
    match term:
        case Literal():
            return term.value
        case Local():
            return world[f"local {term.name}"]
        case Let():
            return value_of(term.body, {**world, **{f"local {x.name}": value_of(t, world) for x, t in term.bindings}})
        case Quantified():
            names = [f"local {own.name}" for own in term.variables]
            found = [
                value_of(term.body, {**world, **dict(zip(names, chosen, strict=True))})
                for chosen in product((False, True), repeat=len(names))
            ]
            return all(found) if term.every else any(found)
        case Call():
            operands = [value_of(operand, world) for operand in term.operands]
            if term.function == DOUBLE.function:
                return 2 * operands[0]
            return operands[0] in world[RED.name] if operands else world[term.function.name]
        case Operation():
            return _operation(term.op, [value_of(operand, world) for operand in term.operands])


def _divide(m: int, n: int) -> int:
    # By definition, the only quotient whose remainder is in 0..|n|-1.
    return next(q for q in range(-abs(m) - 1, abs(m) + 2) if 0 <= m - n * q < abs(n))


_PAIRS = {"=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_FOLDS: dict[str, Any] = {
    "+": operator.add,
    "*": operator.mul,
    "xor": operator.ne,
    "div": _divide,
    "mod": lambda m, n: m - n * _divide(m, n),
    "/": Fraction,
}


def _operation(op: str, values: list[Any]) -> Any:
    if op in _PAIRS:
        return all(_PAIRS[op](left, right) for left, right in pairwise(values))
    if op in _FOLDS:
        return reduce(_FOLDS[op], values)
    match op, values:
        case "-", [only]:
            return -only
        case "-", [first, *rest]:
            return first - sum(rest)
        case "not", [only]:
            return not only
        case "and", _:
            return all(values)
        case "or", _:
            return any(values)
        case "=>", [*premises, last]:
            return last if all(premises) else True
        case "ite", [condition, then, otherwise]:
            return then if condition else otherwise
        case "distinct", _:
            return all(x != y for at, x in enumerate(values) for y in values[:at])
        case "abs", [only]:
            return abs(only)
    raise AssertionError(op)
