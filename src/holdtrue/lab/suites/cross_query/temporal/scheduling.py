"""The subdomain of event scheduling: which event is when, of which the premises tell only a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.temporal.scheduling_domain import LONGEST, SCHEDULE
from holdtrue.lab.suites.cross_query.temporal.scheduling_words import PHRASINGS, tell_setting
from holdtrue.world.instance import Constraint, Instance

EVENTS = (
    "Audit", "Banquet", "Briefing", "Ceremony", "Concert", "Debate", "Demo", "Dinner", "Exam", "Excursion", "Fitting",
    "Hearing", "Inspection", "Interview", "Keynote", "Lecture", "Maintenance", "Migration", "Orientation", "Panel",
    "Parade", "Photoshoot", "Quiz", "Reception", "Rehearsal", "Retrospective", "Screening", "Seminar", "Toast", "Tour",
    "Tutorial", "Workshop",
)  # fmt: skip
_OPEN_SHARE = 0.3  # of the durations; the setting gives the others
_TOLD_SHARE = 0.5  # of the open durations, told by a premise

_SHARES = Shares(
    told={"before": 5, "meets": 3, "overlap": 2, "no_overlap": 2, "gap": 3, "starts_with": 1, "starts_at": 3,
          "starts_from": 1, "ends_by": 2},
    asked={"before": 5, "meets": 2, "overlap": 5, "no_overlap": 2, "gap": 3, "starts_earlier": 3, "starts_with": 2,
           "starts_at": 4, "starts_from": 2, "ends_by": 2, "lasts": 1},
    premises=(3, 5),
    true=0.45,
)  # fmt: skip


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    events = rng.sample(EVENTS, rng.randint(4, 5))
    durations = {event: rng.randint(1, LONGEST) for event in events if rng.random() >= _OPEN_SHARE}
    return events, {"horizon": rng.randint(9, 12), "durations": durations}


def _draw(rng: Random, instance: Instance) -> Draft:
    """Draw a draft; a duration that the setting leaves open is told by a premise, or not at all."""
    known = instance.context["durations"]
    world: dict[str, int] = {}
    first: list[Constraint] = []
    for event in instance.entities:
        duration = known.get(event) or rng.randint(2, LONGEST)
        world[f"{event}.duration"] = duration
        world[f"{event}.start"] = rng.randint(0, instance.context["horizon"] - duration)
        if event not in known and rng.random() < _TOLD_SHARE:
            first.append(instance.constraint("lasts", [event, duration]))
    return draw_draft(
        rng, instance, world, _SHARES, first=first, worth=lambda made: made.type != "lasts" or made.args[0] not in known
    )


SCHEDULING = Subdomain(
    name="event_scheduling",
    domain="temporal",
    logic_type="linear_arithmetic",
    declaration=SCHEDULE,
    draw_setting=_draw_setting,
    draw=_draw,
    setting=tell_setting,
    phrasings=PHRASINGS,
    query_types={
        "before": "order",
        "meets": "order",
        "starts_earlier": "order",
        "overlap": "overlap",
        "no_overlap": "overlap",
        "gap": "gap",
        "starts_with": "same_start",
        "starts_at": "start",
        "starts_from": "start",
        "ends_by": "end",
        "lasts": "duration",
    },
)
