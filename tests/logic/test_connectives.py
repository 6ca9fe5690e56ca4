"""Connectives and quantifiers are written, printed and compared, and are made of their parts."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic.codec import formula_to_json
from holdtrue.logic.connectives import And, Formula, Iff, IfThenElse, Not, Or, Truth, Xor
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.node import DEEPEST
from holdtrue.logic.quantifiers import (
    LARGEST_EXPANSION,
    AllDifferent,
    Count,
    at_least,
    at_most,
    exactly,
    exists,
    for_all,
)
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Term, Variable, ite
from holdtrue.world.domain import Attribute, Domain
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


DAYS = [Variable(name, IntSort(0, 1)) for name in "abc"]
FREE = [day.eq(1) for day in DAYS]


def test_formulas_may_come_from_any_iterable_and_count_as_often_as_they_are_given() -> None:
    twice = exactly(2, (FREE[0] for _ in range(2)))
    assert twice == Count("==", 2, (FREE[0], FREE[0]))
    assert evaluate(twice, {"a": 1})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (AllDifferent(tuple(DAYS)), "all-different(a, b, c)"),
        (at_most(1, FREE[:2]), "(count((a == 1), (b == 1)) <= 1)"),
        (Count("!=", 0, ()), "(count() != 0)"),
    ],
    ids=str,
)
def test_quantifiers_are_printed(value: Any, text: str) -> None:
    assert str(value) == text


@pytest.mark.parametrize("make", [at_most, at_least, exactly])
def test_the_number_comes_first_and_then_a_list(make: Any) -> None:
    name = make.__name__
    with pytest.raises(
        FormulaMistake, match=rf"{name} takes the number first, then a list .* {name}\(1, \[p, q\]\), not 1"
    ):
        make(FREE, 1)
    with pytest.raises(FormulaMistake, match=rf"{name} takes a number and a list of formulas: .*, not \(a == 1\)"):
        make(1, FREE[0])
    with pytest.raises(FormulaMistake, match="counted up to a whole number, not '1'"):
        make("1", FREE)


ROTA = Domain("rota", [Attribute("day", low=1, high=5), Attribute("hours", low=0, high=8)], ())
WORLD = ROTA.instance(["Ann", "Bob", "Cy"])
ANN, BOB, CY = (WORLD[name] for name in WORLD.entities)


def test_they_nest_and_range_over_whatever_there_is() -> None:
    def followed(who: str) -> Formula:
        return exists(WORLD.entities, lambda other: WORLD[other].day > WORLD[who].day)

    assert for_all(["Ann", "Bob"], followed) == And(
        tuple(Or(tuple(other.day > who.day for other in (ANN, BOB, CY))) for who in (ANN, BOB))
    )
    assert for_all(combinations(WORLD.entities, 2), lambda pair: WORLD[pair[0]].day.ne(WORLD[pair[1]].day)) == And(
        (ANN.day.ne(BOB.day), ANN.day.ne(CY.day), BOB.day.ne(CY.day))
    )
    nobody: list[str] = []
    assert for_all(nobody, followed) == And(())
    assert exists(nobody, followed) == Or(())


def test_what_would_be_too_large_is_refused_before_it_is_made() -> None:
    made = 0

    def body(number: int) -> Formula:
        nonlocal made
        made += 1
        return ANN.day > number

    with pytest.raises(FormulaError, match=f"over {LARGEST_EXPANSION} parts"):
        for_all(range(10**12), body)
    assert made == LARGEST_EXPANSION // 3 + 1
    assert len(exists(range(LARGEST_EXPANSION), lambda _: Truth(False)).operands) == LARGEST_EXPANSION


@pytest.mark.parametrize("quantifier", [for_all, exists])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((["a"], lambda x: True), "the body of a quantifier, for a: a formula was expected and True came"),
        ((["a"], lambda x: None), "a formula was expected and None came; is a `return` missing"),
        ((["a"], lambda x: ANN), "a formula was expected and .*EntityTerms"),
        ((5, lambda x: ANN.day < 5), r"takes a list of things and a function .* for_all\(names, lambda name"),
        ((["a"], ANN.day < 5), r"takes a list of things and a function .*, not \['a'\] and \(Ann.day < 5\)"),
    ],
)
def test_what_is_no_quantifier_is_told_in_words(quantifier: Any, given: tuple[Any, Any], words: str) -> None:
    with pytest.raises(FormulaMistake, match=words):
        quantifier(*given)
