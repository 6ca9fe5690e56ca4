"""The subdomain of colour assignment: cases about the rooms of a house, each painted in one of a few colours."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.relational.groups import alone, count_is, largest, size_laws
from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Kind, Subdomain
from holdtrue.world.domain import Attribute, AttributeName, Domain, Entity, Example, Integer, ValueOf
from holdtrue.world.instance import Instance

_ROOMS = (
    "kitchen", "hall", "study", "attic", "pantry", "library", "nursery", "cellar", "bathroom", "bedroom",
    "lounge", "workshop", "laundry", "garage", "conservatory", "dining room", "porch", "landing", "guest room",
    "music room", "playroom", "cloakroom", "sunroom", "gallery",
)  # fmt: skip
_COLOURS = ("red", "blue", "green", "yellow", "white", "grey", "orange", "purple")


_PAIR = (Entity(), Entity())
_PAINTED = (Entity(), AttributeName(), ValueOf(1))

_KINDS = (
    Kind(
        "painted",
        _PAINTED,
        lambda w, a, colour, value: a[colour].eq(value),
        definition="Room A has colour V.",
        examples=(
            Example("Brown paint is used in the tower", ("tower", "colour", "brown")),
            Example("Pink it is for the boiler room", ("boiler room", "colour", "pink")),
        ),
        query="colour",
        phrasings=(
            "the {0} is painted {2}",
            "the {0} is {2}",
            "the colour of the {0} is {2}",
            "{2} is the colour of the {0}",
            "the {0} has the colour {2}",
        ),
        weight=4,
    ),
    Kind(
        "not_painted",
        _PAINTED,
        lambda w, a, colour, value: a[colour].ne(value),
        definition="Room A has any colour except V.",
        examples=(
            Example("Pink is out of the question for the tower", ("tower", "colour", "pink")),
            Example("Whatever the boiler room gets, brown it will never be", ("boiler room", "colour", "brown")),
        ),
        query="not_colour",
        phrasings=(
            "the {0} is not painted {2}",
            "the {0} is not {2}",
            "the colour of the {0} is not {2}",
            "{2} is not the colour of the {0}",
            "the {0} has some other colour than {2}",
        ),
        weight=2,
    ),
    Kind(
        "one_of_two_colours",
        (*_PAINTED, ValueOf(1)),
        lambda w, a, colour, one, other: a[colour].eq(one) | a[colour].eq(other),
        canonical=any_order(2),
        definition="Room A has one of the colours V and W.",
        examples=(
            Example("If not pink, then the tower gets brown", ("tower", "colour", "pink", "brown")),
            Example(
                "Beige and pink are all that they allow in the boiler room",
                ("boiler room", "colour", "beige", "pink"),
            ),
        ),
        query="either_colour",
        phrasings=(
            "the {0} is painted {2} or {3}",
            "the {0} is either {2} or {3}",
            "the colour of the {0} is {2} or {3}",
            "one of {2} and {3} is the colour of the {0}",
        ),
        weight=2,
    ),
    Kind(
        "same_colour",
        _PAIR,
        lambda w, a, b: a.colour.eq(b.colour),
        symmetric=True,
        definition="Rooms A and B are painted alike.",
        examples=(
            Example("One pot of paint serves the tower and the boiler room", ("tower", "boiler room")),
            Example("The vault looks just like the tower", ("vault", "tower")),
        ),
        query="same",
        phrasings=(
            "the {0} and the {1} have the same colour",
            "the {0} has the same colour as the {1}",
            "the {0} and the {1} are painted in one and the same colour",
            "the colour of the {0} is also the colour of the {1}",
        ),
        weight=4,
    ),
    Kind(
        "different_colour",
        _PAIR,
        lambda w, a, b: a.colour.ne(b.colour),
        symmetric=True,
        definition="Rooms A and B are not painted alike.",
        examples=(
            Example("It takes two pots of paint to do the tower and the vault", ("tower", "vault")),
            Example("The boiler room must stand out against the vault", ("boiler room", "vault")),
        ),
        query="different",
        phrasings=(
            "the {0} and the {1} have different colours",
            "the {0} does not have the same colour as the {1}",
            "the {0} and the {1} are painted in different colours",
            "the colour of the {0} is not the colour of the {1}",
        ),
        weight=5,
    ),
    Kind(
        "only_one_of_its_colour",
        (Entity(),),
        lambda w, a: alone(w, "colour", a),
        definition="Room A has a colour all to itself.",
        examples=(
            Example("The paint of the tower is found nowhere else", ("tower",)),
            Example("Nothing else in the house looks like the vault", ("vault",)),
        ),
        query="unique",
        phrasings=(
            "no other room has the colour of the {0}",
            "the {0} shares its colour with no other room",
            "every other room has a different colour than the {0}",
            "the {0} is the only room of its colour",
        ),
        weight=2,
    ),
    Kind(
        "colour_count",
        (AttributeName(), ValueOf(0), Integer(1, largest)),
        lambda w, colour, value, count: count_is(w, colour, value, count),
        definition="There are k rooms painted V, no more and no fewer.",
        examples=(
            Example("Brown paint is used 2 times in the house", ("colour", "brown", 2)),
            Example("Pink turns up in precisely 3 places", ("colour", "pink", 3)),
        ),
        query="count",
        phrasings=(
            "the number of rooms painted {1} is {2}",
            "{1} is the colour of exactly {2} of the rooms",
            "the colour {1} is used for exactly {2} of the rooms",
            "counting the {1} rooms gives {2}",
        ),
        weight=2,
    ),
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], dict[str, Any]]:
    rooms = rng.sample(_ROOMS, rng.randint(4, 7))
    colours = rng.sample(_COLOURS, 3 if len(rooms) < 6 else rng.randint(3, 4))
    return rooms, {"colours": colours, "most": len(rooms) - len(colours) + 1}


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    rooms = listed([f"the {room}" for room in instance.entities])
    count, colours = len(instance.entities), listed(instance.context["colours"])
    who = (
        f"A house has {count} rooms that have been painted: {rooms}.",
        f"There are {count} freshly painted rooms: {rooms}.",
        f"{count} rooms of a house have been given a colour: {rooms}.",
    )
    where = (
        f"Each room has exactly one colour, and the colours are {colours}.",
        f"Every room is painted in exactly one of the colours {colours}.",
    )
    use = (
        "Rooms may share a colour, and each of these colours is used for at least one room.",
        "All of these colours occur; several rooms may have the same one.",
        "None of the colours is left unused, and the same colour may be used for several rooms.",
    )
    return (rng.choice(who), rng.choice(where), rng.choice(use))


COLOUR = Subdomain(
    "relational",
    Domain(
        name="colour_assignment",
        attributes=lambda context: (Attribute("colour", values=context["colours"]),),
        constraint_types=_KINDS,
        axioms=size_laws("colour", "{0} is the colour of 1 to {1} rooms"),
        conventions=("Each room has exactly one colour, and rooms may share one.",),
    ),
    _draw_setting,
    draw_draft,
    _setting,
)
