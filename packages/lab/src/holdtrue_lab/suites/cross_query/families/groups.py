"""The subdomains in which several entities may get the same value: teams of people, colours of rooms, and shifts.

Each value goes to at least one entity, and to no more than the context's `most`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, at_least, at_most, exactly
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import draw_people
from holdtrue_lab.suites.cross_query.narrowing import draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from holdtrue_lab.suites.cross_query.words import Meaning, Words


def _holders(instance: Instance, attribute: str, value: int) -> tuple[Formula, ...]:
    """For each entity the formula that it has this value."""
    return tuple(instance[who][attribute].eq(value) for who in instance.entities)


def _count_is(instance: Instance, attribute: str, value: int, count: int) -> Formula:
    return exactly(count, _holders(instance, attribute, value))


def _others(instance: Instance, one: EntityTerms) -> list[EntityTerms]:
    return [instance[who] for who in instance.entities if instance[who] is not one]


def _alone(instance: Instance, attribute: str, one: EntityTerms) -> Formula:
    """The formula that no other entity has the value of this one."""
    return And(tuple(other[attribute].ne(one[attribute]) for other in _others(instance, one)))


def _nobody_later(instance: Instance, a: EntityTerms) -> Formula:
    return And(tuple(other.shift <= a.shift for other in _others(instance, a)))


def _subdomain(
    attribute: str,
    meanings: Mapping[str, Meaning],
    draw_setting: Callable[[Words, Random], tuple[Sequence[str], Mapping[str, Any]]],
    *,
    size: str,
    convention: str,
    entity: str = "{}",
    value: str = "{}",
) -> Subdomain:
    """Return the subdomain of one attribute, whose values the context lists under its plural.

    `size` says of a value how many entities it has, and `convention` of all values what they are. `entity` and `value`
    say how a setting calls one of them.
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
        draw_draft,
        setting,
    )


def _fair_share(entities: int, values: int) -> int:
    """The least `most` with which there is a value for everybody."""
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


TEAM = _subdomain(
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
COLOUR = _subdomain(
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
SHIFT = _subdomain(
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
