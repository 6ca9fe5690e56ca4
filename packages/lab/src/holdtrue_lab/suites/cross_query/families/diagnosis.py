"""The subdomain of diagnosis: every patient has exactly one condition, which may imply or exclude symptoms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, exactly
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import PEOPLE, draw_people, draw_true, every, lists_of_names, untold
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("diagnosis")
_OFTEN_ALWAYS, _OFTEN_NEVER = 0.35, 0.3


def _everybody(instance: Instance, what: str, then: str, present: int) -> Formula:
    """Return the formula that everybody with `what` also has `then` (`present` 1), or lacks it (0)."""
    patients = (instance[name] for name in instance.entities)
    return And(tuple(patient[what].eq(1).implies(patient[then].eq(present)) for patient in patients))


def _same(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return And(tuple(a[name].eq(b[name]) for name in instance.context["conditions"]))


def _laws(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom(
            f"one_condition_{place}",
            f"{patient} has exactly one of the conditions",
            exactly(1, [instance[patient][name].eq(1) for name in instance.context["conditions"]]),
        )
        for place, patient in enumerate(instance.entities, start=1)
    ]


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return draw_people(rng, 2, 3, PEOPLE), {
        key: rng.sample(_WORDS.names[key], rng.randint(3, 5)) for key in ("conditions", "symptoms")
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


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    conditions, symptoms = instance.context["conditions"], instance.context["symptoms"]
    return _WORDS.tell(
        rng,
        patients=listed(instance.entities),
        conditions=listed(conditions),
        any_condition=listed(conditions, "or"),
        symptoms=listed(symptoms),
    )


DIAGNOSIS = Subdomain(
    "underspecified",
    Domain(
        name="diagnosis",
        context=lambda entities, given: lists_of_names("diagnosis", given, "conditions", "symptoms"),
        attributes=lambda context: [
            Attribute(name, values=("no", "yes")) for name in (*context["conditions"], *context["symptoms"])
        ],
        axioms=_laws,
        # A condition and a symptom are both said as "Ida has X"; which of them is meant shows in what X is.
        constraint_types=_WORDS.kinds(
            {
                "always_with": lambda w, what, then: _everybody(w, what, then, 1),
                "never_with": lambda w, what, then: _everybody(w, what, then, 0),
                "has_condition": lambda w, patient, name: patient[name].eq(1),
                "has_symptom": lambda w, patient, name: patient[name].eq(1),
                "either_condition": lambda w, patient, one, other: patient[one].eq(1) | patient[other].eq(1),
                "same_condition": _same,
            }
        ),
    ),
    _draw_setting,
    _draw,
    _setting,
)
