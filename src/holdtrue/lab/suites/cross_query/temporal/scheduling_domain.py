"""The `Domain` of event scheduling: events have a start and a duration, in whole hours on a timeline that ends.

Every phrasing has exactly one meaning: it speaks of starts and ends, never of an event as a point; 'when' and 'by'
include the hour that they name; an event has ended at its end, so that 'until it has ended' includes that hour.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import Formula, Sum
from holdtrue.world.domain import Attribute, Axiom, Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance

LONGEST = 4  # hours that an event may last

_EARLIER = Cue("before|precedes?|preceding|earlier|ahead|prior|sooner|by the time|leads? into")
_LATER = Cue("after|later|follow(?:s|ing)?|behind|until|till|once|as soon as", swap=True)


def _end(event: EntityTerms) -> Sum:
    return event.start + event.duration


def _overlap(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return (a.start < _end(b)) & (b.start < _end(a))


def _apart(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return (_end(a) <= b.start) | (_end(b) <= a.start)


def _horizon(instance: Instance) -> int:
    horizon: int = instance.context["horizon"]
    return horizon


def _laws(instance: Instance) -> Sequence[Axiom]:
    horizon, known = _horizon(instance), instance.context["durations"]
    return [
        *(
            Axiom(f"fits_{name}", f"{name} is over by hour {horizon}", _end(instance[name]) <= horizon)
            for name in instance.entities
        ),
        *(
            Axiom(f"duration_{name}", f"the duration of {name} in hours is {hours}", instance[name].duration.eq(hours))
            for name, hours in known.items()
        ),
    ]


SCHEDULE = Domain(
    name="event_scheduling",
    attributes=lambda context: [
        Attribute("start", low=0, high=context["horizon"] - 1),
        Attribute("duration", low=1, high=LONGEST),
    ],
    axioms=_laws,
    setup=lambda instance: (
        f"Hours: 0 to {_horizon(instance)}",
        *(f"Duration of {name} in hours: {hours}" for name, hours in instance.context["durations"].items()),
    ),
    conventions=(
        "An event with start s and duration d is going on from hour s to its end, hour s + d.",
        "Events overlap when they share some time; one that starts as the other ends does not overlap with it.",
    ),
    constraint_types=(
        Kind(
            "before",
            (Entity(), Entity()),
            lambda w, a, b: _end(a) <= b.start,
            sentence="{0} is finished when {1} starts",
            wordings=("{0} is before {1}", "{1} is after {0}"),
            definition="The end of A is at the start of B or earlier.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Picnic is through before Regatta opens", ("Picnic", "Regatta")),
                Example("Regatta takes place after Auction is done", ("Auction", "Regatta")),
                Example("Auction opens only once Picnic is finished", ("Picnic", "Auction")),
            ),
            query="order",
            phrasings=(
                "{0} is over by the time {1} starts",
                "{1} does not start until {0} has ended",
                "{0} ends before {1} starts or at the very hour at which {1} starts",
                "by the start of {1}, {0} has come to its end",
                "the start of {1} is no earlier than the end of {0}",
                "the hour at which {0} ends is not later than the hour at which {1} starts",
            ),
        ),
        Kind(
            "meets",
            (Entity(), Entity()),
            lambda w, a, b: _end(a).eq(b.start),
            sentence="{1} starts exactly when {0} ends",
            wordings=("{0} ends as {1} starts", "{1} starts as {0} ends"),
            definition="The end of A is the start of B.",
            examples=(
                Example("Picnic leads straight into Regatta, at once and without a break", ("Picnic", "Regatta")),
                Example("As soon as Auction is done, and not a minute later, Picnic opens", ("Auction", "Picnic")),
            ),
            query="order",
            phrasings=(
                "{1} starts at the very hour at which {0} ends",
                "the end of {0} and the start of {1} fall on the same hour",
                "the hour at which {0} ends is the hour at which {1} begins",
                "{0} comes to its end exactly at the start of {1}",
                "{1} begins just as {0} ends, with neither overlap nor waiting time",
            ),
        ),
        Kind(
            "overlap",
            (Entity(), Entity()),
            _overlap,
            sentence="{0} overlaps with {1}",
            symmetric=True,
            definition="A and B share some time: each starts before the other ends.",
            examples=(
                Example("Picnic clashes with Regatta for part of the time", ("Picnic", "Regatta")),
                Example("Part of Auction runs in parallel with Picnic", ("Auction", "Picnic")),
            ),
            phrasings=(
                "{0} and {1} overlap",
                "there is some overlap between {0} and {1}",
                "{0} is going on during some of the time that {1} takes",
                "at some time {0} and {1} are both going on",
                "there is a time at which neither of {0} and {1} is over and both have started",
            ),
        ),
        Kind(
            "no_overlap",
            (Entity(), Entity()),
            _apart,
            sentence="{0} does not overlap with {1}",
            symmetric=True,
            definition="A and B share no time: one ends at the start of the other or earlier, whichever it is.",
            examples=(
                Example("Picnic never runs in parallel with Regatta", ("Picnic", "Regatta")),
                Example("Auction keeps clear of Picnic, on whichever side of it", ("Auction", "Picnic")),
            ),
            query="overlap",
            phrasings=(
                "{0} and {1} do not overlap",
                "there is no overlap between {0} and {1}",
                "at no time are {0} and {1} both going on",
                "one of {0} and {1} is over by the time the other starts",
                "{0} and {1} have no time in common",
            ),
        ),
        Kind(
            "gap",
            (Entity(), Entity(), Integer(2, LONGEST)),
            lambda w, a, b, hours: _end(a) + hours <= b.start,
            sentence="{1} starts at least {2} hours after {0} ends",
            wordings=("{0} ends {2} or more hours before {1}", "{1} starts {2} or more hours after {0}"),
            definition="From the end of A to the start of B, which comes later, it is g hours or more.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Regatta comes after Picnic, with a break of 2 hours or longer", ("Picnic", "Regatta", 2)),
                Example(
                    "Auction is done before Picnic opens, by a margin of no less than 3 hours", ("Auction", "Picnic", 3)
                ),
            ),
            phrasings=(
                "{1} starts {2} hours or more after the end of {0}",
                "at least {2} hours pass after the end of {0} before {1} starts",
                "{0} is over at least {2} hours before {1} starts",
                "when {1} starts, it is at least {2} hours since {0} ended",
                "once {0} has ended, it takes {2} or more hours until {1} starts",
            ),
        ),
        Kind(
            "starts_earlier",
            (Entity(), Entity()),
            lambda w, a, b: a.start < b.start,
            sentence="{0} starts earlier than {1}",
            wordings=("{0} has an earlier start than {1}", "{1} has a later start than {0}"),
            definition="The start of A is earlier than the start of B; nothing is said about when A ends.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Picnic opens ahead of Regatta", ("Picnic", "Regatta")),
                Example("Regatta opens at a later hour than Auction", ("Auction", "Regatta")),
            ),
            query="order",
            phrasings=(
                "{0} starts earlier than {1} does",
                "the start of {0} comes before the start of {1}",
                "{1} starts later than {0} starts",
                "the hour at which {1} starts is later than the hour at which {0} starts",
                "{0} starts before {1} starts",
            ),
        ),
        Kind(
            "starts_with",
            (Entity(), Entity()),
            lambda w, a, b: a.start.eq(b.start),
            sentence="{0} starts together with {1}",
            symmetric=True,
            definition="A and B start at the same hour.",
            examples=(
                Example("Picnic opens simultaneously with Regatta", ("Picnic", "Regatta")),
                Example("Auction and Picnic have one opening hour in common", ("Auction", "Picnic")),
            ),
            query="same_start",
            phrasings=(
                "{0} and {1} start at the same hour",
                "the start of {0} falls on the same hour as the start of {1}",
                "at one and the same hour, {0} and {1} start",
                "{0} starts exactly when {1} starts",
                "the starts of {0} and {1} coincide",
            ),
        ),
        Kind(
            "starts_at",
            (Entity(), Integer(0, lambda w: _horizon(w) - 1)),
            lambda w, a, hour: a.start.eq(hour),
            sentence="{0} starts exactly at hour {1}",
            definition="The start of A is hour t.",
            examples=(
                Example("Picnic opens on the stroke of hour 4", ("Picnic", 4)),
                Example("Regatta has 2 as its opening hour", ("Regatta", 2)),
            ),
            query="start",
            phrasings=(
                "{0} starts at hour {1}",
                "the start of {0} is at hour {1}",
                "hour {1} is the hour at which {0} starts",
                "{0} begins at hour {1}, neither earlier nor later",
                "it is hour {1} when {0} starts",
            ),
        ),
        Kind(
            "starts_from",
            (Entity(), Integer(1, lambda w: _horizon(w) - 1)),
            lambda w, a, hour: a.start >= hour,
            sentence="{0} starts not earlier than hour {1}",
            definition="The start of A is hour t or later.",
            examples=(
                Example("Picnic cannot open until hour 4", ("Picnic", 4)),
                Example("Regatta waits for hour 3, perhaps longer, to open", ("Regatta", 3)),
            ),
            query="start",
            phrasings=(
                "{0} starts at hour {1} or later",
                "{0} does not start before hour {1}",
                "the start of {0} is no earlier than hour {1}",
                "{0} begins at hour {1} at the earliest",
                "before hour {1}, {0} has not started",
            ),
        ),
        Kind(
            "ends_by",
            (Entity(), Integer(1, _horizon)),
            lambda w, a, hour: _end(a) <= hour,
            sentence="{0} ends not later than hour {1}",
            definition="The end of A is hour t or earlier.",
            examples=(
                Example("Picnic does not run past hour 6", ("Picnic", 6)),
                Example("Regatta has to be through when the clock shows hour 5", ("Regatta", 5)),
            ),
            query="end",
            phrasings=(
                "{0} is over by hour {1}",
                "{0} ends at hour {1} or earlier",
                "the end of {0} is no later than hour {1}",
                "{0} comes to its end at hour {1} at the latest",
                "{0} does not go on after hour {1}",
            ),
        ),
        Kind(
            "lasts",
            (Entity(), Integer(2, LONGEST)),
            lambda w, a, hours: a.duration.eq(hours),
            sentence="{0} has a duration of {1} hours",
            definition="The duration of A is d hours.",
            examples=(
                Example("Picnic fills 3 hours", ("Picnic", 3)),
                Example("Regatta is done 2 hours into it", ("Regatta", 2)),
            ),
            query="duration",
            phrasings=(
                "{0} lasts exactly {1} hours",
                "the duration of {0} is {1} hours",
                "from start to end, {0} takes {1} hours",
                "{0} ends {1} hours after its start",
                "{0} goes on for {1} hours, no more and no less",
            ),
        ),
    ),
)
