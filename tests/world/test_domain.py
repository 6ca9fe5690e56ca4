"""Declaring a domain: what is accepted, and what is refused with which words."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity


def kind(name: str) -> ConstraintType:
    return ConstraintType(name, (Entity(),), "{0}", lambda w, a: a.day.eq(1))


def test_an_attribute_is_an_integer_or_one_of_several_values() -> None:
    day, shift = Attribute("day", 1, 5), Attribute("shift", values=["Early", "Late"], label="shift of work")
    assert (day.sort, day.label) == (IntSort(1, 5), "day")
    assert (shift.sort, shift.label) == (EnumSort("shift", ("Early", "Late")), "shift of work")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": ""}, "an attribute needs a name"),
        ({"name": "day"}, "attribute 'day' needs low or high or both, or values"),
        ({"name": "day", "low": 1, "high": 2, "values": ["a"]}, "attribute 'day' needs low or high or both, or values"),
        ({"name": "day", "low": 3, "high": 2}, "attribute 'day': an integer sort needs low <= high, got 3..2"),
        ({"name": "day", "low": 1.0, "high": 2}, "attribute 'day': low and high are whole numbers, not 1.0"),
        ({"name": "day", "low": 1, "high": True}, "attribute 'day': low and high are whole numbers, not True"),
        ({"name": "day", "values": "Early"}, "attribute 'day': values are a list of names, not 'Early'"),
        ({"name": "day", "values": [1, 2]}, "attribute 'day': a value is a name such as 'Late', not 1"),
        ({"name": "day", "values": ["a", " "]}, "attribute 'day': a value is a name such as 'Late', not ' '"),
        ({"name": 5, "low": 1, "high": 2}, "an attribute needs a name, not 5"),
        ({"name": "day", "values": []}, "the enumeration 'day' has no values"),
        ({"name": "day", "values": ["a", "A"]}, "the enumeration 'day' names a value twice: a, A"),
    ],
)
def test_impossible_attributes_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        Attribute(**settings)


def test_a_constraint_type_cannot_be_declared_twice() -> None:
    with pytest.raises(DomainError, match="domain 'd': the constraint type 'on' is declared twice"):
        Domain("d", [Attribute("day", 1, 5)], [kind("on"), kind("off"), kind("on")])


@pytest.mark.parametrize("attributes", [[], [Attribute("day", 1, 5), Attribute("day", 1, 9)]])
def test_a_domain_needs_attributes_with_names_of_their_own(attributes: list[Attribute]) -> None:
    for declared in (attributes, lambda context: attributes):
        with pytest.raises(DomainError, match="a domain needs attributes, each with a name of its own"):
            Domain("d", declared, []).instance(["Ann"])


def test_attributes_and_setting_may_depend_on_the_problem() -> None:
    domain = Domain(
        "d",
        attributes=lambda context: [Attribute("day", 1, context["days"])],
        constraint_types=[],
        context=lambda entities, given: {"days": given.get("days", 10 * len(entities))},
    )
    assert domain.instance(["Ann", "Bob"]).variables["Bob.day"].sort == IntSort(1, 20)
    assert domain.instance(["Ann"], {"days": 3}).variables["Ann.day"].sort == IntSort(1, 3)
