"""Draw pairs of items about thresholds: something holds from some number on, or from another number on."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from holdtrue_claims.fol.syntax import Apply, Bound, Compare, Iff, Number
from holdtrue_claims.fol.vocabulary import Entity, Function, Vocabulary
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kit.words import capitalized
from holdtrue_lab.suites.verge.perturb.pair import Draft, Trait, arrange, for_all
from holdtrue_lab.suites.verge.places import is_more, place_of


@dataclass(frozen=True, slots=True)
class Scale:
    """Things that have a number, and a predicate that holds of them from some number on.

    `least`, `more`, `fact` and `difference` are format strings: the first two state the threshold for one of the
    things, and the others its number, directly or by its difference from another one.
    """

    sort: str
    names: tuple[str, str, str]
    function: str
    meaning: str
    numbers: tuple[int, int]
    least: str
    more: str
    fact: str
    difference: str
    then: Trait


SCALES = (
    Scale(
        "parcel",
        ("parcel A", "parcel B", "parcel C"),
        "weight",
        "the weight of x in kilograms",
        (5, 40),
        "it weighs at least {number} kg",
        "it weighs more than {number} kg",
        "{Name} weighs {number} kg.",
        "{Name} weighs {number} kg more than {other}.",
        Trait("Surcharge", "needs a surcharge", "needs no surcharge"),
    ),
    Scale(
        "team",
        ("the red team", "the blue team", "the white team"),
        "points",
        "the points that x has",
        (10, 60),
        "it has at least {number} points",
        "it has more than {number} points",
        "{Name} has {number} points.",
        "{Name} has {number} points more than {other}.",
        Trait("Final", "reaches the final", "does not reach the final"),
    ),
    Scale(
        "order",
        ("order 17", "order 23", "order 58"),
        "amount",
        "the amount of x in euros",
        (15, 95),
        "its amount is at least {number} euros",
        "its amount is above {number} euros",
        "{Name} amounts to {number} euros.",
        "{Name} amounts to {number} euros more than {other}.",
        Trait("FreeDelivery", "is delivered free of charge", "is not delivered free of charge"),
    ),
    Scale(
        "hall",
        ("the east hall", "the west hall", "the old hall"),
        "seats",
        "the number of seats in x",
        (20, 90),
        "it has {number} or more seats",
        "it has over {number} seats",
        "{Name} has {number} seats.",
        "{Name} has {number} more seats than {other}.",
        Trait("SecondExit", "must have a second exit", "need not have a second exit"),
    ),
)
RULES = (
    "{A} {sort} {says} exactly when {condition}.",
    "{A} {sort} {says} if {condition}, and otherwise it {denies}.",
    "If {condition}, {a} {sort} {says}; if not, it {denies}.",
)
_NEAR = (1, 6)
"""Numbers are this far from a threshold, at least and at most."""


def draw_threshold(rng: Random) -> Draft:
    """Draw a pair with two thresholds; the number asked about is between them, and is told by a difference."""
    scale = rng.choice(SCALES)
    low, high = scale.numbers
    known, asked, other = rng.sample(scale.names, 3)
    value = rng.randint(low + _NEAR[1], high - _NEAR[1])
    difference = rng.randint(1, value - low)
    strict, wording = rng.random() < 0.5, rng.randrange(len(RULES))
    below, above = value - rng.randint(*_NEAR), value + rng.randint(*_NEAR)
    first, second = rng.sample((below, above), 2)
    facts = [
        _fact(scale, known, value - difference),
        Statement(
            scale.difference.format(Name=capitalized(asked), number=difference, other=known),
            is_more(place_of(scale.function, asked), place_of(scale.function, known), difference),
        ),
        _fact(scale, other, above),
    ]
    common, place = arrange(facts, rng)
    return Draft(
        Vocabulary(
            tuple(Entity(name, scale.sort) for name in scale.names),
            (scale.then.predicate(scale.sort),),
            (Function(scale.function, (scale.sort,), 0, high + _NEAR[1], meaning=scale.meaning),),
        ),
        common,
        place,
        _rule(scale, first, wording, strict=strict),
        _rule(scale, second, wording, strict=strict),
        scale.then.tell(asked, holds=rng.random() < 0.5),
    )


def _rule(scale: Scale, number: int, wording: int, *, strict: bool) -> Statement:
    condition = (scale.more if strict else scale.least).format(number=number)
    a, then = "an" if scale.sort[0] in "aeiou" else "a", scale.then
    text = RULES[wording].format(
        A=capitalized(a), a=a, sort=scale.sort, says=then.says, denies=then.denies, condition=condition
    )
    reached = Compare(">" if strict else ">=", Apply(scale.function, (Bound("x"),)), Number(number))
    return Statement(text, for_all(Iff(then.of_x, reached), scale.sort))


def _fact(scale: Scale, name: str, number: int) -> Statement:
    text = scale.fact.format(Name=capitalized(name), number=number)
    return Statement(text, Compare("=", place_of(scale.function, name), Number(number)))
