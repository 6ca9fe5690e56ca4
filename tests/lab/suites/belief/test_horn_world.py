from __future__ import annotations

import pytest

from holdtrue_lab.suites.belief.horn_world import HORN_WORLD, is_rule
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


def test_the_order_of_conditions_says_nothing() -> None:
    a, b, c, d, _ = ATOMS
    for kind, args, same in (
        ("if3", [c, a, b, d], [a, b, c, d]),
        ("never_all3", [c, b, a], [a, c, b]),
        ("not_both", [b, a], [a, b]),
        ("equivalent", [b, a], [a, b]),
    ):
        assert WORLD.canonical(WORLD.constraint(kind, args)) == WORLD.canonical(WORLD.constraint(kind, same))
    turned = WORLD.constraint("if2", [a, b, c]), WORLD.constraint("if2", [a, c, b])
    assert WORLD.canonical(turned[0]) != WORLD.canonical(turned[1])


@pytest.mark.parametrize("kind", TYPES)
def test_a_type_is_taught_with_other_words(kind: str) -> None:
    type = WORLD.types[kind]
    assert type.definition
    assert len(type.examples) >= 2
    for example in type.examples:
        known = HORN_WORLD.instance([str(atom) for atom in example.args])
        known.constraint(kind, example.args)


def test_rules_are_told_by_their_types() -> None:
    assert [kind for kind in TYPES if is_rule(kind)] == ["if1", "if2", "if3", "if4"]
