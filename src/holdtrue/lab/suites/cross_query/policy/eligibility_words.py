"""The English of cases about eligibility: sentences for the setting, and phrasings of each constraint type.

Every phrasing has exactly one meaning: a limit says whether it is included, and incomes are per year and in thousands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.lab.kit.words import Number, listed
from holdtrue.lab.suites.cross_query.policy.eligibility_numbers import AGES, EXPERIENCES, INCOMES
from holdtrue.world.instance import Instance

PHRASINGS: dict[str, tuple[str, ...]] = {
    "aged": (
        "{0} is exactly {1} years old",
        "the age of {0} is exactly {1} years",
        "{0} has reached the age of {1} but not a higher one",
        "at present {0} is {1} years of age",
    ),
    "older_than": (
        "{0} is more than {1} years old",
        "the age of {0} is more than {1} years",
        "{0} is older than {1} years",
        "in full years, {0} is over {1}, and not just that age",
    ),
    "younger_than": (
        "{0} is less than {1} years old",
        "the age of {0} is less than {1} years",
        "{0} is younger than {1} years",
        "{0} has not yet reached the age of {1}",
    ),
    "earns": (
        "{0} earns exactly {1} thousand euros a year",
        "the yearly income of {0} is exactly {1} thousand euros",
        "a year brings {0} {1} thousand euros, no more and no less",
        "{0} has an income of exactly {1} thousand euros a year",
    ),
    "earns_from": (
        "{0} earns {1} thousand euros a year or more",
        "the yearly income of {0} is at least {1} thousand euros",
        "a year brings {0} at least {1} thousand euros",
        "{0} does not earn less than {1} thousand euros a year",
    ),
    "earns_to": (
        "{0} earns {1} thousand euros a year or less",
        "the yearly income of {0} is at most {1} thousand euros",
        "a year brings {0} at most {1} thousand euros",
        "{0} does not earn more than {1} thousand euros a year",
    ),
    "experience": (
        "{0} has exactly {1} years of experience",
        "the experience of {0} amounts to exactly {1} years",
        "{0} has {1} years of experience, no more and no less",
        "the number of years of experience that {0} has is {1}",
    ),
    "experience_from": (
        "{0} has {1} or more years of experience",
        "the experience of {0} amounts to at least {1} years",
        "{0} has no fewer than {1} years of experience",
        "{0} does not have less than {1} years of experience",
    ),
    "experience_to": (
        "{0} has {1} or fewer years of experience",
        "the experience of {0} amounts to at most {1} years",
        "{0} has no more than {1} years of experience",
        "{0} does not have more than {1} years of experience",
    ),
    "older": (
        "{0} has more years of age than {1}",
        "the age of {0} in full years is higher than that of {1}",
        "{1} has fewer years of age than {0}",
        "the age of {1} in full years is lower than that of {0}",
    ),
    "earns_more": (
        "{0} earns more than {1} does",
        "the income of {0} is higher than that of {1}",
        "{1} earns less than {0} does",
        "the income of {1} is lower than that of {0}",
    ),
    "more_experience": (
        "{0} has more years of experience than {1}",
        "the experience of {0} is longer than that of {1}",
        "{1} has fewer years of experience than {0}",
        "the experience of {1} is shorter than that of {0}",
    ),
    "eligible": (
        "{0} is eligible for the {1} programme",
        "the {1} programme is one that {0} is eligible for",
        "{0} meets all conditions of the {1} programme",
        "no condition of the {1} programme is missed by {0}",
        "for the {1} programme, {0} is eligible",
    ),
    "not_eligible": (
        "{0} is not eligible for the {1} programme",
        "the {1} programme is not one that {0} is eligible for",
        "{0} does not meet all conditions of the {1} programme",
        "some condition of the {1} programme is missed by {0}",
        "for the {1} programme, {0} is not eligible",
    ),
    "either": (
        "{0} is eligible for at least one of the {1} and {2} programmes",
        "there is at least one among the {1} and {2} programmes that {0} is eligible for",
        "{0} is eligible for the {1} programme or for the {2} programme, perhaps for both",
        "of the {1} and {2} programmes, {0} meets all conditions of one or of both",
    ),
}

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


def tell_setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the applicants, the ranges of their numbers, and each programme's conditions."""
    count = Number(len(instance.entities), spelled=True)
    told = [
        rng.choice(_OPENINGS).format(count=count, names=listed(instance.entities)),
        rng.choice(_RANGES).format(*AGES, *INCOMES, *EXPERIENCES),
        rng.choice(_INDEPENDENT),
        rng.choice(_EXACTLY),
    ]
    for name, conditions in instance.context["programmes"].items():
        asked = [rng.choice(_CONDITIONS[kind]).format(limit) for kind, limit in conditions.items()]
        told.append(rng.choice(_PROGRAMMES).format(name=name, conditions=listed(asked)))
    return told
