"""The subdomain of fault finding: components work or are faulty, alarms report on them, and faults cascade.

A component works only if everything that it depends on works; it may also be faulty by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import draw_true, every, untold
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.underspecified.fault_domain import FAULT_DOMAIN
from holdtrue.world.instance import Constraint, Instance

_BACKED_SHARE = 0.25
_FAULT_SHARE = 0.15
COMPONENTS = (
    "pump", "valve", "turbine", "compressor", "boiler", "conveyor", "mixer", "furnace", "chiller", "router",
    "switchboard", "battery", "inverter", "fan", "filter", "heater", "controller", "gearbox", "clutch", "generator",
    "antenna", "gyroscope", "thruster", "camera", "modem", "database", "gateway", "scheduler", "scanner", "crane",
    "winch", "rudder", "hopper", "press", "lathe", "grinder", "sorter", "labeller", "burner", "condenser",
)  # fmt: skip
_COMPONENTS = (
    "A system has {count} components: {components}.",
    "The components of a machine are {components}.",
    "A plant is made of {count} components, namely {components}.",
    "An engineer looks after these components: {components}.",
)
_STATES = (
    "Each of them either works or is faulty, and more than one may be faulty.",
    "A component that does not work is faulty; any number of them may be.",
    "Every component works or is faulty, never both, whatever may be the cause.",
)
_CASCADES = (
    "What depends on something faulty is faulty itself.",
    "A component that depends on another one works only if that one works.",
    "Whenever a component is faulty, so is every component that depends on it.",
)
_ALARMS = (
    "Each component has an alarm, which is on or off; it need not be right.",
    "Each component has an alarm of its own that is either on or off, rightly or wrongly.",
    "An alarm belongs to each component and is on or off; by itself that proves nothing.",
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return rng.sample(COMPONENTS, rng.randint(5, 7)), {}


def _draw(rng: Random, instance: Instance) -> Draft:
    components = list(instance.entities)
    cascade = _draw_cascade(rng, instance)
    truth = _draw_truth(rng, instance, cascade)

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
        right = rng.random() < 0.85
        truth[instance[name]["alarm"].name] = int(bool(truth[instance[name]["state"].name]) != right)
    return truth


def _setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    words = {
        "components": listed([f"the {name}" for name in instance.entities]),
        "count": len(instance.entities),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_COMPONENTS, _STATES, _CASCADES, _ALARMS))


FAULT = Subdomain("underspecified", FAULT_DOMAIN, _draw_setting, _draw, _setting)
