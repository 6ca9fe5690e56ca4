from __future__ import annotations

import re
from random import Random

import pytest

from holdtrue_lab.suites.belief.horn_world import HORN_WORLD
from holdtrue_lab.suites.belief.phrasing import (
    DOUBTING_QUESTIONS,
    INVERTED_QUESTION,
    PLAIN_QUESTIONS,
    PREMISES,
    THEMES,
    ask,
    deny,
    fill,
    question,
    take_apart,
    tell,
)
from tests.lab.suites.belief.reading import read
from tests.lab.suites.belief.truths import says, truths


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_a_theme_has_enough_atoms_each_with_a_subject_of_its_own(theme: str) -> None:
    atoms = THEMES[theme]
    assert len(atoms) >= 10
    assert len({take_apart(atom).subject for atom in atoms}) == len(atoms)
    for atom in atoms:
        # Lists of clauses are joined by these; a denial would make the atom's own denial ambiguous.
        assert not re.search(r"[,;:]|\b(and|or|not|no|never|if|unless|both)\b", atom)


def test_a_clause_can_be_taken_apart_and_denied() -> None:
    assert take_apart("the fume hood is open") == ("the fume hood", "is", "open")
    assert deny("the fume hood is open") == "the fume hood is not open"
    assert deny("the newsletter has gone out") == "the newsletter has not gone out"


ATOMS = ("the gate is locked", "the guard is awake", "the moat has dried up", "the cook is angry", "the king is away")
WORLD = HORN_WORLD.instance(ATOMS)
FRAMES = (*PLAIN_QUESTIONS, *DOUBTING_QUESTIONS)


def test_every_type_has_four_phrasings_or_more() -> None:
    assert set(PREMISES) == set(WORLD.types)
    assert all(len(set(phrasings)) == len(phrasings) >= 4 for phrasings in PREMISES.values())


@pytest.mark.parametrize(("kind", "phrasing"), [(kind, text) for kind, texts in PREMISES.items() for text in texts])
def test_a_phrasing_says_just_what_the_formula_says(kind: str, phrasing: str) -> None:
    made = WORLD.constraint(kind, ATOMS[: len(WORLD.types[kind].arguments)])
    meaning = read(fill(phrasing, made))
    for truth in truths(ATOMS):
        assert meaning(truth) == says(made, truth)


def test_a_premise_is_told_as_a_sentence() -> None:
    made = WORLD.constraint("if1", ATOMS[:2])
    sentences = {tell(Random(seed), made) for seed in range(60)}
    assert "If the gate is locked, then the guard is awake." in sentences
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)
    assert len(sentences) == len(PREMISES["if1"])


@pytest.mark.parametrize("frame", FRAMES)
def test_a_question_holds_its_clause(frame: str) -> None:
    for kind, clause in (("holds", "the moat has dried up"), ("holds_not", "the moat has not dried up")):
        asked = question(frame, WORLD.constraint(kind, ["the moat has dried up"]))
        assert asked[0].isupper()
        assert re.search(f"(that|:) {clause}[?]$", asked)


def test_only_an_assertion_is_asked_with_its_verb_in_front() -> None:
    positive, negative = (WORLD.constraint(kind, [ATOMS[2]]) for kind in ("holds", "holds_not"))
    assert question(INVERTED_QUESTION, positive) == "Has the moat dried up?"
    subject = take_apart(ATOMS[2]).subject
    asked = [(ask(Random(seed), positive), ask(Random(seed), negative)) for seed in range(200)]
    assert any(text.startswith(f"Has {subject}") for text, _ in asked)
    assert not any(text.startswith("Has ") for _, text in asked)


def test_what_is_asked_again_is_asked_in_other_words() -> None:
    made = WORLD.constraint("holds", [ATOMS[0]])
    rng, asked = Random(5), list[str]()
    for _ in range(5):
        asked.append(ask(rng, made, asked))
    assert len(set(asked)) == len(asked)
    assert ask(rng, made, [question(frame, made) for frame in (*FRAMES, INVERTED_QUESTION)])
