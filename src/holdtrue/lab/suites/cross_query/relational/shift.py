"""The subdomain of shift assignment: everybody works one of several shifts, which follow one another in time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.people import draw_people
from holdtrue.lab.suites.cross_query.relational.groups import fair_share, largest, size_laws
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.relational.shift_kinds import SHIFT_KINDS
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import Instance

_SHIFTS = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    ("Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("dawn", "morning", "noon", "afternoon", "night"),
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    names = rng.choice(_SHIFTS)
    count = rng.randint(3, min(len(people), len(names)))
    start = rng.randint(0, len(names) - count)
    most = fair_share(len(people), count) + rng.randint(0, 1)
    return people, {"shifts": names[start : start + count], "most": most}


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, names = len(instance.entities), listed(instance.entities)
    shifts, most = listed(instance.context["shifts"]), largest(instance)
    who = (
        f"{count} people work in shifts: {names}.",
        f"A shift plan is made for {count} people: {names}.",
        f"There are {count} people on the staff of a small shop: {names}.",
    )
    where = (
        f"The shifts are, from the first to the last, {shifts}; each person works exactly one of them.",
        f"Everybody works exactly one shift; in order of time, the shifts are {shifts}.",
    )
    sizes = (
        f"On every shift there are at least 1 and at most {most} people.",
        f"Every shift is worked by at least 1 person and by no more than {most}.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(sizes))


SHIFT = Subdomain(
    "relational",
    Domain(
        name="shift_assignment",
        attributes=lambda context: (Attribute("shift", values=context["shifts"]),),
        constraint_types=SHIFT_KINDS,
        axioms=size_laws("shift", "the {0} shift has 1 to {1} people"),
        conventions=lambda instance: (
            f"In order of time, the shifts are {listed(instance.context['shifts'])}; everybody works exactly one.",
        ),
    ),
    _draw_setting,
    draw_draft,
    _setting,
)
