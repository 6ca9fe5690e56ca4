"""The English of cases about fault finding: sentences for the setting, and phrasings of each constraint type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from holdtrue.lab.kit.words import listed
from holdtrue.world.instance import Instance

COMPONENTS = (
    "pump", "valve", "turbine", "compressor", "boiler", "conveyor", "mixer", "furnace", "chiller", "router",
    "switchboard", "battery", "inverter", "fan", "filter", "heater", "controller", "gearbox", "clutch", "generator",
    "antenna", "gyroscope", "thruster", "camera", "modem", "database", "gateway", "scheduler", "scanner", "crane",
    "winch", "rudder", "hopper", "press", "lathe", "grinder", "sorter", "labeller", "burner", "condenser",
)  # fmt: skip
PHRASINGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "depends": (
            "the {0} works only if the {1} works",
            "the {0} depends on the {1}",
            "if the {1} is faulty, then so is the {0}",
            "the {0} does not work unless the {1} does",
            "a fault of the {1} makes the {0} faulty as well",
        ),
        "backed": (
            "the {0} works only if the {1} or the {2} works",
            "if the {1} and the {2} are both faulty, then so is the {0}",
            "the {0} does not work unless at least one of the {1} and the {2} does",
            "the {0} depends on having at least one of the {1} and the {2} in working order",
        ),
        "no_false_alarm": (
            "the alarm of the {0} is on only if the {0} is faulty",
            "as long as the {0} works, its alarm is off",
            "the alarm of the {0} is never on while the {0} works",
            "if the alarm of the {0} is on, then the {0} is faulty",
        ),
        "no_missed_fault": (
            "if the {0} is faulty, then its alarm is on",
            "the alarm of the {0} is off only if the {0} works",
            "the alarm of the {0} is never off while the {0} is faulty",
            "if the alarm of the {0} is off, then the {0} works",
        ),
        "alarm_on": (
            "the alarm of the {0} is on",
            "the {0} has its alarm on",
            "the {0} is a component whose alarm is on",
            "the alarm that belongs to the {0} is on",
        ),
        "alarm_off": (
            "the alarm of the {0} is off",
            "the {0} has its alarm off",
            "the {0} is a component whose alarm is off",
            "the alarm that belongs to the {0} is off",
        ),
        "works": (
            "the {0} works",
            "the {0} is not faulty",
            "the {0} is one of the components that work",
            "the {0} is in working order",
            "one of the working components is the {0}",
        ),
        "is_faulty": (
            "the {0} is faulty",
            "the {0} does not work",
            "the {0} is one of the faulty components",
            "there is a fault in the {0}",
            "one of the faulty components is the {0}",
        ),
        "both_work": (
            "the {0} and the {1} both work",
            "neither the {0} nor the {1} is faulty",
            "both the {0} and the {1} work",
            "the {0} works and so does the {1}",
        ),
        "some_faulty": (
            "the {0} or the {1} is faulty, or both are",
            "at least one of the {0} and the {1} is faulty",
            "the {0} and the {1} do not both work",
            "it is not the case that the {0} and the {1} both work",
        ),
        "at_most_faulty": (
            "the number of faulty components is at most {0}",
            "the number of faulty components does not exceed {0}",
            "the count of faulty components is {0} or less",
            "the number of components that do not work is no greater than {0}",
        ),
        "at_least_faulty": (
            "the number of faulty components is at least {0}",
            "the number of faulty components is not below {0}",
            "the count of faulty components is {0} or more",
            "the number of components that do not work is no less than {0}",
        ),
    }
)
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


def tell_setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    words = {
        "components": listed([f"the {name}" for name in instance.entities]),
        "count": len(instance.entities),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_COMPONENTS, _STATES, _CASCADES, _ALARMS))
