"""The subdomain of pure ordering: what comes before what, and what is next to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import Number, capitalized, listed
from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.temporal.ordering_domain import ORDER
from holdtrue.world.instance import Instance

KINDS: Mapping[str, tuple[str, ...]] = {
    "talks": (
        "Akira", "Beatriz", "Chidi", "Dagny", "Emre", "Farah", "Goran", "Hana", "Ilse", "Jorge", "Kofi", "Leila",
        "Maren", "Niko", "Oona", "Pavel", "Qadir", "Rosa", "Soren", "Tamar",
    ),
    "tasks": (
        "Backup", "Build", "Cleanup", "Deployment", "Export", "Import", "Indexing", "Linting", "Migration", "Packaging",
        "Profiling", "Release", "Rollback", "Sampling", "Signing", "Sorting", "Testing", "Training", "Upload",
        "Validation",
    ),
    "stops": (
        "Ashford", "Brampton", "Colby", "Denham", "Elmswell", "Fairlop", "Grantham", "Hexham", "Ilford", "Jarrow",
        "Kelso", "Ludlow", "Morpeth", "Newark", "Oakham", "Penrith", "Reedham", "Selby", "Thirsk", "Whitby",
    ),
}  # fmt: skip

_SHARES = Shares(
    premise_weights={
        "before": 5, "just_before": 3, "adjacent": 2, "not_adjacent": 2, "between": 2, "first": 1, "last": 1,
        "at_position": 1, "not_at_position": 1, "among_first": 1,
    },
    statement_weights={
        "before": 6, "just_before": 3, "adjacent": 3, "not_adjacent": 2, "between": 3, "first": 2, "last": 2,
        "at_position": 3, "not_at_position": 1, "among_first": 2,
    },
    premises=(4, 5),
    true=0.4,
)  # fmt: skip
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


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    kind = rng.choice(list(KINDS))
    return rng.sample(KINDS[kind], rng.randint(5, 6)), {"kind": kind}


def _draw(rng: Random, instance: Instance) -> Draft:
    row = rng.sample(instance.entities, len(instance.entities))
    world = {f"{name}.position": place for place, name in enumerate(row, start=1)}
    return draw_draft(rng, instance, world, _SHARES)


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
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


ORDERING = Subdomain("temporal", ORDER, _draw_setting, _draw, _setting)
