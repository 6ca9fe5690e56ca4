"""Event scheduling: formulas are compared with sets of hours, and the setting's text with the laws."""

from __future__ import annotations

from random import Random

from holdtrue.world.instance import Instance
from holdtrue_lab.suites.cross_query.families.temporal import SCHEDULING
from tests.lab.suites.cross_query.judged import Judge, World, disagreements, draw_values

PLAN = SCHEDULING.declaration.instance(["Audit", "Demo", "Panel"], {"horizon": 7, "durations": {"Audit": 1, "Demo": 3}})


def hours(world: World, event: str) -> set[int]:
    """Return the hours of an event, each by its beginning."""
    start = world[f"{event}.start"]
    return {start + passed for passed in range(world[f"{event}.duration"])}


def _gap(instance: Instance, world: World, first: str, second: str, least: int) -> bool:
    return min(hours(world, second)) - (max(hours(world, first)) + 1) >= least


JUDGES: dict[str, Judge] = {
    "before": lambda w, world, a, b: max(hours(world, a)) < min(hours(world, b)),
    "meets": lambda w, world, a, b: max(hours(world, a)) + 1 == min(hours(world, b)),
    "overlap": lambda w, world, a, b: bool(hours(world, a) & hours(world, b)),
    "no_overlap": lambda w, world, a, b: hours(world, a).isdisjoint(hours(world, b)),
    "gap": _gap,
    "starts_earlier": lambda w, world, a, b: min(hours(world, a)) < min(hours(world, b)),
    "starts_with": lambda w, world, a, b: min(hours(world, a)) == min(hours(world, b)),
    "starts_at": lambda w, world, a, hour: min(hours(world, a)) == hour,
    "starts_from": lambda w, world, a, hour: not any(before in hours(world, a) for before in range(hour)),
    "ends_by": lambda w, world, a, hour: hours(world, a) <= set(range(hour)),
    "lasts": lambda w, world, a, length: len(hours(world, a)) == length,
}


def test_formulas_say_what_sets_of_hours_say() -> None:
    rng = Random(1)
    assert set(JUDGES) == set(PLAN.types)
    wrong, seen = disagreements(rng, PLAN, JUDGES, (draw_values(rng, PLAN) for _ in range(400)))
    assert wrong == []
    assert seen == {(kind, truth) for kind in JUDGES for truth in (True, False)}


def test_laws_keep_events_inside_the_day_and_known_durations_as_they_are() -> None:
    rng = Random(2)
    lawful = 0
    for _ in range(600):
        world = draw_values(rng, PLAN) | {"Audit.duration": rng.randint(1, 2), "Demo.duration": rng.randint(2, 3)}
        inside = all(hours(world, event) <= set(range(7)) for event in PLAN.entities)
        only_audit_known = len(hours(world, "Audit")) == 1 and len(hours(world, "Demo")) == 3
        assert all(law.holds(world) for law in PLAN.background) == (inside and only_audit_known)
        lawful += inside and only_audit_known
    assert 0 < lawful < 600
