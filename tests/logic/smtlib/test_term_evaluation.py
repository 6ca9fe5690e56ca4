"""Compiled evaluation of opaque formulas: division as in the standard, and what is not computed does not hold.

That they hold where the naive twin says so is tested in `tests/logic/test_opaque.py`.
"""

from __future__ import annotations

import pytest

from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Variable
from holdtrue.logic.opaque import opaque
from holdtrue.logic.smtlib.sexpr import ReadLimits, Source, read_sexprs
from holdtrue.logic.smtlib.term_evaluation import LARGEST_BITS, compile_term
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Function, SmtTerm
from holdtrue.logic.sorts import IntSort

X = Variable("x", IntSort(7, 7))


def check(text: str) -> bool:
    """Whether the formula holds where x is 7."""
    return evaluate(opaque(text, {"x": X}.__getitem__), {"x": 7})


def unguarded(text: str) -> SmtTerm:
    """The term of a text, without the look at ranges that keeps opaque formulas from dividing by zero."""
    source = Source(text)
    (expression,) = read_sexprs(source, ReadLimits())
    return TermReader(source, {"Int": INT, "Bool": BOOL}.get, {"x": Function("x", (), INT)}.get).term(expression, BOOL)


@pytest.mark.parametrize("m", range(-7, 8))
@pytest.mark.parametrize("n", [-3, -2, -1, 1, 2, 3])
def test_division_is_that_of_the_standard(m: int, n: int) -> None:
    def written(value: int) -> str:
        return str(value) if value >= 0 else f"(- {-value})"

    quotient = next(q for q in range(-8, 9) if 0 <= m - n * q < abs(n))
    assert check(f"(= (div {written(m)} {written(n)}) {written(quotient)})")
    assert check(f"(= (mod {written(m)} {written(n)}) {m - n * quotient})")


@pytest.mark.parametrize(
    ("formula", "held"),
    [
        ("(= (div 100 x 2) 7)", True),
        ("(let ((x 1) (y x)) (and (= x 1) (= y 7) (let ((x 2)) (= (+ x y) 9)) (= x 1)))", True),
        ("(= (- 1 x 1) (- 8))", False),
        ("(= (- 1 x 1) (- 7))", True),
        ("(xor true true true)", True),
        ("(=> true false true)", True),
        ("(=> true true false)", False),
        ("(< 0 x 8 9)", True),
        ("(distinct x 1 7)", False),
    ],
)
def test_values(formula: str, held: bool) -> None:
    assert check(formula) is held


@pytest.mark.parametrize("formula", ["(= (div x 0) 1)", "(= (mod x (- x 7)) 1)", "(not (= (div x 0) 1))"])
def test_what_evaluation_cannot_tell_does_not_hold(formula: str) -> None:
    assert not compile_term(unguarded(formula))({"x": 7})
    assert not compile_term(unguarded(f"(and false {formula})"))({"x": 7})
    assert compile_term(unguarded(f"(or true {formula})"))({"x": 7})


def test_squaring_again_and_again_is_not_computed() -> None:
    bomb = "(let ((y x)) " + "(let ((y (* y y))) " * 60 + "(>= y 0)" + ")" * 61
    assert not compile_term(unguarded(bomb))({"x": 7})
    assert LARGEST_BITS <= 100_000


def test_deep_terms_are_evaluated_with_little_stack_left() -> None:
    texts = [
        "(not " * 198 + "true" + ")" * 198,
        "(or false " * 198 + "true" + ")" * 198,
        "(let ((z true)) " * 197 + "z" + ")" * 197,
        "(= 1 " + "(+ 0 " * 197 + "1" + ")" * 198,
    ]

    def below(frames: int) -> list[bool]:
        return below(frames - 1) if frames else [check(text) for text in texts]

    assert below(400) == [True] * len(texts)
