"""This module defines the temporal subdomains: schedules of events, and orders of things.

In `event_scheduling`, events have a start and a duration, in whole hours on a bounded timeline. In `ordering`, premises
tell which things are before or next to others in a row of positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import Formula, Sum
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import Number, capitalized, listed
from holdtrue_lab.suites.cross_query.drafts import Shares, draw_by_shares
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain, Words

_EVENTS = Words("event_scheduling")
_SHARES_OF_EVENTS = Shares(premises=(3, 5), true=0.45)
_LONGEST = 4  # the longest duration in hours
_OPEN_SHARE = 0.3  # the share of durations that the setting leaves open
_STATED_SHARE = 0.5  # the share of open durations that a premise states


def _end(event: EntityTerms) -> Sum:
    return event.start + event.duration


def _timeline(instance: Instance) -> Sequence[Axiom]:
    horizon, known = instance.context["horizon"], instance.context["durations"]
    fits = [
        Axiom(f"fits_{name}", f"{name} is over by hour {horizon}", _end(instance[name]) <= horizon)
        for name in instance.entities
    ]
    lasts = [
        Axiom(f"duration_{name}", f"the duration of {name} in hours is {hours}", instance[name].duration.eq(hours))
        for name, hours in known.items()
    ]
    return [*fits, *lasts]


def _draw_events(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    events = rng.sample(_EVENTS.names["events"], rng.randint(4, 5))
    durations = {event: rng.randint(1, _LONGEST) for event in events if rng.random() >= _OPEN_SHARE}
    return events, {"horizon": rng.randint(9, 12), "durations": durations}


def _draw_schedule(rng: Random, instance: Instance) -> Draft:
    """Draw a draft; a premise may state a duration that the setting leaves open."""
    known = instance.context["durations"]
    world: dict[str, int] = {}
    first: list[Constraint] = []
    for event in instance.entities:
        duration = known.get(event) or rng.randint(2, _LONGEST)
        world[f"{event}.duration"] = duration
        world[f"{event}.start"] = rng.randint(0, instance.context["horizon"] - duration)
        if event not in known and rng.random() < _STATED_SHARE:
            first.append(instance.constraint("lasts", [event, duration]))
    return draw_by_shares(
        rng,
        instance,
        world,
        _SHARES_OF_EVENTS,
        first=first,
        worth=lambda made: made.type != "lasts" or made.args[0] not in known,
    )


def _tell_events(rng: Random, instance: Instance) -> Sequence[str]:
    """Return sentences about the events, the timeline, the meaning of overlap, and each duration or its range."""
    sentences = _EVENTS.tell(
        rng,
        count=Number(len(instance.entities), spelled=True),
        names=listed(instance.entities),
        horizon=instance.context["horizon"],
    )
    known = instance.context["durations"]
    if known:
        sentences.append(f"{listed([f'{name} lasts {Number(hours):hour}' for name, hours in known.items()])}.")
    open_ones = [name for name in instance.entities if name not in known]
    if open_ones:
        each = " each last" if len(open_ones) > 1 else " lasts"
        sentences.append(f"{listed(open_ones)}{each} at least 1 hour and at most {_LONGEST} hours.")
    return sentences


SCHEDULING = Subdomain(
    "temporal",
    Domain(
        name="event_scheduling",
        attributes=lambda context: [
            Attribute("start", low=0, high=context["horizon"] - 1),
            Attribute("duration", low=1, high=_LONGEST),
        ],
        axioms=_timeline,
        setup=lambda instance: (
            f"Hours: 0 to {instance.context['horizon']}",
            *(f"Duration of {name} in hours: {hours}" for name, hours in instance.context["durations"].items()),
        ),
        conventions=(
            "An event with start s and duration d is going on from hour s to its end, hour s + d.",
            "Events overlap when they share some time; one that starts as the other ends does not overlap with it.",
        ),
        constraint_types=_EVENTS.kinds(
            {
                "before": lambda w, a, b: _end(a) <= b.start,
                "meets": lambda w, a, b: _end(a).eq(b.start),
                "overlap": lambda w, a, b: (a.start < _end(b)) & (b.start < _end(a)),
                "no_overlap": lambda w, a, b: (_end(a) <= b.start) | (_end(b) <= a.start),
                "gap": lambda w, a, b, hours: _end(a) + hours <= b.start,
                "starts_earlier": lambda w, a, b: a.start < b.start,
                "starts_with": lambda w, a, b: a.start.eq(b.start),
                "starts_at": lambda w, a, hour: a.start.eq(hour),
                "starts_from": lambda w, a, hour: a.start >= hour,
                "ends_by": lambda w, a, hour: _end(a) <= hour,
                "lasts": lambda w, a, hours: a.duration.eq(hours),
            }
        ),
    ),
    _draw_events,
    _draw_schedule,
    _tell_events,
)


_ORDER = Words("ordering")
_SHARES_OF_ORDER = Shares(premises=(4, 5), true=0.4)


def _between(instance: Instance, middle: EntityTerms, a: EntityTerms, b: EntityTerms) -> Formula:
    up = (a.position < middle.position) & (middle.position < b.position)
    down = (b.position < middle.position) & (middle.position < a.position)
    return up | down


def _draw_things(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    kind = rng.choice(list(_ORDER.names))
    return rng.sample(_ORDER.names[kind], rng.randint(5, 6)), {"kind": kind}


def _draw_order(rng: Random, instance: Instance) -> Draft:
    row = rng.sample(instance.entities, len(instance.entities))
    world = {f"{name}.position": place for place, name in enumerate(row, start=1)}
    return draw_by_shares(rng, instance, world, _SHARES_OF_ORDER)


def _tell_order(rng: Random, instance: Instance) -> Sequence[str]:
    """Return sentences about the ordered things and the meaning of positions.

    The names are listed in a random order, and a sentence says that this order means nothing.
    """
    names = list(instance.entities)
    rng.shuffle(names)
    opening, positions, meanings = _ORDER.tell(
        rng,
        *(instance.context["kind"], "positions", "meanings"),
        count=Number(len(names), spelled=True),
        names=listed(names),
        last=len(names),
    )
    return [capitalized(opening), "The order in which they are listed here says nothing.", positions, meanings]


ORDERING = Subdomain(
    "temporal",
    Domain(
        name="ordering",
        context=lambda entities, given: {"kind": given.get("kind", "things"), "count": len(entities)},
        attributes=lambda context: [Attribute("position", low=1, high=context["count"], distinct=True)],
        setup=lambda instance: (f"Positions: 1 to {len(instance.entities)}, one for each",),
        conventions=("Position 1 is the first of all, and a lower position is before a higher one.",),
        constraint_types=_ORDER.kinds(
            {
                "before": lambda w, a, b: a.position < b.position,
                "just_before": lambda w, a, b: (a.position + 1).eq(b.position),
                "adjacent": lambda w, a, b: abs(a.position - b.position).eq(1),
                "not_adjacent": lambda w, a, b: abs(a.position - b.position) >= 2,
                "between": _between,
                "first": lambda w, a: a.position.eq(1),
                "last": lambda w, a: a.position.eq(len(w.entities)),
                "at_position": lambda w, a, position: a.position.eq(position),
                "not_at_position": lambda w, a, position: a.position.ne(position),
                "among_first": lambda w, a, position: a.position <= position,
            }
        ),
    ),
    _draw_things,
    _draw_order,
    _tell_order,
)
