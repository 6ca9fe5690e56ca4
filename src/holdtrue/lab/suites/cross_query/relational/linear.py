"""The subdomain `seating_linear`: cases about people in a row, on seats 1 to n from left to right.

`LINEAR` is the whole of it: how a setting is drawn, its types of constraints, and their wordings.
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
from holdtrue.world.domain import Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance


def _neighbours(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return abs(a.seat - b.seat).eq(1)


def _directly_left(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return (b.seat - a.seat).eq(1)


def _between(instance: Instance, a: EntityTerms, b: EntityTerms, c: EntityTerms) -> Formula:
    return ((b.seat < a.seat) & (a.seat < c.seat)) | ((c.seat < a.seat) & (a.seat < b.seat))


def _at_end(instance: Instance, a: EntityTerms) -> Formula:
    return a.seat.eq(1) | a.seat.eq(seats_of(instance))


_PAIR = (Entity(), Entity())
_CUES = (Cue("left(?! end)"), Cue("right(?! end)", swap=True))

_KINDS = (
    *adjacency_kinds(_neighbours),
    *SEAT_KINDS,
    Kind(
        "left_of",
        _PAIR,
        lambda w, a, b: a.seat < b.seat,
        definition="A's seat has a lower number than B's, by one or more. The one further left comes first.",
        cues=(*_CUES, Cue("lower|before"), Cue("higher|after", swap=True)),
        examples=(
            Example("Ida is further left than Mats", ("Ida", "Mats")),
            Example("Lena is further right than Jonas", ("Jonas", "Lena")),
            Example("Going up the row, one meets Mats sooner than Lena", ("Mats", "Lena")),
        ),
        query="order",
        phrasings=(
            "{0} sits somewhere to the left of {1}",
            "{1} sits somewhere to the right of {0}",
            "{0} has a lower seat number than {1}",
            "{1} has a higher seat number than {0}",
            "counting up from seat 1, {0} comes before {1}",
        ),
        weight=4,
    ),
    Kind(
        "directly_left_of",
        _PAIR,
        _directly_left,
        definition="A's seat number is B's less one: they are neighbours, A on the left. A comes first.",
        cues=_CUES,
        examples=(
            Example("Jonas is Ida's left neighbour", ("Jonas", "Ida")),
            Example("Mats has Lena immediately on his right", ("Mats", "Lena")),
        ),
        query="directly_left",
        phrasings=(
            "{0} sits directly to the left of {1}",
            "{1} sits directly to the right of {0}",
            "{0}'s seat number is exactly one lower than {1}'s",
            "{1}'s seat number is exactly one higher than {0}'s",
            "the very next seat to the right of {0}'s is {1}'s",
        ),
        weight=2,
    ),
    Kind(
        "not_directly_left_of",
        _PAIR,
        lambda w, a, b: ~_directly_left(w, a, b),
        definition="A's seat number is not B's less one.",
        examples=(
            Example("Lena is not Mats's left neighbour", ("Lena", "Mats")),
            Example("Ida does not have Jonas immediately on her right", ("Ida", "Jonas")),
        ),
        query="not_directly_left",
        phrasings=(
            "{0} does not sit directly to the left of {1}",
            "{1} does not sit directly to the right of {0}",
            "{0}'s seat number is not exactly one lower than {1}'s",
            "the very next seat to the right of {0}'s is not {1}'s",
        ),
    ),
    Kind(
        "between",
        (*_PAIR, Entity()),
        _between,
        canonical=any_order(1),
        definition="A's seat number is between those of B and C, not always next to them. The middle comes first.",
        examples=(
            Example("Mats has Ida further to one side and Lena further to the other", ("Mats", "Ida", "Lena")),
            Example("On the way along the row from Jonas to Ida one passes Lena", ("Lena", "Jonas", "Ida")),
        ),
        phrasings=(
            "{0} sits somewhere between {1} and {2}",
            "{0}'s seat number lies between those of {1} and {2}",
            "of {0}, {1} and {2}, {0} is the one in the middle",
            "one of {1} and {2} sits somewhere to the left of {0} and the other somewhere to the right",
        ),
        weight=2,
    ),
    Kind(
        "at_end",
        (Entity(),),
        _at_end,
        definition="A has the first or the last seat.",
        examples=(
            Example("Nobody sits beyond Jonas on one of his sides", ("Jonas",)),
            Example("Ida is outermost", ("Ida",)),
        ),
        query="end",
        phrasings=(
            "{0} sits at an end of the row",
            "{0} sits at one of the two ends of the row",
            "{0} has exactly one neighbour",
            "{0} sits in the first or in the last seat",
        ),
        weight=2,
    ),
    Kind(
        "not_at_end",
        (Entity(),),
        lambda w, a: ~_at_end(w, a),
        definition="A has neither the first nor the last seat.",
        examples=(
            Example("Both to the left and to the right of Lena there is somebody", ("Lena",)),
            Example("Mats is not outermost", ("Mats",)),
        ),
        query="not_end",
        phrasings=(
            "{0} does not sit at an end of the row",
            "{0} sits at neither end of the row",
            "{0} has two neighbours",
            "{0} sits neither in the first nor in the last seat",
        ),
        weight=2,
    ),
    Kind(
        "apart",
        (*_PAIR, Integer(2, lambda instance: seats_of(instance) - 1)),
        lambda w, a, b, steps: abs(a.seat - b.seat).eq(steps),
        symmetric=True,
        definition="The larger of A's and B's seat numbers less the smaller is k.",
        examples=(
            Example("It takes 3 steps along the chairs to walk from Ida to Jonas", ("Ida", "Jonas", 3)),
            Example("Moving by two chairs, Lena would land on Mats's", ("Lena", "Mats", 2)),
        ),
        query="distance",
        phrasings=(
            "the seat numbers of {0} and {1} differ by exactly {2}",
            "the difference between {0}'s and {1}'s seat numbers is {2}",
            "one of {0} and {1} has a seat number exactly {2} higher than the other's",
            "{0}'s and {1}'s seat numbers are exactly {2} apart",
        ),
        weight=2,
    ),
)

_DOMAIN = Domain(
    name="seating_linear",
    attributes=seat_attribute,
    constraint_types=_KINDS,
    context=count_seats,
    conventions=lambda instance: (
        f"The seats stand in a row, numbered from 1 at the left end to {seats_of(instance)} at the right end; 'left' "
        "is towards seat 1.",
        f"Seats 1 and {seats_of(instance)} are not next to each other.",
    ),
)


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, names = seats_of(instance), listed(instance.entities)
    who = (
        f"There are {count} people sitting in a row: {names}.",
        f"{count} people sit on a straight bench: {names}.",
        f"A single row of {count} seats is taken by {count} people: {names}.",
    )
    where = (
        f"The seats are numbered from 1 at the left end of the row to {count} at the right end, and 'left' always "
        "means towards seat 1.",
        f"From left to right the seats of the row have the numbers 1 to {count}; to the left means towards seat 1, to "
        f"the right towards seat {count}.",
        f"Seat 1 is the leftmost seat of the row and seat {count} the rightmost, with the seats numbered in order; "
        "left and right are meant in this sense.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(ONE_EACH))


LINEAR = Subdomain("relational", _DOMAIN, lambda rng: (draw_people(rng, 4, 7), {}), draw_draft, _setting)
