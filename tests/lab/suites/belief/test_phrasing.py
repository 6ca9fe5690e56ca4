from __future__ import annotations

import pytest

from holdtrue_lab.suites.belief.horn_world import HORN_WORLD
from holdtrue_lab.suites.belief.phrasing import (
    PREMISES,
    deny,
    fill,
    take_apart,
)
from tests.lab.suites.belief.reading import read
from tests.lab.suites.belief.truths import says, truths


def test_a_clause_can_be_taken_apart_and_denied() -> None:
    assert take_apart("the fume hood is open") == ("the fume hood", "is", "open")
    assert deny("the fume hood is open") == "the fume hood is not open"
    assert deny("the newsletter has gone out") == "the newsletter has not gone out"


ATOMS = ("the gate is locked", "the guard is awake", "the moat has dried up", "the cook is angry", "the king is away")
WORLD = HORN_WORLD.instance(ATOMS)


def test_every_type_has_four_phrasings_or_more() -> None:
    assert set(PREMISES) == set(WORLD.types)
    assert all(len(set(phrasings)) == len(phrasings) >= 4 for phrasings in PREMISES.values())


@pytest.mark.parametrize(("kind", "phrasing"), [(kind, text) for kind, texts in PREMISES.items() for text in texts])
def test_a_phrasing_says_just_what_the_formula_says(kind: str, phrasing: str) -> None:
    made = WORLD.constraint(kind, ATOMS[: len(WORLD.types[kind].arguments)])
    meaning = read(fill(phrasing, made))
    for truth in truths(ATOMS):
        assert meaning(truth) == says(made, truth)
