"""The subdomain of eligibility: what is known of applicants, and who may take part in which programme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.kit.words import Number, listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.policy.eligibility_numbers import AGES, EXPERIENCES, INCOMES, LIMITS, NUMBER_TYPES
from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Kind, Subdomain
from holdtrue.logic.formula import And, Formula
from holdtrue.world import domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance

Conditions = Mapping[str, int]
"""The conditions of a programme: least and greatest ages, incomes and experience, by name (`age_from`, `income_to`)."""


def _programmes(instance: Instance) -> Mapping[str, Conditions]:
    programmes: Mapping[str, Conditions] = instance.context["programmes"]
    return programmes


_PROGRAMME = domain.AttributeName(lambda instance: tuple(_programmes(instance)))


def _attributes(context: domain.Context) -> Sequence[domain.Attribute]:
    return [
        domain.Attribute("age", *AGES),
        domain.Attribute("income", *INCOMES),
        domain.Attribute("experience", *EXPERIENCES),
        *(domain.Attribute(programme, 0, 1) for programme in context["programmes"]),
    ]


def _met(who: EntityTerms, conditions: Conditions) -> Iterator[Formula]:
    for name, limit in conditions.items():
        measure, side = name.split("_")
        yield who[measure] >= limit if side == "from" else who[measure] <= limit


def _laws(instance: Instance) -> Sequence[domain.Axiom]:
    return [
        domain.Axiom(
            f"{programme}_{name}",
            f"{name} is eligible for {programme} exactly when the conditions are met",
            instance[name][programme].eq(1).iff(And(tuple(_met(instance[name], conditions)))),
        )
        for programme, conditions in _programmes(instance).items()
        for name in instance.entities
    ]


def _setup(instance: Instance) -> Iterator[str]:
    yield f"Ages: {AGES[0]} to {AGES[1]}; incomes in thousands: {INCOMES[0]} to {INCOMES[1]}"
    yield f"Experience in years: {EXPERIENCES[0]} to {EXPERIENCES[1]}"
    for programme, conditions in _programmes(instance).items():
        limits = (f"{name.replace('_', ' ')} {limit}" for name, limit in conditions.items())
        yield f"Programme {programme}: {', '.join(limits)}"


ELIGIBLE = domain.Domain(
    name="eligibility",
    attributes=_attributes,
    axioms=_laws,
    setup=lambda instance: tuple(_setup(instance)),
    conventions=("One is eligible for a programme exactly when one meets all its conditions; 1 means yes, 0 no.",),
    constraint_types=(
        *NUMBER_TYPES,
        Kind(
            "eligible",
            (domain.Entity(), _PROGRAMME),
            lambda w, a, programme: a[programme].eq(1),
            sentence="{0} is eligible for {1}",
            definition="A meets all conditions of programme P.",
            examples=(
                domain.Example("Ida fits Mosaic", ("Ida", "Mosaic")),
                domain.Example("Mosaic takes Jonas", ("Jonas", "Mosaic")),
            ),
            phrasings=(
                "{0} is eligible for the {1} programme",
                "the {1} programme is one that {0} is eligible for",
                "{0} meets all conditions of the {1} programme",
                "no condition of the {1} programme is missed by {0}",
                "for the {1} programme, {0} is eligible",
            ),
        ),
        Kind(
            "not_eligible",
            (domain.Entity(), _PROGRAMME),
            lambda w, a, programme: a[programme].eq(0),
            sentence="{0} is not eligible for {1}",
            definition="A misses some condition of programme P.",
            examples=(
                domain.Example("Ida does not fit Mosaic", ("Ida", "Mosaic")),
                domain.Example("Mosaic turns Jonas down", ("Jonas", "Mosaic")),
            ),
            query="eligible",
            phrasings=(
                "{0} is not eligible for the {1} programme",
                "the {1} programme is not one that {0} is eligible for",
                "{0} does not meet all conditions of the {1} programme",
                "some condition of the {1} programme is missed by {0}",
                "for the {1} programme, {0} is not eligible",
            ),
        ),
        Kind(
            "either",
            (domain.Entity(), _PROGRAMME, _PROGRAMME),
            lambda w, a, one, other: a[one].eq(1) | a[other].eq(1),
            sentence="{0} is eligible for {1} or {2} or both",
            canonical=any_order(1),
            definition="A meets all conditions of at least one of the two programmes.",
            examples=(
                domain.Example("Ida fits Mosaic, or else Tundra, if not the two of them", ("Ida", "Mosaic", "Tundra")),
                domain.Example("Mosaic and Tundra do not both turn Jonas down", ("Jonas", "Mosaic", "Tundra")),
            ),
            query="eligible",
            phrasings=(
                "{0} is eligible for at least one of the {1} and {2} programmes",
                "there is at least one among the {1} and {2} programmes that {0} is eligible for",
                "{0} is eligible for the {1} programme or for the {2} programme, perhaps for both",
                "of the {1} and {2} programmes, {0} meets all conditions of one or of both",
            ),
        ),
    ),
)


PROGRAMMES = (
    "Aurora", "Beacon", "Cascade", "Dynamo", "Ember", "Falcon", "Garnet", "Horizon", "Juniper", "Keystone", "Lantern",
    "Meridian", "Nimbus", "Orchid", "Pinnacle", "Quasar", "Rosewood", "Sapling", "Tidewater", "Zephyr",
)  # fmt: skip
_AGE_LIMITS: Mapping[str, tuple[int, int]] = {"age_from": (21, 45), "age_to": (30, 60)}
_INCOME_LIMITS: Mapping[str, tuple[int, int]] = {"income_from": (25, 50), "income_to": (30, 70)}
_EXPERIENCE_LIMITS: Mapping[str, tuple[int, int]] = {"experience_from": (3, 15)}

# For each measure: what is known exactly, from below, from above; and how far off the truth a limit is at most.
_FACTS: Mapping[str, tuple[tuple[str, str, str], int]] = {
    "age": (("aged", "older_than", "younger_than"), 12),
    "income": (("earns", "earns_from", "earns_to"), 12),
    "experience": (("experience", "experience_from", "experience_to"), 6),
}
_KNOWN_SHARE = 0.65

_SHARES = Shares(
    premise_weights={"older": 2, "earns_more": 2, "more_experience": 2, "eligible": 3, "not_eligible": 3, "either": 1},
    statement_weights={
        "aged": 1, "older_than": 2, "younger_than": 2, "earns": 1, "earns_from": 2, "earns_to": 2, "experience": 1,
        "experience_from": 2, "experience_to": 2, "older": 2, "earns_more": 2, "more_experience": 2, "eligible": 10,
        "not_eligible": 4, "either": 3,
    },
    premises=(2, 3),
    true=0.4,
)  # fmt: skip
_OPENINGS = (
    "There are {count} applicants: {names}.",
    "The applicants are {names}.",
    "A committee looks at {count} people: {names}.",
)
_RANGES = (
    "Ages are in full years, from {0} to {1}, so that to be older than 30 means to be 31 or more; incomes are whole "
    "thousands of euros a year, from {2} to {3} thousand; experience is in full years, from {4} to {5}.",
    "For each of them three numbers matter: the age, {0} to {1} full years (more than 30 years old is 31 or more); the "
    "yearly income, {2} to {3} whole thousands of euros; and the experience, {4} to {5} full years.",
)
_EXACTLY = (
    "Who meets all conditions of a programme is eligible for it, and who misses one of them is not.",
    "One is eligible for a programme if all its conditions are met, and not otherwise.",
)
_INDEPENDENT = (
    "Age, income and experience do not depend on each other.",
    "Any age may go with any income and any experience.",
)
_CONDITIONS: Mapping[str, Sequence[str]] = {
    "age_from": ("an age of at least {0}", "an age of {0} or more"),
    "age_to": ("an age of at most {0}", "an age of {0} or less"),
    "income_from": ("an income of at least {0} thousand euros", "an income of {0} thousand euros or more"),
    "income_to": ("an income of at most {0} thousand euros", "an income of {0} thousand euros or less"),
    "experience_from": ("at least {0} years of experience", "{0} or more years of experience"),
}
_PROGRAMMES = (
    "The {name} programme asks for {conditions}.",
    "To be eligible for the {name} programme, one needs {conditions}.",
    "The conditions of the {name} programme are {conditions}.",
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 2, 3)
    names = rng.sample(PROGRAMMES, rng.randint(2, 3))
    return people, {"programmes": {name: _draw_conditions(rng) for name in names}}


def _draw_conditions(rng: Random) -> dict[str, int]:
    """Draw two or three conditions, no two of them on the same measure."""
    measures = rng.sample((_AGE_LIMITS, _INCOME_LIMITS, _EXPERIENCE_LIMITS), rng.randint(2, 3))
    kinds = [rng.choice(list(limits.items())) for limits in measures]
    return {kind: rng.randint(*limits) for kind, limits in kinds}


def _draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    world: dict[str, int] = {}
    for name in instance.entities:
        age = rng.randint(*AGES)
        experience = rng.randint(EXPERIENCES[0], min(EXPERIENCES[1], age - AGES[0]))
        world |= {f"{name}.age": age, f"{name}.income": rng.randint(*INCOMES), f"{name}.experience": experience}
        for programme, conditions in instance.context["programmes"].items():
            world[f"{name}.{programme}"] = int(
                all(_is_met(world[f"{name}.{kind.split('_')[0]}"], kind, limit) for kind, limit in conditions.items())
            )
    return world


def _is_met(value: int, kind: str, limit: int) -> bool:
    return value >= limit if kind.endswith("_from") else value <= limit


def _draw_facts(rng: Random, instance: Instance, world: Mapping[str, int]) -> Iterator[Constraint]:
    """Draw what is known of the applicants: some numbers exactly, limits of others, and nothing of the rest."""
    for name in instance.entities:
        for measure, (kinds, most) in _FACTS.items():
            if rng.random() >= _KNOWN_SHARE:
                continue
            kind, side = rng.choice(tuple(zip(kinds, (0, 1, -1), strict=True)))
            off = side * rng.randint(1, most)
            value = world[f"{name}.{measure}"] - off
            if value in LIMITS[measure]:
                yield instance.constraint(kind, [name, value])


def _draw(rng: Random, instance: Instance) -> Draft:
    world = _draw_world(rng, instance)
    return draw_draft(
        rng,
        instance,
        world,
        _SHARES,
        first=tuple(_draw_facts(rng, instance, world)),
        topic=lambda made: (made.type.removeprefix("not_"), *sorted(map(str, made.args))),
    )


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the applicants, the ranges of their numbers, and each programme's conditions."""
    count = Number(len(instance.entities), spelled=True)
    sentences = [
        rng.choice(_OPENINGS).format(count=count, names=listed(instance.entities)),
        rng.choice(_RANGES).format(*AGES, *INCOMES, *EXPERIENCES),
        rng.choice(_INDEPENDENT),
        rng.choice(_EXACTLY),
    ]
    for name, conditions in instance.context["programmes"].items():
        asked = [rng.choice(_CONDITIONS[kind]).format(limit) for kind, limit in conditions.items()]
        sentences.append(rng.choice(_PROGRAMMES).format(name=name, conditions=listed(asked)))
    return sentences


ELIGIBILITY = Subdomain("policy", ELIGIBLE, _draw_setting, _draw, _setting)
