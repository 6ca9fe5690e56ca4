"""The subdomain `office_assignment`: people in offices on both sides of a corridor, odd numbers on one side."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, Iff, Or
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import draw_people
from holdtrue_lab.suites.cross_query.narrowing import draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("office_assignment")


def _offices(instance: Instance) -> int:
    """The number of offices, which is even."""
    offices: int = instance.context["offices"]
    return offices


def _empty(instance: Instance, office: int) -> Formula:
    return And(tuple(instance[who].office.ne(office) for who in instance.entities))


def _facing(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    odd = range(1, _offices(instance), 2)
    return Or(tuple(one.office.eq(door) & other.office.eq(door + 1) for door in odd for one, other in ((a, b), (b, a))))


def _on_odd_side(instance: Instance, a: EntityTerms) -> Formula:
    return Or(tuple(a.office.eq(door) for door in range(1, _offices(instance), 2)))


def _draw_setting(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    return people, {"offices": 6 if len(people) < 7 else 8}


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, last = len(instance.entities), _offices(instance)
    return _WORDS.tell(
        rng,
        *("who", "where", "faces", "each_and_some_empty" if last > count else "each_and_none_empty"),
        count=count,
        names=listed(instance.entities),
        odd=listed([str(door) for door in range(1, last, 2)]),
        even=listed([str(door) for door in range(2, last + 1, 2)]),
        last=last,
        last_odd=last - 1,
    )


OFFICE = Subdomain(
    "relational",
    Domain(
        name="office_assignment",
        attributes=lambda context: (Attribute("office", 1, context["offices"], distinct=True),),
        constraint_types=_WORDS.kinds(
            {
                "in_office": lambda w, a, office: a.office.eq(office),
                "not_in_office": lambda w, a, office: a.office.ne(office),
                "either_office": lambda w, a, one, other: a.office.eq(one) | a.office.eq(other),
                "lower_office": lambda w, a, b: a.office < b.office,
                "empty_office": _empty,
                "next_door": lambda w, a, b: abs(a.office - b.office).eq(2),
                "facing": _facing,
                "same_side": lambda w, a, b: Iff(_on_odd_side(w, a), _on_odd_side(w, b)),
            },
            {"empty_office": lambda instance: _offices(instance) > len(instance.entities)},
        ),
        conventions=lambda instance: (
            f"Offices 1 to {_offices(instance)} lie along a corridor, odd numbers on one side, even ones on the other.",
            "Offices are next door to each other if they are on the same side and their numbers differ by two.",
            "Office 1 faces office 2 across the corridor, office 3 faces office 4, and so on.",
        ),
    ),
    _draw_setting,
    draw_draft,
    _setting,
)
