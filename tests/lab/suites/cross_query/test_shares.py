"""Drafts by shares, around a hidden world."""

from __future__ import annotations

from random import Random

from holdtrue.world.domain import Attribute, Domain, Entity, Integer
from holdtrue_lab.suites.cross_query.drafts import Shares, draw_by_shares
from holdtrue_lab.suites.cross_query.subdomain import Kind

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


def test_first_premises_are_kept_and_what_is_not_worth_it_is_never_said() -> None:
    first = WEEK.constraint("on", ["Cy", 3])
    draft = draw_by_shares(
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
