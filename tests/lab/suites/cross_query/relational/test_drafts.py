"""What is drawn: premises that can hold together, statements of every label, and hardly any text twice."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from holdtrue.budget import Budget
from holdtrue.record import Label
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cross_query.drawing import NAMES
from holdtrue_lab.suites.cross_query.narrowing import LEAST_LEFT, MOST_PREMISES, draw_world
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.subdomains import RELATIONAL
from tests.lab.suites.cross_query.drafted import draw_instance, draw_one, labels_of
from tests.slow import first_of

AMPLE = Budget(30)
CASES = 20  # of each subdomain: 120 cases in all
LABELLED = 12  # of these
ASKED = 7
BY_NAME = pytest.mark.parametrize("subdomain", first_of(RELATIONAL, 1), ids=lambda subdomain: subdomain.name)


@cache
def drafts(name: str) -> tuple[Draft, ...]:
    (subdomain,) = (each for each in RELATIONAL if each.name == name)
    return tuple(draw_one(subdomain, f"{name} {seed}") for seed in range(CASES))


@BY_NAME
def test_the_premises_hold_together_and_every_label_is_offered(subdomain: Subdomain) -> None:
    labels: Counter[Label] = Counter()
    for draft in drafts(subdomain.name)[:LABELLED]:
        own = Counter(labels_of(draft))
        assert own[Label.UNKNOWN] > 0  # something is left open
        labels += own
    total = labels.total()
    assert set(labels) == set(Label)
    assert min(labels[Label.ENTAILED], labels[Label.CONTRADICTED]) / total > 0.12
    assert 0.4 < labels[Label.UNKNOWN] / total < 0.75


@BY_NAME
def test_statements_are_many_and_all_different_from_what_is_told(subdomain: Subdomain) -> None:
    for draft in drafts(subdomain.name):
        canonical = draft.instance.canonical
        premises, offered = [[canonical(made) for made in each] for each in (draft.premises, draft.candidates)]
        assert 1 <= len(set(premises)) == len(premises) <= MOST_PREMISES
        assert len(offered) == len(set(offered)) >= 24
        assert not set(premises) & set(offered)
        assert {made.type for made in offered} <= set(subdomain.query_types)


@BY_NAME
def test_no_premise_follows_from_the_others(subdomain: Subdomain) -> None:
    for draft in drafts(subdomain.name):
        instance = draft.instance
        engine = make_engine(list(instance.variables.values()), instance.background)
        formulas = {str(premise): instance.formula(premise) for premise in draft.premises}
        for id, formula in formulas.items():
            assert isinstance(engine.decide({**formulas, id: ~formula}, AMPLE), Satisfiable), id


@pytest.mark.slow
def test_nine_in_ten_texts_are_met_once() -> None:
    texts: Counter[str] = Counter()
    for subdomain in RELATIONAL:
        for draft in drafts(subdomain.name):
            rng = Random(subdomain.name)
            texts.update(subdomain.say(rng, made) for made in rng.sample(draft.candidates, ASKED))
    assert texts.total() == 120 * ASKED
    assert sum(count == 1 for count in texts.values()) / texts.total() > 0.9


def test_sizes_and_names_vary() -> None:
    assert len(set(NAMES)) >= 40
    for subdomain in RELATIONAL:
        settings = [subdomain.draw_setting(Random(seed)) for seed in range(60)]
        assert {len(entities) for entities, _ in settings} == {4, 5, 6, 7}
        assert len({entity for entities, _ in settings for entity in entities}) >= 20
        assert len({len(draft.premises) for draft in drafts(subdomain.name)}) >= 4


@BY_NAME
def test_the_same_seed_draws_the_same(subdomain: Subdomain) -> None:
    one, other = (draw_one(subdomain, 3) for _ in range(2))
    assert (one.premises, one.candidates) == (other.premises, other.candidates)


@BY_NAME
def test_worlds_keep_ranges_and_laws(subdomain: Subdomain) -> None:
    rng = Random(5)
    instance = draw_instance(subdomain, rng)
    worlds = [draw_world(rng, instance) for _ in range(30)]
    for world in worlds:
        assert list(world) == list(instance.variables)
        sorts = [variable.sort for variable in instance.variables.values()]
        assert all(value in sort for sort, value in zip(sorts, world.values(), strict=True))
        assert all(law.holds(world) for law in instance.background)
    assert len({tuple(world.values()) for world in worlds}) >= LEAST_LEFT
