"""The subdomain of event scheduling: which event is when, of which the premises tell only a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import Number, listed
from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.temporal.scheduling_domain import LONGEST, SCHEDULE
from holdtrue.world.instance import Constraint, Instance

EVENTS = (
    "Audit", "Banquet", "Briefing", "Ceremony", "Concert", "Debate", "Demo", "Dinner", "Exam", "Excursion", "Fitting",
    "Hearing", "Inspection", "Interview", "Keynote", "Lecture", "Maintenance", "Migration", "Orientation", "Panel",
    "Parade", "Photoshoot", "Quiz", "Reception", "Rehearsal", "Retrospective", "Screening", "Seminar", "Toast", "Tour",
    "Tutorial", "Workshop",
)  # fmt: skip
_OPEN_SHARE = 0.3  # of the durations; the setting gives the others
_STATED_SHARE = 0.5  # of the open durations, told by a premise

_SHARES = Shares(
    premise_weights={
        "before": 5, "meets": 3, "overlap": 2, "no_overlap": 2, "gap": 3, "starts_with": 1, "starts_at": 3,
        "starts_from": 1, "ends_by": 2,
    },
    statement_weights={
        "before": 5, "meets": 2, "overlap": 5, "no_overlap": 2, "gap": 3, "starts_earlier": 3, "starts_with": 2,
        "starts_at": 4, "starts_from": 2, "ends_by": 2, "lasts": 1,
    },
    premises=(3, 5),
    true=0.45,
)  # fmt: skip
_OPENINGS = (
    "The plan of a day has {count} events: {names}.",
    "There are {count} events to plan: {names}.",
    "A programme is made up of {count} events, {names}.",
)
_TIMELINES = (
    "Time is counted in hours from 0 to {horizon}; every event starts at a whole hour, lasts a whole number of hours, "
    "and is over by hour {horizon}.",
    "All events take place between hour 0 and hour {horizon}: each starts at a whole hour, lasts a whole number of "
    "hours, and ends at hour {horizon} at the latest.",
)
_ENDINGS = (
    "An event that starts at hour 3 and lasts 2 hours ends at hour 5 and is over from then on.",
    "For example, an event of 2 hours that starts at hour 3 ends at hour 5, and from that hour on it is over.",
)
_OVERLAPS = (
    "Events may overlap, which means that they share some time; an event that starts just when another ends does not "
    "overlap with it.",
    "Several events may go on at once; they overlap when they share some time, and do not overlap when one ends just "
    "as the other starts.",
)


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
        if event not in known and rng.random() < _STATED_SHARE:
            first.append(instance.constraint("lasts", [event, duration]))
    return draw_draft(
        rng, instance, world, _SHARES, first=first, worth=lambda made: made.type != "lasts" or made.args[0] not in known
    )


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the events, the timeline, what overlap means, and each duration or its range."""
    horizon, known = instance.context["horizon"], instance.context["durations"]
    count = Number(len(instance.entities), spelled=True)
    names = listed(instance.entities)
    durations = [f"{name} lasts {Number(hours):hour}" for name, hours in known.items()]
    open_ones = [name for name in instance.entities if name not in known]
    longest = instance.attributes["duration"].sort.high
    sentences = [
        rng.choice(_OPENINGS).format(count=count, names=names),
        rng.choice(_TIMELINES).format(horizon=horizon),
        rng.choice(_ENDINGS),
        rng.choice(_OVERLAPS),
    ]
    if durations:
        sentences.append(f"{listed(durations)}.")
    if open_ones:
        each = " each last" if len(open_ones) > 1 else " lasts"
        sentences.append(f"{listed(open_ones)}{each} at least 1 hour and at most {longest} hours.")
    return sentences


SCHEDULING = Subdomain("temporal", SCHEDULE, _draw_setting, _draw, _setting)
