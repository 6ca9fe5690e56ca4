"""The subdomain `seating_circular`: cases about people around a round table, on seats 1 to n, clockwise.

Seats are numbered, so two seatings that differ by a rotation are different.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.relational.seats import (
    ONE_EACH,
    SEAT_KINDS,
    adjacency_kinds,
    count_seats,
    seat_attribute,
    seats_of,
)
from holdtrue.lab.suites.cross_query.subdomain import Kind, Subdomain
from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Cue, Domain, Entity, Example
from holdtrue.world.instance import EntityTerms, Instance


def _away(instance: Instance, a: EntityTerms, b: EntityTerms, steps: int) -> Formula:
    """Return the formula that B is this number of steps from A, in one direction or the other."""
    distance = abs(a.seat - b.seat)
    return distance.eq(steps) | distance.eq(seats_of(instance) - steps)


def _neighbours(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return _away(instance, a, b, 1)


def _clockwise(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return (a.seat - b.seat).eq(1) | (a.seat.eq(1) & b.seat.eq(seats_of(instance)))


def _opposite(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return abs(a.seat - b.seat).eq(seats_of(instance) // 2)


def _even(instance: Instance) -> bool:
    return seats_of(instance) % 2 == 0


_PAIR = (Entity(), Entity())

_KINDS = (
    *adjacency_kinds(_neighbours),
    *SEAT_KINDS,
    Kind(
        "clockwise",
        _PAIR,
        _clockwise,
        definition="A has the seat that follows B's clockwise. The one further clockwise comes first.",
        cues=(
            Cue("(?<!counter-)(?<!anti-)clockwise (?:from|of)|after"),
            Cue("(?:counter|anti)-?clockwise (?:from|of)|before", swap=True),
        ),
        examples=(
            Example("One step clockwise of Lena there is Mats", ("Mats", "Lena")),
            Example("Passed on clockwise, the dish goes straight to Ida after Jonas", ("Ida", "Jonas")),
            Example("Jonas is Mats's counterclockwise neighbour", ("Mats", "Jonas")),
        ),
        phrasings=(
            "{0} sits in the next seat clockwise from {1}",
            "going clockwise, {0} comes directly after {1}",
            "going clockwise, {1} comes directly before {0}",
            "{1} sits in the next seat counterclockwise from {0}",
            "{1}'s neighbour in the clockwise direction is {0}",
        ),
        weight=2,
    ),
    Kind(
        "not_clockwise",
        _PAIR,
        lambda w, a, b: ~_clockwise(w, a, b),
        definition="Somebody else than A has the seat that follows B's clockwise.",
        examples=(
            Example("One step clockwise of Ida there is not Lena", ("Lena", "Ida")),
            Example("Passed on clockwise, the dish does not go to Mats straight after Ida", ("Mats", "Ida")),
        ),
        phrasings=(
            "{0} does not sit in the next seat clockwise from {1}",
            "going clockwise, {0} does not come directly after {1}",
            "going clockwise, {1} does not come directly before {0}",
            "{1}'s neighbour in the clockwise direction is not {0}",
        ),
    ),
    Kind(
        "between",
        (*_PAIR, Entity()),
        lambda w, a, b, c: _neighbours(w, a, b) & _neighbours(w, a, c),
        canonical=any_order(1),
        definition="B and C are A's two neighbours. The one in the middle comes first.",
        examples=(
            Example("Lena is flanked by Ida and Mats", ("Lena", "Ida", "Mats")),
            Example("Jonas touches elbows with both Mats and Lena", ("Jonas", "Mats", "Lena")),
        ),
        phrasings=(
            "{0} sits directly between {1} and {2}",
            "{0}'s two neighbours are {1} and {2}",
            "{0} has {1} as one neighbour and {2} as the other",
            "{1} and {2} are the two people who sit right beside {0}",
        ),
    ),
    Kind(
        "common_neighbour",
        _PAIR,
        lambda w, a, b: _away(w, a, b, 2),
        symmetric=True,
        definition="Some third person sits right beside A and right beside B.",
        examples=(
            Example("Lena and Jonas have just one chair separating them", ("Lena", "Jonas")),
            Example("Only two steps lead from Mats to Ida", ("Mats", "Ida")),
        ),
        query="common",
        phrasings=(
            "{0} and {1} have a neighbour in common",
            "somebody sits right beside both {0} and {1}",
            "some neighbour of {0} is also a neighbour of {1}",
            "there is a person who sits directly between {0} and {1}",
        ),
    ),
    Kind(
        "no_common_neighbour",
        _PAIR,
        lambda w, a, b: ~_away(w, a, b, 2),
        symmetric=True,
        definition="No person sits right beside A and right beside B.",
        examples=(
            Example("Whoever touches elbows with Ida does not with Lena", ("Ida", "Lena")),
            Example("It is not two steps from Jonas to Mats", ("Jonas", "Mats")),
        ),
        query="not_common",
        phrasings=(
            "{0} and {1} have no neighbour in common",
            "nobody sits right beside both {0} and {1}",
            "none of {0}'s neighbours is also a neighbour of {1}",
            "there is no person who sits directly between {0} and {1}",
        ),
    ),
    Kind(
        "opposite",
        _PAIR,
        _opposite,
        symmetric=True,
        applies=_even,
        definition="A and B have the table between them: it is equally far both ways round.",
        examples=(
            Example("Mats looks Lena in the eye over the middle of the table", ("Mats", "Lena")),
            Example("Half a turn of the table takes Ida to where Jonas is", ("Ida", "Jonas")),
        ),
        phrasings=(
            "{0} sits directly opposite {1}",
            "{0} and {1} sit directly across the table from each other",
            "the seat straight across from {0}'s is {1}'s",
            "as many people sit between {0} and {1} one way round the table as the other way",
        ),
        weight=2,
    ),
    Kind(
        "not_opposite",
        _PAIR,
        lambda w, a, b: ~_opposite(w, a, b),
        symmetric=True,
        applies=_even,
        definition="A and B do not have seats half a turn of the table apart.",
        examples=(
            Example("Lena does not look straight over at Ida", ("Lena", "Ida")),
            Example("Jonas has somebody else than Mats facing him", ("Jonas", "Mats")),
        ),
        phrasings=(
            "{0} does not sit directly opposite {1}",
            "{0} and {1} do not sit directly across the table from each other",
            "the seat straight across from {0}'s is not {1}'s",
            "it is not {1} who sits straight across from {0}",
        ),
    ),
)

_DOMAIN = Domain(
    name="seating_circular",
    attributes=seat_attribute,
    constraint_types=_KINDS,
    context=count_seats,
    conventions=lambda instance: (
        f"The seats are numbered clockwise from 1 to {seats_of(instance)} around a round table, so that seat 1 "
        f"follows seat {seats_of(instance)}; everybody has two neighbours.",
    ),
)


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, names = seats_of(instance), listed(instance.entities)
    who = (
        f"There are {count} people seated at a round table: {names}.",
        f"{count} people sit around a circular table: {names}.",
        f"A round table is set for {count} people: {names}.",
    )
    where = (
        f"The {count} seats are evenly spaced and numbered clockwise from 1 to {count}, so seat {count} is next to "
        "seat 1.",
        f"Going clockwise around the table, the evenly spaced seats are numbered 1 to {count}, and after seat {count} "
        "comes seat 1 again.",
        f"Evenly spaced seats, numbered 1 to {count} in clockwise order, go all the way round: seats {count} and 1 "
        "are neighbours.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(ONE_EACH))


CIRCULAR = Subdomain("relational", _DOMAIN, lambda rng: (draw_people(rng, 4, 7), {}), draw_draft, _setting)
