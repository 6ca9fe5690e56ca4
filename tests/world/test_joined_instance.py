from __future__ import annotations

import pytest

from holdtrue.errors import DomainError
from holdtrue.world.domain import Attribute, ConstraintType, Context, Domain, Entity, Integer
from holdtrue.world.instance import Instance
from holdtrue.world.joined_instance import join
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING


def lockers(joining: object = True) -> Domain:
    return Domain(
        "lockers",
        attributes=lambda context: [Attribute("locker", low=1, high=context["lockers"], distinct=True)],
        constraint_types=[
            ConstraintType("has", (Entity(), Integer(1, 2)), "{0} has locker {1}", lambda w, a, k: a.locker.eq(k))
        ],
        context=lambda entities, given: {"lockers": 4, **given},
        joining=joining,  # type: ignore[arg-type]
    )


def test_who_joins_is_the_last_entity_and_has_variables() -> None:
    before = lockers().instance(["Ann", "Bob"], {"lockers": 5})
    after = join(before, "Cy")
    assert after.entities == ("Ann", "Bob", "Cy") and before.entities == ("Ann", "Bob")
    assert list(after.variables) == ["Ann.locker", "Bob.locker", "Cy.locker"]
    assert after.given_context == before.given_context == {"lockers": 5}


def test_a_domain_lets_nobody_in_or_says_what_becomes_of_the_setting() -> None:
    with pytest.raises(DomainError, match="domain 'lockers': nobody can join"):
        join(lockers(False).instance(["Ann"]), "Bob")

    def one_more(instance: Instance, name: str) -> Context:
        return {"lockers": instance.context["lockers"] + len(name)}

    assert join(lockers(one_more).instance(["Ann"]), "Bob").context == {"lockers": 7}


def test_what_a_domain_says_of_joining_is_checked() -> None:
    with pytest.raises(DomainError, match="joining must take 2 arguments"):
        lockers(lambda instance: {})
    with pytest.raises(DomainError, match="joining must be a function of the instance and a name, not 'no'"):
        lockers("no")
    with pytest.raises(DomainError, match="domain 'lockers': joining: KeyError: 'seats'"):
        join(lockers(lambda instance, name: {"lockers": instance.context["seats"]}).instance(["Ann"]), "Bob")


def test_neither_a_table_nor_a_day_grows_and_a_grid_needs_values_for_all() -> None:
    with pytest.raises(DomainError, match="num_entities must be an integer of 3 to 1000, got 2"):
        join(SEATING.instance(["Ann", "Bob"]), "Cy")
    assert join(SEATING.instance(["Ann", "Bob"], {"num_entities": 3}), "Cy").context["num_entities"] == 3
    events = SCHEDULING.instance([f"E{number}" for number in range(7)])
    assert join(events, "Audit").context["num_slots"] == events.context["num_slots"] == 8
    people = LOGIC_GRID.instance(["Ann", "Bob", "Cy", "Dee"])
    with pytest.raises(DomainError, match="category 'color' has 4 values for 5 entities"):
        join(people, "Eve")
