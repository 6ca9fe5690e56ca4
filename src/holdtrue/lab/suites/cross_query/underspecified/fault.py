"""The subdomain of fault finding: components work or are faulty, alarms report on them, and faults cascade.

A component works only if everything that it depends on works; it may also be faulty by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.suites.cross_query.drawing import draw_true, every, untold
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.underspecified.fault_domain import FAULT_DOMAIN
from holdtrue.lab.suites.cross_query.underspecified.fault_words import COMPONENTS, PHRASINGS, tell_setting
from holdtrue.world.instance import Constraint, Instance

_BACKED_SHARE = 0.25
_FAULT_SHARE = 0.15


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return rng.sample(COMPONENTS, rng.randint(5, 7)), {}


def _draw(rng: Random, instance: Instance) -> Draft:
    components = list(instance.entities)
    cascade = _draw_cascade(rng, instance)
    truth = _draw_truth(rng, instance, cascade)

    def some(count: int, type: str, *choices: Sequence[str | int]) -> list[Constraint]:
        return draw_true(rng, instance, truth, every(instance, type, *choices), count)

    most = rng.randint(1, len(components) - 2)
    told = [
        *cascade,
        *some(rng.randint(2, len(components) - 1), "no_false_alarm", components),
        *some(rng.randint(3, len(components)), "no_missed_fault", components),
        *some(rng.randint(0, 2), "alarm_on", components),
        *some(rng.randint(2, 4), "alarm_off", components),
        *some(rng.randint(0, 1), "works", components),
        *some(rng.randint(0, 1), "some_faulty", components, components),
        *some(rng.randint(0, 1), "at_most_faulty", [most]),
    ]
    rng.shuffle(told)
    single = [
        made for type in ("works", "is_faulty", "alarm_on", "alarm_off") for made in every(instance, type, components)
    ]
    pairs = [made for type in ("both_work", "some_faulty") for made in every(instance, type, components, components)]
    counts = [
        made
        for type in ("at_most_faulty", "at_least_faulty")
        for made in every(instance, type, range(1, len(components)))
    ]
    asked = [*single, *rng.sample(pairs, len(components)), *rng.sample(counts, 2)]
    return Draft(instance, tuple(told), untold(rng, instance, told, asked))


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
        right = rng.random() < 0.85
        truth[instance[name]["alarm"].name] = int(bool(truth[instance[name]["state"].name]) != right)
    return truth


FAULT = Subdomain(
    name="fault",
    domain="underspecified",
    logic_type="partial_information",
    declaration=FAULT_DOMAIN,
    draw_setting=_draw_setting,
    draw=_draw,
    setting=tell_setting,
    phrasings=PHRASINGS,
    query_types={
        "works": "works",
        "is_faulty": "is_faulty",
        "alarm_on": "alarm",
        "alarm_off": "alarm",
        "both_work": "works",
        "some_faulty": "is_faulty",
        "at_most_faulty": "count_faulty",
        "at_least_faulty": "count_faulty",
    },
)
