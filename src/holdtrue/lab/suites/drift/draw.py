"""The random choices behind a DRIFT-Bench problem: its setting, and one constraint at a time.

As in the published data, all types of constraints that a problem has are equally likely, and so are all values of each
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import DEFAULT_CATEGORIES

DOMAINS = ("logic_grid", "scheduling", "seating")

PEOPLE = (
    "Alice", "Bob", "Charlie", "Diana", "Eve", "Frank", "Grace", "Henry", "Ivy", "Jack",
    "Karen", "Liam", "Mia", "Noah", "Olivia", "Peter", "Quinn", "Ruby", "Sam", "Tina",
)  # fmt: skip
EVENTS = (
    "Deploy", "Design", "Docs", "Meeting", "Planning", "QA", "Refactor", "Review", "Sync", "Testing",
)  # fmt: skip
HOLDERS = ("Avery", "Blake", "Casey", "Drew", "Emery", "Finley", "Hayden", "Jordan")

LONGEST_EVENT = 3
LONGEST_GAP = 2
RECTANGULAR_SHARE = 0.25

Args = list[str | int]


def draw_setting(rng: Random, domain: str) -> tuple[list[str], dict[str, Any]]:
    """Draw the entities of a problem in one of `DOMAINS`, and its context: the sizes and tables that the domain needs.

    Seating has a number of seats and a shape of the table, scheduling a number of slots and the longest duration, a
    logic grid its categories with their values. Raises `DomainError` for another domain.
    """
    match domain:
        case "seating":
            seats = rng.randint(6, 8)
            rectangular = seats % 2 == 0 and rng.random() < RECTANGULAR_SHARE
            shape = "rectangular" if rectangular else "round"
            return rng.sample(PEOPLE, seats), {"num_entities": seats, "table_shape": shape}
        case "scheduling":
            events = rng.randint(5, 7)
            slots = events + rng.randint(2, 4)
            return rng.sample(EVENTS, events), {"num_slots": slots, "max_duration": LONGEST_EVENT}
        case "logic_grid":
            categories = {name: list(values) for name, values in DEFAULT_CATEGORIES.items()}
            return rng.sample(HOLDERS, 4), {"categories": categories}
    raise DomainError(f"no problems are made for the domain {domain!r}; there are {', '.join(DOMAINS)}")


def draw_constraint(rng: Random, instance: Instance) -> Constraint:
    """Draw one constraint of a random type that the instance has, with random arguments.

    Nothing here asks whether it can hold; the caller drops what cannot. In particular `same_as` can never hold, since
    no two entities of a logic grid share a value, so it is drawn and always dropped, as in the published data.
    """
    kind = rng.choice(sorted(instance.types))
    return instance.constraint(kind, _ARGUMENTS[kind](rng, instance))


def _pair(rng: Random, instance: Instance) -> Args:
    return [*rng.sample(instance.entities, 2)]


def _seat(rng: Random, instance: Instance) -> Args:
    return [rng.choice(instance.entities), rng.randint(1, instance.context["num_entities"])]


def _separation(rng: Random, instance: Instance) -> Args:
    # More seats than these cannot lie between two people on the shorter way around the table.
    most = instance.context["num_entities"] // 2 - 1
    return [*_pair(rng, instance), rng.randint(1, most)]


def _slot(rng: Random, instance: Instance) -> Args:
    return [rng.choice(instance.entities), rng.randint(1, instance.context["num_slots"])]


def _window(rng: Random, instance: Instance) -> Args:
    event, first = _slot(rng, instance)
    last = rng.randint(1, instance.context["num_slots"])
    return [event, *sorted((int(first), last))]


def _length(rng: Random, instance: Instance) -> Args:
    return [rng.choice(instance.entities), rng.randint(1, LONGEST_EVENT)]


def _gap(rng: Random, instance: Instance) -> Args:
    return [*_pair(rng, instance), rng.randint(0, LONGEST_GAP)]


def _value(rng: Random, instance: Instance) -> Args:
    category = rng.choice(list(instance.attributes))
    return [rng.choice(instance.entities), category, rng.choice(instance.context["categories"][category])]


def _pair_and_category(rng: Random, instance: Instance) -> Args:
    return [*_pair(rng, instance), rng.choice(list(instance.attributes))]


_ARGUMENTS: Mapping[str, Callable[[Random, Instance], Args]] = {
    "adjacent": _pair,
    "not_adjacent": _pair,
    "at_position": _seat,
    "left_of": _pair,
    "separated_by": _separation,
    "same_side": _pair,
    "opposite_side": _pair,
    "before": _pair,
    "at_time": _slot,
    "not_simultaneous": _pair,
    "within": _window,
    "duration": _length,
    "gap": _gap,
    "assign": _value,
    "not_assign": _value,
    "same_as": _pair_and_category,
    "different": _pair_and_category,
    "ordered": _pair_and_category,
}
