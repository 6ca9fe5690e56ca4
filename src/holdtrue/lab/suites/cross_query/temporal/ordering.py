"""The subdomain of pure ordering: what comes before what, and what is next to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.temporal.ordering_domain import ORDER
from holdtrue.lab.suites.cross_query.temporal.ordering_words import PHRASINGS, tell_setting
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
    told={"before": 5, "just_before": 3, "adjacent": 2, "not_adjacent": 2, "between": 2, "first": 1, "last": 1,
          "at_position": 1, "not_at_position": 1, "among_first": 1},
    asked={"before": 6, "just_before": 3, "adjacent": 3, "not_adjacent": 2, "between": 3, "first": 2, "last": 2,
           "at_position": 3, "not_at_position": 1, "among_first": 2},
    premises=(4, 5),
    true=0.4,
)  # fmt: skip


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    kind = rng.choice(list(KINDS))
    return rng.sample(KINDS[kind], rng.randint(5, 6)), {"kind": kind}


def _draw(rng: Random, instance: Instance) -> Draft:
    row = rng.sample(instance.entities, len(instance.entities))
    world = {f"{name}.position": place for place, name in enumerate(row, start=1)}
    return draw_draft(rng, instance, world, _SHARES)


ORDERING = Subdomain(
    name="ordering",
    domain="temporal",
    logic_type="linear_arithmetic",
    declaration=ORDER,
    draw_setting=_draw_setting,
    draw=_draw,
    setting=tell_setting,
    phrasings=PHRASINGS,
    query_types={
        "before": "order",
        "just_before": "adj",
        "adjacent": "adj",
        "not_adjacent": "adj",
        "between": "between",
        "first": "pos",
        "last": "pos",
        "at_position": "pos",
        "not_at_position": "pos",
        "among_first": "pos",
    },
)
