"""Constraint types about an applicant's age, income and experience.

Every phrasing has exactly one meaning: a limit says whether it is included, and incomes are per year and in thousands.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.sorts import IntSort, bounded
from holdtrue.world.domain import Cue, Entity, Example, Integer

AGES = (18, 70)
INCOMES = (10, 90)
EXPERIENCES = (0, 40)

# Every limit that is told leaves something out, and is no '1 years'.
LIMITS: Mapping[str, IntSort] = {
    "age": IntSort(AGES[0] + 1, AGES[1] - 1),
    "income": IntSort(INCOMES[0] + 1, INCOMES[1] - 1),
    "experience": IntSort(EXPERIENCES[0] + 2, EXPERIENCES[1] - 1),
}
_AGE, _INCOME, _YEARS = (Integer(*bounded(limits)) for limits in LIMITS.values())

NUMBER_TYPES = (
    Kind(
        "aged",
        (Entity(), _AGE),
        lambda w, a, years: a.age.eq(years),
        sentence="the age of {0} is {1}",
        definition="The age of A in years is n.",
        examples=(
            Example("Ida has seen 33 summers", ("Ida", 33)),
            Example("Jonas turned 51 and has not had a birthday since", ("Jonas", 51)),
        ),
        query="age",
        phrasings=(
            "{0} is exactly {1} years old",
            "the age of {0} is exactly {1} years",
            "{0} has reached the age of {1} but not a higher one",
            "at present {0} is {1} years of age",
        ),
    ),
    Kind(
        "older_than",
        (Entity(), _AGE),
        lambda w, a, years: a.age > years,
        sentence="the age of {0} is above {1}",
        definition="The age of A in years is n + 1 or more.",
        examples=(
            Example("Ida is past 33", ("Ida", 33)),
            Example("Jonas left his 51st year of age behind, and is not just 51", ("Jonas", 51)),
        ),
        query="age",
        phrasings=(
            "{0} is more than {1} years old",
            "the age of {0} is more than {1} years",
            "{0} is older than {1} years",
            "in full years, {0} is over {1}, and not just that age",
        ),
    ),
    Kind(
        "younger_than",
        (Entity(), _AGE),
        lambda w, a, years: a.age < years,
        sentence="the age of {0} is below {1}",
        definition="The age of A in years is n - 1 or less.",
        examples=(
            Example("Ida has yet to turn 33", ("Ida", 33)),
            Example("Jonas will be 51 some day, which he never was so far", ("Jonas", 51)),
        ),
        query="age",
        phrasings=(
            "{0} is less than {1} years old",
            "the age of {0} is less than {1} years",
            "{0} is younger than {1} years",
            "{0} has not yet reached the age of {1}",
        ),
    ),
    Kind(
        "earns",
        (Entity(), _INCOME),
        lambda w, a, thousands: a.income.eq(thousands),
        sentence="the income of {0} is {1} thousand",
        definition="The income of A in thousands is n.",
        examples=(
            Example("Ida makes 44 thousand, to the letter", ("Ida", 44)),
            Example("What Jonas takes home comes to 27 thousand", ("Jonas", 27)),
        ),
        query="income",
        phrasings=(
            "{0} earns exactly {1} thousand euros a year",
            "the yearly income of {0} is exactly {1} thousand euros",
            "a year brings {0} {1} thousand euros, no more and no less",
            "{0} has an income of exactly {1} thousand euros a year",
        ),
    ),
    Kind(
        "earns_from",
        (Entity(), _INCOME),
        lambda w, a, thousands: a.income >= thousands,
        sentence="the income of {0} is {1} thousand or above",
        definition="The income of A in thousands is n or more.",
        examples=(
            Example("Ida makes 44 thousand, if not better", ("Ida", 44)),
            Example("Jonas takes home no less than 27 thousand", ("Jonas", 27)),
        ),
        query="income",
        phrasings=(
            "{0} earns {1} thousand euros a year or more",
            "the yearly income of {0} is at least {1} thousand euros",
            "a year brings {0} at least {1} thousand euros",
            "{0} does not earn less than {1} thousand euros a year",
        ),
    ),
    Kind(
        "earns_to",
        (Entity(), _INCOME),
        lambda w, a, thousands: a.income <= thousands,
        sentence="the income of {0} is {1} thousand or below",
        definition="The income of A in thousands is n or less.",
        examples=(
            Example("Ida makes 44 thousand, if that", ("Ida", 44)),
            Example("Jonas takes home no more than 27 thousand", ("Jonas", 27)),
        ),
        query="income",
        phrasings=(
            "{0} earns {1} thousand euros a year or less",
            "the yearly income of {0} is at most {1} thousand euros",
            "a year brings {0} at most {1} thousand euros",
            "{0} does not earn more than {1} thousand euros a year",
        ),
    ),
    Kind(
        "experience",
        (Entity(), _YEARS),
        lambda w, a, years: a.experience.eq(years),
        sentence="the experience of {0} is {1} years",
        definition="The experience of A in years is n.",
        examples=(
            Example("Ida looks back on 7 years in the job, not one more or less", ("Ida", 7)),
            Example("It is 12 years that Jonas did this work", ("Jonas", 12)),
        ),
        phrasings=(
            "{0} has exactly {1} years of experience",
            "the experience of {0} amounts to exactly {1} years",
            "{0} has {1} years of experience, no more and no less",
            "the number of years of experience that {0} has is {1}",
        ),
    ),
    Kind(
        "experience_from",
        (Entity(), _YEARS),
        lambda w, a, years: a.experience >= years,
        sentence="the experience of {0} is {1} years or above",
        definition="The experience of A in years is n or more.",
        examples=(
            Example("Ida looks back on 7 years in the job, if not longer", ("Ida", 7)),
            Example("Jonas did this work for no less than 12 years", ("Jonas", 12)),
        ),
        query="experience",
        phrasings=(
            "{0} has {1} or more years of experience",
            "the experience of {0} amounts to at least {1} years",
            "{0} has no fewer than {1} years of experience",
            "{0} does not have less than {1} years of experience",
        ),
    ),
    Kind(
        "experience_to",
        (Entity(), _YEARS),
        lambda w, a, years: a.experience <= years,
        sentence="the experience of {0} is {1} years or below",
        definition="The experience of A in years is n or less.",
        examples=(
            Example("Ida looks back on 7 years in the job, if that", ("Ida", 7)),
            Example("Jonas did this work for no more than 12 years", ("Jonas", 12)),
        ),
        query="experience",
        phrasings=(
            "{0} has {1} or fewer years of experience",
            "the experience of {0} amounts to at most {1} years",
            "{0} has no more than {1} years of experience",
            "{0} does not have more than {1} years of experience",
        ),
    ),
    Kind(
        "older",
        (Entity(), Entity()),
        lambda w, a, b: a.age > b.age,
        sentence="the age of {0} is above that of {1}",
        wordings=("{0} is older than {1}", "{1} is younger than {0}"),
        cues=(Cue("older|senior|above|more|higher"), Cue("younger|junior|below|fewer|less|lower", swap=True)),
        definition="The age of A in years is a higher number than that of B.",
        examples=(
            Example("Ida has more birthdays behind her than Jonas", ("Ida", "Jonas")),
            Example("Lena is the junior of Jonas, by a year or by many", ("Jonas", "Lena")),
        ),
        query="age",
        phrasings=(
            "{0} has more years of age than {1}",
            "the age of {0} in full years is higher than that of {1}",
            "{1} has fewer years of age than {0}",
            "the age of {1} in full years is lower than that of {0}",
        ),
    ),
    Kind(
        "earns_more",
        (Entity(), Entity()),
        lambda w, a, b: a.income > b.income,
        sentence="the income of {0} is above that of {1}",
        wordings=("{0} earns more than {1}", "{1} earns less than {0}"),
        cues=(Cue("more|higher|above|better"), Cue("less|lower|below|falls? short", swap=True)),
        definition="The income of A is higher than that of B.",
        examples=(
            Example("Ida makes better money than Jonas", ("Ida", "Jonas")),
            Example("The pay of Lena falls short of what Jonas takes home", ("Jonas", "Lena")),
        ),
        query="income",
        phrasings=(
            "{0} earns more than {1} does",
            "the income of {0} is higher than that of {1}",
            "{1} earns less than {0} does",
            "the income of {1} is lower than that of {0}",
        ),
    ),
    Kind(
        "more_experience",
        (Entity(), Entity()),
        lambda w, a, b: a.experience > b.experience,
        sentence="the experience of {0} is above that of {1}",
        wordings=("{0} has more experience than {1}", "{1} has less experience than {0}"),
        cues=(Cue("more|higher|above|longer"), Cue("fewer|less|lower|below|shorter|newer", swap=True)),
        definition="The experience of A in years is a higher number than that of B.",
        examples=(
            Example("Ida was in the job for longer than Jonas", ("Ida", "Jonas")),
            Example("Lena is newer to this work than Jonas", ("Jonas", "Lena")),
        ),
        query="experience",
        phrasings=(
            "{0} has more years of experience than {1}",
            "the experience of {0} is longer than that of {1}",
            "{1} has fewer years of experience than {0}",
            "the experience of {1} is shorter than that of {0}",
        ),
    ),
)
