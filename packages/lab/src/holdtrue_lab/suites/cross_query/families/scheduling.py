"""The subdomain of event scheduling: which event is when, of which the premises tell only a part.

Events have a start and a duration, in whole hours on a timeline that ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import Sum
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import Number, listed
from holdtrue_lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("event_scheduling")
_SHARES = Shares(premises=(3, 5), true=0.45)
_LONGEST = 4  # hours that an event may last
_OPEN_SHARE = 0.3  # of the durations; the setting gives the others
_STATED_SHARE = 0.5  # of the open durations, told by a premise


def _end(event: EntityTerms) -> Sum:
    return event.start + event.duration


def _laws(instance: Instance) -> Sequence[Axiom]:
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


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    events = rng.sample(_WORDS.names["events"], rng.randint(4, 5))
    durations = {event: rng.randint(1, _LONGEST) for event in events if rng.random() >= _OPEN_SHARE}
    return events, {"horizon": rng.randint(9, 12), "durations": durations}


def _draw(rng: Random, instance: Instance) -> Draft:
    """Draw a draft; a duration that the setting leaves open is told by a premise, or not at all."""
    known = instance.context["durations"]
    world: dict[str, int] = {}
    first: list[Constraint] = []
    for event in instance.entities:
        duration = known.get(event) or rng.randint(2, _LONGEST)
        world[f"{event}.duration"] = duration
        world[f"{event}.start"] = rng.randint(0, instance.context["horizon"] - duration)
        if event not in known and rng.random() < _STATED_SHARE:
            first.append(instance.constraint("lasts", [event, duration]))
    return draw_draft(
        rng, instance, world, _SHARES, first=first, worth=lambda made: made.type != "lasts" or made.args[0] not in known
    )


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the events, the timeline, what overlap means, and each duration or its range."""
    sentences = _WORDS.tell(
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
        axioms=_laws,
        setup=lambda instance: (
            f"Hours: 0 to {instance.context['horizon']}",
            *(f"Duration of {name} in hours: {hours}" for name, hours in instance.context["durations"].items()),
        ),
        conventions=(
            "An event with start s and duration d is going on from hour s to its end, hour s + d.",
            "Events overlap when they share some time; one that starts as the other ends does not overlap with it.",
        ),
        constraint_types=_WORDS.kinds(
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
    _draw_setting,
    _draw,
    _setting,
)
