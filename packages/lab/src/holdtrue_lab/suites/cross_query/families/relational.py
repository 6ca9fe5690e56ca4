"""This module defines the relational subdomains: seats around a table or in a row, offices, teams, colours and shifts.

In `seating_circular` and `seating_linear`, each person has one of the seats 1 to n; rotated seatings are different. In
`office_assignment`, people have offices on both sides of a corridor, with odd numbers on one side. In
`team_assignment`, `colour_assignment` and `shift_assignment`, several entities may have the same value. Each value has
at least one entity, and at most so many as the context's `most` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, Iff, Or, at_least, at_most, exactly
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drafts import draw_by_narrowing, draw_people
from holdtrue_lab.suites.cross_query.subdomain import Kind, Meaning, Subdomain, Words

_SEATS = Words("seats")


def _seats(instance: Instance) -> int:
    return len(instance.entities)


def _away(instance: Instance, a: EntityTerms, b: EntityTerms, steps: int) -> Formula:
    """Return the formula that B is `steps` seats around the table from A, in either direction."""
    distance = abs(a.seat - b.seat)
    return distance.eq(steps) | distance.eq(_seats(instance) - steps)


def _between_seats(instance: Instance, a: EntityTerms, b: EntityTerms, c: EntityTerms) -> Formula:
    return ((b.seat < a.seat) & (a.seat < c.seat)) | ((c.seat < a.seat) & (a.seat < b.seat))


def _even(instance: Instance) -> bool:
    return _seats(instance) % 2 == 0


def _kinds_of_seats(words: Words, meanings: Mapping[str, Meaning], neighbours: Meaning) -> tuple[Kind, ...]:
    """Return the kinds of statements of a seating; `neighbours` is the meaning of adjacency."""
    of_seats: dict[str, Meaning] = {
        "adjacent": neighbours,
        "at_seat": lambda w, a, seat: a.seat.eq(seat),
        "not_at_seat": lambda w, a, seat: a.seat.ne(seat),
        "either_at_seat": lambda w, a, b, seat: a.seat.eq(seat) | b.seat.eq(seat),
    }
    return (*_SEATS.kinds(of_seats), *words.kinds(meanings, {"opposite": _even, "not_opposite": _even}))


def _seating(name: str, meanings: Mapping[str, Meaning], neighbours: Meaning, *conventions: str) -> Subdomain:
    words = Words(name)

    def setting(rng: Random, instance: Instance) -> Sequence[str]:
        return words.tell(rng, count=_seats(instance), names=listed(instance.entities))

    return Subdomain(
        "relational",
        Domain(
            name=name,
            attributes=lambda context: (Attribute("seat", 1, context["seats"], distinct=True),),
            constraint_types=_kinds_of_seats(words, meanings, neighbours),
            context=lambda entities, given: {**given, "seats": len(entities)},
            conventions=lambda instance: tuple(line.format(count=_seats(instance)) for line in conventions),
        ),
        lambda rng: (draw_people(rng, 4, 7), {}),
        draw_by_narrowing,
        setting,
    )


CIRCULAR = _seating(
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
LINEAR = _seating(
    "seating_linear",
    {
        "left_of": lambda w, a, b: a.seat < b.seat,
        "directly_left_of": lambda w, a, b: (b.seat - a.seat).eq(1),
        "between": _between_seats,
        "at_end": lambda w, a: a.seat.eq(1) | a.seat.eq(_seats(w)),
        "apart": lambda w, a, b, steps: abs(a.seat - b.seat).eq(steps),
    },
    lambda w, a, b: abs(a.seat - b.seat).eq(1),
    "The seats stand in a row, numbered from 1 at the left end to {count} at the right end; 'left' is towards seat 1.",
    "Seats 1 and {count} are not next to each other.",
)


_OFFICES = Words("office_assignment")


def _offices(instance: Instance) -> int:
    offices: int = instance.context["offices"]
    return offices


def _empty(instance: Instance, office: int) -> Formula:
    return And(tuple(instance[who].office.ne(office) for who in instance.entities))


def _facing(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    odd = range(1, _offices(instance), 2)
    return Or(tuple(one.office.eq(door) & other.office.eq(door + 1) for door in odd for one, other in ((a, b), (b, a))))


def _on_odd_side(instance: Instance, a: EntityTerms) -> Formula:
    return Or(tuple(a.office.eq(door) for door in range(1, _offices(instance), 2)))


def _draw_offices(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    return people, {"offices": 6 if len(people) < 7 else 8}


def _tell_offices(rng: Random, instance: Instance) -> Sequence[str]:
    count, last = len(instance.entities), _offices(instance)
    return _OFFICES.tell(
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
        constraint_types=_OFFICES.kinds(
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
    _draw_offices,
    draw_by_narrowing,
    _tell_offices,
)


def _holders(instance: Instance, attribute: str, value: int) -> tuple[Formula, ...]:
    """Return, for each entity, the formula that it has this value."""
    return tuple(instance[who][attribute].eq(value) for who in instance.entities)


def _count_is(instance: Instance, attribute: str, value: int, count: int) -> Formula:
    return exactly(count, _holders(instance, attribute, value))


def _others(instance: Instance, one: EntityTerms) -> list[EntityTerms]:
    return [instance[who] for who in instance.entities if instance[who] is not one]


def _alone(instance: Instance, attribute: str, one: EntityTerms) -> Formula:
    """Return the formula that no other entity has the value of `one`."""
    return And(tuple(other[attribute].ne(one[attribute]) for other in _others(instance, one)))


def _nobody_later(instance: Instance, a: EntityTerms) -> Formula:
    return And(tuple(other.shift <= a.shift for other in _others(instance, a)))


def _assignment(
    attribute: str,
    meanings: Mapping[str, Meaning],
    draw_setting: Callable[[Words, Random], tuple[Sequence[str], Mapping[str, Any]]],
    *,
    size: str,
    convention: str,
    entity: str = "{}",
    value: str = "{}",
) -> Subdomain:
    """Return the subdomain of one attribute; the context lists the attribute's values under its plural.

    `size` is the law about the number of entities with a value, and `convention` describes the values. `entity` and
    `value` are the formats for names of entities and values in the setting.
    """
    words, values = Words(f"{attribute}_assignment"), f"{attribute}s"

    def laws(instance: Instance) -> Sequence[Axiom]:
        most, sort = instance.context["most"], instance.attributes[attribute].sort
        return [
            Axiom(
                f"size_{attribute}_{own}",
                size.format(sort.show(own), most),
                And((at_least(1, having), at_most(most, having))),
            )
            for own in sort.values
            if (having := _holders(instance, attribute, own))
        ]

    def setting(rng: Random, instance: Instance) -> Sequence[str]:
        return words.tell(
            rng,
            count=len(instance.entities),
            names=listed([entity.format(name) for name in instance.entities]),
            values=listed([value.format(name) for name in instance.context[values]]),
            most=instance.context["most"],
        )

    return Subdomain(
        "relational",
        Domain(
            name=f"{attribute}_assignment",
            attributes=lambda context: (Attribute(attribute, values=context[values]),),
            constraint_types=words.kinds(meanings),
            axioms=laws,
            conventions=lambda instance: (convention.format(listed(instance.context[values])),),
        ),
        lambda rng: draw_setting(words, rng),
        draw_by_narrowing,
        setting,
    )


def _fair_share(entities: int, values: int) -> int:
    """Return the least `most` with which every entity can have a value."""
    return -(-entities // values)


def _draw_teams(words: Words, rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    teams = rng.sample(rng.choice(words.names["teams"]), 2 if len(people) < 6 else rng.randint(2, 3))
    return people, {"teams": teams, "most": _fair_share(len(people), len(teams)) + rng.randint(0, 1)}


def _draw_colours(words: Words, rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    rooms = rng.sample(words.names["rooms"], rng.randint(4, 7))
    colours = rng.sample(words.names["colours"], 3 if len(rooms) < 6 else rng.randint(3, 4))
    return rooms, {"colours": colours, "most": len(rooms) - len(colours) + 1}


def _draw_shifts(words: Words, rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    names = rng.choice(words.names["shifts"])
    count = rng.randint(3, min(len(people), len(names)))
    start = rng.randint(0, len(names) - count)
    most = _fair_share(len(people), count) + rng.randint(0, 1)
    return people, {"shifts": names[start : start + count], "most": most}


TEAM = _assignment(
    "team",
    {
        "on_team": lambda w, a, team, value: a[team].eq(value),
        "not_on_team": lambda w, a, team, value: a[team].ne(value),
        "same_team": lambda w, a, b: a.team.eq(b.team),
        "different_team": lambda w, a, b: a.team.ne(b.team),
        "follows_to_team": lambda w, a, b, team, value: a[team].eq(value).implies(b[team].eq(value)),
        "one_of_two_on_team": lambda w, a, b, team, value: a[team].eq(value) | b[team].eq(value),
        "team_size": _count_is,
    },
    _draw_teams,
    size="the {0} team has 1 to {1} members",
    convention="Everybody is on exactly one team.",
    value="the {} team",
)
COLOUR = _assignment(
    "colour",
    {
        "painted": lambda w, a, colour, value: a[colour].eq(value),
        "not_painted": lambda w, a, colour, value: a[colour].ne(value),
        "one_of_two_colours": lambda w, a, colour, one, other: a[colour].eq(one) | a[colour].eq(other),
        "same_colour": lambda w, a, b: a.colour.eq(b.colour),
        "different_colour": lambda w, a, b: a.colour.ne(b.colour),
        "only_one_of_its_colour": lambda w, a: _alone(w, "colour", a),
        "colour_count": _count_is,
    },
    _draw_colours,
    size="{0} is the colour of 1 to {1} rooms",
    convention="Each room has exactly one colour, and rooms may share one.",
    entity="the {}",
)
SHIFT = _assignment(
    "shift",
    {
        "on_shift": lambda w, a, shift, value: a[shift].eq(value),
        "not_on_shift": lambda w, a, shift, value: a[shift].ne(value),
        "same_shift": lambda w, a, b: a.shift.eq(b.shift),
        "different_shift": lambda w, a, b: a.shift.ne(b.shift),
        "earlier_shift": lambda w, a, b: a.shift < b.shift,
        "no_later_shift": lambda w, a, b: a.shift <= b.shift,
        "directly_before": lambda w, a, b: (b.shift - a.shift).eq(1),
        "alone_on_shift": lambda w, a: _alone(w, "shift", a),
        "nobody_later": _nobody_later,
    },
    _draw_shifts,
    size="the {0} shift has 1 to {1} people",
    convention="In order of time, the shifts are {0}; everybody works exactly one.",
)
