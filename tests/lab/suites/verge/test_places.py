from __future__ import annotations

from itertools import product

import pytest

from holdtrue.errors import FormulaError
from holdtrue.lab.suites.verge.places import all_apart, place_of, place_sentence
from holdtrue.logic.fol.ground import Things, ground
from holdtrue.logic.fol.notation import read_fol, write_fol
from holdtrue.logic.formula import Formula, Truth, Variable
from holdtrue.logic.sorts import IntSort

FIVE = IntSort(1, 5)
A, B = Variable("a", FIVE), Variable("b", FIVE)
PLACES = {name: place_of("place", name) for name in ("a", "b")}


@pytest.mark.parametrize(
    "formula",
    [
        A < B,
        A >= B,
        A.eq(3),
        A.ne(B),
        (B - A).eq(1),
        (A + 2) <= B,
        (2 * A - B - 1) > 0,
        abs(A - B).eq(1),
        abs(A - B).eq(3),
    ],
)
def test_the_sentence_says_what_the_formula_says(formula: Formula) -> None:
    sentence = place_sentence(formula, PLACES)
    assert read_fol(write_fol(sentence)).sentence == sentence
    said = ground(sentence, Things(("a", "b")), {"place": (1, 5)})
    for a, b in product(range(1, 6), repeat=2):
        assert said.holds({"place(a)": a, "place(b)": b}) == formula.holds({"a": a, "b": b})


@pytest.mark.parametrize("size", [2, 3, 4])
def test_all_are_apart(size: int) -> None:
    names = "abcd"[:size]
    sentence = all_apart(place_of("place", name) for name in names)
    assert read_fol(write_fol(sentence)).sentence == sentence
    said = ground(sentence, Things(tuple(names)), {"place": (1, 4)})
    for values in product(range(1, 5), repeat=size):
        assignment = {f"place({name})": value for name, value in zip(names, values, strict=True)}
        assert said.holds(assignment) == (len(set(values)) == size)


@pytest.mark.parametrize("formula", [Truth(True), abs(A - B) <= 1, (A < B) & (B < A)])
def test_other_formulas_are_refused(formula: Formula) -> None:
    with pytest.raises(FormulaError, match=r"no comparison|no distance"):
        place_sentence(formula, PLACES)
