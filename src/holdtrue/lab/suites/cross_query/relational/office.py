"""The subdomain `office_assignment`: people in offices on both sides of a corridor, odd numbers on one and even on the
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.relational.office_kinds import OFFICE_KINDS, offices_of
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import Instance

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
