"""Random scripts with quantifiers, functions between sorts and real numbers: too rich for brute force."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from holdtrue.logic.smtlib.operators import apply_operator
from holdtrue.logic.smtlib.script import Assertion, Script
from holdtrue.logic.smtlib.typed_terms import (
    BOOL,
    INT,
    REAL,
    Call,
    Function,
    Literal,
    Local,
    Quantified,
    SmtSort,
    SmtTerm,
)

PERSON = SmtSort("Person")
U, V = Function("u", (), PERSON), Function("v", (), PERSON)
NEXT = Function("next", (PERSON,), PERSON)
RED, LIKES = Function("red", (PERSON, BOOL), BOOL), Function("likes", (PERSON, PERSON), BOOL)
AGE, TWIST = Function("age", (PERSON,), INT), Function("twist", (INT,), INT)
RATE, PAY = Function("rate", (), REAL), Function("pay", (REAL, PERSON), REAL)
X, Y = Local("x", PERSON), Local("y", PERSON)
THIRD = Literal(Fraction(3), REAL)


def two(op: str, inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    return st.builds(lambda left, right: apply_operator(op, [left, right]), inner, inner)


def one(op: str, inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    return inner.map(lambda operand: apply_operator(op, [operand]))


def calls(function: Function, *operands: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    return st.tuples(*operands).map(lambda given: Call(function, given))


people: st.SearchStrategy[SmtTerm] = st.recursive(
    st.sampled_from([Call(U), Call(V), X, Y]), lambda inner: calls(NEXT, inner), max_leaves=2
)
numbers: st.SearchStrategy[SmtTerm] = st.integers(0, 3).map(lambda value: Literal(value, INT))
integers: st.SearchStrategy[SmtTerm] = st.recursive(
    st.one_of(calls(AGE, people), numbers),
    lambda inner: calls(TWIST, inner) | two("+", inner) | two("-", inner),
    max_leaves=3,
)
fixed: st.SearchStrategy[SmtTerm] = st.sampled_from([Call(RATE), Literal(Fraction(1, 2), REAL)])
reals: st.SearchStrategy[SmtTerm] = st.recursive(
    st.one_of(fixed, one("to_real", integers)),
    lambda inner: (
        two("+", inner)
        | two("-", inner)
        | calls(PAY, inner, people)
        | inner.map(lambda operand: apply_operator("/", [operand, THIRD]))
    ),
    max_leaves=3,
)
atoms = st.one_of(
    calls(LIKES, people, people),
    calls(RED, people, st.sampled_from([Literal(True, BOOL), Literal(False, BOOL)])),
    two("=", people),
    two("=", integers),
    two("<", integers),
    two("=", reals),
    two("<=", reals),
    one("is_int", reals),
    st.builds(lambda real, whole: apply_operator("<", [apply_operator("to_int", [real]), whole]), reals, integers),
)


def _larger(inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    return st.one_of(
        two("and", inner),
        two("or", inner),
        two("=>", inner),
        two("xor", inner),
        one("not", inner),
        st.builds(
            lambda every, own, body: Quantified(every, (own,), body), st.booleans(), st.sampled_from([X, Y]), inner
        ),
    )


formulas = st.builds(
    lambda every, body: Quantified(every, (X, Y), body), st.booleans(), st.recursive(atoms, _larger, max_leaves=5)
)


def _script(formulas: list[Quantified]) -> Script:
    functions = (U, V, NEXT, RED, LIKES, AGE, TWIST, RATE, PAY)
    return Script((PERSON,), functions, (), tuple(map(Assertion, formulas)))


scripts = st.lists(formulas, min_size=1, max_size=3).map(_script)
