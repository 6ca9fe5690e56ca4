"""Requirements on every family of cases: its words, its examples, and its settings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from holdtrue.errors import ConstraintError
from holdtrue.language.direction import first_argument, has_direction
from holdtrue.record import Label
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.drafts import NAMES, PEOPLE
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS, UNDERSPECIFIED
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain, Words
from tests.lab.suites.cross_query.drafted import draw_instance, draw_one, every_constraint, labels_of
from tests.lab.suites.cross_query.underspecified.worlds import BY_NAME as UNDERSPECIFIED_BY_NAME
from tests.lab.suites.worlds import every_world

ALL = tuple(SUBDOMAINS.values())
BY_NAME = pytest.mark.parametrize("subdomain", ALL, ids=lambda own: own.name)
NGRAM = 6


@cache
def drafts(name: str) -> tuple[Draft, ...]:
    return tuple(draw_one(SUBDOMAINS[name], f"{name} {seed}") for seed in range(2))


def texts(subdomain: Subdomain, made: Constraint) -> list[str]:
    return [phrasing.format(*made.args) for phrasing in subdomain.phrasings[made.type]]


@BY_NAME
def test_what_teaches_is_not_what_is_asked(subdomain: Subdomain) -> None:
    """Otherwise a reader could answer from memory."""
    asked = {gram for bank in subdomain.phrasings.values() for text in bank for gram in _ngrams(_masked(text, ()))}
    instance = draw_instance(subdomain, Random(1))
    for kind in subdomain.declaration.constraint_types:
        assert kind.definition and 2 <= len(kind.examples) <= 3
        for example in kind.examples:
            assert len(example.args) == len(kind.arguments)
            if subdomain not in UNDERSPECIFIED:
                assert not asked & _ngrams(_masked(example.sentence, example.args)), example.sentence
            if any(isinstance(own, Entity) for own in kind.arguments):
                with pytest.raises(ConstraintError, match=r"is none of|does not apply"):
                    instance.constraint(kind.name, example.args)


def _masked(text: str, names: Iterable[str | int]) -> tuple[str, ...]:
    for name in map(str, names):
        text = re.sub(rf"\b{re.escape(name)}s?\b", "@", text, flags=re.IGNORECASE)
    return tuple(re.findall(r"@|\w+", re.sub(r"\{\d\}", "@", text.casefold())))


def _ngrams(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[start : start + NGRAM] for start in range(len(words) - NGRAM + 1)}


def test_no_name_is_in_two_lists() -> None:
    pools = [pool for own in UNDERSPECIFIED for pool in Words(own.name).names.values()]
    names = [name for pool in (PEOPLE, *pools) for name in pool]
    assert len(set(names)) == len(names)
    assert len(set(NAMES)) == len(NAMES) >= 40


@BY_NAME
def test_no_sentence_says_two_different_things(subdomain: Subdomain) -> None:
    instance, said = draw_instance(subdomain, Random(5)), dict[str, Constraint]()
    for kind in instance.types:
        for made in _some_of(instance, kind):
            meaning = instance.canonical(made)
            for text in texts(subdomain, made):
                assert said.setdefault(text.casefold(), meaning) == meaning, text


def _some_of(instance: Instance, kind: str) -> list[Constraint]:
    drawn = [made for draft in drafts(instance.domain.name) for made in (*draft.premises, *draft.candidates)]
    own = [made for made in drawn if made.type == kind]
    try:
        return [*own, *every_constraint(instance, kind, 3)]
    except (AssertionError, ConstraintError):  # not all combinations of these arguments can be meant
        return own


@BY_NAME
def test_direction_words_never_turn_a_phrasing_or_an_example_around(subdomain: Subdomain) -> None:
    for kind in subdomain.declaration.constraint_types:
        if kind.cues and kind.arguments[:2] == (Entity(), Entity()):
            assert has_direction(kind)
            rest = range(2, 2 + len(kind.arguments) - 2)
            said = [phrasing.format("Vera", "Hana", *rest) for phrasing in subdomain.phrasings[kind.name]]
            first_names = [first_argument(kind, text, ("Vera", "Hana")) for text in said]
            assert "Vera" in first_names and set(first_names) <= {"Vera", None}
            for example in kind.examples:
                names = [str(arg) for arg in example.args[:2]]
                assert first_argument(kind, example.sentence, names) in (names[0], None), example.sentence


@BY_NAME
def test_the_setting_names_all_there_is_in_whole_sentences_of_varied_words(subdomain: Subdomain) -> None:
    instance = draw_instance(subdomain, Random(3))
    settings = {tuple(subdomain.setting(Random(seed), instance)) for seed in range(40)}
    assert len(settings) > 3
    for sentences in settings:
        whole = " ".join(sentences)
        assert all(re.fullmatch(r"[A-Z0-9][^{}]*\.", sentence) for sentence in sentences)
        assert all(re.search(rf"\b{re.escape(entity)}\b", whole) for entity in instance.entities)
        assert not re.search(r"\b(\w+) \1\b", whole), whole


def test_labels_of_a_fault_by_brute_force() -> None:
    found = [draw_one(UNDERSPECIFIED_BY_NAME["fault"], f"{number}") for number in range(20)]
    for draft in [draft for draft in found if len(draft.instance.entities) == 5][:3]:
        instance = draft.instance
        laws = (*instance.background, *map(instance.formula, draft.premises))
        allowed = list(every_world(instance.variables.values(), laws))
        for made, label in zip(draft.candidates, labels_of(draft), strict=True):
            truths = {instance.formula(made).holds(world) for world in allowed}
            expected = Label.UNKNOWN if len(truths) == 2 else Label.ENTAILED if True in truths else Label.CONTRADICTED
            assert label is expected
