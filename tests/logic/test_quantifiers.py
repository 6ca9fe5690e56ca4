"""Formulas about how many."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic.connectives import And, Formula, Or, Truth
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.quantifiers import (
    LARGEST_EXPANSION,
    AllDifferent,
    Count,
    at_least,
    at_most,
    exactly,
    exists,
    expand,
    for_all,
)
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Variable
from holdtrue.world.domain import Attribute, Domain

DAYS = [Variable(name, IntSort(0, 1)) for name in "abc"]
FREE = [day.eq(1) for day in DAYS]


@pytest.mark.parametrize("bound", range(-1, 5))
@pytest.mark.parametrize("true", range(4))
def test_at_most_at_least_and_exactly(bound: int, true: int) -> None:
    values = {day.name: int(at < true) for at, day in enumerate(DAYS)}
    assert evaluate(at_most(bound, FREE), values) is (true <= bound)
    assert evaluate(at_least(bound, FREE), values) is (true >= bound)
    assert evaluate(exactly(bound, FREE), values) is (true == bound)


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
def test_printing(value: Any, text: str) -> None:
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


def test_for_all_is_a_conjunction_and_exists_a_disjunction() -> None:
    assert for_all(WORLD.entities, lambda who: WORLD[who].day < 5) == And((ANN.day < 5, BOB.day < 5, CY.day < 5))
    assert exists(WORLD.entities, lambda who: WORLD[who].day < 5) == Or((ANN.day < 5, BOB.day < 5, CY.day < 5))


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


def test_terms_are_expanded_too() -> None:
    assert expand(WORLD.entities, lambda who: WORLD[who].hours) == (ANN.hours, BOB.hours, CY.hours)


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


def test_nested_quantifiers_count_together() -> None:
    with pytest.raises(FormulaError, match="too large"):
        for_all(range(400), lambda x: for_all(range(400), lambda y: Truth(x < y)))


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
