"""Formulas that count, against counting by hand."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import FormulaMistake
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.quantifiers import AllDifferent, Count, at_least, at_most, exactly
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Variable

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
