"""Requirements on every phrasing."""

from __future__ import annotations

import pytest

from tests.lab.suites.cross_query.underspecified.worlds import SMALL, Small

PHRASED = [
    pytest.param(small, kind, phrasing, id=f"{kind} {place}")
    for small in SMALL
    for kind, phrasings in small.subdomain.phrasings.items()
    for place, phrasing in enumerate(phrasings)
]


@pytest.mark.parametrize(("small", "kind", "phrasing"), PHRASED)
def test_a_phrasing_says_just_what_the_formula_says(small: Small, kind: str, phrasing: str) -> None:
    made = small.sample(kind)
    meaning, formula = small.read(phrasing.format(*made.args)), small.instance.formula(made)
    outcomes = set()
    for world in small.worlds():
        assert meaning(world) == formula.holds(world)
        outcomes.add(meaning(world))
    assert outcomes == {False, True}


@pytest.mark.parametrize(("small", "kind"), [(small, kind) for small in SMALL for kind in small.instance.types])
def test_a_sentence_says_just_what_the_formula_says(small: Small, kind: str) -> None:
    made = small.sample(kind)
    meaning, formula = small.read(small.instance.sentence(made)), small.instance.formula(made)
    assert all(meaning(world) == formula.holds(world) for world in small.worlds())
