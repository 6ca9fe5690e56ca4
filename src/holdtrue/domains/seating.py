"""Seating: people around a table with seats 1..n, all different.

Semantics are those of DRIFT-Bench's reference implementation, which made its data: distances run around the
ring on rectangular tables too, and 'left of' means the next higher seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.domains.domain import Attribute, ConstraintType, Context, Domain, Entity, Integer
from holdtrue.domains.instance import EntityTerms, Instance
from holdtrue.errors import DomainError
from holdtrue.logic.formula import Formula, Iff, Or


def _context(entities: Sequence[str], given: Context) -> Context:
    seats = given.get("num_entities", len(entities))
    shape = given.get("table_shape", "round")
    if isinstance(seats, bool) or not isinstance(seats, int) or seats < len(entities):
        raise DomainError(f"seating: num_entities must be an integer of at least {len(entities)}, got {seats!r}")
    if shape not in ("round", "rectangular"):
        raise DomainError(f"seating: table_shape is 'round' or 'rectangular', not {shape!r}")
    return {"num_entities": seats, "table_shape": shape}


def _seats(instance: Instance) -> int:
    seats: int = instance.context["num_entities"]
    return seats


def _neighbours(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    distance = abs(a.seat - b.seat)
    return Or((distance.eq(1), distance.eq(_seats(instance) - 1)))


def _left_of(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return (a.seat - b.seat).eq(1) | (a.seat.eq(1) & b.seat.eq(_seats(instance)))


def _separated(instance: Instance, a: EntityTerms, b: EntityTerms, seats: int) -> Formula:
    distance = abs(a.seat - b.seat)
    return (distance >= seats + 1) & (distance <= _seats(instance) - seats - 1)


def _same_side(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    half = _seats(instance) // 2
    return Iff(a.seat <= half, b.seat <= half)


def _has_sides(instance: Instance) -> bool:
    return instance.context["table_shape"] == "rectangular" and _seats(instance) % 2 == 0


def _setup(instance: Instance) -> Sequence[str]:
    seats, shape = _seats(instance), instance.context["table_shape"]
    return (f"Table: {shape}", f"Seats: 1 to {seats}, one person a seat")


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
        ConstraintType("adjacent", (Entity(), Entity()), "{0} must sit next to {1}", _neighbours, symmetric=True),
        ConstraintType(
            "not_adjacent",
            (Entity(), Entity()),
            "{0} cannot sit next to {1}",
            lambda w, a, b: ~_neighbours(w, a, b),
            symmetric=True,
        ),
        ConstraintType(
            "at_position",
            (Entity(), Integer(1, _seats)),
            "{0} must sit at position {1}",
            lambda w, a, seat: a.seat.eq(seat),
        ),
        ConstraintType("left_of", (Entity(), Entity()), "{0} sits immediately left of {1}", _left_of),
        ConstraintType(
            "separated_by",
            (Entity(), Entity(), Integer(0, _seats)),
            "{0} and {1} must have at least {2} seats between them",
            _separated,
            symmetric=True,
        ),
        ConstraintType(
            "same_side",
            (Entity(), Entity()),
            "{0} and {1} must sit on the same side of the table",
            _same_side,
            symmetric=True,
            applies=_has_sides,
        ),
        ConstraintType(
            "opposite_side",
            (Entity(), Entity()),
            "{0} and {1} must sit on opposite sides of the table",
            lambda w, a, b: ~_same_side(w, a, b),
            symmetric=True,
            applies=_has_sides,
        ),
    ),
    setup=_setup,
    conventions=_conventions,
)
