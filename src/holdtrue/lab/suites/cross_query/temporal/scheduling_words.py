"""The English of cases about schedules: sentences for the setting, and phrasings of each constraint type.

Every phrasing has exactly one meaning: it speaks of starts and ends, never of an event as a point; 'when' and 'by'
include the hour that they name; an event has ended at its end, so that 'until it has ended' includes that hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.lab.kit.words import Number, listed
from holdtrue.world.instance import Instance

PHRASINGS: dict[str, tuple[str, ...]] = {
    "before": (
        "{0} is over by the time {1} starts",
        "{1} does not start until {0} has ended",
        "{0} ends before {1} starts or at the very hour at which {1} starts",
        "by the start of {1}, {0} has come to its end",
        "the start of {1} is no earlier than the end of {0}",
        "the hour at which {0} ends is not later than the hour at which {1} starts",
    ),
    "meets": (
        "{1} starts at the very hour at which {0} ends",
        "the end of {0} and the start of {1} fall on the same hour",
        "the hour at which {0} ends is the hour at which {1} begins",
        "{0} comes to its end exactly at the start of {1}",
        "{1} begins just as {0} ends, with neither overlap nor waiting time",
    ),
    "overlap": (
        "{0} and {1} overlap",
        "there is some overlap between {0} and {1}",
        "{0} is going on during some of the time that {1} takes",
        "at some time {0} and {1} are both going on",
        "there is a time at which neither of {0} and {1} is over and both have started",
    ),
    "no_overlap": (
        "{0} and {1} do not overlap",
        "there is no overlap between {0} and {1}",
        "at no time are {0} and {1} both going on",
        "one of {0} and {1} is over by the time the other starts",
        "{0} and {1} have no time in common",
    ),
    "gap": (
        "{1} starts {2} hours or more after the end of {0}",
        "at least {2} hours pass after the end of {0} before {1} starts",
        "{0} is over at least {2} hours before {1} starts",
        "when {1} starts, it is at least {2} hours since {0} ended",
        "once {0} has ended, it takes {2} or more hours until {1} starts",
    ),
    "starts_earlier": (
        "{0} starts earlier than {1} does",
        "the start of {0} comes before the start of {1}",
        "{1} starts later than {0} starts",
        "the hour at which {1} starts is later than the hour at which {0} starts",
        "{0} starts before {1} starts",
    ),
    "starts_with": (
        "{0} and {1} start at the same hour",
        "the start of {0} falls on the same hour as the start of {1}",
        "at one and the same hour, {0} and {1} start",
        "{0} starts exactly when {1} starts",
        "the starts of {0} and {1} coincide",
    ),
    "starts_at": (
        "{0} starts at hour {1}",
        "the start of {0} is at hour {1}",
        "hour {1} is the hour at which {0} starts",
        "{0} begins at hour {1}, neither earlier nor later",
        "it is hour {1} when {0} starts",
    ),
    "starts_from": (
        "{0} starts at hour {1} or later",
        "{0} does not start before hour {1}",
        "the start of {0} is no earlier than hour {1}",
        "{0} begins at hour {1} at the earliest",
        "before hour {1}, {0} has not started",
    ),
    "ends_by": (
        "{0} is over by hour {1}",
        "{0} ends at hour {1} or earlier",
        "the end of {0} is no later than hour {1}",
        "{0} comes to its end at hour {1} at the latest",
        "{0} does not go on after hour {1}",
    ),
    "lasts": (
        "{0} lasts exactly {1} hours",
        "the duration of {0} is {1} hours",
        "from start to end, {0} takes {1} hours",
        "{0} ends {1} hours after its start",
        "{0} goes on for {1} hours, no more and no less",
    ),
}

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


def tell_setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the events, the timeline, what overlap means, and each duration or its range."""
    horizon, known = instance.context["horizon"], instance.context["durations"]
    count = Number(len(instance.entities), spelled=True)
    names = listed(instance.entities)
    told = [f"{name} lasts {Number(hours):hour}" for name, hours in known.items()]
    open_ones = [name for name in instance.entities if name not in known]
    longest = instance.attributes["duration"].sort.high
    sentences = [
        rng.choice(_OPENINGS).format(count=count, names=names),
        rng.choice(_TIMELINES).format(horizon=horizon),
        rng.choice(_ENDINGS),
        rng.choice(_OVERLAPS),
    ]
    if told:
        sentences.append(f"{listed(told)}.")
    if open_ones:
        each = " each last" if len(open_ones) > 1 else " lasts"
        sentences.append(f"{listed(open_ones)}{each} at least 1 hour and at most {longest} hours.")
    return sentences
