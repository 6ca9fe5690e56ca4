"""This module defines three subdomains with premises that leave much open: diagnosis, investigation and faults.

In `diagnosis`, every patient has exactly one condition, which may imply or exclude symptoms. In `investigation`, one
suspect is guilty, clues describe the guilty suspect, and facts describe all suspects. Each suspect has the attribute
`guilty`, and one attribute for each of the context's `traits`. In `fault`, components work or are faulty, and alarms
report on them. A component works only if all components that it depends on work, and it may also fail by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, at_least, at_most, exactly
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Arg, Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drafts import PEOPLE, draw_people, draw_true, every, lists_of_names, untold
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain, Words

Truth = Mapping[str, int]
Told = tuple[str, str, Callable[[int], tuple[int, int]]]
"""Kinds of premises, their possible arguments, and a function that returns the range of the number of such premises.

The function's argument is the number of entities.
"""


def _all_of(instance: Instance, kinds: str, among: str) -> list[Constraint]:
    """Return all constraints of these kinds. For each argument, `among` names `entities` or a key of the context."""
    names: list[Sequence[Arg]] = [
        instance.entities if key == "entities" else instance.context[key] for key in among.split()
    ]
    return [made for kind in kinds.split() for made in every(instance, kind, *names)]


def _premises(rng: Random, instance: Instance, truth: Truth, told: Sequence[Told]) -> Iterator[Constraint]:
    """Draw premises that are true. If their number is fixed, it needs no random draw."""
    for kinds, among, limits in told:
        fewest, most = limits(len(instance.entities))
        count = fewest if fewest == most else rng.randint(fewest, most)
        yield from draw_true(rng, instance, truth, _all_of(instance, kinds, among), count)


def _draft(rng: Random, instance: Instance, premises: list[Constraint], asked: Callable[[], list[Constraint]]) -> Draft:
    rng.shuffle(premises)
    return Draft(instance, tuple(premises), untold(rng, instance, premises, asked()))


_CONDITIONS = Words("diagnosis")
_OFTEN_ALWAYS, _OFTEN_NEVER = 0.35, 0.3
_OF_DIAGNOSIS: Sequence[Told] = (
    ("always_with", "symptoms conditions", lambda patients: (0, 1)),
    ("has_symptom lacks_symptom", "entities symptoms", lambda patients: (patients, 2 * patients)),
    ("lacks_condition", "entities conditions", lambda patients: (0, 2)),
    ("either_condition", "entities conditions conditions", lambda patients: (0, 1)),
    ("same_condition different_condition", "entities entities", lambda patients: (0, 1)),
)


def _with(instance: Instance, what: str, then: str, present: int) -> Formula:
    """Return the formula that everybody with `what` also has `then` (`present` 1), or lacks it (0)."""
    patients = (instance[name] for name in instance.entities)
    return And(tuple(patient[what].eq(1).implies(patient[then].eq(present)) for patient in patients))


def _same_condition(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return And(tuple(a[name].eq(b[name]) for name in instance.context["conditions"]))


def _one_condition(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom(
            f"one_condition_{place}",
            f"{patient} has exactly one of the conditions",
            exactly(1, [instance[patient][name].eq(1) for name in instance.context["conditions"]]),
        )
        for place, patient in enumerate(instance.entities, start=1)
    ]


def _draw_patients(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return draw_people(rng, 2, 3, PEOPLE), {
        key: rng.sample(_CONDITIONS.names[key], rng.randint(3, 5)) for key in ("conditions", "symptoms")
    }


def _draw_diagnosis(rng: Random, instance: Instance) -> Draft:
    rules = _draw_rules(rng, instance)
    truth = _draw_symptoms(rng, instance, rules)
    premises = draw_true(rng, instance, truth, rules, rng.randint(6, 10))
    premises += _premises(rng, instance, truth, _OF_DIAGNOSIS)

    def asked() -> list[Constraint]:
        either = _all_of(instance, "either_condition", "entities conditions conditions")
        return [
            *_all_of(instance, "has_condition lacks_condition", "entities conditions"),
            *_all_of(instance, "has_symptom lacks_symptom", "entities symptoms"),
            *_all_of(instance, "same_condition different_condition", "entities entities"),
            *rng.sample(either, min(len(either), 2 * len(instance.entities))),
        ]

    return _draft(rng, instance, premises, asked)


def _draw_rules(rng: Random, instance: Instance) -> list[Constraint]:
    """Draw rules for some pairs of a condition and a symptom: the symptom always or never comes with the condition."""
    rules: list[Constraint] = []
    for condition in instance.context["conditions"]:
        for symptom in instance.context["symptoms"]:
            chance = rng.random()
            if chance < _OFTEN_ALWAYS:
                rules.append(instance.constraint("always_with", [condition, symptom]))
            elif chance < _OFTEN_ALWAYS + _OFTEN_NEVER:
                rules.append(instance.constraint("never_with", [condition, symptom]))
    return rules


def _draw_symptoms(rng: Random, instance: Instance, rules: Sequence[Constraint]) -> dict[str, int]:
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


DIAGNOSIS = Subdomain(
    "underspecified",
    Domain(
        name="diagnosis",
        context=lambda entities, given: lists_of_names("diagnosis", given, "conditions", "symptoms"),
        attributes=lambda context: [
            Attribute(name, values=("no", "yes")) for name in (*context["conditions"], *context["symptoms"])
        ],
        axioms=_one_condition,
        # Conditions and symptoms share the wording "Ida has X"; only X distinguishes them.
        constraint_types=_CONDITIONS.kinds(
            {
                "always_with": lambda w, what, then: _with(w, what, then, 1),
                "never_with": lambda w, what, then: _with(w, what, then, 0),
                "has_condition": lambda w, patient, name: patient[name].eq(1),
                "has_symptom": lambda w, patient, name: patient[name].eq(1),
                "either_condition": lambda w, patient, one, other: patient[one].eq(1) | patient[other].eq(1),
                "same_condition": _same_condition,
            }
        ),
    ),
    _draw_patients,
    _draw_diagnosis,
    lambda rng, instance: _CONDITIONS.tell(
        rng,
        patients=listed(instance.entities),
        conditions=listed(instance.context["conditions"]),
        any_condition=listed(instance.context["conditions"], "or"),
        symptoms=listed(instance.context["symptoms"]),
    ),
)


_SUSPECTS = Words("investigation")
_TRAIT_KNOWN = 0.4
"""The share of suspects' traits that premises state."""


def _guilty(suspect: EntityTerms) -> Formula:
    return suspect["guilty"].eq(1)


def _has(suspect: EntityTerms, trait: str) -> Formula:
    return suspect[trait].eq(1)


def _every_suspect(instance: Instance, rule: Callable[[EntityTerms], Formula]) -> Formula:
    return And(tuple(rule(instance[name]) for name in instance.entities))


def _draw_investigation(rng: Random, instance: Instance) -> Draft:
    suspects, traits = instance.entities, len(instance.context["traits"])
    truth = {name: rng.randint(0, 1) for name in instance.variables}
    culprit = rng.choice(list(suspects))
    truth |= {instance[who]["guilty"].name: int(who == culprit) for who in suspects}
    known = round(_TRAIT_KNOWN * len(suspects) * traits)
    told: Sequence[Told] = (
        ("culprit_has culprit_lacks", "traits", lambda suspects: (2, 3)),
        ("only_culprit_has", "traits", lambda suspects: (0, 1)),
        ("has_trait lacks_trait", "entities traits", lambda suspects: (known, known)),
        ("is_innocent", "entities", lambda suspects: (0, 1)),
        ("one_of", "entities entities", lambda suspects: (0, 1)),
        ("same_trait", "entities entities traits", lambda suspects: (0, 2)),
    )

    def asked() -> list[Constraint]:
        owned = _all_of(instance, "has_trait lacks_trait", "entities traits")
        pairs = _all_of(instance, "one_of neither_of", "entities entities")
        return [
            *_all_of(instance, "is_guilty is_innocent", "entities"),
            *_all_of(instance, "culprit_has culprit_lacks", "traits"),
            *rng.sample(owned, len(owned) // 2),
            *rng.sample(pairs, len(pairs) // 2),
        ]

    return _draft(rng, instance, list(_premises(rng, instance, truth, told)), asked)


INVESTIGATION = Subdomain(
    "underspecified",
    Domain(
        name="investigation",
        context=lambda entities, given: lists_of_names("investigation", given, "traits"),
        attributes=lambda context: [Attribute(name, values=("no", "yes")) for name in ("guilty", *context["traits"])],
        axioms=lambda instance: [
            Axiom(
                "one_guilty",
                "exactly one of them is guilty",
                exactly(1, [_guilty(instance[name]) for name in instance.entities]),
            )
        ],
        constraint_types=_SUSPECTS.kinds(
            {
                "culprit_has": lambda w, trait: _every_suspect(w, lambda who: _guilty(who).implies(_has(who, trait))),
                "culprit_lacks": lambda w, trait: _every_suspect(
                    w, lambda who: _guilty(who).implies(~_has(who, trait))
                ),
                "only_culprit_has": lambda w, trait: _every_suspect(
                    w, lambda who: _has(who, trait).implies(_guilty(who))
                ),
                "is_guilty": lambda w, who: _guilty(who),
                "one_of": lambda w, a, b: _guilty(a) | _guilty(b),
                "neither_of": lambda w, a, b: ~_guilty(a) & ~_guilty(b),
                "has_trait": lambda w, who, trait: _has(who, trait),
                "same_trait": lambda w, a, b, trait: _has(a, trait).iff(_has(b, trait)),
            }
        ),
    ),
    lambda rng: (draw_people(rng, 4, 6, PEOPLE), {"traits": rng.sample(_SUSPECTS.names["traits"], rng.randint(3, 4))}),
    _draw_investigation,
    lambda rng, instance: _SUSPECTS.tell(
        rng,
        suspects=listed(instance.entities),
        count=len(instance.entities),
        traits=listed(instance.context["traits"], "or"),
    ),
)


_COMPONENTS = Words("fault")
_BACKED_SHARE = 0.25
_FAULT_SHARE = 0.15
_RIGHT_SHARE = 0.85  # the share of alarms that are right
_OF_FAULTS: Sequence[Told] = (
    ("no_false_alarm", "entities", lambda components: (2, components - 1)),
    ("no_missed_fault", "entities", lambda components: (3, components)),
    ("alarm_on", "entities", lambda components: (0, 2)),
    ("alarm_off", "entities", lambda components: (2, 4)),
    ("works", "entities", lambda components: (0, 1)),
    ("some_faulty", "entities entities", lambda components: (0, 1)),
)


def _works(component: EntityTerms) -> Formula:
    return component["state"].eq(1)


def _faulty(component: EntityTerms) -> Formula:
    return component["state"].eq(0)


def _alarm(component: EntityTerms) -> Formula:
    return component["alarm"].eq(1)


def _all_faulty(instance: Instance) -> list[Formula]:
    return [_faulty(instance[name]) for name in instance.entities]


def _draw_faults(rng: Random, instance: Instance) -> Draft:
    count = len(instance.entities)
    cascade = _draw_cascade(rng, instance)
    truth = _draw_alarms(rng, instance, cascade)
    most = every(instance, "at_most_faulty", [rng.randint(1, count - 2)])
    premises = [*cascade, *_premises(rng, instance, truth, _OF_FAULTS)]
    premises += draw_true(rng, instance, truth, most, rng.randint(0, 1))

    def asked() -> list[Constraint]:
        counts = [
            made for kind in ("at_most_faulty", "at_least_faulty") for made in every(instance, kind, range(1, count))
        ]
        return [
            *_all_of(instance, "works is_faulty alarm_on alarm_off", "entities"),
            *rng.sample(_all_of(instance, "both_work some_faulty", "entities entities"), count),
            *rng.sample(counts, 2),
        ]

    return _draft(rng, instance, premises, asked)


def _draw_cascade(rng: Random, instance: Instance) -> list[Constraint]:
    """Draw the dependencies of each component on earlier ones, so that there is no cycle."""
    order = rng.sample(instance.entities, len(instance.entities))
    found: list[Constraint] = []
    for place, component in enumerate(order[1:], start=1):
        needed = rng.sample(order[:place], min(place, rng.randint(0, 2)))
        if len(needed) == 2 and rng.random() < _BACKED_SHARE:
            found.append(instance.constraint("backed", [component, *needed]))
        else:
            found += [instance.constraint("depends", [component, other]) for other in needed]
    return found


def _draw_alarms(rng: Random, instance: Instance, cascade: Sequence[Constraint]) -> dict[str, int]:
    """Draw faults, add the faults that follow from them, and draw alarms that are mostly right."""
    truth = {instance[name]["state"].name: int(rng.random() > _FAULT_SHARE) for name in instance.entities}
    # The cascade lists a component after all components that it depends on.
    for made in cascade:
        if not instance.formula(made).holds(truth):
            truth[instance[str(made.args[0])]["state"].name] = 0
    for name in instance.entities:
        right = rng.random() < _RIGHT_SHARE
        truth[instance[name]["alarm"].name] = int(bool(truth[instance[name]["state"].name]) != right)
    return truth


FAULT = Subdomain(
    "underspecified",
    Domain(
        name="fault",
        attributes=(Attribute("state", values=("faulty", "working")), Attribute("alarm", values=("off", "on"))),
        constraint_types=_COMPONENTS.kinds(
            {
                "depends": lambda w, a, b: _works(a).implies(_works(b)),
                "backed": lambda w, a, b, c: _works(a).implies(_works(b) | _works(c)),
                "no_false_alarm": lambda w, a: _alarm(a).implies(_faulty(a)),
                "no_missed_fault": lambda w, a: _faulty(a).implies(_alarm(a)),
                "alarm_on": lambda w, a: _alarm(a),
                "works": lambda w, a: _works(a),
                "is_faulty": lambda w, a: _faulty(a),
                "both_work": lambda w, a, b: _works(a) & _works(b),
                "some_faulty": lambda w, a, b: _faulty(a) | _faulty(b),
                "at_most_faulty": lambda w, number: at_most(number, _all_faulty(w)),
                "at_least_faulty": lambda w, number: at_least(number, _all_faulty(w)),
            }
        ),
    ),
    lambda rng: (rng.sample(_COMPONENTS.names["components"], rng.randint(5, 7)), {}),
    _draw_faults,
    lambda rng, instance: _COMPONENTS.tell(
        rng, components=listed([f"the {name}" for name in instance.entities]), count=len(instance.entities)
    ),
)
