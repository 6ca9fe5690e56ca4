"""Formulas are written as JSON and read again, and invalid JSON is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import MAX_DEPTH, formula_from_json, formula_to_json
from holdtrue.logic.formula import (
    Element,
    Formula,
    IfThenElse,
    Term,
    Truth,
    Variable,
    at_most,
    ite,
)
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import VARIABLES, formulas

BY_NAME = {variable.name: variable for variable in VARIABLES}
A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))
TABLE = Element((4, 3, 2), ite(Truth(True), 0, 2))


def resolve(name: str) -> Term:
    return {"a": A, "b": B}[name]


@settings(max_examples=200, deadline=None)
@given(formulas)
def test_there_and_back(formula: Formula) -> None:
    written = json.dumps(formula_to_json(formula))
    read = formula_from_json(json.loads(written), BY_NAME.__getitem__)
    assert read == formula
    assert json.dumps(formula_to_json(read)) == written


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
        (["=", "a", 1], "unknown operator '=', or wrong operands, in ['=', 'a', 1]"),
        (["<", "a"], "unknown operator '<', or wrong operands"),
        (["not"], "'not' takes 1 operand(s), got 0"),
        (["iff", True], "'iff' takes 2 operand(s), got 1"),
        (["<", "a", 1.5], 'a term is an integer, a name or a list such as ["+", "a", 1], not 1.5'),
        (["<", "a", True], "a term is an integer, a name or a list"),
        (["<", "a", ["/", "a", 2]], "unknown operator '/'"),
        (["<", "a", ["abs", 1, 2]], "'abs' takes 1 operand(s), got 2"),
        (["<", "a", ["div", "a", "b"]], "the divisor b may be zero: it has values 0 to 9"),
        (["?", "x" * 200], "unknown operator '?'"),
        (["<", ["if", "a", 1, 2], 2], "a formula is true, false or a list"),
        (["<", ["element", 3, "a"], 2], "unknown operator 'element', or wrong operands"),
        (["<", ["element", [1.5], 0], 2], "1.5 is no integer"),
        (["<", ["element", [1, 2], "a"], 2], "the index a has values 0 to 9; its table has 0 to 1"),
        (["count", 2, True], "unknown operator 'count', or wrong operands"),
        (["count", "<=", True, True], "formulas are counted up to a whole number, not True"),
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
    with pytest.raises(FormulaError, match=f"nested {MAX_DEPTH} deep at most"):
        formula_from_json(["<", term, 1], resolve)


def test_depth_is_counted_through_conditions_and_tables() -> None:
    value: Any = "b"
    for _ in range(MAX_DEPTH // 3 - 1):
        value = ["if", ["<", ["element", list(range(10)), value], 1], "a", "b"]
    assert formula_from_json(["<", value, 1], resolve).variables == {A, B}
    for _ in range(MAX_DEPTH // 3):
        value = ["if", ["<", ["element", list(range(10)), value], 1], "a", "b"]
    with pytest.raises(FormulaError, match=f"nested {MAX_DEPTH} deep at most"):
        formula_from_json(["<", ["if", ["<", ["abs", value], 1], "a", "b"], 1], resolve)


def test_what_is_no_formula_cannot_be_written() -> None:
    wrong: Any = Term()
    with pytest.raises(FormulaError, match="not a term"):
        formula_to_json(A.eq(wrong))
