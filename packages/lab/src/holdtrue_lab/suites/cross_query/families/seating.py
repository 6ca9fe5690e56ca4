"""The subdomains `seating_circular` and `seating_linear`: people around a round table, clockwise, and in a row.

Each person has one of the seats 1 to n. Around the table too, two seatings that differ by a rotation are different.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import draw_people
from holdtrue_lab.suites.cross_query.narrowing import draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from holdtrue_lab.suites.cross_query.words import Kind, Meaning, Words

_SEATS = Words("seats")


def _seats(instance: Instance) -> int:
    """One for each person."""
    return len(instance.entities)


def _away(instance: Instance, a: EntityTerms, b: EntityTerms, steps: int) -> Formula:
    """The formula that B is this number of steps around the table from A, in one direction or the other."""
    distance = abs(a.seat - b.seat)
    return distance.eq(steps) | distance.eq(_seats(instance) - steps)


def _between(instance: Instance, a: EntityTerms, b: EntityTerms, c: EntityTerms) -> Formula:
    return ((b.seat < a.seat) & (a.seat < c.seat)) | ((c.seat < a.seat) & (a.seat < b.seat))


def _even(instance: Instance) -> bool:
    return _seats(instance) % 2 == 0


def _kinds(words: Words, meanings: Mapping[str, Meaning], neighbours: Meaning) -> tuple[Kind, ...]:
    """The kinds of all seats, where `neighbours` says who is next to whom, and those of the words."""
    of_seats: dict[str, Meaning] = {
        "adjacent": neighbours,
        "at_seat": lambda w, a, seat: a.seat.eq(seat),
        "not_at_seat": lambda w, a, seat: a.seat.ne(seat),
        "either_at_seat": lambda w, a, b, seat: a.seat.eq(seat) | b.seat.eq(seat),
    }
    return (*_SEATS.kinds(of_seats), *words.kinds(meanings, {"opposite": _even, "not_opposite": _even}))


def _subdomain(name: str, meanings: Mapping[str, Meaning], neighbours: Meaning, *conventions: str) -> Subdomain:
    words = Words(name)

    def setting(rng: Random, instance: Instance) -> Sequence[str]:
        return words.tell(rng, count=_seats(instance), names=listed(instance.entities))

    return Subdomain(
        "relational",
        Domain(
            name=name,
            attributes=lambda context: (Attribute("seat", 1, context["seats"], distinct=True),),
            constraint_types=_kinds(words, meanings, neighbours),
            context=lambda entities, given: {**given, "seats": len(entities)},
            conventions=lambda instance: tuple(line.format(count=_seats(instance)) for line in conventions),
        ),
        lambda rng: (draw_people(rng, 4, 7), {}),
        draw_draft,
        setting,
    )


CIRCULAR = _subdomain(
    "seating_circular",
    {
        "clockwise": lambda w, a, b: (a.seat - b.seat).eq(1) | (a.seat.eq(1) & b.seat.eq(_seats(w))),
        "between": lambda w, a, b, c: _away(w, a, b, 1) & _away(w, a, c, 1),
        "common_neighbour": lambda w, a, b: _away(w, a, b, 2),
        "opposite": lambda w, a, b: abs(a.seat - b.seat).eq(_seats(w) // 2),
    },
    lambda w, a, b: _away(w, a, b, 1),
    "The seats are numbered clockwise from 1 to {count} around a round table, so that seat 1 follows seat {count}; "
    "everybody has two neighbours.",
)
LINEAR = _subdomain(
    "seating_linear",
    {
        "left_of": lambda w, a, b: a.seat < b.seat,
        "directly_left_of": lambda w, a, b: (b.seat - a.seat).eq(1),
        "between": _between,
        "at_end": lambda w, a: a.seat.eq(1) | a.seat.eq(_seats(w)),
        "apart": lambda w, a, b, steps: abs(a.seat - b.seat).eq(steps),
    },
    lambda w, a, b: abs(a.seat - b.seat).eq(1),
    "The seats stand in a row, numbered from 1 at the left end to {count} at the right end; 'left' is towards seat 1.",
    "Seats 1 and {count} are not next to each other.",
)
