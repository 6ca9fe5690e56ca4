"""The `Domain` of diagnosis: patients have exactly one condition each, and any symptoms."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.people import lists_of_names
from holdtrue.logic.formula import And, Formula, Not, Or, exactly
from holdtrue.world.domain import (
    Attribute,
    AttributeName,
    Axiom,
    ConstraintType,
    Context,
    Domain,
    Entity,
    Example,
)
from holdtrue.world.instance import EntityTerms, Instance

# Both are said as "Ida has X"; which of them is meant shows in what X is.
_CONDITION = AttributeName(among=lambda instance: instance.context["conditions"])
_SYMPTOM = AttributeName(among=lambda instance: instance.context["symptoms"])


def _has(patient: EntityTerms, what: str) -> Formula:
    return patient[what].eq(1)


def _everybody(instance: Instance, what: str, then: str, present: int) -> Formula:
    """Return the formula that everybody with `what` also has `then` (`present` 1), or lacks it (0)."""
    patients = (instance[name] for name in instance.entities)
    return And(tuple(_has(patient, what).implies(patient[then].eq(present)) for patient in patients))


def _same(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return And(tuple(a[name].eq(b[name]) for name in instance.context["conditions"]))


def _attributes(context: Context) -> Sequence[Attribute]:
    return [Attribute(name, values=("no", "yes")) for name in (*context["conditions"], *context["symptoms"])]


def _axioms(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom(
            f"one_condition_{place}",
            f"{patient} has exactly one of the conditions",
            exactly(1, [_has(instance[patient], name) for name in instance.context["conditions"]]),
        )
        for place, patient in enumerate(instance.entities, start=1)
    ]


DIAGNOSIS_DOMAIN = Domain(
    name="diagnosis",
    context=lambda entities, given: lists_of_names("diagnosis", given, "conditions", "symptoms"),
    attributes=_attributes,
    axioms=_axioms,
    constraint_types=(
        ConstraintType(
            "always_with",
            (AttributeName(), AttributeName()),
            "whoever has {0} has {1}",
            lambda w, what, then: _everybody(w, what, then, 1),
            definition="Every patient who has X also has Y; nothing is said about patients with Y.",
            examples=(
                Example("There is no Varga disease without itching", ("Varga disease", "itching")),
                Example("Itching is seen with Varga disease every time", ("Varga disease", "itching")),
                Example("Sneezing proves Okoro syndrome", ("sneezing", "Okoro syndrome")),
            ),
        ),
        ConstraintType(
            "never_with",
            (AttributeName(), AttributeName()),
            "nobody has both {0} and {1}",
            lambda w, what, then: _everybody(w, what, then, 0),
            symmetric=True,
            definition="No patient has X and Y together.",
            examples=(
                Example("Varga disease spares its patients any itching", ("Varga disease", "itching")),
                Example("Sneezing rules out Okoro syndrome", ("Okoro syndrome", "sneezing")),
            ),
        ),
        ConstraintType(
            "has_condition",
            (Entity(), _CONDITION),
            "{0} has {1}",
            lambda w, patient, name: _has(patient, name),
            definition="Patient E has condition X.",
            examples=(
                Example("Ida has come down with Varga disease", ("Ida", "Varga disease")),
                Example("Okoro syndrome it is, in the case of Jonas", ("Jonas", "Okoro syndrome")),
            ),
        ),
        ConstraintType(
            "lacks_condition",
            (Entity(), _CONDITION),
            "{0} does not have {1}",
            lambda w, patient, name: Not(_has(patient, name)),
            definition="Patient E does not have condition X.",
            examples=(
                Example("Ida has been cleared of Varga disease", ("Ida", "Varga disease")),
                Example("Whatever Jonas has, Okoro syndrome is not it", ("Jonas", "Okoro syndrome")),
            ),
        ),
        ConstraintType(
            "has_symptom",
            (Entity(), _SYMPTOM),
            "{0} has {1}",
            lambda w, patient, name: _has(patient, name),
            definition="Patient E has symptom X.",
            examples=(
                Example("Ida complains of itching, and rightly so", ("Ida", "itching")),
                Example("There is sneezing with Jonas", ("Jonas", "sneezing")),
            ),
        ),
        ConstraintType(
            "lacks_symptom",
            (Entity(), _SYMPTOM),
            "{0} does not have {1}",
            lambda w, patient, name: Not(_has(patient, name)),
            definition="Patient E does not have symptom X.",
            examples=(
                Example("Ida is spared any itching", ("Ida", "itching")),
                Example("No sneezing was found in Jonas", ("Jonas", "sneezing")),
            ),
        ),
        ConstraintType(
            "either_condition",
            (Entity(), _CONDITION, _CONDITION),
            "{0} has {1} or {2}",
            lambda w, patient, one, other: Or((_has(patient, one), _has(patient, other))),
            canonical=any_order(1),
            definition="Patient E has condition X or condition Y.",
            examples=(
                Example(
                    "With Ida it comes down to Varga disease or Okoro syndrome",
                    ("Ida", "Varga disease", "Okoro syndrome"),
                ),
                Example(
                    "Only Okoro syndrome and Varga disease are left for Jonas",
                    ("Jonas", "Okoro syndrome", "Varga disease"),
                ),
            ),
        ),
        ConstraintType(
            "same_condition",
            (Entity(), Entity()),
            "{0} and {1} have the same condition",
            _same,
            symmetric=True,
            definition="Patients E and F have one and the same condition; nothing is said about symptoms.",
            examples=(
                Example("Ida fell ill with just what Jonas has", ("Ida", "Jonas")),
                Example("The diagnosis of Lena is that of Mats too", ("Lena", "Mats")),
            ),
        ),
        ConstraintType(
            "different_condition",
            (Entity(), Entity()),
            "{0} and {1} have different conditions",
            lambda w, a, b: Not(_same(w, a, b)),
            symmetric=True,
            definition="Patients E and F do not have the same condition; nothing is said about symptoms.",
            examples=(
                Example("Ida has something else than Jonas", ("Ida", "Jonas")),
                Example("No single diagnosis fits both Lena and Mats", ("Lena", "Mats")),
            ),
        ),
    ),
)
