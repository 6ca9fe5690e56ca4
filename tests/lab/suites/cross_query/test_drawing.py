from __future__ import annotations

from random import Random

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import Attribute, Domain, Entity, Integer
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue_lab.suites.cross_query.drafts import (
    Shares,
    draw_by_shares,
    draw_constraint,
    draw_true,
    every,
    lists_of_names,
)
from holdtrue_lab.suites.cross_query.subdomain import Kind
from tests.lab.suites.cross_query.underspecified.worlds import BY_NAME


@pytest.mark.parametrize("given", [{}, {"traits": "abc"}, {"traits": []}, {"traits": [1]}, {"traits": ["a"], "x": 1}])
def test_a_setting_that_does_not_fit(given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="investigation"):
        lists_of_names("investigation", given, "traits")


PLANT = BY_NAME["fault"].declaration.instance(["pump", "valve", "boiler"])
NAMES = PLANT.entities


def test_values_are_those_of_the_attribute_that_is_named() -> None:
    grid = LOGIC_GRID.instance(["Ann", "Bob"])
    rng = Random(3)
    drawn = {draw_constraint(rng, grid, "assign").args[1:] for _ in range(400)}
    sorts = {name: own.sort for name, own in grid.attributes.items()}
    labels = {name: sort.labels for name, sort in sorts.items() if isinstance(sort, EnumSort)}
    assert drawn == {(name, label) for name, own in labels.items() for label in own}


def test_every_constraint_of_a_type_is_there_once() -> None:
    assert len(every(PLANT, "works", NAMES)) == 3
    assert len(every(PLANT, "both_work", NAMES, NAMES)) == 3
    assert len(every(PLANT, "depends", NAMES, NAMES)) == 6
    with pytest.raises(ConstraintError, match="gate"):
        every(PLANT, "works", ["gate"])


def test_only_what_is_true_is_drawn_and_no_more_than_wanted() -> None:
    truth = {f"{name}.{what}": int(name == "pump") for name in NAMES for what in ("state", "alarm")}
    among = every(PLANT, "works", NAMES)
    assert draw_true(Random(1), PLANT, truth, among, 3) == [among[0]]
    assert draw_true(Random(1), PLANT, truth, among, 0) == []


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
        draft = draw_by_shares(Random(seed), WEEK, WORLD, Shares(premises=(2, 4), true=0.5))
        assert all(WEEK.formula(made).holds(WORLD) for made in draft.premises)
        pairs = [frozenset(WEEK.entities_in(made)) for made in draft.premises]
        assert len(set(pairs)) == len(pairs)
        sizes.add(len(draft.premises))
        known = [WEEK.canonical(made) for made in (*draft.premises, *draft.candidates)]
        assert len(set(known)) == len(known)
    assert sizes == {2, 3, 4}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_share_of_true_statements_is_as_asked_for(share: float) -> None:
    draft = draw_by_shares(Random(1), WEEK, WORLD, Shares(premises=(2, 2), true=share))
    assert draft.candidates
    assert {WEEK.formula(made).holds(WORLD) for made in draft.candidates} == {share == 1.0}


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
