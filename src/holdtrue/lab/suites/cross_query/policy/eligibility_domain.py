"""The `Domain` of eligibility: applicants have an age, an income and experience, and programmes have conditions on
these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.policy.eligibility_numbers import AGES, EXPERIENCES, INCOMES, NUMBER_TYPES
from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import And, Formula
from holdtrue.world.domain import (
    Attribute,
    AttributeName,
    Axiom,
    Context,
    Domain,
    Entity,
    Example,
)
from holdtrue.world.instance import EntityTerms, Instance

Conditions = Mapping[str, int]
"""The conditions of a programme: least and greatest ages, incomes and experience, by name (`age_from`, `income_to`)."""


def _programmes(instance: Instance) -> Mapping[str, Conditions]:
    programmes: Mapping[str, Conditions] = instance.context["programmes"]
    return programmes


_PROGRAMME = AttributeName(lambda instance: tuple(_programmes(instance)))


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


ELIGIBLE = Domain(
    name="eligibility",
    attributes=_attributes,
    axioms=_laws,
    setup=lambda instance: tuple(_setup(instance)),
    conventions=("One is eligible for a programme exactly when one meets all its conditions; 1 means yes, 0 no.",),
    constraint_types=(
        *NUMBER_TYPES,
        Kind(
            "eligible",
            (Entity(), _PROGRAMME),
            lambda w, a, programme: a[programme].eq(1),
            sentence="{0} is eligible for {1}",
            definition="A meets all conditions of programme P.",
            examples=(
                Example("Ida fits Mosaic", ("Ida", "Mosaic")),
                Example("Mosaic takes Jonas", ("Jonas", "Mosaic")),
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
            (Entity(), _PROGRAMME),
            lambda w, a, programme: a[programme].eq(0),
            sentence="{0} is not eligible for {1}",
            definition="A misses some condition of programme P.",
            examples=(
                Example("Ida does not fit Mosaic", ("Ida", "Mosaic")),
                Example("Mosaic turns Jonas down", ("Jonas", "Mosaic")),
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
            (Entity(), _PROGRAMME, _PROGRAMME),
            lambda w, a, one, other: a[one].eq(1) | a[other].eq(1),
            sentence="{0} is eligible for {1} or {2} or both",
            canonical=any_order(1),
            definition="A meets all conditions of at least one of the two programmes.",
            examples=(
                Example("Ida fits Mosaic, or else Tundra, if not the two of them", ("Ida", "Mosaic", "Tundra")),
                Example("Mosaic and Tundra do not both turn Jonas down", ("Jonas", "Mosaic", "Tundra")),
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
