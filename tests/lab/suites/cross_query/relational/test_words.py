"""What holds for all words of relational cases, whoever adds some."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from string import Formatter

import pytest

from holdtrue.language.direction import first_argument, has_direction
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import AttributeName, Entity, ValueOf
from holdtrue.world.instance import Constraint
from holdtrue_lab.suites.cross_query.drawing import NAMES, draw_constraint
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from holdtrue_lab.suites.cross_query.subdomains import RELATIONAL

BY_NAME = pytest.mark.parametrize("subdomain", RELATIONAL, ids=lambda subdomain: subdomain.name)
SEEDS = range(12)
NGRAM = 6


def test_names_are_the_subdomains_own() -> None:
    assert len({subdomain.name for subdomain in RELATIONAL}) == 6
    for subdomain in RELATIONAL:
        assert (subdomain.domain, subdomain.logic_type) == ("relational", "propositional")
        assert subdomain.declaration.name == subdomain.name


@BY_NAME
def test_every_type_can_be_said_in_four_ways_and_taught(subdomain: Subdomain) -> None:
    kinds = {kind.name: kind for kind in subdomain.declaration.constraint_types}
    assert set(subdomain.phrasings) == set(subdomain.query_types) == set(kinds)
    for name, phrasings in subdomain.phrasings.items():
        assert len(set(phrasings)) == len(phrasings) >= 4
        assert kinds[name].definition
        assert 2 <= len(kinds[name].examples) <= 3
        arity = len(kinds[name].arguments)
        assert all(len(example.args) == arity for example in kinds[name].examples)


@BY_NAME
def test_a_phrasing_names_every_argument_but_the_attribute_and_is_a_statement(subdomain: Subdomain) -> None:
    for kind in subdomain.declaration.constraint_types:
        said = {str(place) for place, each in enumerate(kind.arguments) if not isinstance(each, AttributeName)}
        for phrasing in (kind.sentence, *subdomain.phrasings[kind.name]):
            assert {field for _, field, _, _ in Formatter().parse(phrasing) if field is not None} == said, phrasing
            assert phrasing[0] == "{" or phrasing[0].islower()
            assert not re.search(r"[.?!]|\b(?:can|could|may|might|must|possibly|should)\b", phrasing), phrasing


@BY_NAME
def test_no_text_says_two_different_things(subdomain: Subdomain) -> None:
    rng, said = Random(11), dict[str, Constraint]()
    instance = subdomain.declaration.instance(*subdomain.draw_setting(Random(2)))
    for name in instance.types:
        for made in [draw_constraint(rng, instance, name) for _ in range(60)]:
            for phrasing in subdomain.phrasings[name]:
                text = phrasing.format(*made.args)
                assert said.setdefault(text, instance.canonical(made)) == instance.canonical(made), text


@BY_NAME
def test_directions_are_what_the_cues_make_of_them(subdomain: Subdomain) -> None:
    for kind in subdomain.declaration.constraint_types:
        if not kind.cues:
            continue
        assert has_direction(kind)
        texts = [phrasing.format("Vera", "Hana") for phrasing in subdomain.phrasings[kind.name]]
        first_names = [first_argument(kind, text, ("Vera", "Hana")) for text in texts]
        assert set(first_names) <= {"Vera", None}
        assert "Vera" in first_names
        for example in kind.examples:
            names = [str(arg) for arg in example.args[:2]]
            assert first_argument(kind, example.sentence, names) in (names[0], None), example.sentence


def _mask(sentence: str, hidden: Iterable[str]) -> tuple[str, ...]:
    names = {word.casefold() for name in hidden for word in re.findall(r"\w+", name)}
    words = re.findall(r"\w+", re.sub(r"\{\d\}", "xx", sentence).casefold().replace("'s", ""))
    return tuple("@" if word in names or word.isdecimal() else word for word in words)


@BY_NAME
def test_what_teaches_is_not_what_is_asked(subdomain: Subdomain) -> None:
    """Else reading would only show what was learnt by heart."""
    asked = [_mask(phrasing, ["xx"]) for phrasings in subdomain.phrasings.values() for phrasing in phrasings]
    for kind in subdomain.declaration.constraint_types:
        for example in kind.examples:
            names = [arg for arg in example.args if isinstance(arg, str)]
            assert not set(names) & set(NAMES)
            taught = _mask(example.sentence, names)
            assert taught not in asked, example.sentence
            assert not any(_ngrams(taught) & _ngrams(each) for each in asked), example.sentence


def _ngrams(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[start : start + NGRAM] for start in range(len(words) - NGRAM + 1)}


@BY_NAME
def test_examples_are_constraints_of_the_domain(subdomain: Subdomain) -> None:
    """With their own entities and values in the setting, all of them can be made."""
    entities: dict[str, None] = {}
    values: dict[str, None] = {}
    for kind in subdomain.declaration.constraint_types:
        for each in kind.examples:
            named = list(zip(kind.arguments, each.args, strict=True))
            entities |= {str(arg): None for argument, arg in named if isinstance(argument, Entity)}
            values |= {str(arg): None for argument, arg in named if isinstance(argument, ValueOf)}
    context = {key: tuple(values) for key in ("teams", "colours", "shifts")} | {"offices": 8, "most": 8}
    instance = subdomain.declaration.instance([*entities, *NAMES[: 6 - len(entities)]], context)
    for kind in subdomain.declaration.constraint_types:
        for each in kind.examples:
            assert instance.constraint(kind.name, each.args).args == each.args


@BY_NAME
def test_the_setting_names_everybody_and_every_value_in_whole_sentences(subdomain: Subdomain) -> None:
    shapes: set[str] = set()
    for seed in SEEDS:
        rng = Random(seed)
        instance = subdomain.declaration.instance(*subdomain.draw_setting(rng))
        sentences = subdomain.setting(rng, instance)
        text = " ".join(sentences)
        assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in sentences)
        assert all(re.fullmatch(r"[^.!?]*\.", sentence) for sentence in sentences)
        assert all(re.search(rf"\b{entity}\b", text) for entity in instance.entities)
        (attribute,) = instance.attributes.values()
        shown = attribute.sort.labels if isinstance(attribute.sort, EnumSort) else (str(attribute.sort.high),)
        assert all(re.search(rf"\b{value}\b", text) for value in shown)
        if "most" in instance.context and subdomain.name != "colour_assignment":
            assert re.search(rf"\b{instance.context['most']}\b", sentences[-1])
        shapes.add(re.sub("|".join(instance.entities), "@", text))
    assert len(shapes) > len(SEEDS) / 2


@BY_NAME
def test_every_phrasing_makes_a_sentence(subdomain: Subdomain) -> None:
    rng = Random(4)
    instance = subdomain.declaration.instance(*subdomain.draw_setting(rng))
    for name in instance.types:
        made = draw_constraint(rng, instance, name)
        texts = {subdomain.say(rng, made) for _ in range(80)}
        assert len(texts) == len(subdomain.phrasings[name])
        assert all(re.fullmatch(r"[A-Z0-9][^.{}]*\.", text) for text in texts)
