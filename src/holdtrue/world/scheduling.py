"""This module declares the domain of schedules: events with a start slot and a duration, which may overlap.

The semantics are those of DRIFT-Bench's reference implementation, which made its data. 'Not simultaneous' is only about
start slots, and a duration that an answer omits is free.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.errors import DomainError
from holdtrue.world.domain import Attribute, Axiom, ConstraintType, Context, Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import Arg, Instance

LONGEST_DAY = 10_000
"""The greatest number of slots."""


def _context(entities: Sequence[str], context: Context) -> Context:
    slots = context.get("num_slots", max(6, len(entities) + 1))
    longest = context.get("max_duration", 3)
    for name, value in (("num_slots", slots), ("max_duration", longest)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LONGEST_DAY:
            raise DomainError(f"scheduling: {name} must be an integer of 1 to {LONGEST_DAY}, got {value!r:.40}")
    return {"num_slots": slots, "max_duration": longest}


def _slots(instance: Instance) -> int:
    slots: int = instance.context["num_slots"]
    return slots


def _longest(instance: Instance) -> int:
    longest: int = instance.context["max_duration"]
    return longest


def _fits(instance: Instance) -> Sequence[Axiom]:
    slots = _slots(instance)
    return [
        Axiom(
            f"fits_{entity}",
            f"{entity} must end by slot {slots}",
            instance[entity].start + instance[entity].duration <= slots + 1,
        )
        for entity in instance.entities
    ]


def _ordered_window(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
    event, first, last = args
    return (event, first, last) if int(first) <= int(last) else (event, last, first)


def _conventions(instance: Instance) -> Sequence[str]:
    return (
        f"An event occupies `duration` slots from its start slot on and must end by slot {_slots(instance)}.",
        "A before B means: A has ended when B starts (start of A + duration of A <= start of B).",
        "Events may overlap; two events are simultaneous when they start in the same slot.",
        "Slots between two events are the free slots from the end of one to the start of the other.",
    )


SCHEDULING = Domain(
    name="scheduling",
    context=_context,
    attributes=lambda context: [
        Attribute("start", low=1, high=context["num_slots"]),
        Attribute("duration", low=1, high=context["max_duration"], optional=True),
    ],
    constraint_types=(
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} must happen before {1}",
            lambda w, a, b: a.start + a.duration <= b.start,
            wordings=("{0} is before {1}", "{1} is after {0}"),
            definition="A is over when B starts. The earlier one comes first.",
            cues=(
                Cue(
                    "before|precedes?|preceding|followed by|earlier|ahead|prior|sooner|by the time|then|afterwards",
                ),
                Cue(
                    "after|later|follow(?:s|ing)?|preceded by|behind|until|till|unless|once|wait for|waits for"
                    "|depends on",
                    swap=True,
                ),
            ),
            examples=(
                Example("Lecture takes place earlier than Lunch", ("Lecture", "Lunch")),
                Example("Workshop takes place later than Concert", ("Concert", "Workshop")),
                Example("Only start Lunch when Tour is done", ("Tour", "Lunch")),
                Example("Concert has to wait until after Lecture", ("Lecture", "Concert")),
                Example("Once Workshop is finished, Tour may go ahead", ("Workshop", "Tour")),
            ),
        ),
        ConstraintType(
            "at_time",
            (Entity(), Integer(1, _slots)),
            "{0} must start at time slot {1}",
            lambda w, a, slot: a.start.eq(slot),
            wordings=("{0} starts in slot {1}",),
            definition="A starts in exactly slot t.",
            examples=(
                Example("Set the beginning of Tour to slot 4", ("Tour", 4)),
                Example("The second slot is where Concert opens", ("Concert", 2)),
            ),
        ),
        ConstraintType(
            "not_simultaneous",
            (Entity(), Entity()),
            "{0} and {1} cannot be simultaneous",
            lambda w, a, b: a.start.ne(b.start),
            symmetric=True,
            wordings=("{0} is at another time than {1}",),
            definition=(
                "A and B start in different slots; nothing is said about which is first or about time between them."
            ),
            examples=(
                Example("Lunch and Lecture may not open in one and the same slot", ("Lunch", "Lecture")),
                Example("It is not possible to have Tour and Workshop going off together", ("Tour", "Workshop")),
                Example("Concert and Lunch: keep them from coinciding", ("Concert", "Lunch")),
            ),
        ),
        ConstraintType(
            "within",
            (Entity(), Integer(1, _slots), Integer(1, _slots)),
            "{0} must start between time slots {1} and {2}",
            lambda w, a, first, last: (a.start >= min(first, last)) & (a.start <= max(first, last)),
            canonical=_ordered_window,
            wordings=("{0} starts in slots {1} to {2}",),
            definition="A starts in slot x or later, and in slot y or earlier.",
            examples=(
                Example("The opening of Lecture lies in slots 2 to 6", ("Lecture", 2, 6)),
                Example("Workshop opens at the soonest in slot 3, and slot 5 is its last chance", ("Workshop", 3, 5)),
                Example("Lunch has a choice of slot 1 or 2", ("Lunch", 1, 2)),
            ),
        ),
        ConstraintType(
            "duration",
            (Entity(), Integer(1, _longest)),
            "{0} has duration {1}",
            lambda w, a, slots: a.duration.eq(slots),
            wordings=("{0} lasts {1} slots",),
            definition="A is d slots long.",
            examples=(
                Example("Tour fills 2 slots", ("Tour", 2)),
                Example("Concert will be done in one slot", ("Concert", 1)),
            ),
        ),
        ConstraintType(
            "gap",
            (Entity(), Entity(), Integer(0, _slots)),
            "There must be at least {2} slots between {0} and {1}",
            lambda w, a, b, slots: (
                (a.start + a.duration + slots <= b.start) | (b.start + b.duration + slots <= a.start)
            ),
            symmetric=True,
            wordings=("{0} is {2} or more slots away from {1}",),
            definition=(
                "There are g or more free slots from the end of one of A and B to the start of the other; "
                "0 means only that they do not overlap."
            ),
            examples=(
                Example(
                    "Allow two slots or longer for cleaning after one of Lunch and Tour and ahead of the other",
                    ("Lunch", "Tour", 2),
                ),
                Example("Workshop and Lecture keep a distance of not less than 1 slot", ("Workshop", "Lecture", 1)),
                Example("No overlap of Concert and Tour", ("Concert", "Tour", 0)),
            ),
            number_words=(("overlap", 0), ("intersect", 0), ("back to back", 0), ("back-to-back", 0)),
        ),
    ),
    axioms=_fits,
    setup=lambda w: (f"Time slots: 1 to {_slots(w)}", f"Durations: 1 to {_longest(w)} slots"),
    published_setup=lambda w: (
        f"Time slots available: 1 through {_slots(w)}",
        f"Maximum duration per event: {_longest(w)}",
    ),
    conventions=_conventions,
    joining=lambda instance, name: instance.context,  # The number of slots stays the same.
    interchangeable=True,
)
