"""The subdomain of diagnosis: every patient has exactly one condition, and some conditions imply or exclude symptoms.

Conditions have invented names, so that a model can know no more of them than the premises tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import PEOPLE, draw_people, draw_true, every, untold
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.underspecified.diagnosis_domain import DIAGNOSIS_DOMAIN
from holdtrue.world.instance import Constraint, Instance

_OFTEN_ALWAYS, _OFTEN_NEVER = 0.35, 0.3
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


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return draw_people(rng, 2, 3, PEOPLE), {
        "conditions": rng.sample(CONDITIONS, rng.randint(3, 5)),
        "symptoms": rng.sample(SYMPTOMS, rng.randint(3, 5)),
    }


def _draw(rng: Random, instance: Instance) -> Draft:
    patients = list(instance.entities)
    conditions, symptoms = instance.context["conditions"], instance.context["symptoms"]
    rules = _draw_rules(rng, instance)
    truth = _draw_truth(rng, instance, rules)

    def some(count: int, among: Sequence[Constraint]) -> list[Constraint]:
        return draw_true(rng, instance, truth, among, count)

    having = every(instance, "has_condition", patients, conditions)
    lacking = every(instance, "lacks_condition", patients, conditions)
    seen = [made for type in ("has_symptom", "lacks_symptom") for made in every(instance, type, patients, symptoms)]
    either = every(instance, "either_condition", patients, conditions, conditions)
    alike = every(instance, "same_condition", patients, patients)
    unlike = every(instance, "different_condition", patients, patients)
    premises = [
        *some(rng.randint(6, 10), rules),
        *some(rng.randint(0, 1), every(instance, "always_with", symptoms, conditions)),
        *some(rng.randint(len(patients), 2 * len(patients)), seen),
        *some(rng.randint(0, 2), lacking),
        *some(rng.randint(0, 1), either),
        *some(rng.randint(0, 1), [*alike, *unlike]),
    ]
    rng.shuffle(premises)
    asked = [*having, *lacking, *seen, *alike, *unlike, *rng.sample(either, min(len(either), 2 * len(patients)))]
    return Draft(instance, tuple(premises), untold(rng, instance, premises, asked))


def _draw_rules(rng: Random, instance: Instance) -> list[Constraint]:
    """Draw, for some pairs of a condition and a symptom, that the symptom always or never comes with the condition."""
    rules: list[Constraint] = []
    for condition in instance.context["conditions"]:
        for symptom in instance.context["symptoms"]:
            chance = rng.random()
            if chance < _OFTEN_ALWAYS:
                rules.append(instance.constraint("always_with", [condition, symptom]))
            elif chance < _OFTEN_ALWAYS + _OFTEN_NEVER:
                rules.append(instance.constraint("never_with", [condition, symptom]))
    return rules


def _draw_truth(rng: Random, instance: Instance, rules: Sequence[Constraint]) -> dict[str, int]:
    """Draw a condition for every patient, and symptoms that fit it."""
    truth: dict[str, int] = {}
    given = {made.args: int(made.type == "always_with") for made in rules}
    for patient in instance.entities:
        own = rng.choice(instance.context["conditions"])
        for name in instance.context["conditions"]:
            truth[instance[patient][name].name] = int(name == own)
        for name in instance.context["symptoms"]:
            truth[instance[patient][name].name] = given.get((own, name), rng.randint(0, 1))
    return truth


def _setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    conditions, symptoms = instance.context["conditions"], instance.context["symptoms"]
    words = {
        "patients": listed(instance.entities),
        "conditions": listed(conditions),
        "any_condition": listed(conditions, "or"),
        "symptoms": listed(symptoms),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_PATIENTS, _CONDITIONS, _SYMPTOMS))


DIAGNOSIS = Subdomain("underspecified", DIAGNOSIS_DOMAIN, _draw_setting, _draw, _setting)
