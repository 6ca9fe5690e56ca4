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
    Formula,
    Sum,
    Term,
    Truth,
    Variable,
)
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import VARIABLES, formulas

BY_NAME = {variable.name: variable for variable in VARIABLES}
A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))


def resolve(name: str) -> Term | int:
    if name == "three":
        return 3
    return {"a": A, "b": B}[name]


@settings(max_examples=150, deadline=None)
@given(formulas)
def test_there_and_back(formula: Formula) -> None:
    value = json.loads(json.dumps(formula_to_json(formula)))
    assert formula_from_json(value, BY_NAME.__getitem__) == formula


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
        (["all-different", "a", ["+", "b", 1], 2], AllDifferent((A, B + 1, Constant(2)))),
    ],
)
def test_reading(value: Any, formula: Formula) -> None:
    assert formula_from_json(value, resolve) == formula


def test_writing() -> None:
    formula = (A - B + 1 <= 2 * A).implies(abs(A).eq(0))
    assert formula_to_json(formula) == [
        "or",
        ["not", ["<=", ["+", ["+", "a", ["*", -1, "b"]], 1], ["+", ["*", 2, "a"]]]],
        ["==", ["abs", "a"], 0],
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
        (["<", "a", ["*", "a", 2]], "the first operand of \"*\" is an integer, in ['*', 'a', 2]"),
        (["<", "a", ["*", True, "a"]], 'the first operand of "*" is an integer'),
        (["<", "a", ["*", 2]], "'*' takes 2 operand(s), got 1"),
        (["?", "x" * 200], "unknown operator '?' in ['?', 'xxx"),
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


def test_what_is_no_formula_cannot_be_written() -> None:
    wrong: Any = Term()
    with pytest.raises(FormulaError, match="not a formula"):
        formula_to_json(wrong)
    with pytest.raises(FormulaError, match="not a term"):
        formula_to_json(A.eq(wrong))
