"""Drafts by shares, around a hidden world."""

from __future__ import annotations

from random import Random

import pytest

from holdtrue.world.domain import Attribute, Domain, Entity, Integer
from holdtrue_lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue_lab.suites.cross_query.words import Kind

WEEK = Domain(
    name="week",
    attributes=[Attribute("day", 1, 5)],
    constraint_types=[
        Kind("on", (Entity(), Integer(1, 5)), lambda w, a, day: a.day.eq(day), phrasings=("{0} on {1}",)),
        Kind(
            "with", (Entity(), Entity()), lambda w, a, b: a.day.eq(b.day), symmetric=True, phrasings=("{0} with {1}",)
        ),
        Kind("before", (Entity(), Entity()), lambda w, a, b: a.day < b.day, phrasings=("{0} before {1}",)),
    ],
).instance(["Ann", "Bob", "Cy", "Dee"])
WORLD = {"Ann.day": 1, "Bob.day": 1, "Cy.day": 3, "Dee.day": 5}


def test_premises_hold_in_the_world_each_on_a_topic_of_its_own() -> None:
    sizes = set()
    for seed in range(60):
        draft = draw_draft(Random(seed), WEEK, WORLD, Shares(premises=(2, 4), true=0.5))
        assert all(WEEK.formula(made).holds(WORLD) for made in draft.premises)
        pairs = [frozenset(WEEK.entities_in(made)) for made in draft.premises]
        assert len(set(pairs)) == len(pairs)
        sizes.add(len(draft.premises))
        known = [WEEK.canonical(made) for made in (*draft.premises, *draft.candidates)]
        assert len(set(known)) == len(known)
    assert sizes == {2, 3, 4}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_share_of_true_statements_is_as_asked_for(share: float) -> None:
    draft = draw_draft(Random(1), WEEK, WORLD, Shares(premises=(2, 2), true=share))
    assert draft.candidates
    assert {WEEK.formula(made).holds(WORLD) for made in draft.candidates} == {share == 1.0}


def test_first_premises_are_kept_and_what_is_not_worth_it_is_never_said() -> None:
    first = WEEK.constraint("on", ["Cy", 3])
    draft = draw_draft(
        Random(2),
        WEEK,
        WORLD,
        Shares(premises=(3, 3), true=0.5),
        first=(first,),
        worth=lambda made: made.type != "before",
    )
    assert first in draft.premises
    assert len(draft.premises) == 4
    assert {made.type for made in (*draft.premises, *draft.candidates)} == {"on", "with"}
