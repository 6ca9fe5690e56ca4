"""What every subdomain about time and about rules must do: its words, its lessons and its drafts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random
from string import Formatter

import pytest

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.direction import first_argument, has_direction
from holdtrue.language.grounding import mentions
from holdtrue.language.sentences import split_sentences
from holdtrue.record import Label
from holdtrue.world.domain import Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.subdomains import POLICY, TEMPORAL
from tests.lab.suites.cross_query.drafted import draw_instance, draw_one, every_constraint, labels_of
from tests.slow import first_of

SUBDOMAINS = (*TEMPORAL, *POLICY)
by_name = pytest.mark.parametrize("subdomain", first_of(SUBDOMAINS, 1), ids=lambda own: own.name)
NGRAM = 6
LABELLED = 40
ASKED = 7  # of each draft


@cache
def drafted(name: str) -> tuple[Draft, ...]:
    return tuple(draw_one(next(own for own in SUBDOMAINS if own.name == name), f"{name}/{seed}") for seed in range(100))


def texts(subdomain: Subdomain, made: Constraint) -> list[str]:
    return [phrasing.format(*made.args) for phrasing in subdomain.phrasings[made.type]]


@by_name
def test_every_type_has_phrasings_that_name_all_its_arguments(subdomain: Subdomain) -> None:
    kinds = {kind.name: kind for kind in subdomain.declaration.constraint_types}
    assert set(subdomain.phrasings) == set(kinds)
    assert set(subdomain.query_types) <= set(kinds)
    for name, phrasings in subdomain.phrasings.items():
        assert len(set(phrasings)) == len(phrasings) >= 4
        for phrasing in phrasings:
            fields = {found for _, found, _, _ in Formatter().parse(phrasing) if found is not None}
            assert fields == set(map(str, range(len(kinds[name].arguments)))), phrasing
            assert phrasing[0] == "{" or phrasing[0].islower()
            assert not re.search(r"[.?!;]|\b(can|could|may|might|must|possible|possibly)\b", phrasing), phrasing


@by_name
def test_every_type_is_taught_with_names_and_words_of_its_own(subdomain: Subdomain) -> None:
    phrased = {gram for bank in subdomain.phrasings.values() for text in bank for gram in _ngrams(_masked(text, ()))}
    instance = draw_instance(subdomain, Random(1))
    for kind in subdomain.declaration.constraint_types:
        assert kind.definition
        assert 2 <= len(kind.examples) <= 3
        for example in kind.examples:
            assert len(example.args) == len(kind.arguments)
            assert not phrased & set(_ngrams(_masked(example.sentence, example.args))), example.sentence
            with pytest.raises(ConstraintError, match="is none of"):
                instance.constraint(kind.name, example.args)


def _masked(text: str, names: Iterable[str | int]) -> tuple[str, ...]:
    for name in map(str, names):
        text = re.sub(rf"\b{name}s?\b", "@", text, flags=re.IGNORECASE)
    return tuple(re.findall(r"@|\w+", re.sub(r"\{\d\}", "@", text.casefold())))


def _ngrams(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [words[start : start + NGRAM] for start in range(len(words) - NGRAM + 1)]


@by_name
def test_no_sentence_says_two_different_things(subdomain: Subdomain) -> None:
    instance = draw_instance(subdomain, Random(5))
    said: dict[str, Constraint] = {}
    for kind in instance.types:
        for made in every_constraint(instance, kind, 3):
            meaning = instance.canonical(made)
            for text in texts(subdomain, made):
                assert said.setdefault(text.casefold(), meaning) == meaning, text
    assert len(said) > 400


@by_name
def test_a_reader_finds_what_a_sentence_says_among_what_it_mentions(subdomain: Subdomain) -> None:
    for seed in range(6):
        instance = draw_instance(subdomain, Random(seed))
        draft = subdomain.draw(Random(seed), instance)
        for made in (*draft.premises, *draft.candidates):
            for text in texts(subdomain, made):
                found = mentions(instance, text)
                assert set(found.entities) == set(instance.entities_in(made)), text
                assert set(found.numbers) == _numbers(instance, made), text
                assert candidates(instance, text).hold(instance, made), text


def _numbers(instance: Instance, made: Constraint) -> set[int]:
    kinds = zip(instance.types[made.type].arguments, made.args, strict=True)
    return {int(arg) for kind, arg in kinds if isinstance(kind, Integer)}


@by_name
def test_direction_words_never_turn_a_phrasing_around(subdomain: Subdomain) -> None:
    instance = draw_instance(subdomain, Random(2))
    for kind in instance.types.values():
        if kind.cues and has_direction(kind):
            made = next(every_constraint(instance, kind.name, 1))
            first, second = (str(arg) for arg in made.args[:2])
            first_names = [first_argument(kind, text, (first, second)) for text in texts(subdomain, made)]
            assert set(first_names) <= {first, None}, list(zip(first_names, texts(subdomain, made), strict=True))
            assert first in first_names


@by_name
def test_every_example_is_turned_the_right_way(subdomain: Subdomain) -> None:
    for kind in subdomain.declaration.constraint_types:
        for example in kind.examples:
            if kind.cues and kind.arguments[:2] == (Entity(), Entity()):
                first, second = (str(arg) for arg in example.args[:2])
                assert first_argument(kind, example.sentence, (first, second)) in (first, None), example.sentence


@by_name
def test_the_setting_is_told_in_whole_sentences_of_varied_words(subdomain: Subdomain) -> None:
    instance = draw_instance(subdomain, Random(3))
    settings = [tuple(subdomain.setting(Random(seed), instance)) for seed in range(20)]
    assert len(set(settings)) > 3
    for sentences in settings:
        assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)
        whole = " ".join(sentences)
        assert all(name in whole for name in instance.entities)
        assert not re.search(r"[{}]|\b(\w+) \1\b", whole), whole
        assert len(split_sentences(whole)) >= len(sentences)


@by_name
def test_drafts_have_premises_that_hold_together_and_statements_of_each_label(subdomain: Subdomain) -> None:
    drafts, rng = drafted(subdomain.name), Random(subdomain.name)
    labels = Counter(label for draft in drafts[:LABELLED] for label in labels_of(draft))
    shares = {label: count / labels.total() for label, count in labels.items()}
    assert shares[Label.ENTAILED] > 0.08
    assert shares[Label.CONTRADICTED] > 0.2
    assert shares[Label.UNKNOWN] > 0.4
    asked = [subdomain.say(rng, made) for draft in drafts for made in rng.sample(draft.candidates, ASKED)]
    assert len(set(asked)) > 0.9 * len(asked)


@by_name
def test_a_draft_repeats_nothing(subdomain: Subdomain) -> None:
    types: set[str] = set()
    for draft in drafted(subdomain.name):
        canonical = [draft.instance.canonical(made) for made in (*draft.premises, *draft.candidates)]
        assert len(set(canonical)) == len(canonical)
        assert 2 <= len(draft.premises) <= 12
        assert len(draft.candidates) >= 12
        assert {made.type for made in draft.candidates} <= set(subdomain.query_types)
        types |= {made.type for made in (*draft.premises, *draft.candidates)}
    assert types == set(subdomain.phrasings)


@by_name
def test_a_draft_follows_from_its_seed(subdomain: Subdomain) -> None:
    one, two = (subdomain.draw(Random(9), draw_instance(subdomain, Random(8))) for _ in range(2))
    assert (one.premises, one.candidates) == (two.premises, two.candidates)
