"""Constraint types about the places of offices: next door, facing each other, on one side of the corridor."""

from __future__ import annotations

from holdtrue.lab.suites.cross_query.relational.kind import Kind
from holdtrue.lab.suites.cross_query.relational.office_numbers import offices_of
from holdtrue.logic.formula import Formula, Iff, Or
from holdtrue.world.domain import ConstraintType, Entity, Example
from holdtrue.world.instance import EntityTerms, Instance


def _next_door(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return abs(a.office - b.office).eq(2)


def _facing(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    odd = range(1, offices_of(instance), 2)
    return Or(tuple(one.office.eq(door) & other.office.eq(door + 1) for door in odd for one, other in ((a, b), (b, a))))


def _on_odd_side(instance: Instance, a: EntityTerms) -> Formula:
    return Or(tuple(a.office.eq(door) for door in range(1, offices_of(instance), 2)))


def _same_side(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return Iff(_on_odd_side(instance, a), _on_odd_side(instance, b))


_PAIR = (Entity(), Entity())

PLACE_KINDS = (
    Kind(
        ConstraintType(
            "next_door",
            _PAIR,
            "{0}'s office is next door to {1}'s",
            _next_door,
            symmetric=True,
            definition="A's and B's offices adjoin on the same side of the corridor: their numbers differ by two.",
            examples=(
                Example("Only a wall parts Mats from Jonas", ("Mats", "Jonas")),
                Example("Ida hears Lena's telephone through the wall of her room", ("Ida", "Lena")),
            ),
        ),
        "adj",
        (
            "{0}'s office is next door to {1}'s",
            "{0} and {1} have offices next door to each other",
            "{0} works next door to {1}",
            "the offices of {0} and {1} are next door to one another",
        ),
        weight=6,
    ),
    Kind(
        ConstraintType(
            "not_next_door",
            _PAIR,
            "{0}'s office is not next door to {1}'s",
            lambda w, a, b: ~_next_door(w, a, b),
            symmetric=True,
            definition="The numbers of A's and B's offices do not differ by two.",
            examples=(
                Example("There is no wall that Lena's room has in common with that of Mats", ("Lena", "Mats")),
                Example("Jonas is too loud to adjoin Ida", ("Jonas", "Ida")),
            ),
        ),
        "not_adj",
        (
            "{0}'s office is not next door to {1}'s",
            "{0} and {1} do not have offices next door to each other",
            "{0} does not work next door to {1}",
            "the offices of {0} and {1} are not next door to one another",
        ),
        weight=2,
    ),
    Kind(
        ConstraintType(
            "facing",
            _PAIR,
            "{0}'s office faces {1}'s",
            _facing,
            symmetric=True,
            definition="A's and B's offices are straight across the corridor from each other, as 1 and 2 or 3 and 4.",
            examples=(
                Example("Lena and Jonas look into each other's doors", ("Lena", "Jonas")),
                Example("From his door Mats walks straight over into Ida's", ("Mats", "Ida")),
            ),
        ),
        "facing",
        (
            "{0}'s office faces {1}'s",
            "{0} and {1} have offices that face each other",
            "the office that faces {0}'s is {1}'s",
            "the offices of {0} and {1} face one another across the corridor",
        ),
        weight=5,
    ),
    Kind(
        ConstraintType(
            "not_facing",
            _PAIR,
            "{0}'s office does not face {1}'s",
            lambda w, a, b: ~_facing(w, a, b),
            symmetric=True,
            definition="A's and B's offices are not straight across the corridor from each other.",
            examples=(
                Example("Ida does not look into the door of Jonas", ("Ida", "Jonas")),
                Example("Opposite Lena's door there is another one than Mats's", ("Lena", "Mats")),
            ),
        ),
        "not_facing",
        (
            "{0}'s office does not face {1}'s",
            "{0} and {1} do not have offices that face each other",
            "the office that faces {0}'s is not {1}'s",
            "the offices of {0} and {1} do not face one another across the corridor",
        ),
    ),
    Kind(
        ConstraintType(
            "same_side",
            _PAIR,
            "{0} and {1} have offices on the same side of the corridor",
            _same_side,
            symmetric=True,
            definition="A's and B's office numbers are both odd or both even.",
            examples=(
                Example("Neither Mats nor Lena has to cross over to see the other", ("Mats", "Lena")),
                Example("Jonas and Ida both look out to the garden, or both to the street", ("Jonas", "Ida")),
            ),
        ),
        "same_side",
        (
            "{0} and {1} have offices on the same side of the corridor",
            "{0}'s office is on the same side of the corridor as {1}'s",
            "{0} and {1} work on one and the same side of the corridor",
            "the office numbers of {0} and {1} are both odd or both even",
        ),
        weight=2,
    ),
    Kind(
        ConstraintType(
            "other_side",
            _PAIR,
            "{0} and {1} have offices on different sides of the corridor",
            lambda w, a, b: ~_same_side(w, a, b),
            symmetric=True,
            definition="One of A's and B's office numbers is odd and the other even.",
            examples=(
                Example("Lena has to cross over to see Jonas", ("Lena", "Jonas")),
                Example("One of Ida and Mats looks out to the garden, the other one does not", ("Ida", "Mats")),
            ),
        ),
        "other_side",
        (
            "{0} and {1} have offices on different sides of the corridor",
            "{0}'s office is not on the same side of the corridor as {1}'s",
            "{0} and {1} work on different sides of the corridor",
            "of the office numbers of {0} and {1}, one is odd and the other even",
        ),
        weight=2,
    ),
)
