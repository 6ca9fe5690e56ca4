"""An instance has variables, constraints with their errors, and words; others may join it."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.world.domain import (
    Attribute,
    AttributeName,
    Axiom,
    ConstraintType,
    Context,
    Domain,
    Entity,
    Integer,
    ValueOf,
)
from holdtrue.world.instance import Constraint, Instance, with_entity
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

SHIFTS = Domain(
    name="shifts",
    attributes=[
        Attribute("day", low=1, high=5, distinct=True),
        Attribute("shift", values=["Early", "Late"], optional=True, label="kind of shift"),
    ],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(0, lambda instance: len(instance.entities))),
            "{0} and {1} work {2} days apart",
            lambda w, a, b, k: abs(a.day - b.day).eq(k),
            symmetric=True,
        ),
        ConstraintType(
            "between",
            (Entity(), Integer(1, 5), Integer(1, 5)),
            "{0} works on a day from {1} to {2}",
            lambda w, a, low, high: (a.day >= min(low, high)) & (a.day <= max(low, high)),
            canonical=lambda args: (args[0], *sorted(args[1:])),
        ),
        ConstraintType(
            "has",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0}'s {1} is {2}",
            lambda w, a, name, value: a[name].eq(value),
        ),
        ConstraintType(
            "same",
            (Entity(), Entity()),
            "{0} works with {1}",
            lambda w, a, b: a["day"].eq(b.day),
            distinct_entities=False,
        ),
        ConstraintType(
            "rare", (Entity(),), "{0} is rare", lambda w, a: a.day.eq(1), applies=lambda w: len(w.entities) > 5
        ),
    ],
)
WEEK = SHIFTS.instance(["Ann", "Bob", "Cy"])


def test_variables_are_named_by_entity_and_attribute_in_order() -> None:
    assert list(WEEK.variables) == ["Ann.day", "Ann.shift", "Bob.day", "Bob.shift", "Cy.day", "Cy.shift"]
    assert WEEK.variables["Bob.shift"] == Variable("Bob.shift", EnumSort("shift", ("Early", "Late")))
    assert WEEK.required == ["Ann.day", "Bob.day", "Cy.day"]
    assert WEEK.slot("Cy.shift").entity == "Cy"


def test_a_domain_adds_its_own_laws_after_distinctness() -> None:
    domain = Domain(
        "d",
        [Attribute("day", 1, 5, distinct=True)],
        [],
        axioms=lambda w: [Axiom("first", "Ann works on day 1", w["Ann"].day.eq(1))],
    )
    assert [axiom.id for axiom in domain.instance(["Ann", "Bob"]).axioms] == ["distinct_day", "first"]


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        ([], "shifts: a problem needs at least one entity"),
        (["Ann", "  "], "shifts: an entity's name is empty"),
        (["Ann", "Bob", " ANN"], "shifts: the entity 'Ann' is named twice"),
    ],
)
def test_entities_that_cannot_be_told_apart_are_refused(entities: list[str], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        SHIFTS.instance(entities)


def test_entities_are_found_whatever_their_case() -> None:
    assert WEEK.find_entity("  aNN ") == "Ann"
    assert WEEK.find_entity("Anna") is None


@pytest.mark.parametrize(
    ("type", "args", "made"),
    [
        ("on", ["ann ", 5], Constraint("on", ("Ann", 5))),
        ("on", ("Ann", 1), Constraint("on", ("Ann", 1))),
        ("has", ["Cy", "SHIFT", "late"], Constraint("has", ("Cy", "shift", "Late"))),
        ("has", ["Cy", "day", 3], Constraint("has", ("Cy", "day", 3))),
        ("apart", ["Ann", "Bob", 3], Constraint("apart", ("Ann", "Bob", 3))),
        ("same", ["Ann", "ann"], Constraint("same", ("Ann", "Ann"))),
    ],
)
def test_constraints_are_spelled_as_the_instance_spells(type: str, args: Any, made: Constraint) -> None:
    assert WEEK.constraint(type, args) == made
    assert WEEK.constraint(type, made.args) == made
    assert made.to_json() == {"type": made.type, "args": list(made.args)}


@pytest.mark.parametrize(
    ("type", "args", "code", "message"),
    [
        ("off", ["Ann"], "unknown_type", "unknown constraint type 'off'; known types: on, before"),
        ("rare", ["Ann"], "not_applicable", "'rare' does not apply here"),
        ("on", ["Ann"], "wrong_arity", "on takes 2 arguments"),
        ("on", "Ann", "wrong_arity", "on takes 2 arguments"),
        ("on", ["Zed", 1], "unknown_entity", "argument 1 of on: 'Zed' is none of Ann, Bob, Cy"),
        ("before", ["Ann", None], "unknown_entity", "argument 2 of before: None"),
        ("on", ["Ann", 0], "out_of_range", "argument 2 of on: 0 is not in 1..5"),
        ("on", ["Ann", True], "out_of_range", "True"),
        ("on", ["Ann", "3"], "out_of_range", "'3'"),
        ("apart", ["Ann", "Bob", 4], "out_of_range", "argument 3 of apart: 4 is not in 0..3"),
        ("before", ["Ann", "ANN"], "same_entity", "before needs different entities, got 'Ann' twice"),
        ("has", ["Ann", "hat", "Late"], "unknown_attribute", "argument 2 of has: 'hat' is none of day, shift"),
        ("has", ["Ann", "shift", "Night"], "unknown_value", "argument 3 of has: 'Night' is no shift: {Early, Late}"),
        ("has", ["Ann", "shift", 0], "unknown_value", "0 is no shift"),
        ("has", ["Ann", "day", 6], "unknown_value", "6 is no day: 1..5"),
        ("has", ["Ann", "day", True], "unknown_value", "True is no day"),
    ],
)
def test_errors_have_codes_and_say_where(type: str, args: Any, code: str, message: str) -> None:
    with pytest.raises(ConstraintError) as caught:
        WEEK.constraint(type, args)
    assert caught.value.code == code
    assert message in str(caught.value)


def test_formulas_see_values_as_integers_and_are_made_once() -> None:
    late = WEEK.constraint("has", ["Ann", "shift", "Late"])
    assert str(WEEK.formula(late)) == "(Ann.shift == 1)"
    assert WEEK.formula(late) is WEEK.formula(WEEK.constraint("has", ["ann", "Shift", "LATE"]))
    assert str(WEEK.formula(WEEK.constraint("has", ["Ann", "day", 4]))) == "(Ann.day == 4)"


@pytest.mark.parametrize(
    ("type", "args", "same"),
    [
        ("apart", ("Bob", "Ann", 2), ("Ann", "Bob", 2)),
        ("apart", ("Ann", "Bob", 2), ("Ann", "Bob", 2)),
        ("before", ("Bob", "Ann"), ("Bob", "Ann")),
        ("between", ("Ann", 4, 2), ("Ann", 2, 4)),
    ],
)
def test_canonical_forms(type: str, args: tuple[str | int, ...], same: tuple[str | int, ...]) -> None:
    canonical = WEEK.canonical(WEEK.constraint(type, args))
    assert canonical == Constraint(type, same)
    assert WEEK.canonical(canonical) is canonical


def test_the_setting_is_told_by_default() -> None:
    assert WEEK.setup_lines() == (
        "Domain: shifts",
        "Entities: Ann, Bob, Cy",
        "Every entity has a day: from 1 to 5, no two the same",
        "Every entity has a kind of shift: one of Early, Late",
    )
    assert WEEK.convention_lines() == ()


def test_a_domain_tells_its_own_setting_and_conventions() -> None:
    domain = Domain(
        "d",
        [Attribute("day", 1, 5)],
        [],
        setup=lambda w: [f"{len(w.entities)} people"],
        conventions=lambda w: [f"{w.entities[0]} comes first"],
    )
    instance = domain.instance(["Ann"])
    assert instance.setup_lines() == ("Domain: d", "Entities: Ann", "1 people")
    assert instance.convention_lines() == ("Ann comes first",)
    assert instance.variables["Ann.day"].sort == IntSort(1, 5)


def test_an_argument_may_name_attributes_of_one_kind_only() -> None:
    kinds = Domain(
        "kinds",
        lambda context: [Attribute(name, 0, 1) for name in ("clerk", *context["rooms"])],
        [
            ConstraintType(
                "enters",
                (Entity(), AttributeName(lambda w: w.context["rooms"])),
                "{0} enters {1}",
                lambda w, a, room: a[room].eq(1),
            )
        ],
    )
    house = kinds.instance(["Ann"], {"rooms": ("attic", "cellar")})
    assert house.constraint("enters", ["Ann", "Attic"]) == Constraint("enters", ("Ann", "attic"))
    with pytest.raises(ConstraintError, match="'clerk' is none of attic, cellar"):
        house.constraint("enters", ["Ann", "clerk"])
    assert house.attribute_names(AttributeName()) == ("clerk", "attic", "cellar")


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
    after = with_entity(before, "Cy")
    assert after.entities == ("Ann", "Bob", "Cy") and before.entities == ("Ann", "Bob")
    assert list(after.variables) == ["Ann.locker", "Bob.locker", "Cy.locker"]
    assert after.given_context == before.given_context == {"lockers": 5}


def test_a_domain_lets_nobody_in_or_says_what_becomes_of_the_setting() -> None:
    with pytest.raises(DomainError, match="domain 'lockers': nobody can join"):
        with_entity(lockers(False).instance(["Ann"]), "Bob")

    def one_more(instance: Instance, name: str) -> Context:
        return {"lockers": instance.context["lockers"] + len(name)}

    assert with_entity(lockers(one_more).instance(["Ann"]), "Bob").context == {"lockers": 7}


def test_what_a_domain_says_of_joining_is_checked() -> None:
    with pytest.raises(DomainError, match="joining must take 2 arguments"):
        lockers(lambda instance: {})
    with pytest.raises(DomainError, match="joining must be a function of the instance and a name, not 'no'"):
        lockers("no")
    with pytest.raises(DomainError, match="domain 'lockers': joining: KeyError: 'seats'"):
        with_entity(lockers(lambda instance, name: {"lockers": instance.context["seats"]}).instance(["Ann"]), "Bob")


def test_neither_a_table_nor_a_day_grows_and_a_grid_needs_values_for_all() -> None:
    with pytest.raises(DomainError, match="num_entities must be an integer of 3 to 1000, got 2"):
        with_entity(SEATING.instance(["Ann", "Bob"]), "Cy")
    assert with_entity(SEATING.instance(["Ann", "Bob"], {"num_entities": 3}), "Cy").context["num_entities"] == 3
    events = SCHEDULING.instance([f"E{number}" for number in range(7)])
    assert with_entity(events, "Audit").context["num_slots"] == events.context["num_slots"] == 8
    people = LOGIC_GRID.instance(["Ann", "Bob", "Cy", "Dee"])
    with pytest.raises(DomainError, match="category 'color' has 4 values for 5 entities"):
        with_entity(people, "Eve")
