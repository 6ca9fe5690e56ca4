"""The subdomain of team assignment: everybody is on exactly one of a few named teams, whose sizes are limited."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.relational.groups import count_is, fair_share, largest, size_laws
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Kind, Subdomain
from holdtrue.world.domain import Attribute, AttributeName, Domain, Entity, Example, Integer, ValueOf
from holdtrue.world.instance import Instance

_TEAMS = (
    ("Falcon", "Otter", "Lynx", "Heron", "Badger", "Raven", "Panther", "Beaver"),
    ("design", "sales", "support", "research", "logistics", "finance", "training", "publicity"),
    ("Alpha", "Beta", "Gamma", "Delta", "Omega", "Sigma"),
)

_PAIR = (Entity(), Entity())
_MEMBER = (Entity(), AttributeName(), ValueOf(1))

_KINDS = (
    Kind(
        "on_team",
        _MEMBER,
        lambda w, a, team, value: a[team].eq(value),
        definition="A is a member of team V.",
        examples=(
            Example("Ida plays for Falcon", ("Ida", "team", "Falcon")),
            Example("They put Mats into design", ("Mats", "team", "design")),
        ),
        query="team",
        phrasings=(
            "{0} is on the {2} team",
            "{0} belongs to the {2} team",
            "the {2} team includes {0}",
            "{0} is a member of the {2} team",
            "{0}'s team is the {2} team",
        ),
        weight=2,
    ),
    Kind(
        "not_on_team",
        _MEMBER,
        lambda w, a, team, value: a[team].ne(value),
        definition="A is a member of any team except V.",
        examples=(
            Example("Lena stays away from sales", ("Lena", "team", "sales")),
            Example("Falcon has to do without Jonas", ("Jonas", "team", "Falcon")),
        ),
        query="not_team",
        phrasings=(
            "{0} is not on the {2} team",
            "{0} does not belong to the {2} team",
            "the {2} team does not include {0}",
            "{0} is not a member of the {2} team",
            "{0}'s team is not the {2} team",
        ),
        weight=2,
    ),
    Kind(
        "same_team",
        _PAIR,
        lambda w, a, b: a.team.eq(b.team),
        symmetric=True,
        definition="A and B are members of one team, whichever it is.",
        examples=(
            Example("Jonas plays with Lena", ("Jonas", "Lena")),
            Example("Ida and Mats are not to be split up", ("Ida", "Mats")),
        ),
        query="same",
        phrasings=(
            "{0} and {1} are on the same team",
            "{0} is on the same team as {1}",
            "{0} and {1} are teammates",
            "{0}'s team is also {1}'s team",
        ),
        weight=3,
    ),
    Kind(
        "different_team",
        _PAIR,
        lambda w, a, b: a.team.ne(b.team),
        symmetric=True,
        definition="A and B are not members of one team.",
        examples=(
            Example("Mats competes with Lena", ("Mats", "Lena")),
            Example("Ida and Jonas have to be split up", ("Ida", "Jonas")),
        ),
        query="different",
        phrasings=(
            "{0} and {1} are on different teams",
            "{0} is on a different team than {1}",
            "{0} and {1} are not teammates",
            "{0}'s team is not {1}'s team",
        ),
        weight=4,
    ),
    Kind(
        "follows_to_team",
        (*_PAIR, AttributeName(), ValueOf(2)),
        lambda w, a, b, team, value: a[team].eq(value).implies(b[team].eq(value)),
        definition="Where A is a member of V, B is too; else nothing is said. The condition comes first.",
        examples=(
            Example("Should Lena join Falcon, Ida joins it as well", ("Lena", "Ida", "team", "Falcon")),
            Example("Sales cannot get Mats without getting Jonas", ("Mats", "Jonas", "team", "sales")),
        ),
        query="conditional",
        phrasings=(
            "if {0} is on the {3} team, then so is {1}",
            "{0} is not on the {3} team unless {1} is on it too",
            "{0} is on the {3} team only if {1} is on it too",
            "the {3} team does not include {0} without including {1}",
        ),
        weight=4,
    ),
    Kind(
        "one_of_two_on_team",
        (*_PAIR, AttributeName(), ValueOf(2)),
        lambda w, a, b, team, value: a[team].eq(value) | b[team].eq(value),
        symmetric=True,
        definition="A or B or both are members of V.",
        examples=(
            Example("Without Ida, Falcon needs Jonas", ("Ida", "Jonas", "team", "Falcon")),
            Example("Design cannot lose Mats and Lena both", ("Mats", "Lena", "team", "design")),
        ),
        query="either_team",
        phrasings=(
            "at least one of {0} and {1} is on the {3} team",
            "{0} or {1} is on the {3} team, or both are",
            "the {3} team includes {0}, {1} or both",
            "if {0} is not on the {3} team, then {1} is",
        ),
        weight=3,
    ),
    Kind(
        "team_size",
        (AttributeName(), ValueOf(0), Integer(1, largest)),
        lambda w, team, value, count: count_is(w, team, value, count),
        definition="V has k members, no more and no fewer.",
        examples=(
            Example("Precisely 3 play for Falcon", ("team", "Falcon", 3)),
            Example("In sales they are 2 altogether", ("team", "sales", 2)),
        ),
        query="size",
        phrasings=(
            "the size of the {1} team is {2}",
            "the number of people on the {1} team is {2}",
            "the {1} team includes exactly {2} of the people",
            "counting its members, the {1} team comes to {2}",
        ),
        weight=2,
    ),
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    people = draw_people(rng, 4, 7)
    teams = rng.sample(rng.choice(_TEAMS), 2 if len(people) < 6 else rng.randint(2, 3))
    return people, {"teams": teams, "most": fair_share(len(people), len(teams)) + rng.randint(0, 1)}


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    count, names = len(instance.entities), listed(instance.entities)
    teams, most = [f"the {team} team" for team in instance.context["teams"]], largest(instance)
    who = (
        f"{count} people are divided into teams: {names}.",
        f"There are {count} people to be put into teams: {names}.",
        f"{count} people form teams: {names}.",
    )
    where = (
        f"The teams are {listed(teams)}, and each person is on exactly one of them.",
        f"Everybody is on exactly one team; there are only {listed(teams)}.",
    )
    sizes = (
        f"Every team has at least 1 and at most {most} members.",
        f"No team is left without members, and none has more than {most}.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(sizes))


TEAM = Subdomain(
    "relational",
    Domain(
        name="team_assignment",
        attributes=lambda context: (Attribute("team", values=context["teams"]),),
        constraint_types=_KINDS,
        axioms=size_laws("team", "the {0} team has 1 to {1} members"),
        conventions=("Everybody is on exactly one team.",),
    ),
    _draw_setting,
    draw_draft,
    _setting,
)
