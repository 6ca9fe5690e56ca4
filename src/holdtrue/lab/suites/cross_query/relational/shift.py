"""The subdomain of shift assignment: everybody works one of several shifts, which follow one another in time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.relational.groups import alone, fair_share, largest, size_laws
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Kind, Subdomain
from holdtrue.logic.formula import And, Formula
from holdtrue.world.domain import Attribute, AttributeName, Cue, Domain, Entity, Example, ValueOf
from holdtrue.world.instance import EntityTerms, Instance


def _nobody_later(instance: Instance, a: EntityTerms) -> Formula:
    return And(tuple(instance[who].shift <= a.shift for who in instance.entities if instance[who] is not a))


_PAIR = (Entity(), Entity())
_WORKS = (Entity(), AttributeName(), ValueOf(1))
_CUES = (Cue("earlier|before|sooner"), Cue("later|after", swap=True))

SHIFT_KINDS = (
    Kind(
        "on_shift",
        _WORKS,
        lambda w, a, shift, value: a[shift].eq(value),
        definition="A has shift V.",
        examples=(
            Example("Ida is in the rota for Monday", ("Ida", "shift", "Monday")),
            Example("Call Mats if you need somebody at night", ("Mats", "shift", "night")),
        ),
        query="shift",
        phrasings=(
            "{0} works the {2} shift",
            "{0}'s shift is the {2} shift",
            "{0} is on the {2} shift",
            "{0} is assigned to the {2} shift",
        ),
        weight=4,
    ),
    Kind(
        "not_on_shift",
        _WORKS,
        lambda w, a, shift, value: a[shift].ne(value),
        definition="A has any shift except V.",
        examples=(
            Example("Lena is free on Tuesday", ("Lena", "shift", "Tuesday")),
            Example("At night there is no Jonas to help", ("Jonas", "shift", "night")),
        ),
        query="not_shift",
        phrasings=(
            "{0} does not work the {2} shift",
            "{0}'s shift is not the {2} shift",
            "{0} is not on the {2} shift",
            "{0} works some other shift than the {2} shift",
        ),
        weight=2,
    ),
    Kind(
        "same_shift",
        _PAIR,
        lambda w, a, b: a.shift.eq(b.shift),
        symmetric=True,
        definition="A and B are at work together.",
        examples=(
            Example("Jonas always has Ida to talk to at work", ("Jonas", "Ida")),
            Example("Mats and Lena come and leave as a pair", ("Mats", "Lena")),
        ),
        query="same",
        phrasings=(
            "{0} and {1} work the same shift",
            "{0} works the same shift as {1}",
            "{0}'s shift is also {1}'s shift",
            "{0} and {1} share a shift",
        ),
        weight=4,
    ),
    Kind(
        "different_shift",
        _PAIR,
        lambda w, a, b: a.shift.ne(b.shift),
        symmetric=True,
        definition="A and B are never at work together.",
        examples=(
            Example("Ida never meets Lena at work", ("Ida", "Lena")),
            Example("Mats and Jonas must not be put into the rota together", ("Mats", "Jonas")),
        ),
        query="different",
        phrasings=(
            "{0} and {1} work different shifts",
            "{0} does not work the same shift as {1}",
            "{0}'s shift is not {1}'s shift",
            "{0} and {1} do not share a shift",
        ),
        weight=3,
    ),
    Kind(
        "earlier_shift",
        _PAIR,
        lambda w, a, b: a.shift < b.shift,
        definition="A's shift is over before B's begins. The earlier one comes first.",
        cues=_CUES,
        examples=(
            Example("By the time Lena starts, Mats has finished for good", ("Mats", "Lena")),
            Example("Ida takes over some time after Jonas has left", ("Jonas", "Ida")),
        ),
        query="order",
        phrasings=(
            "{0} works an earlier shift than {1}",
            "{1} works a later shift than {0}",
            "{0}'s shift comes before {1}'s shift",
            "{1}'s shift comes after {0}'s shift",
        ),
        weight=4,
    ),
    Kind(
        "no_later_shift",
        _PAIR,
        lambda w, a, b: a.shift <= b.shift,
        definition="A's shift is B's, or is over before B's begins. The one who is not later comes first.",
        cues=_CUES,
        examples=(
            Example("When Lena starts, Ida has at least started", ("Ida", "Lena")),
            Example("Mats is at work as soon as Jonas is, or sooner", ("Mats", "Jonas")),
        ),
        query="not_later",
        phrasings=(
            "{0} does not work a later shift than {1}",
            "{1} does not work an earlier shift than {0}",
            "{0} works the same shift as {1} or an earlier one",
            "{1} works the same shift as {0} or a later one",
        ),
        weight=2,
    ),
    Kind(
        "directly_before",
        _PAIR,
        lambda w, a, b: (b.shift - a.shift).eq(1),
        definition="B's shift is the very next one after A's. The earlier one comes first.",
        cues=_CUES,
        examples=(
            Example("Jonas hands the keys over to Lena", ("Jonas", "Lena")),
            Example("Ida is relieved by Mats", ("Ida", "Mats")),
        ),
        phrasings=(
            "{0} works the shift directly before {1}'s",
            "{1} works the shift directly after {0}'s",
            "the shift that directly follows {0}'s is {1}'s",
            "{1}'s shift is the very next one after {0}'s",
        ),
        weight=2,
    ),
    Kind(
        "alone_on_shift",
        (Entity(),),
        lambda w, a: alone(w, "shift", a),
        definition="A has a shift without anybody else.",
        examples=(
            Example("Mats never has company at work", ("Mats",)),
            Example("Lena does it all by herself when she is there", ("Lena",)),
        ),
        query="alone",
        phrasings=(
            "nobody else works {0}'s shift",
            "{0} has nobody else on the same shift",
            "{0} shares a shift with none of the others",
            "{0} works a shift without any of the others",
        ),
        weight=2,
    ),
    Kind(
        "nobody_later",
        (Entity(),),
        _nobody_later,
        definition="A has the last shift that anybody has; others may have it too.",
        examples=(
            Example("When Ida goes home, everybody has finished", ("Ida",)),
            Example("With Jonas the work comes to its close", ("Jonas",)),
        ),
        query="last",
        phrasings=(
            "nobody works a later shift than {0}",
            "none of the others works a later shift than {0}",
            "all of the others work {0}'s shift or an earlier one",
            "there is no one whose shift comes after {0}'s",
        ),
    ),
)


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
