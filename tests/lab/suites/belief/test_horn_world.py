from __future__ import annotations

import pytest

from holdtrue_lab.suites.belief.horn_world import HORN_WORLD
from tests.lab.suites.belief.reading import read
from tests.lab.suites.belief.truths import says, truths

ATOMS = ("the gate is locked", "the guard is awake", "the moat has dried up", "the cook is angry", "the king is away")
WORLD = HORN_WORLD.instance(ATOMS)
TYPES = sorted(WORLD.types)


@pytest.mark.parametrize("kind", TYPES)
def test_formula_and_sentence_say_what_the_type_says(kind: str) -> None:
    made = WORLD.constraint(kind, ATOMS[: len(WORLD.types[kind].arguments)])
    meaning = read(WORLD.sentence(made))
    outcomes = set()
    for truth in truths(ATOMS):
        values = {f"{atom}.holds": int(true) for atom, true in truth.items()}
        assert WORLD.formula(made).holds(values) == says(made, truth) == meaning(truth)
        outcomes.add(says(made, truth))
    assert outcomes == {False, True}
