"""The subdomain `office_assignment`: people in offices on both sides of a corridor, odd numbers on one side."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Kind, Subdomain
from holdtrue.logic.formula import And, Formula, Iff, Or
from holdtrue.world.domain import Attribute, Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance


def offices_of(instance: Instance) -> int:
    """Return the number of offices, which is even."""
    offices: int = instance.context["offices"]
    return offices


def _empty(instance: Instance, office: int) -> Formula:
    return And(tuple(instance[who].office.ne(office) for who in instance.entities))


def _next_door(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return abs(a.office - b.office).eq(2)


def _facing(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    odd = range(1, offices_of(instance), 2)
    return Or(tuple(one.office.eq(door) & other.office.eq(door + 1) for door in odd for one, other in ((a, b), (b, a))))


def _on_odd_side(instance: Instance, a: EntityTerms) -> Formula:
    return Or(tuple(a.office.eq(door) for door in range(1, offices_of(instance), 2)))


def _same_side(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return Iff(_on_odd_side(instance, a), _on_odd_side(instance, b))


_NUMBER = Integer(1, offices_of)
_PAIR = (Entity(), Entity())

OFFICE_KINDS = (
    Kind(
        "in_office",
        (Entity(), _NUMBER),
        lambda w, a, office: a.office.eq(office),
        definition="A works in office number k.",
        examples=(
            Example("The door with the number 4 bears Lena's name", ("Lena", 4)),
            Example("Mats moves into room 2", ("Mats", 2)),
        ),
        query="office",
        phrasings=(
            "{0} has office {1}",
            "office {1} is assigned to {0}",
            "{0} works in office {1}",
            "the person in office {1} is {0}",
            "office number {1} is {0}'s",
        ),
        weight=5,
    ),
    Kind(
        "not_in_office",
        (Entity(), _NUMBER),
        lambda w, a, office: a.office.ne(office),
        definition="A works in any office except number k.",
        examples=(
            Example("Jonas is banned from room 3", ("Jonas", 3)),
            Example("The name on door 5 is anything but Ida's", ("Ida", 5)),
        ),
        query="not_office",
        phrasings=(
            "{0} does not have office {1}",
            "office {1} is not assigned to {0}",
            "{0} does not work in office {1}",
            "{0} has some other office than office {1}",
        ),
    ),
    Kind(
        "either_office",
        (Entity(), _NUMBER, _NUMBER),
        lambda w, a, one, other: a.office.eq(one) | a.office.eq(other),
        canonical=any_order(1),
        definition="A works in one of the offices k and l.",
        examples=(
            Example("For Ida there are two rooms to choose from, 1 and 6", ("Ida", 1, 6)),
            Example("If Lena is not behind door 2, she is behind door 5", ("Lena", 2, 5)),
        ),
        phrasings=(
            "{0} has office {1} or office {2}",
            "{0} works either in office {1} or in office {2}",
            "{0}'s office is number {1} or number {2}",
            "one of the offices {1} and {2} is {0}'s",
        ),
        weight=3,
    ),
    Kind(
        "lower_office",
        (Entity(), Entity()),
        lambda w, a, b: a.office < b.office,
        definition="The number of A's office is smaller than that of B's. The one with the smaller comes first.",
        cues=(Cue("lower|smaller|below"), Cue("higher|larger|greater|above", swap=True)),
        examples=(
            Example("Ida's door number is smaller than Lena's", ("Ida", "Lena")),
            Example("Room by room in order, one gets to Jonas sooner than to Mats", ("Jonas", "Mats")),
        ),
        query="order",
        phrasings=(
            "{0} has a lower office number than {1}",
            "{1} has a higher office number than {0}",
            "the number of {0}'s office is below that of {1}'s",
            "the number of {1}'s office is above that of {0}'s",
        ),
        weight=3,
    ),
    Kind(
        "empty_office",
        (_NUMBER,),
        _empty,
        applies=lambda instance: offices_of(instance) > len(instance.entities),
        definition="Nobody has office number k.",
        examples=(
            Example("Room 3 stays without anybody", (3,)),
            Example("Behind door 6 there is no one to be found", (6,)),
        ),
        query="empty",
        phrasings=(
            "office {0} is empty",
            "nobody has office {0}",
            "office {0} is assigned to nobody",
            "none of these people works in office {0}",
        ),
        weight=2,
    ),
    Kind(
        "next_door",
        _PAIR,
        _next_door,
        symmetric=True,
        definition="A's and B's offices adjoin on the same side of the corridor: their numbers differ by two.",
        examples=(
            Example("Only a wall parts Mats from Jonas", ("Mats", "Jonas")),
            Example("Ida hears Lena's telephone through the wall of her room", ("Ida", "Lena")),
        ),
        query="adj",
        phrasings=(
            "{0}'s office is next door to {1}'s",
            "{0} and {1} have offices next door to each other",
            "{0} works next door to {1}",
            "the offices of {0} and {1} are next door to one another",
        ),
        weight=6,
    ),
    Kind(
        "not_next_door",
        _PAIR,
        lambda w, a, b: ~_next_door(w, a, b),
        symmetric=True,
        definition="The numbers of A's and B's offices do not differ by two.",
        examples=(
            Example("There is no wall that Lena's room has in common with that of Mats", ("Lena", "Mats")),
            Example("Jonas is too loud to adjoin Ida", ("Jonas", "Ida")),
        ),
        query="not_adj",
        phrasings=(
            "{0}'s office is not next door to {1}'s",
            "{0} and {1} do not have offices next door to each other",
            "{0} does not work next door to {1}",
            "the offices of {0} and {1} are not next door to one another",
        ),
        weight=2,
    ),
    Kind(
        "facing",
        _PAIR,
        _facing,
        symmetric=True,
        definition="A's and B's offices are straight across the corridor from each other, as 1 and 2 or 3 and 4.",
        examples=(
            Example("Lena and Jonas look into each other's doors", ("Lena", "Jonas")),
            Example("From his door Mats walks straight over into Ida's", ("Mats", "Ida")),
        ),
        phrasings=(
            "{0}'s office faces {1}'s",
            "{0} and {1} have offices that face each other",
            "the office that faces {0}'s is {1}'s",
            "the offices of {0} and {1} face one another across the corridor",
        ),
        weight=5,
    ),
    Kind(
        "not_facing",
        _PAIR,
        lambda w, a, b: ~_facing(w, a, b),
        symmetric=True,
        definition="A's and B's offices are not straight across the corridor from each other.",
        examples=(
            Example("Ida does not look into the door of Jonas", ("Ida", "Jonas")),
            Example("Opposite Lena's door there is another one than Mats's", ("Lena", "Mats")),
        ),
        phrasings=(
            "{0}'s office does not face {1}'s",
            "{0} and {1} do not have offices that face each other",
            "the office that faces {0}'s is not {1}'s",
            "the offices of {0} and {1} do not face one another across the corridor",
        ),
    ),
    Kind(
        "same_side",
        _PAIR,
        _same_side,
        symmetric=True,
        definition="A's and B's office numbers are both odd or both even.",
        examples=(
            Example("Neither Mats nor Lena has to cross over to see the other", ("Mats", "Lena")),
            Example("Jonas and Ida both look out to the garden, or both to the street", ("Jonas", "Ida")),
        ),
        phrasings=(
            "{0} and {1} have offices on the same side of the corridor",
            "{0}'s office is on the same side of the corridor as {1}'s",
            "{0} and {1} work on one and the same side of the corridor",
            "the office numbers of {0} and {1} are both odd or both even",
        ),
        weight=2,
    ),
    Kind(
        "other_side",
        _PAIR,
        lambda w, a, b: ~_same_side(w, a, b),
        symmetric=True,
        definition="One of A's and B's office numbers is odd and the other even.",
        examples=(
            Example("Lena has to cross over to see Jonas", ("Lena", "Jonas")),
            Example("One of Ida and Mats looks out to the garden, the other one does not", ("Ida", "Mats")),
        ),
        phrasings=(
            "{0} and {1} have offices on different sides of the corridor",
            "{0}'s office is not on the same side of the corridor as {1}'s",
            "{0} and {1} work on different sides of the corridor",
            "of the office numbers of {0} and {1}, one is odd and the other even",
        ),
        weight=2,
    ),
)


_DOMAIN = Domain(
    name="office_assignment",
    attributes=lambda context: (Attribute("office", 1, context["offices"], distinct=True),),
    constraint_types=OFFICE_KINDS,
    conventions=lambda instance: (
        f"Offices 1 to {offices_of(instance)} lie along a corridor, odd numbers on one side, even ones on the other.",
        "Offices are next door to each other if they are on the same side and their numbers differ by two.",
        "Office 1 faces office 2 across the corridor, office 3 faces office 4, and so on.",
    ),
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    return people, {"offices": 6 if len(people) < 7 else 8}


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, names = len(instance.entities), listed(instance.entities)
    last = offices_of(instance)
    who = (
        f"{count} people have their offices along one corridor: {names}.",
        f"The offices of a corridor are given to {count} people: {names}.",
        f"There are {count} people who work along a corridor: {names}.",
    )
    odd, even = listed([str(door) for door in range(1, last, 2)]), listed([str(door) for door in range(2, last + 1, 2)])
    where = (
        f"Offices {odd} lie on one side of the corridor, in this order, and offices {even} on the other.",
        f"On one side of the corridor are offices {odd}, in this order, and on the other side offices {even}.",
    )
    faces = (
        "Each odd-numbered office faces the next even number across the corridor (1 faces 2, and so on up to "
        f"{last - 1} and {last}), and two offices are next door to each other if they are on the same side with no "
        "office between them.",
        "Offices on the same side whose numbers differ by two are next door to each other; office 1 faces office 2, "
        f"office 3 faces office 4, and so on up to office {last - 1}, which faces office {last}.",
    )
    each = (
        "Each person has exactly one office, and no two people share an office"
        f"{'; offices may be empty' if last > count else ''}.",
        f"Everybody has one office of their own{', and offices that are left over are empty' if last > count else ''}.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(faces), rng.choice(each))


OFFICE = Subdomain("relational", _DOMAIN, _draw_setting, draw_draft, _setting)
