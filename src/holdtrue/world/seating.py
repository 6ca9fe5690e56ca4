"""This module declares the domain of seating: people around a table have different seats 1..n.

The semantics are those of DRIFT-Bench's reference implementation, which made its data. Distances run around the table,
also on rectangular ones, and 'left of' means the next higher seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.errors import DomainError
from holdtrue.logic.formula import Formula, Iff, Or
from holdtrue.world.domain import Attribute, ConstraintType, Context, Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance

# "Right next to" and similar phrases name no side.
_RIGHT = (
    "right(?:-hand)?"
    "(?! (?:next|beside|by|at|near|close|alongside|across|opposite|behind|between|there|here|now|away|after|before))"
)

LARGEST_TABLE = 1_000
"""The greatest number of seats."""


def _context(entities: Sequence[str], context: Context) -> Context:
    seats = context.get("num_entities", len(entities))
    shape = context.get("table_shape", "round")
    if isinstance(seats, bool) or not isinstance(seats, int) or not len(entities) <= seats <= LARGEST_TABLE:
        allowed = f"{len(entities)} to {LARGEST_TABLE}"
        raise DomainError(f"seating: num_entities must be an integer of {allowed}, got {seats!r:.40}")
    if shape not in ("round", "rectangular"):
        raise DomainError(f"seating: table_shape is 'round' or 'rectangular', not {shape!r}")
    return {"num_entities": seats, "table_shape": shape}


def _seats(instance: Instance) -> int:
    seats: int = instance.context["num_entities"]
    return seats


def _neighbours(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    distance = abs(a.seat - b.seat)
    return Or((distance.eq(1), distance.eq(_seats(instance) - 1)))


def _separated(instance: Instance, a: EntityTerms, b: EntityTerms, seats: int) -> Formula:
    distance = abs(a.seat - b.seat)
    return (distance >= seats + 1) & (distance <= _seats(instance) - seats - 1)


def _same_side(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    half = _seats(instance) // 2
    return Iff(a.seat <= half, b.seat <= half)


def _has_sides(instance: Instance) -> bool:
    return instance.context["table_shape"] == "rectangular" and _seats(instance) % 2 == 0


def _conventions(instance: Instance) -> Sequence[str]:
    seats = _seats(instance)
    lines = [
        f"Seats are numbered around the table: seat 1 is next to seat 2 and to seat {seats}.",
        f"The seat immediately left of seat k is seat k+1; the seat immediately left of seat {seats} is seat 1.",
        "Seats between two people are counted along the shorter way around the table.",
    ]
    if _has_sides(instance):
        half = seats // 2
        lines.append(f"One side of the table is seats 1 to {half}, the other seats {half + 1} to {seats}.")
    return lines


SEATING = Domain(
    name="seating",
    context=_context,
    attributes=lambda context: [Attribute("seat", low=1, high=context["num_entities"], distinct=True)],
    constraint_types=(
        ConstraintType(
            "adjacent",
            (Entity(), Entity()),
            "{0} must sit next to {1}",
            _neighbours,
            symmetric=True,
            wordings=("{0} is next to {1}",),
            definition="A and B are neighbours, on whichever side.",
            examples=(
                Example("Ada wants to be close by Ben, in the very next chair", ("Ada", "Ben")),
                Example("Nobody may come between Cleo and Dov", ("Cleo", "Dov")),
                Example("Let Ben and Elif be neighbours", ("Ben", "Elif")),
                Example("Dov must be right by Elif", ("Dov", "Elif")),
            ),
        ),
        ConstraintType(
            "not_adjacent",
            (Entity(), Entity()),
            "{0} cannot sit next to {1}",
            lambda w, a, b: ~_neighbours(w, a, b),
            symmetric=True,
            wordings=("{0} is not next to {1}",),
            definition="A and B are not neighbours: somebody or something is between them.",
            examples=(
                Example("Ada and Dov quarrel, so please not in touching chairs", ("Ada", "Dov")),
                Example("Elif does not want Cleo as her neighbour", ("Elif", "Cleo")),
                Example("Anywhere but beside Ben is fine for Ada", ("Ada", "Ben")),
            ),
        ),
        ConstraintType(
            "at_position",
            (Entity(), Integer(1, _seats)),
            "{0} must sit at position {1}",
            lambda w, a, seat: a.seat.eq(seat),
            wordings=("{0} is in seat {1}",),
            definition="A has exactly seat k.",
            examples=(
                Example("The fourth chair is reserved for Dov", ("Dov", 4)),
                Example("Cleo would like number 2", ("Cleo", 2)),
            ),
        ),
        ConstraintType(
            "left_of",
            (Entity(), Entity()),
            "{0} sits immediately left of {1}",
            lambda w, a, b: (a.seat - b.seat).eq(1) | (a.seat.eq(1) & b.seat.eq(_seats(w))),
            wordings=(
                "{0} is left of {1}",
                "{1} is right of {0}",
                "{1} has {0} on the left",
                "{0} has {1} on the right",
            ),
            definition=(
                "A is B's neighbour on the left, so B is A's neighbour on the right. The one on the left comes first."
            ),
            cues=(Cue("left(?:-hand)?", side=True), Cue(_RIGHT, swap=True, side=True)),
            examples=(
                Example("Ada is to the left of Ben", ("Ada", "Ben")),
                Example("Cleo is to the right of Dov", ("Dov", "Cleo")),
                Example("Ben has Elif on his left", ("Elif", "Ben")),
                Example("Dov wants Ada on his right", ("Dov", "Ada")),
                Example("To the left of Elif there is Cleo", ("Cleo", "Elif")),
                Example("Ada's right neighbour has to be Dov", ("Ada", "Dov")),
                Example("For Cleo, Ben is the one on her left", ("Ben", "Cleo")),
            ),
        ),
        ConstraintType(
            "separated_by",
            (Entity(), Entity(), Integer(0, _seats)),
            "{0} and {1} must have at least {2} seats between them",
            _separated,
            symmetric=True,
            wordings=("{0} is {2} or more seats away from {1}",),
            definition="There are k or more seats between A and B.",
            examples=(
                Example("Not less than two guests in the middle of Ada and Elif", ("Ada", "Elif", 2)),
                Example("I need Dov and Ben 3 or more chairs away from each other", ("Dov", "Ben", 3)),
                Example("Cleo and Ada have to be parted by one chair if not more", ("Cleo", "Ada", 1)),
            ),
        ),
        ConstraintType(
            "same_side",
            (Entity(), Entity()),
            "{0} and {1} must sit on the same side of the table",
            _same_side,
            symmetric=True,
            wordings=("{0} is on the same side as {1}",),
            definition="A and B share a side of the table.",
            examples=(
                Example("Ada and Ben are lined up along one edge", ("Ada", "Ben")),
                Example("Cleo goes wherever Dov goes, left or right half", ("Cleo", "Dov")),
            ),
            applies=_has_sides,
        ),
        ConstraintType(
            "opposite_side",
            (Entity(), Entity()),
            "{0} and {1} must sit on opposite sides of the table",
            lambda w, a, b: ~_same_side(w, a, b),
            symmetric=True,
            wordings=("{0} is on the other side from {1}",),
            definition="A and B are on different sides of the table.",
            examples=(
                Example("Elif looks at Ada over the plates", ("Elif", "Ada")),
                Example("The table has to be between Ben and Cleo", ("Ben", "Cleo")),
            ),
            applies=_has_sides,
        ),
    ),
    setup=lambda w: (f"Table: {w.context['table_shape']}", f"Seats: 1 to {_seats(w)}, one person a seat"),
    published_setup=lambda w: (
        f"Table shape: {w.context['table_shape']}",
        f"Seat positions: 1 through {_seats(w)}",
    ),
    conventions=_conventions,
    joining=lambda instance, name: instance.context,  # The number of seats stays the same.
    interchangeable=True,
)
