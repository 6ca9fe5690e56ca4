"""The subdomain of eligibility: what is known of applicants, and who may take part in which programme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula
from holdtrue.world.domain import Attribute, Axiom, Context, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.constraints import choices
from holdtrue_lab.kit.words import Number, listed
from holdtrue_lab.suites.cross_query.drawing import draw_people
from holdtrue_lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("eligibility")
_SHARES = Shares(premises=(2, 3), true=0.4)
AGES = (18, 70)
INCOMES = (10, 90)
EXPERIENCES = (0, 40)
# From which and to which number a programme may set each of its limits; one on each measure at most.
_LIMITS: Sequence[Mapping[str, tuple[int, int]]] = (
    {"age_from": (21, 45), "age_to": (30, 60)},
    {"income_from": (25, 50), "income_to": (30, 70)},
    {"experience_from": (3, 15)},
)
# For each measure: what is known exactly, from below, from above; and how far off the truth a limit is at most.
_FACTS: Mapping[str, tuple[tuple[str, str, str], int]] = {
    "age": (("aged", "older_than", "younger_than"), 12),
    "income": (("earns", "earns_from", "earns_to"), 12),
    "experience": (("experience", "experience_from", "experience_to"), 6),
}
_KNOWN_SHARE = 0.65

Conditions = Mapping[str, int]
"""The conditions of a programme: least and greatest ages, incomes and experience, by name (`age_from`, `income_to`)."""


def _programmes(instance: Instance) -> Mapping[str, Conditions]:
    programmes: Mapping[str, Conditions] = instance.context["programmes"]
    return programmes


def _attributes(context: Context) -> Sequence[Attribute]:
    return [
        Attribute("age", *AGES),
        Attribute("income", *INCOMES),
        Attribute("experience", *EXPERIENCES),
        *(Attribute(programme, 0, 1) for programme in context["programmes"]),
    ]


def _met(who: EntityTerms, conditions: Conditions) -> Iterator[Formula]:
    for name, limit in conditions.items():
        measure, side = name.split("_")
        yield who[measure] >= limit if side == "from" else who[measure] <= limit


def _laws(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom(
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


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 2, 3)
    names = rng.sample(_WORDS.names["programmes"], rng.randint(2, 3))
    return people, {"programmes": {name: _draw_conditions(rng) for name in names}}


def _draw_conditions(rng: Random) -> dict[str, int]:
    """Draw two or three conditions, no two of them on the same measure."""
    measures = rng.sample(_LIMITS, rng.randint(2, 3))
    kinds = [rng.choice(list(limits.items())) for limits in measures]
    return {kind: rng.randint(*limits) for kind, limits in kinds}


def _draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    world: dict[str, int] = {}
    for name in instance.entities:
        age = rng.randint(*AGES)
        experience = rng.randint(EXPERIENCES[0], min(EXPERIENCES[1], age - AGES[0]))
        world |= {f"{name}.age": age, f"{name}.income": rng.randint(*INCOMES), f"{name}.experience": experience}
        for programme, conditions in _programmes(instance).items():
            world[f"{name}.{programme}"] = int(all(own.holds(world) for own in _met(instance[name], conditions)))
    return world


def _draw_facts(rng: Random, instance: Instance, world: Mapping[str, int]) -> Iterator[Constraint]:
    """Draw what is known of the applicants: some numbers exactly, limits of others, and nothing of the rest."""
    for name in instance.entities:
        for measure, (kinds, most) in _FACTS.items():
            if rng.random() >= _KNOWN_SHARE:
                continue
            kind, side = rng.choice(tuple(zip(kinds, (0, 1, -1), strict=True)))
            off = side * rng.randint(1, most)
            value = world[f"{name}.{measure}"] - off
            if value in choices(instance, instance.types[kind].arguments[1], ()):
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
    sentences = _WORDS.tell(
        rng,
        *("openings", "ranges", "independent", "exactly"),
        count=Number(len(instance.entities), spelled=True),
        names=listed(instance.entities),
        ages=AGES,
        incomes=INCOMES,
        experiences=EXPERIENCES,
    )
    for name, conditions in _programmes(instance).items():
        asked = [text for kind, limit in conditions.items() for text in _WORDS.tell(rng, kind, limit=limit)]
        sentences += _WORDS.tell(rng, "programme", name=name, conditions=listed(asked))
    return sentences


ELIGIBILITY = Subdomain(
    "policy",
    Domain(
        name="eligibility",
        attributes=_attributes,
        axioms=_laws,
        setup=lambda instance: tuple(_setup(instance)),
        conventions=("One is eligible for a programme exactly when one meets all its conditions; 1 means yes, 0 no.",),
        constraint_types=_WORDS.kinds(
            {
                "aged": lambda w, a, years: a.age.eq(years),
                "older_than": lambda w, a, years: a.age > years,
                "younger_than": lambda w, a, years: a.age < years,
                "earns": lambda w, a, thousands: a.income.eq(thousands),
                "earns_from": lambda w, a, thousands: a.income >= thousands,
                "earns_to": lambda w, a, thousands: a.income <= thousands,
                "experience": lambda w, a, years: a.experience.eq(years),
                "experience_from": lambda w, a, years: a.experience >= years,
                "experience_to": lambda w, a, years: a.experience <= years,
                "older": lambda w, a, b: a.age > b.age,
                "earns_more": lambda w, a, b: a.income > b.income,
                "more_experience": lambda w, a, b: a.experience > b.experience,
                "eligible": lambda w, a, programme: a[programme].eq(1),
                "not_eligible": lambda w, a, programme: a[programme].eq(0),
                "either": lambda w, a, one, other: a[one].eq(1) | a[other].eq(1),
            }
        ),
    ),
    _draw_setting,
    _draw,
    _setting,
)
