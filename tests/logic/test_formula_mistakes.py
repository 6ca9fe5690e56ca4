"""Mistakes in code for formulas raise errors, also outside of declarations, and equality of values stays."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from holdtrue.conversation.query_state import Question
from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.kinds.labels.case import Premise
from holdtrue.kinds.search.problem import Requirement
from holdtrue.logic import formula as logic
from holdtrue.logic.formula import Abs, Constant, Sum, Variable, ite, linear
from holdtrue.logic.formula_mistakes import being_written
from holdtrue.logic.sorts import IntSort

A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))
TWIN = Variable("a", IntSort(0, 9))
P = A < 3
F: Any = logic
X: Any = A


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda: X.eq(1) & (X == 2), "an operand of And: a formula was expected and False came"),
        (lambda: (X == 2) & X.eq(1), "before & .*: a formula was expected and False came"),
        (lambda: (X == 2) | X.eq(1), "before | .*: a formula was expected and False came"),
        (lambda: X.eq(1).implies(X == 2), r"write a.day.eq\(b.day\)"),
        (lambda: X.eq(1).iff(True), "an operand of Iff: a formula was expected and True came"),
        (lambda: F.And([P]), "And takes a tuple of formulas"),
        (lambda: F.IfThenElse(P, True, P), "an operand of IfThenElse"),
        (lambda: F.at_most(1, [P, X == 1]), "an operand of Count"),
        (lambda: F.exactly(True, [P]), "formulas are counted up to a whole number, not True"),
        (lambda: F.AllDifferent((A, 3)), "a term is a variable, a sum or an integer, not 3"),
        (lambda: F.AllDifferent([A, B]), "AllDifferent takes a tuple of terms"),
        (lambda: F.Compare("<", A, 3), "a term is a variable, a sum or an integer, not 3"),
        (lambda: F.Abs(P), r"not the formula \(a < 3\)"),
        (lambda: X + P, r"not the formula \(a < 3\)"),
        (lambda: P + 1, "is a formula and cannot be added"),
        (lambda: ite(P, A, X == 1), "== between terms gives such a value"),
        (lambda: X & P, "a formula was expected and the term a came"),
        (lambda: ~X, "behind ~: a formula was expected and the term a came"),
        (lambda: bool(X), "a has no truth value of its own"),
        (lambda: bool(P), "has no truth value of its own"),
        (lambda: X * True, "a times True is no term"),
        (lambda: 2 / X, "a quotient of 2 and a is no term"),
        (lambda: 7.5 % X, "7.5 modulo a is no term"),
        (lambda: X % -2, r"the divisor -2 may be negative, .* write quotient\(a, b\) or remainder\(a, b\)"),
        (lambda: 7 // (X - 5), "the divisor a - 5 may be negative"),
        (lambda: X * 1.5, "a times 1.5 is no term"),
        (lambda: F.Product(X, Constant(2)), "write product"),
        (lambda: F.Element([3, 4], X), "Element takes a tuple as its table"),
        (lambda: F.Least([X]), r"Least takes a tuple of terms: Least\(\(s, t\)\)"),
        (lambda: F.Greatest(()), "there is no greatest of no terms"),
        (lambda: F.greatest(X, True), "a term is a variable, a sum or an integer, not True"),
        (lambda: F.quotient(X, P), r"not the formula \(a < 3\)"),
        (lambda: 2**X, "2 to the power of a is no term"),
        (lambda: Requirement("c1", "x is 3", X == 3), "requirement 'c1': a formula was expected and False came"),
        (lambda: Premise("x is 3", X == 3), "premise 'x is 3': a formula was expected and False came"),
        (lambda: Question("q1", "Is x 3?", X == 3), "query 'q1': a formula was expected and False came"),
    ],
)
def test_what_cannot_be_meant_says_what_to_write(write: Callable[[], object], words: str) -> None:
    with pytest.raises(FormulaMistake, match=words) as raised:
        write()
    assert isinstance(raised.value, FormulaError)


def test_equality_stays_python_s_own() -> None:
    assert X == TWIN and X != B and hash(A) == hash(TWIN) and X != 3 and [A, B].index(B) == 1
    assert {A: 1, B: 2}[TWIN] == 1 and len({A, TWIN, B}) == 2
    assert A + 1 == TWIN + 1 and abs(A - B) == abs(TWIN - B) and Constant(3) == Constant(3)
    assert (A < 3) == (TWIN < 3) and (A < 3) != (B < 3)
    assert copy.deepcopy(A) == A and pickle.loads(pickle.dumps(abs(A - B))) == Abs(Sum(((1, A), (-1, B))))


def test_equality_is_refused_where_formulas_are_written_and_only_there() -> None:
    with being_written():
        mistakes: list[Callable[[], object]] = [
            lambda: X == B,
            lambda: X != 3,
            lambda: X in (1, 2),
            lambda: abs(X) == 3,
            lambda: X + B == 3,
        ]
        for mistake in mistakes:
            with pytest.raises(FormulaMistake, match="Python's own and gives no formula"):
                mistake()
        # Comparisons inside of `logic` are allowed: for formulas in sets, and for the normal form of a sum.
        assert (A + 1 < 3) == (TWIN + 1 < 3) and len({A + 1 < 3, TWIN + 1 < 3}) == 1
        ((_, factor),) = linear(abs(A - B) + abs(TWIN - B)).factors
        assert factor == 2
    assert A == TWIN


def test_another_thread_compares_as_ever() -> None:
    found: list[bool] = []
    with being_written():
        thread = Thread(target=lambda: found.append(A == TWIN))
        thread.start()
        thread.join()
    assert found == [True]
