"""What every phrasing must do, whoever adds one."""

from __future__ import annotations

from random import Random
from string import Formatter

import pytest

from holdtrue_lab.suites.cross_query.drawing import PEOPLE
from holdtrue_lab.suites.cross_query.subdomains import UNDERSPECIFIED
from holdtrue_lab.suites.cross_query.words import Words
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


@pytest.mark.parametrize("small", SMALL, ids=lambda small: str(small.subdomain.name))
def test_every_type_has_four_phrasings_or_more_and_says_each_once(small: Small) -> None:
    phrasings = small.subdomain.phrasings
    assert set(phrasings) == {kind.name for kind in small.subdomain.declaration.constraint_types}
    for kind, texts in phrasings.items():
        assert len(set(texts)) == len(texts) >= 4
        for text in texts:
            fields = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
            assert fields == {str(place) for place in range(len(small.instance.types[kind].arguments))}
            assert text[0] == "{" or text[0].islower()
            assert text[-1] not in ".?!"


@pytest.mark.parametrize("small", SMALL, ids=lambda small: str(small.subdomain.name))
def test_the_setting_names_all_there_is_in_varied_words(small: Small) -> None:
    settings = {tuple(small.subdomain.setting(Random(seed), small.instance)) for seed in range(100)}
    assert len(settings) >= 20
    context = [name for names in small.instance.context.values() for name in names]
    for lines in settings:
        assert all(line[0].isupper() and line.endswith(".") and "{" not in line for line in lines)
        assert all(name in " ".join(lines) for name in (*small.instance.entities, *context))


def test_no_name_is_in_two_lists_or_in_an_example() -> None:
    pools = [pool for own in UNDERSPECIFIED for pool in Words(own.name).names.values()]
    names = [name for pool in (PEOPLE, *pools) for name in pool]
    assert len(set(names)) == len(names)
    for subdomain in UNDERSPECIFIED:
        for kind in subdomain.declaration.constraint_types:
            assert kind.definition
            assert len(kind.examples) >= 2
            assert not {arg for example in kind.examples for arg in example.args} & set(names)
            assert all(len(example.args) == len(kind.arguments) for example in kind.examples)
