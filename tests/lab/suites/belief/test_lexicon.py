from __future__ import annotations

import re

import pytest

from holdtrue.lab.suites.belief.lexicon import THEMES, deny, take_apart


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
