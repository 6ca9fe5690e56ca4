"""The subdomain of fault finding: components work or are faulty, alarms report on them, and faults cascade.

A component works only if everything that it depends on works; it may also be faulty by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import Formula, at_least, at_most
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import draw_true, every, untold
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("fault")
_BACKED_SHARE = 0.25
_FAULT_SHARE = 0.15
_RIGHT_SHARE = 0.85  # of the alarms


def _works(component: EntityTerms) -> Formula:
    return component["state"].eq(1)


def _faulty(component: EntityTerms) -> Formula:
    return component["state"].eq(0)


def _alarm(component: EntityTerms) -> Formula:
    return component["alarm"].eq(1)


def _all_faulty(instance: Instance) -> list[Formula]:
    return [_faulty(instance[name]) for name in instance.entities]


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return rng.sample(_WORDS.names["components"], rng.randint(5, 7)), {}


def _draw(rng: Random, instance: Instance) -> Draft:
    components = list(instance.entities)
    cascade = _draw_cascade(rng, instance)
    truth = _draw_truth(rng, instance, cascade)

    def all_of(types: Sequence[str], *choices: Sequence[str | int]) -> list[Constraint]:
        return [made for type in types for made in every(instance, type, *choices)]

    def some(count: int, type: str, *choices: Sequence[str | int]) -> list[Constraint]:
        return draw_true(rng, instance, truth, every(instance, type, *choices), count)

    most = rng.randint(1, len(components) - 2)
    premises = [
        *cascade,
        *some(rng.randint(2, len(components) - 1), "no_false_alarm", components),
        *some(rng.randint(3, len(components)), "no_missed_fault", components),
        *some(rng.randint(0, 2), "alarm_on", components),
        *some(rng.randint(2, 4), "alarm_off", components),
        *some(rng.randint(0, 1), "works", components),
        *some(rng.randint(0, 1), "some_faulty", components, components),
        *some(rng.randint(0, 1), "at_most_faulty", [most]),
    ]
    rng.shuffle(premises)
    single = all_of(("works", "is_faulty", "alarm_on", "alarm_off"), components)
    pairs = all_of(("both_work", "some_faulty"), components, components)
    counts = all_of(("at_most_faulty", "at_least_faulty"), range(1, len(components)))
    asked = [*single, *rng.sample(pairs, len(components)), *rng.sample(counts, 2)]
    return Draft(instance, tuple(premises), untold(rng, instance, premises, asked))


def _draw_cascade(rng: Random, instance: Instance) -> list[Constraint]:
    """Draw what each component depends on: only earlier ones, so that nothing depends on itself."""
    order = rng.sample(instance.entities, len(instance.entities))
    found: list[Constraint] = []
    for place, component in enumerate(order[1:], start=1):
        needed = rng.sample(order[:place], min(place, rng.randint(0, 2)))
        if len(needed) == 2 and rng.random() < _BACKED_SHARE:
            found.append(instance.constraint("backed", [component, *needed]))
        else:
            found += [instance.constraint("depends", [component, other]) for other in needed]
    return found


def _draw_truth(rng: Random, instance: Instance, cascade: Sequence[Constraint]) -> dict[str, int]:
    """Draw faults, with those that follow from them, and alarms that are mostly right."""
    truth = {instance[name]["state"].name: int(rng.random() > _FAULT_SHARE) for name in instance.entities}
    # In the order in which the cascade was made, a component comes after all that it depends on.
    for made in cascade:
        if not instance.formula(made).holds(truth):
            truth[instance[str(made.args[0])]["state"].name] = 0
    for name in instance.entities:
        right = rng.random() < _RIGHT_SHARE
        truth[instance[name]["alarm"].name] = int(bool(truth[instance[name]["state"].name]) != right)
    return truth


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    components = listed([f"the {name}" for name in instance.entities])
    return _WORDS.tell(rng, components=components, count=len(instance.entities))


FAULT = Subdomain(
    "underspecified",
    Domain(
        name="fault",
        attributes=(Attribute("state", values=("faulty", "working")), Attribute("alarm", values=("off", "on"))),
        constraint_types=_WORDS.kinds(
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
    _draw_setting,
    _draw,
    _setting,
)
