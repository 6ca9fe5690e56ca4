"""Connectives: how they are written, printed and compared, and what they are made of."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import formula_to_json
from holdtrue.logic.connectives import And, Formula, Iff, IfThenElse, Not, Or, Truth, Xor
from holdtrue.logic.node import DEEPEST
from holdtrue.logic.operations import Element
from holdtrue.logic.quantifiers import AllDifferent, at_most
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Term, Variable, ite
from tests.logic.formulas import assignments, formulas, holds

SORT = IntSort(0, 9)
A, B = Variable("a", SORT), Variable("b", SORT)
P, Q = A.eq(1), B.eq(2)


@pytest.mark.parametrize(
    ("written", "built"),
    [
        (P & Q, And((P, Q))),
        (P & Q & P, And((P, Q, P))),
        (P | Q, Or((P, Q))),
        (P | Q | P, Or((P, Q, P))),
        (~P, Not(P)),
        (P.implies(Q), Or((Not(P), Q))),
        (P.iff(Q), Iff(P, Q)),
        (P.xor(Q), Xor(P, Q)),
    ],
    ids=str,
)
def test_operators(written: Formula, built: Formula) -> None:
    assert written == built
    assert hash(written) == hash(built)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Truth(True), "true"),
        (Truth(False), "false"),
        (P & Q, "((a == 1) and (b == 2))"),
        (P | Q, "((a == 1) or (b == 2))"),
        (~P, "(not (a == 1))"),
        (P.iff(Q), "((a == 1) iff (b == 2))"),
        (P.xor(Q), "((a == 1) xor (b == 2))"),
        (IfThenElse(P, Q, ~P), "(if (a == 1) then (b == 2) else (not (a == 1)))"),
        (And(()), "true"),
        (Or(()), "false"),
    ],
    ids=str,
)
def test_printing(value: Formula, text: str) -> None:
    assert str(value) == text


def test_formulas_are_values() -> None:
    assert (A < B) == (A < B)
    assert (A < B) != (A <= B)
    assert len({A < B, A < B, B < A}) == 2
    assert len({P.xor(Q), P.iff(Q), Q.xor(P)}) == 3


def test_a_formula_is_no_truth_value() -> None:
    with pytest.raises(FormulaError, match="has no truth value of its own"):
        bool(P)


@settings(max_examples=40, deadline=None)
@given(formulas, formulas, assignments)
def test_connectives_mean_what_they_say(one: Formula, other: Formula, values: dict[str, int]) -> None:
    p, q = holds(one, values), holds(other, values)
    assert holds(one & other, values) == (p and q)
    assert holds(one | other, values) == (p or q)
    assert holds(~one, values) == (not p)
    assert holds(one.implies(other), values) == (not p or q)
    assert holds(one.iff(other), values) == (p == q)
    assert holds(one.xor(other), values) == (p != q)
    assert holds(IfThenElse(one, other, ~other), values) == (p == q)


def test_variables_are_found_everywhere() -> None:
    c, d, e, f, g = (Variable(name, SORT) for name in "cdefg")
    formula = ~((A + 1 < 3).iff(abs(B - c) >= 2)) | (AllDifferent((d, -e)) & Truth(True))
    assert formula.variables == {A, B, c, d, e}
    table = Element(tuple(range(10)), f)
    nested = IfThenElse(P, at_most(1, [Q, table.eq(3)]), ite(c.eq(1), d, 2 * g).eq(1)).xor(e < 3)
    assert nested.variables == {A, B, c, d, e, f, g}
    assert A.variables == {A}
    assert table.variables == {f}
    assert Truth(True).variables == frozenset()


def test_formulas_can_be_copied_and_sent_elsewhere() -> None:
    formula = IfThenElse(P, Q, ite(P, A, 2).eq(1))
    assert formula.variables == {A, B}  # once found, they are kept with the formula
    assert pickle.loads(pickle.dumps(formula)) == copy.deepcopy(formula) == formula


def nested(kind: str, depth: int) -> Formula:
    """A formula of that depth."""
    if kind == "ite":
        choice: Term = A
        for _ in range(depth - 2):
            choice = ite(Q, 1, choice)
        return choice.eq(1)
    formula: Formula = P
    for _ in range(depth - 1):
        formula = Not(formula) if kind == "not" else And((formula, Q)) if kind == "and" else Xor(formula, Q)
    return formula


@pytest.mark.parametrize("kind", ["not", "and", "xor", "ite"])
def test_what_is_nested_too_deep_is_refused_in_words(kind: str) -> None:
    for depth in (DEEPEST + 1, 10_000):
        with pytest.raises(FormulaError, match=f"a formula may be nested {DEEPEST} deep at most"):
            nested(kind, depth).variables  # noqa: B018
        with pytest.raises(FormulaError, match=f"a formula may be nested {DEEPEST} deep at most"):
            nested(kind, depth).holds({"a": 1, "b": 2})
    assert nested("not", 10_000).size == 10_002


@pytest.mark.parametrize("kind", ["not", "and", "xor", "ite"])
def test_what_is_nested_as_deep_as_may_be_is_a_formula_like_any_other(kind: str) -> None:
    deepest, again = nested(kind, DEEPEST), nested(kind, DEEPEST)
    assert deepest.variables == ({A} if kind == "not" else {A, B})
    assert deepest.holds({"a": 1, "b": 2}) is holds(deepest, {"a": 1, "b": 2})
    assert pickle.loads(pickle.dumps(deepest)) == again and hash(deepest) == hash(again)
    assert str(deepest) == str(again) and formula_to_json(deepest) == formula_to_json(again)


def test_the_size_counts_formulas_and_terms_wherever_they_stand() -> None:
    assert Truth(True).size == A.size == 1
    assert P.size == 3
    assert (P & P).size == 7
    assert (abs(A - B) >= 2).size == 6


def test_children_are_in_order() -> None:
    assert IfThenElse(P, Q, ~P).children == (P, Q, ~P)
    assert P.xor(Q).children == P.iff(Q).children == (P & Q).children == (P | Q).children == (P, Q)
