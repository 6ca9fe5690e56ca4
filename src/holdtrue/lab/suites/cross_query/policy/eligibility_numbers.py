"""Constraint types about an applicant's age, income and experience."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.logic.sorts import IntSort
from holdtrue.world.domain import ConstraintType, Cue, Entity, Example, Integer

AGES = (18, 70)
INCOMES = (10, 90)
EXPERIENCES = (0, 40)

# Every limit that is told leaves something out, and is no '1 years'.
LIMITS: Mapping[str, IntSort] = {
    "age": IntSort(AGES[0] + 1, AGES[1] - 1),
    "income": IntSort(INCOMES[0] + 1, INCOMES[1] - 1),
    "experience": IntSort(EXPERIENCES[0] + 2, EXPERIENCES[1] - 1),
}
_AGE, _INCOME, _YEARS = (Integer(limits.low, limits.high) for limits in LIMITS.values())

NUMBER_TYPES = (
    ConstraintType(
        "aged",
        (Entity(), _AGE),
        "the age of {0} is {1}",
        lambda w, a, years: a.age.eq(years),
        definition="The age of A in years is n.",
        examples=(
            Example("Ida has seen 33 summers", ("Ida", 33)),
            Example("Jonas turned 51 and has not had a birthday since", ("Jonas", 51)),
        ),
    ),
    ConstraintType(
        "older_than",
        (Entity(), _AGE),
        "the age of {0} is above {1}",
        lambda w, a, years: a.age > years,
        definition="The age of A in years is n + 1 or more.",
        examples=(
            Example("Ida is past 33", ("Ida", 33)),
            Example("Jonas left his 51st year of age behind, and is not just 51", ("Jonas", 51)),
        ),
    ),
    ConstraintType(
        "younger_than",
        (Entity(), _AGE),
        "the age of {0} is below {1}",
        lambda w, a, years: a.age < years,
        definition="The age of A in years is n - 1 or less.",
        examples=(
            Example("Ida has yet to turn 33", ("Ida", 33)),
            Example("Jonas will be 51 some day, which he never was so far", ("Jonas", 51)),
        ),
    ),
    ConstraintType(
        "earns",
        (Entity(), _INCOME),
        "the income of {0} is {1} thousand",
        lambda w, a, thousands: a.income.eq(thousands),
        definition="The income of A in thousands is n.",
        examples=(
            Example("Ida makes 44 thousand, to the letter", ("Ida", 44)),
            Example("What Jonas takes home comes to 27 thousand", ("Jonas", 27)),
        ),
    ),
    ConstraintType(
        "earns_from",
        (Entity(), _INCOME),
        "the income of {0} is {1} thousand or above",
        lambda w, a, thousands: a.income >= thousands,
        definition="The income of A in thousands is n or more.",
        examples=(
            Example("Ida makes 44 thousand, if not better", ("Ida", 44)),
            Example("Jonas takes home no less than 27 thousand", ("Jonas", 27)),
        ),
    ),
    ConstraintType(
        "earns_to",
        (Entity(), _INCOME),
        "the income of {0} is {1} thousand or below",
        lambda w, a, thousands: a.income <= thousands,
        definition="The income of A in thousands is n or less.",
        examples=(
            Example("Ida makes 44 thousand, if that", ("Ida", 44)),
            Example("Jonas takes home no more than 27 thousand", ("Jonas", 27)),
        ),
    ),
    ConstraintType(
        "experience",
        (Entity(), _YEARS),
        "the experience of {0} is {1} years",
        lambda w, a, years: a.experience.eq(years),
        definition="The experience of A in years is n.",
        examples=(
            Example("Ida looks back on 7 years in the job, not one more or less", ("Ida", 7)),
            Example("It is 12 years that Jonas did this work", ("Jonas", 12)),
        ),
    ),
    ConstraintType(
        "experience_from",
        (Entity(), _YEARS),
        "the experience of {0} is {1} years or above",
        lambda w, a, years: a.experience >= years,
        definition="The experience of A in years is n or more.",
        examples=(
            Example("Ida looks back on 7 years in the job, if not longer", ("Ida", 7)),
            Example("Jonas did this work for no less than 12 years", ("Jonas", 12)),
        ),
    ),
    ConstraintType(
        "experience_to",
        (Entity(), _YEARS),
        "the experience of {0} is {1} years or below",
        lambda w, a, years: a.experience <= years,
        definition="The experience of A in years is n or less.",
        examples=(
            Example("Ida looks back on 7 years in the job, if that", ("Ida", 7)),
            Example("Jonas did this work for no more than 12 years", ("Jonas", 12)),
        ),
    ),
    ConstraintType(
        "older",
        (Entity(), Entity()),
        "the age of {0} is above that of {1}",
        lambda w, a, b: a.age > b.age,
        wordings=("{0} is older than {1}", "{1} is younger than {0}"),
        cues=(Cue("older|senior|above|more|higher"), Cue("younger|junior|below|fewer|less|lower", swap=True)),
        definition="The age of A in years is a higher number than that of B.",
        examples=(
            Example("Ida has more birthdays behind her than Jonas", ("Ida", "Jonas")),
            Example("Lena is the junior of Jonas, by a year or by many", ("Jonas", "Lena")),
        ),
    ),
    ConstraintType(
        "earns_more",
        (Entity(), Entity()),
        "the income of {0} is above that of {1}",
        lambda w, a, b: a.income > b.income,
        wordings=("{0} earns more than {1}", "{1} earns less than {0}"),
        cues=(Cue("more|higher|above|better"), Cue("less|lower|below|falls? short", swap=True)),
        definition="The income of A is higher than that of B.",
        examples=(
            Example("Ida makes better money than Jonas", ("Ida", "Jonas")),
            Example("The pay of Lena falls short of what Jonas takes home", ("Jonas", "Lena")),
        ),
    ),
    ConstraintType(
        "more_experience",
        (Entity(), Entity()),
        "the experience of {0} is above that of {1}",
        lambda w, a, b: a.experience > b.experience,
        wordings=("{0} has more experience than {1}", "{1} has less experience than {0}"),
        cues=(Cue("more|higher|above|longer"), Cue("fewer|less|lower|below|shorter|newer", swap=True)),
        definition="The experience of A in years is a higher number than that of B.",
        examples=(
            Example("Ida was in the job for longer than Jonas", ("Ida", "Jonas")),
            Example("Lena is newer to this work than Jonas", ("Jonas", "Lena")),
        ),
    ),
)
