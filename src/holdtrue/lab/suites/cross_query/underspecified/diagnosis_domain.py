"""The `Domain` of diagnosis: patients have exactly one condition each, and any symptoms."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.drawing import lists_of_names
from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import And, Formula, Not, Or, exactly
from holdtrue.world import domain
from holdtrue.world.instance import EntityTerms, Instance

# Both are said as "Ida has X"; which of them is meant shows in what X is.
_CONDITION = domain.AttributeName(among=lambda instance: instance.context["conditions"])
_SYMPTOM = domain.AttributeName(among=lambda instance: instance.context["symptoms"])


def _has(patient: EntityTerms, what: str) -> Formula:
    return patient[what].eq(1)


def _everybody(instance: Instance, what: str, then: str, present: int) -> Formula:
    """Return the formula that everybody with `what` also has `then` (`present` 1), or lacks it (0)."""
    patients = (instance[name] for name in instance.entities)
    return And(tuple(_has(patient, what).implies(patient[then].eq(present)) for patient in patients))


def _same(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return And(tuple(a[name].eq(b[name]) for name in instance.context["conditions"]))


def _attributes(context: domain.Context) -> Sequence[domain.Attribute]:
    return [domain.Attribute(name, values=("no", "yes")) for name in (*context["conditions"], *context["symptoms"])]


def _axioms(instance: Instance) -> Sequence[domain.Axiom]:
    return [
        domain.Axiom(
            f"one_condition_{place}",
            f"{patient} has exactly one of the conditions",
            exactly(1, [_has(instance[patient], name) for name in instance.context["conditions"]]),
        )
        for place, patient in enumerate(instance.entities, start=1)
    ]


DIAGNOSIS_DOMAIN = domain.Domain(
    name="diagnosis",
    context=lambda entities, given: lists_of_names("diagnosis", given, "conditions", "symptoms"),
    attributes=_attributes,
    axioms=_axioms,
    constraint_types=(
        Kind(
            "always_with",
            (domain.AttributeName(), domain.AttributeName()),
            lambda w, what, then: _everybody(w, what, then, 1),
            definition="Every patient who has X also has Y; nothing is said about patients with Y.",
            examples=(
                domain.Example("There is no Varga disease without itching", ("Varga disease", "itching")),
                domain.Example("Itching is seen with Varga disease every time", ("Varga disease", "itching")),
                domain.Example("Sneezing proves Okoro syndrome", ("sneezing", "Okoro syndrome")),
            ),
            query=None,
            phrasings=(
                "whoever has {0} has {1}",
                "everybody with {0} also has {1}",
                "if a patient has {0}, then that patient has {1}",
                "{0} always comes with {1}",
                "a patient has {0} only if that patient has {1}",
            ),
        ),
        Kind(
            "never_with",
            (domain.AttributeName(), domain.AttributeName()),
            lambda w, what, then: _everybody(w, what, then, 0),
            symmetric=True,
            definition="No patient has X and Y together.",
            examples=(
                domain.Example("Varga disease spares its patients any itching", ("Varga disease", "itching")),
                domain.Example("Sneezing rules out Okoro syndrome", ("Okoro syndrome", "sneezing")),
            ),
            query=None,
            phrasings=(
                "nobody has both {0} and {1}",
                "{0} never comes with {1}",
                "whoever has {0} does not have {1}",
                "if a patient has {0}, then that patient does not have {1}",
                "no patient with {0} has {1}",
            ),
        ),
        Kind(
            "has_condition",
            (domain.Entity(), _CONDITION),
            lambda w, patient, name: _has(patient, name),
            definition="Patient E has condition X.",
            examples=(
                domain.Example("Ida has come down with Varga disease", ("Ida", "Varga disease")),
                domain.Example("Okoro syndrome it is, in the case of Jonas", ("Jonas", "Okoro syndrome")),
            ),
            phrasings=(
                "{0} has {1}",
                "{0} suffers from {1}",
                "the condition of {0} is {1}",
                "{1} is what {0} has",
                "it is {1} that {0} has",
            ),
        ),
        Kind(
            "lacks_condition",
            (domain.Entity(), _CONDITION),
            lambda w, patient, name: Not(_has(patient, name)),
            definition="Patient E does not have condition X.",
            examples=(
                domain.Example("Ida has been cleared of Varga disease", ("Ida", "Varga disease")),
                domain.Example("Whatever Jonas has, Okoro syndrome is not it", ("Jonas", "Okoro syndrome")),
            ),
            query="has_condition",
            phrasings=(
                "{0} does not have {1}",
                "{0} does not suffer from {1}",
                "the condition of {0} is not {1}",
                "{1} is not what {0} has",
                "it is not {1} that {0} has",
            ),
        ),
        Kind(
            "has_symptom",
            (domain.Entity(), _SYMPTOM),
            lambda w, patient, name: _has(patient, name),
            definition="Patient E has symptom X.",
            examples=(
                domain.Example("Ida complains of itching, and rightly so", ("Ida", "itching")),
                domain.Example("There is sneezing with Jonas", ("Jonas", "sneezing")),
            ),
            phrasings=(
                "{0} has {1}",
                "{0} belongs to the patients with {1}",
                "{1} is a symptom that {0} has",
                "the symptoms of {0} include {1}",
                "one of the symptoms of {0} is {1}",
            ),
        ),
        Kind(
            "lacks_symptom",
            (domain.Entity(), _SYMPTOM),
            lambda w, patient, name: Not(_has(patient, name)),
            definition="Patient E does not have symptom X.",
            examples=(
                domain.Example("Ida is spared any itching", ("Ida", "itching")),
                domain.Example("No sneezing was found in Jonas", ("Jonas", "sneezing")),
            ),
            query="has_symptom",
            phrasings=(
                "{0} does not have {1}",
                "{0} does not belong to the patients with {1}",
                "{1} is not a symptom that {0} has",
                "the symptoms of {0} do not include {1}",
                "none of the symptoms of {0} is {1}",
            ),
        ),
        Kind(
            "either_condition",
            (domain.Entity(), _CONDITION, _CONDITION),
            lambda w, patient, one, other: Or((_has(patient, one), _has(patient, other))),
            canonical=any_order(1),
            definition="Patient E has condition X or condition Y.",
            examples=(
                domain.Example(
                    "With Ida it comes down to Varga disease or Okoro syndrome",
                    ("Ida", "Varga disease", "Okoro syndrome"),
                ),
                domain.Example(
                    "Only Okoro syndrome and Varga disease are left for Jonas",
                    ("Jonas", "Okoro syndrome", "Varga disease"),
                ),
            ),
            phrasings=(
                "{0} has {1} or {2}",
                "{0} suffers from either {1} or {2}",
                "the condition of {0} is {1} or {2}",
                "it is {1} or {2} that {0} has",
                "one of {1} and {2} is what {0} has",
            ),
        ),
        Kind(
            "same_condition",
            (domain.Entity(), domain.Entity()),
            _same,
            symmetric=True,
            definition="Patients E and F have one and the same condition; nothing is said about symptoms.",
            examples=(
                domain.Example("Ida fell ill with just what Jonas has", ("Ida", "Jonas")),
                domain.Example("The diagnosis of Lena is that of Mats too", ("Lena", "Mats")),
            ),
            phrasings=(
                "{0} and {1} have the same condition",
                "the condition of {0} is the same as that of {1}",
                "{0} has whatever condition {1} has",
                "{0} does not differ from {1} in condition",
            ),
        ),
        Kind(
            "different_condition",
            (domain.Entity(), domain.Entity()),
            lambda w, a, b: Not(_same(w, a, b)),
            symmetric=True,
            definition="Patients E and F do not have the same condition; nothing is said about symptoms.",
            examples=(
                domain.Example("Ida has something else than Jonas", ("Ida", "Jonas")),
                domain.Example("No single diagnosis fits both Lena and Mats", ("Lena", "Mats")),
            ),
            query="same_condition",
            phrasings=(
                "{0} and {1} have different conditions",
                "the condition of {0} is not the same as that of {1}",
                "{0} does not have the condition that {1} has",
                "{0} differs from {1} in condition",
            ),
        ),
    ),
)
