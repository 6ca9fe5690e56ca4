from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.solving.sentence_grounding import ground
from holdtrue_lab.suites.verge.places import all_apart, is_distant, is_further, is_more, place_of
from tests.claims.fol.named_things import Things

A, B = place_of("place", "a"), place_of("place", "b")


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        (is_more(A, B, 2), lambda a, b: a == b + 2),
        (is_further(A, B, 1), lambda a, b: a == b + 1),
        (is_further(B, A, 2), lambda a, b: b == a + 2),
        (is_further(A, B, 1, sign=-1), lambda a, b: b == a + 1),
        (is_distant(A, B, 1), lambda a, b: abs(a - b) == 1),
        (is_distant(A, B, 3), lambda a, b: abs(a - b) == 3),
    ],
)
def test_the_sentence_says_how_far_apart_two_places_are(sentence: Sentence, holds: Callable[[int, int], bool]) -> None:
    assert read_fol(write_fol(sentence)).sentence == sentence
    said = ground(sentence, Things(("a", "b")), {"place": (1, 5)})
    for a, b in product(range(1, 6), repeat=2):
        assert said.holds({"place(a)": a, "place(b)": b}) == holds(a, b)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_all_are_apart(size: int) -> None:
    names = "abcd"[:size]
    sentence = all_apart(place_of("place", name) for name in names)
    assert read_fol(write_fol(sentence)).sentence == sentence
    said = ground(sentence, Things(tuple(names)), {"place": (1, 4)})
    for values in product(range(1, 5), repeat=size):
        assignment = {f"place({name})": value for name, value in zip(names, values, strict=True)}
        assert said.holds(assignment) == (len(set(values)) == size)
