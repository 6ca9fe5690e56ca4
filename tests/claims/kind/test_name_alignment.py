from __future__ import annotations

import pytest

from holdtrue_claims.fol.syntax import And, Apply, Bound, Compare, Constant, Holds, Number, Quantified, Sentence
from holdtrue_claims.kind.equivalence import align


def says(predicate: str, *things: str) -> Sentence:
    return Holds(predicate, tuple(map(Constant, things)))


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        (says("Drinks", "ann"), says("drink", "ann"), {"drink": "Drinks"}),
        (says("Bird", "Platypus"), says("Bird", "platypuses"), {"platypuses": "Platypus"}),
        (says("Rock_Star", "Ann"), says("RockStars", "ann"), {"RockStars": "Rock_Star", "ann": "Ann"}),
        (
            Compare("=", Apply("pos", (Constant("ann"),)), Number(1)),
            Compare("=", Apply("Pos", (Constant("ann"),)), Number(1)),
            {"Pos": "pos"},
        ),
        (Quantified("forall", "x", Holds("Cat", (Bound("x"),))), says("Cats", "x"), {"Cats": "Cat"}),
    ],
    ids=["verb", "thing", "both", "function", "variable"],
)
def test_one_name_written_in_two_ways_is_one(one: Sentence, other: Sentence, names: dict[str, str]) -> None:
    assert align(one, other) == names
    assert align(other, one) == {new: old for old, new in names.items()}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (says("Male", "ann"), says("Female", "ann")),
        (says("Legal", "ann"), says("Illegal", "ann")),
        (says("Drinks", "ann"), says("Drink", "ann", "beer")),
        (says("Drinks", "ann"), says("Eats", "drink")),
        (says("Drinks", "ann"), And((says("drinks", "ann"), says("Drink", "ann")))),
        (says("Drinks", "ann"), And((says("Drinks", "ann"), says("Drink", "ann")))),
        (says("Drinks", "ann"), says("drink", "drink")),
    ],
    ids=["other word", "opposite", "other arity", "other kind", "a choice", "both there", "used in two ways"],
)
def test_what_is_not_surely_one_name_stays_apart(one: Sentence, other: Sentence) -> None:
    assert align(one, other) == {}
