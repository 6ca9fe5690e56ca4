"""The English of cases about diagnosis: sentences for the setting, and phrasings of each constraint type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from holdtrue.lab.kit.words import listed
from holdtrue.world.instance import Instance

CONDITIONS = (
    "Halden disease", "Morrow syndrome", "Brandt disease", "Keller syndrome", "Ostrow disease", "Pellam syndrome",
    "Quist disease", "Rusk syndrome", "Tarn disease", "Ulverton syndrome", "Wexford disease", "Yarrow syndrome",
    "Zeller disease", "Corbin syndrome", "Dalby disease", "Everett syndrome", "Farrow disease", "Gorham syndrome",
)  # fmt: skip
SYMPTOMS = (
    "fever", "a cough", "a rash", "a headache", "nausea", "dizziness", "fatigue", "joint pain", "a sore throat",
    "a nosebleed", "blurred vision", "a dry mouth", "insomnia", "back pain", "hoarseness", "a tremor", "earache",
    "shortness of breath",
)  # fmt: skip
PHRASINGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "always_with": (
            "whoever has {0} has {1}",
            "everybody with {0} also has {1}",
            "if a patient has {0}, then that patient has {1}",
            "{0} always comes with {1}",
            "a patient has {0} only if that patient has {1}",
        ),
        "never_with": (
            "nobody has both {0} and {1}",
            "{0} never comes with {1}",
            "whoever has {0} does not have {1}",
            "if a patient has {0}, then that patient does not have {1}",
            "no patient with {0} has {1}",
        ),
        "has_condition": (
            "{0} has {1}",
            "{0} suffers from {1}",
            "the condition of {0} is {1}",
            "{1} is what {0} has",
            "it is {1} that {0} has",
        ),
        "lacks_condition": (
            "{0} does not have {1}",
            "{0} does not suffer from {1}",
            "the condition of {0} is not {1}",
            "{1} is not what {0} has",
            "it is not {1} that {0} has",
        ),
        "has_symptom": (
            "{0} has {1}",
            "{0} belongs to the patients with {1}",
            "{1} is a symptom that {0} has",
            "the symptoms of {0} include {1}",
            "one of the symptoms of {0} is {1}",
        ),
        "lacks_symptom": (
            "{0} does not have {1}",
            "{0} does not belong to the patients with {1}",
            "{1} is not a symptom that {0} has",
            "the symptoms of {0} do not include {1}",
            "none of the symptoms of {0} is {1}",
        ),
        "either_condition": (
            "{0} has {1} or {2}",
            "{0} suffers from either {1} or {2}",
            "the condition of {0} is {1} or {2}",
            "it is {1} or {2} that {0} has",
            "one of {1} and {2} is what {0} has",
        ),
        "same_condition": (
            "{0} and {1} have the same condition",
            "the condition of {0} is the same as that of {1}",
            "{0} has whatever condition {1} has",
            "{0} does not differ from {1} in condition",
        ),
        "different_condition": (
            "{0} and {1} have different conditions",
            "the condition of {0} is not the same as that of {1}",
            "{0} does not have the condition that {1} has",
            "{0} differs from {1} in condition",
        ),
    }
)
_PATIENTS = (
    "The patients in the ward are {patients}.",
    "These patients were examined: {patients}.",
    "A doctor sees the patients {patients}.",
)
_CONDITIONS = (
    "Each patient has exactly one of these conditions: {conditions}.",
    "Every one of them suffers from exactly one condition, which is {any_condition}.",
    "For each patient exactly one condition is the case: {any_condition}.",
)
_SYMPTOMS = (
    "The symptoms that a patient may or may not have are {symptoms}.",
    "Symptoms looked for are {symptoms}; a patient may have any number of them.",
    "Each patient may have any of the symptoms {symptoms}, or none.",
)


def tell_setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    conditions, symptoms = instance.context["conditions"], instance.context["symptoms"]
    words = {
        "patients": listed(instance.entities),
        "conditions": listed(conditions),
        "any_condition": listed(conditions, "or"),
        "symptoms": listed(symptoms),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_PATIENTS, _CONDITIONS, _SYMPTOMS))
