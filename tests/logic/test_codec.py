"""The JSON form of formulas: there and back, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import MAX_DEPTH, formula_from_json, formula_to_json
from holdtrue.logic.formula import (
    AllDifferent,
    Compare,
    Constant,
    Count,
    Element,
    Formula,
    IfThenElse,
    Sum,
    Term,
    Truth,
    Variable,
    at_least,
    at_most,
    exactly,
    greatest,
    ite,
    least,
    product,
    remainder,
)
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import VARIABLES, formulas

BY_NAME = {variable.name: variable for variable in VARIABLES}
A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))
TABLE = Element((4, 3, 2), ite(Truth(True), 0, 2))


def resolve(name: str) -> Term | int:
    if name == "three":
        return 3
    return {"a": A, "b": B}[name]


@settings(max_examples=200, deadline=None)
@given(formulas)
def test_there_and_back(formula: Formula) -> None:
    written = json.dumps(formula_to_json(formula))
    read = formula_from_json(json.loads(written), BY_NAME.__getitem__)
    assert read == formula
    assert json.dumps(formula_to_json(read)) == written


@pytest.mark.parametrize(
    ("value", "formula"),
    [
        (True, Truth(True)),
        (["<=", ["+", "a", 1], "b"], A + 1 <= B),
        (["==", ["-", "a", "b"], ["-", "a"]], (A - B).eq(-A)),
        (["!=", ["*", 2, "a"], ["abs", "b"]], (2 * A).ne(abs(B))),
        ([">", ["+", ["*", -1, "a"], "b"], "three"], Compare(">", Sum(((-1, A), (1, B))), Constant(3))),
        (["and", True, ["not", ["<", "a", 1]]], Truth(True) & ~(A < 1)),
        (["or", [">=", "a", "b"], False], (A >= B) | Truth(False)),
        (["implies", ["<", "a", 1], ["<", "b", 1]], (A < 1).implies(B < 1)),
        (["iff", ["<", "a", 1], ["<", "b", 1]], (A < 1).iff(B < 1)),
        (["xor", ["<", "a", 1], ["<", "b", 1]], (A < 1).xor(B < 1)),
        (["if", ["<", "a", 1], True, ["<", "b", 1]], IfThenElse(A < 1, Truth(True), B < 1)),
        ([">", ["if", ["<", "a", 1], 3, ["-", "b"]], 1], ite(A < 1, 3, -B) > 1),
        (["<", ["*", "a", "b"], ["*", "a", 2]], product(A, B) < 2 * A),
        (["==", ["div", "a", 3], ["mod", ["-", "a"], -3]], (A // 3).eq(remainder(-A, -3))),
        (["<", ["+", ["*", "a", "a"], 1], ["least", "a", "three"]], Compare("<", A * A + 1, least(A, 3))),
        ([">", ["greatest", "a", ["+", "b", 1]], 2], greatest(A, B + 1) > 2),
        (["==", ["element", [4, "three", 2], ["if", True, 0, 2]], 3], TABLE.eq(3)),
        (["all-different", "a", ["+", "b", 1], 2], AllDifferent((A, B + 1, Constant(2)))),
        (["count", "!=", -1, ["<", "a", 1], False], Count("!=", -1, (A < 1, Truth(False)))),
        (["count", ">", 0], Count(">", 0, ())),
        (["at-most", "three", ["<", "a", 1]], at_most(3, [A < 1])),
        (["at-least", 1, True, False], at_least(1, [Truth(True), Truth(False)])),
        (["exactly", 0, True], exactly(0, [Truth(True)])),
    ],
)
def test_reading(value: Any, formula: Formula) -> None:
    assert formula_from_json(value, resolve) == formula


def test_writing() -> None:
    formula = (A - B + 1 <= 2 * A).implies(abs(A).eq(0))
    assert formula_to_json(formula) == [
        "or",
        ["not", ["<=", ["+", "a", ["*", -1, "b"], 1], ["+", ["*", 2, "a"]]]],
        ["==", ["abs", "a"], 0],
    ]
    assert formula_to_json(IfThenElse(A < 1, at_most(2, [A < B]), TABLE.eq(3).xor(B < 1))) == [
        "if",
        ["<", "a", 1],
        ["count", "<=", 2, ["<", "a", "b"]],
        ["xor", ["==", ["element", [4, 3, 2], ["if", True, 0, 2]], 3], ["<", "b", 1]],
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, 'a formula is true, false or a list such as ["<=", "a", "b"], not None'),
        (1, "a formula is true, false or a list"),
        ("a", "a formula is true, false or a list"),
        ([], "a formula is true, false or a list"),
        ([["<="], "a"], "a formula is true, false or a list"),
        ({"<": ["a", 1]}, "a formula is true, false or a list"),
        (["=", "a", 1], "unknown operator '=' in ['=', 'a', 1]"),
        (["<", "a"], "'<' takes 2 operand(s), got 1 in ['<', 'a']"),
        (["<", "a", 1, 2], "'<' takes 2 operand(s), got 3"),
        (["not"], "'not' takes 1 operand(s), got 0"),
        (["iff", True], "'iff' takes 2 operand(s), got 1"),
        (["implies", True, True, True], "'implies' takes 2 operand(s), got 3"),
        (["and", "a"], "a formula is true, false or a list"),
        (["<", "a", 1.5], 'a term is an integer, a name or a list such as ["+", "a", 1], not 1.5'),
        (["<", "a", True], "a term is an integer, a name or a list"),
        (["<", "a", None], "a term is an integer, a name or a list"),
        (["<", "a", []], "a term is an integer, a name or a list"),
        (["<", "a", ["/", "a", 2]], "unknown term operator '/' in ['/', 'a', 2]"),
        (["<", "a", ["-"]], "unknown term operator '-' in ['-']"),
        (["<", "a", ["-", 1, 2, 3]], "unknown term operator '-'"),
        (["<", "a", ["abs", 1, 2]], "'abs' takes 1 operand(s), got 2"),
        (["<", "a", ["*", True, "a"]], "a term is an integer, a name or a list"),
        (["<", "a", ["div", "a", "b"]], "the divisor b may be zero: it has values 0 to 9"),
        (["<", "a", ["mod", "a", 0]], "the divisor 0 may be zero: it has values 0 to 0"),
        (["<", "a", ["mod", "a"]], "'mod' takes 2 operand(s), got 1"),
        (["<", "a", ["least"]], "there is no least of no terms"),
        (["<", "a", ["*", 2]], "'*' takes 2 operand(s), got 1"),
        (["?", "x" * 200], "unknown operator '?' in ['?', 'xxx"),
        (["xor", True], "'xor' takes 2 operand(s), got 1"),
        (["if", True, True], "'if' takes 3 operand(s), got 2"),
        (["<", ["if", True, 1], 2], "'if' takes 3 operand(s), got 2"),
        (["<", ["if", "a", 1, 2], 2], "a formula is true, false or a list"),
        (["<", ["element", [1]], 2], "'element' takes 2 operand(s), got 1"),
        (["<", ["element", 3, "a"], 2], "a table is a list of integers, not 3"),
        (["<", ["element", [1.5], 0], 2], "1.5 is no integer, in ['element', [1.5], 0]"),
        (["<", ["element", [True], 0], 2], "True is no integer, in ['element', [True], 0]"),
        (["<", ["element", ["a"], 0], 2], "'a' is no integer, in ['element', ['a'], 0]"),
        (["<", ["element", [1, 2], "a"], 2], "the index a has values 0 to 9; its table has 0 to 1"),
        (["count", 2, True], 'a number of formulas is counted as in ["count", "<=", 2, ...] or'),
        (["count", "<="], "a number of formulas is counted as in"),
        (["count", ["<="], 2], "a number of formulas is counted as in"),
        (["at-most"], "a number of formulas is counted as in"),
        (["at-most", True, True], "True is no integer, in ['at-most', True, True]"),
        (["at-most", "a", True], "'a' is no integer, in ['at-most', 'a', True]"),
        (["at-most", 1, "a"], "a formula is true, false or a list"),
        (["for-all", "x"], "'for-all' takes 2 operand(s), got 1"),
        (["for-all", "x", True], "'for-all' has no entities to range over here"),
        (["and", ["each", "x", True]], "'each' has no entities to range over here"),
        (["each", "x", True], "'each' takes a variable and a body, among several operands, in ['each'"),
        (["and", ["each", "x"]], "'each' takes a variable and a body, among several operands"),
        (["<", ["each", "x", "a"], 2], "unknown term operator 'each'"),
    ],
)
def test_what_cannot_be_read_is_named(value: object, message: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(message)) as caught:
        formula_from_json(value, resolve)
    assert len(str(caught.value)) < 200


def test_depth_is_limited() -> None:
    formula: Any = True
    for _ in range(MAX_DEPTH):
        formula = ["not", formula]
    assert formula_to_json(formula_from_json(formula, resolve)) == formula
    with pytest.raises(FormulaError, match=f"a formula may be nested {MAX_DEPTH} deep at most"):
        formula_from_json(["not", ["and", formula]], resolve)
    term: Any = "a"
    for _ in range(MAX_DEPTH + 1):
        term = ["abs", term]
    with pytest.raises(FormulaError, match=f"a term may be nested {MAX_DEPTH} deep at most"):
        formula_from_json(["<", term, 1], resolve)


def test_depth_is_counted_through_conditions_and_tables() -> None:
    value: Any = "b"
    for _ in range(MAX_DEPTH // 2):
        value = ["if", ["<", ["element", list(range(10)), value], 1], "a", "b"]
    assert formula_from_json(["<", value, 1], resolve).variables == {A, B}
    with pytest.raises(FormulaError, match=f"nested {MAX_DEPTH} deep at most"):
        formula_from_json(["<", ["if", ["<", ["abs", value], 1], "a", "b"], 1], resolve)


def test_what_is_no_formula_cannot_be_written() -> None:
    wrong: Any = Term()
    with pytest.raises(FormulaError, match="not a formula"):
        formula_to_json(wrong)
    with pytest.raises(FormulaError, match="not a term"):
        formula_to_json(A.eq(wrong))
