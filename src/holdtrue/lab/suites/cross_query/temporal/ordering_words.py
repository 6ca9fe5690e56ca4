"""The English of cases about an order of things: sentences for the setting, and phrasings of each constraint type.

Every phrasing has exactly one meaning: 'before' and 'after' leave room for others in between, a phrasing that means the
next place says so, and one about neighbours says that they may be in either order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.lab.kit.words import Number, capitalized, listed
from holdtrue.world.instance import Instance

PHRASINGS: dict[str, tuple[str, ...]] = {
    "before": (
        "{0} comes somewhere before {1}",
        "{1} comes somewhere after {0}",
        "{0} has a lower position number than {1}",
        "the position number of {1} is higher than that of {0}",
        "{0} is earlier in the order than {1}",
        "{1} is later in the order than {0}",
    ),
    "just_before": (
        "{0} comes immediately before {1}",
        "{1} comes immediately after {0}",
        "{1} takes the position right after that of {0}",
        "{0} comes before {1} with nothing in between",
        "the position number of {1} is exactly one higher than that of {0}",
        "the one that directly follows {0} is {1}",
    ),
    "adjacent": (
        "{0} and {1} are at neighbouring positions, in either order",
        "{0} comes immediately before or immediately after {1}",
        "nothing comes between {0} and {1}, whichever of them is earlier",
        "{0} and {1} are directly next to each other in the order",
        "the position numbers of {0} and {1} differ by exactly one",
    ),
    "not_adjacent": (
        "{0} and {1} are not at neighbouring positions",
        "{0} comes neither immediately before nor immediately after {1}",
        "something comes between {0} and {1}, whichever of them is earlier",
        "{0} and {1} are not directly next to each other in the order",
        "the position numbers of {0} and {1} differ by more than one",
    ),
    "between": (
        "{0} comes somewhere between {1} and {2}",
        "{0} comes after one of {1} and {2} and before the other",
        "the position of {0} is between the positions of {1} and {2}",
        "one of {1} and {2} is earlier than {0} and the other is later",
        "somewhere between {1} and {2}, in whichever order these are, comes {0}",
    ),
    "first": (
        "{0} comes first",
        "{0} comes before all the others",
        "{0} opens the order",
        "the first in the order is {0}",
        "nothing comes before {0}",
    ),
    "last": (
        "{0} comes last",
        "{0} comes after all the others",
        "{0} closes the order",
        "the last in the order is {0}",
        "nothing comes after {0}",
    ),
    "at_position": (
        "{0} has position {1}",
        "position {1} belongs to {0}",
        "the position of {0} is number {1}",
        "the one at position {1} is {0}",
        "{0} takes position {1} in the order",
    ),
    "not_at_position": (
        "{0} does not have position {1}",
        "position {1} does not belong to {0}",
        "the position of {0} is not number {1}",
        "the one at position {1} is not {0}",
        "{0} takes another position than {1}",
    ),
    "among_first": (
        "{0} is among the first {1} in the order",
        "{0} has position {1} or one with a lower number",
        "the position number of {0} is {1} or lower",
        "{0} comes at position {1} at the latest",
        "the first {1} in the order include {0}",
    ),
}

_OPENINGS: Mapping[str, tuple[str, ...]] = {
    "talks": (
        "{count} people give one talk each, one after the other: {names}.",
        "At a meeting {count} speakers take turns, each of them once: {names}.",
    ),
    "tasks": (
        "{count} tasks are run one after the other, each of them once: {names}.",
        "A pipeline runs {count} tasks in some order, each of them once: {names}.",
    ),
    "stops": (
        "A train calls at {count} stations, at each of them once: {names}.",
        "A tour has {count} stops, and comes to each of them once: {names}.",
    ),
    "things": ("{count} things stand in one order: {names}.",),
}
_POSITIONS = (
    "Their positions in the order are numbered from 1, the first, to {last}, the last, and no two of them share one.",
    "Each of them has a position of its own in this order, from 1 for the first to {last} for the last.",
)
_MEANINGS = (
    "Whatever has a lower position number comes before whatever has a higher one, with or without others in between.",
    "To come before another means to have a lower position number than it, with or without others in between.",
)


def tell_setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell which things are in the order and what its positions mean.

    The names are listed in a random order, and a sentence says that this order means nothing.
    """
    names = list(instance.entities)
    rng.shuffle(names)
    count = Number(len(names), spelled=True)
    opening = rng.choice(_OPENINGS[instance.context["kind"]]).format(count=count, names=listed(names))
    return [
        capitalized(opening),
        "The order in which they are listed here says nothing.",
        rng.choice(_POSITIONS).format(last=len(names)),
        rng.choice(_MEANINGS),
    ]
