"""Ranges hold for all values, and what may not have a value is refused."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib.integer_text import LARGEST, integer_range
from holdtrue.logic.smtlib.operators import apply_operator
from holdtrue.logic.smtlib.script import read_script
from holdtrue.logic.smtlib.typed_terms import INT, Call, Function, Let, Local, SmtTerm
from tests.logic.smtlib.scripts import call, divisors, numbers, value_of

RANGES = {"a": (-2, 3), "b": (1, 4), "c": (-3, -1)}
SYMBOLS = {name: Function(name, (), INT) for name in RANGES}
LOCAL = Local("n", INT)


def range_of(function: Function) -> tuple[int, int]:
    return RANGES[function.name]


def _larger(inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    several = st.lists(inner, min_size=2, max_size=3)
    nonzero = divisors | st.sampled_from([call(SYMBOLS["b"]), call(SYMBOLS["c"])])
    return st.one_of(
        st.builds(apply_operator, st.sampled_from("+-*"), several),
        st.builds(lambda x: apply_operator("-", [x]), inner),
        st.builds(lambda x: apply_operator("abs", [x]), inner),
        st.builds(lambda op, x, d: apply_operator(op, [x, d]), st.sampled_from(["div", "mod"]), inner, nonzero),
        st.builds(lambda x, y, z: apply_operator("ite", [apply_operator("<", [x, y]), y, z]), inner, inner, inner),
        st.builds(lambda x, y: Let(((LOCAL, x),), apply_operator("+", [LOCAL, y])), inner, inner),
    )


terms = st.recursive(numbers | st.sampled_from([Call(own) for own in SYMBOLS.values()]), _larger, max_leaves=4)


@settings(max_examples=150, deadline=None)
@given(terms)
def test_no_value_is_out_of_range(term: SmtTerm) -> None:
    low, high = integer_range(term, range_of)
    for values in product(*(range(first, last + 1) for first, last in RANGES.values())):
        assert low <= value_of(term, dict(zip(RANGES, values, strict=True))) <= high


def written(text: str) -> SmtTerm:
    declared = "".join(f"(declare-const {name} Int)" for name in RANGES)
    return read_script(f"{declared}(assert {text})").assertions[0].formula


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(+ a b 1)", (0, 8)),
        ("(- a b c)", (-5, 5)),
        ("(* a c)", (-9, 6)),
        ("(div a b)", (-2, 3)),
        ("(div a c)", (-3, 2)),
        ("(mod a 5)", (0, 4)),
        ("(mod b 10)", (1, 4)),
        ("(abs a)", (0, 3)),
        ("(abs c)", (1, 3)),
        ("(ite (< a 1) a b)", (-2, 4)),
    ],
)
def test_ranges_are_tight(text: str, found: tuple[int, int]) -> None:
    equation = written(f"(= {text} a)")
    assert not isinstance(equation, Let)
    assert integer_range(equation.operands[0], range_of) == found  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(= (div a a) 1)", "the divisor in '(div a a)' may be zero"),
        ("(= (mod b (- b 2)) 1)", "the divisor in '(mod b (- b 2))' may be zero"),
        ("(or true (= 1 (div 1 0)))", "the divisor in '(div 1 0)' may be zero"),
        ("(ite (< a 1) (= 1 (div 1 a)) true)", "may be zero"),
        ("(exists ((x Int)) (< x a))", "quantifiers have no place"),
        ("(let ((x (* b 3" + "0" * 99 + "))) (< x 0))", "may have more than 100 digits"),
    ],
)
def test_what_may_not_have_a_value(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        integer_range(written(text), range_of)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


def test_repeated_squaring_is_refused_before_it_grows() -> None:
    bomb = "(let ((x b)) " + "(let ((x (* x x x x))) " * 150 + "(< x 0)" + ")" * 151
    with pytest.raises(FormulaError, match="may have more than 100 digits"):
        integer_range(written(bomb), range_of)
    assert LARGEST == 10**100
