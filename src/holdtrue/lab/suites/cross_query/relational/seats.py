"""Constraint types that seats around a table and in a row share: each person has one of the seats 1 to n."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, Context, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance


def seats_of(instance: Instance) -> int:
    """Return the number of seats, which is one for each person."""
    return len(instance.entities)


def count_seats(entities: Sequence[str], context: Context) -> Context:
    """Return the context, in which there is a seat for each of the entities."""
    return {**context, "seats": len(entities)}


def seat_attribute(context: Context) -> tuple[Attribute, ...]:
    return (Attribute("seat", 1, context["seats"], distinct=True),)


ONE_EACH = (
    "Each person has exactly one seat, and no two people share a seat.",
    "Everybody sits in exactly one seat, and every seat is taken by exactly one person.",
    "All of them are seated, one person to a seat.",
)
"""Sentences of a setting which say that everybody has a seat of their own."""

SEAT_KINDS = (
    Kind(
        "at_seat",
        (Entity(), Integer(1, seats_of)),
        lambda w, a, seat: a.seat.eq(seat),
        definition="A has exactly seat k.",
        examples=(
            Example("The second chair is reserved for Mats", ("Mats", 2)),
            Example("Ida has chosen number 3", ("Ida", 3)),
        ),
        query="pos",
        phrasings=(
            "{0} sits in seat {1}",
            "seat {1} is taken by {0}",
            "the person in seat {1} is {0}",
            "{0} has seat number {1}",
            "it is {0} who sits in seat {1}",
        ),
        weight=4,
    ),
    Kind(
        "not_at_seat",
        (Entity(), Integer(1, seats_of)),
        lambda w, a, seat: a.seat.ne(seat),
        definition="A has any seat except k.",
        examples=(
            Example("Number 4 would be wrong for Lena", ("Lena", 4)),
            Example("Any chair but the first one for Jonas", ("Jonas", 1)),
        ),
        query="not_pos",
        phrasings=(
            "{0} does not sit in seat {1}",
            "seat {1} is not taken by {0}",
            "the person in seat {1} is not {0}",
            "{0} sits in some other seat than seat {1}",
            "somebody other than {0} sits in seat {1}",
        ),
    ),
    Kind(
        "either_at_seat",
        (Entity(), Entity(), Integer(1, seats_of)),
        lambda w, a, b, seat: a.seat.eq(seat) | b.seat.eq(seat),
        symmetric=True,
        definition="Seat k is A's or B's.",
        examples=(
            Example("If Ida is not on chair number 2, Mats is", ("Ida", "Mats", 2)),
            Example("Only Lena and Jonas come into question for chair 4", ("Lena", "Jonas", 4)),
        ),
        query="either_pos",
        phrasings=(
            "either {0} or {1} sits in seat {2}",
            "seat {2} is taken by {0} or by {1}",
            "the person in seat {2} is {0} or {1}",
            "one of {0} and {1} sits in seat {2}",
        ),
        weight=2,
    ),
)


def adjacency_kinds(neighbours: Callable[[Instance, EntityTerms, EntityTerms], Formula]) -> tuple[Kind, Kind]:
    """Return the kinds of being neighbours and of not being neighbours; `neighbours` says who is next to whom."""
    return (
        Kind(
            "adjacent",
            (Entity(), Entity()),
            neighbours,
            symmetric=True,
            definition="A and B have seats right beside each other, whoever is on which side.",
            examples=(
                Example("Nobody separates Lena from Mats", ("Lena", "Mats")),
                Example("Ida's elbow touches that of Jonas", ("Ida", "Jonas")),
            ),
            query="adj",
            phrasings=(
                "{0} sits next to {1}",
                "{0} and {1} sit side by side",
                "{0} and {1} are direct neighbours",
                "{0} has a seat right beside {1}'s",
                "{0} and {1} are in adjacent seats",
            ),
            weight=5,
        ),
        Kind(
            "not_adjacent",
            (Entity(), Entity()),
            lambda w, a, b: ~neighbours(w, a, b),
            symmetric=True,
            definition="A and B are no neighbours: there are others between them.",
            examples=(
                Example("Jonas and Lena are kept apart by somebody", ("Jonas", "Lena")),
                Example("Mats cannot reach over to Ida from his chair", ("Mats", "Ida")),
            ),
            query="not_adj",
            phrasings=(
                "{0} does not sit next to {1}",
                "{0} and {1} do not sit side by side",
                "{0} and {1} are not direct neighbours",
                "{0}'s seat is not right beside {1}'s",
                "{0} and {1} are in seats that are not adjacent",
            ),
            weight=5,
        ),
    )
