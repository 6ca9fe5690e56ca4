"""The `Domain` of event scheduling: events have a start and a duration, in whole hours on a timeline that ends."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.logic.formula import Formula, Sum
from holdtrue.world.domain import Attribute, Axiom, ConstraintType, Cue, Domain, Entity, Example, Integer
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
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} is finished when {1} starts",
            lambda w, a, b: _end(a) <= b.start,
            wordings=("{0} is before {1}", "{1} is after {0}"),
            definition="The end of A is at the start of B or earlier.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Picnic is through before Regatta opens", ("Picnic", "Regatta")),
                Example("Regatta takes place after Auction is done", ("Auction", "Regatta")),
                Example("Auction opens only once Picnic is finished", ("Picnic", "Auction")),
            ),
        ),
        ConstraintType(
            "meets",
            (Entity(), Entity()),
            "{1} starts exactly when {0} ends",
            lambda w, a, b: _end(a).eq(b.start),
            wordings=("{0} ends as {1} starts", "{1} starts as {0} ends"),
            definition="The end of A is the start of B.",
            examples=(
                Example("Picnic leads straight into Regatta, at once and without a break", ("Picnic", "Regatta")),
                Example("As soon as Auction is done, and not a minute later, Picnic opens", ("Auction", "Picnic")),
            ),
        ),
        ConstraintType(
            "overlap",
            (Entity(), Entity()),
            "{0} overlaps with {1}",
            _overlap,
            symmetric=True,
            definition="A and B share some time: each starts before the other ends.",
            examples=(
                Example("Picnic clashes with Regatta for part of the time", ("Picnic", "Regatta")),
                Example("Part of Auction runs in parallel with Picnic", ("Auction", "Picnic")),
            ),
        ),
        ConstraintType(
            "no_overlap",
            (Entity(), Entity()),
            "{0} does not overlap with {1}",
            _apart,
            symmetric=True,
            definition="A and B share no time: one ends at the start of the other or earlier, whichever it is.",
            examples=(
                Example("Picnic never runs in parallel with Regatta", ("Picnic", "Regatta")),
                Example("Auction keeps clear of Picnic, on whichever side of it", ("Auction", "Picnic")),
            ),
        ),
        ConstraintType(
            "gap",
            (Entity(), Entity(), Integer(2, LONGEST)),
            "{1} starts at least {2} hours after {0} ends",
            lambda w, a, b, hours: _end(a) + hours <= b.start,
            wordings=("{0} ends {2} or more hours before {1}", "{1} starts {2} or more hours after {0}"),
            definition="From the end of A to the start of B, which comes later, it is g hours or more.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Regatta comes after Picnic, with a break of 2 hours or longer", ("Picnic", "Regatta", 2)),
                Example(
                    "Auction is done before Picnic opens, by a margin of no less than 3 hours", ("Auction", "Picnic", 3)
                ),
            ),
        ),
        ConstraintType(
            "starts_earlier",
            (Entity(), Entity()),
            "{0} starts earlier than {1}",
            lambda w, a, b: a.start < b.start,
            wordings=("{0} has an earlier start than {1}", "{1} has a later start than {0}"),
            definition="The start of A is earlier than the start of B; nothing is said about when A ends.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Picnic opens ahead of Regatta", ("Picnic", "Regatta")),
                Example("Regatta opens at a later hour than Auction", ("Auction", "Regatta")),
            ),
        ),
        ConstraintType(
            "starts_with",
            (Entity(), Entity()),
            "{0} starts together with {1}",
            lambda w, a, b: a.start.eq(b.start),
            symmetric=True,
            definition="A and B start at the same hour.",
            examples=(
                Example("Picnic opens simultaneously with Regatta", ("Picnic", "Regatta")),
                Example("Auction and Picnic have one opening hour in common", ("Auction", "Picnic")),
            ),
        ),
        ConstraintType(
            "starts_at",
            (Entity(), Integer(0, lambda w: _horizon(w) - 1)),
            "{0} starts exactly at hour {1}",
            lambda w, a, hour: a.start.eq(hour),
            definition="The start of A is hour t.",
            examples=(
                Example("Picnic opens on the stroke of hour 4", ("Picnic", 4)),
                Example("Regatta has 2 as its opening hour", ("Regatta", 2)),
            ),
        ),
        ConstraintType(
            "starts_from",
            (Entity(), Integer(1, lambda w: _horizon(w) - 1)),
            "{0} starts not earlier than hour {1}",
            lambda w, a, hour: a.start >= hour,
            definition="The start of A is hour t or later.",
            examples=(
                Example("Picnic cannot open until hour 4", ("Picnic", 4)),
                Example("Regatta waits for hour 3, perhaps longer, to open", ("Regatta", 3)),
            ),
        ),
        ConstraintType(
            "ends_by",
            (Entity(), Integer(1, _horizon)),
            "{0} ends not later than hour {1}",
            lambda w, a, hour: _end(a) <= hour,
            definition="The end of A is hour t or earlier.",
            examples=(
                Example("Picnic does not run past hour 6", ("Picnic", 6)),
                Example("Regatta has to be through when the clock shows hour 5", ("Regatta", 5)),
            ),
        ),
        ConstraintType(
            "lasts",
            (Entity(), Integer(2, LONGEST)),
            "{0} has a duration of {1} hours",
            lambda w, a, hours: a.duration.eq(hours),
            definition="The duration of A is d hours.",
            examples=(
                Example("Picnic fills 3 hours", ("Picnic", 3)),
                Example("Regatta is done 2 hours into it", ("Regatta", 2)),
            ),
        ),
    ),
)
