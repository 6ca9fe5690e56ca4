"""The `Domain` of pure ordering: things in a row of positions, each at a position of its own.

Every phrasing has exactly one meaning: 'before' and 'after' leave room for others in between, a phrasing that means the
next place says so, and one about neighbours says that they may be in either order.
"""

from __future__ import annotations

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, Cue, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance

_EARLIER = Cue("before|precedes?|preceding|earlier|ahead|prior|sooner|in front")
_LATER = Cue("after|later|follow(?:s|ing)?|behind", swap=True)


def _count(instance: Instance) -> int:
    return len(instance.entities)


def _inside(instance: Instance) -> int:
    return len(instance.entities) - 1


def _adjacent(instance: Instance, a: EntityTerms, b: EntityTerms) -> Formula:
    return abs(a.position - b.position).eq(1)


def _between(instance: Instance, middle: EntityTerms, a: EntityTerms, b: EntityTerms) -> Formula:
    up = (a.position < middle.position) & (middle.position < b.position)
    down = (b.position < middle.position) & (middle.position < a.position)
    return up | down


ORDER = Domain(
    name="ordering",
    context=lambda entities, given: {"kind": given.get("kind", "things"), "count": len(entities)},
    attributes=lambda context: [Attribute("position", low=1, high=context["count"], distinct=True)],
    setup=lambda instance: (f"Positions: 1 to {_count(instance)}, one for each",),
    conventions=("Position 1 is the first of all, and a lower position is before a higher one.",),
    constraint_types=(
        Kind(
            "before",
            (Entity(), Entity()),
            lambda w, a, b: a.position < b.position,
            sentence="{0} is ahead of {1}",
            wordings=("{0} is before {1}", "{1} is after {0}"),
            definition="The position of A is lower than the position of B, by one or more.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Pear precedes Quince", ("Pear", "Quince")),
                Example("Quince turns up behind Fig, maybe far behind", ("Fig", "Quince")),
                Example("Fig has its turn sooner than Pear", ("Fig", "Pear")),
            ),
            query="order",
            phrasings=(
                "{0} comes somewhere before {1}",
                "{1} comes somewhere after {0}",
                "{0} has a lower position number than {1}",
                "the position number of {1} is higher than that of {0}",
                "{0} is earlier in the order than {1}",
                "{1} is later in the order than {0}",
            ),
        ),
        Kind(
            "just_before",
            (Entity(), Entity()),
            lambda w, a, b: (a.position + 1).eq(b.position),
            sentence="{0} is just ahead of {1}",
            wordings=("{0} is immediately before {1}", "{1} is immediately after {0}"),
            definition="The position of B is the position of A plus 1.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Pear precedes Quince without anything in the middle", ("Pear", "Quince")),
                Example("Quince is the very next one behind Fig", ("Fig", "Quince")),
                Example("Straight after Fig it is the turn of Pear", ("Fig", "Pear")),
            ),
            query="adj",
            phrasings=(
                "{0} comes immediately before {1}",
                "{1} comes immediately after {0}",
                "{1} takes the position right after that of {0}",
                "{0} comes before {1} with nothing in between",
                "the position number of {1} is exactly one higher than that of {0}",
                "the one that directly follows {0} is {1}",
            ),
        ),
        Kind(
            "adjacent",
            (Entity(), Entity()),
            _adjacent,
            sentence="{0} is adjacent to {1}",
            symmetric=True,
            definition="The positions of A and B differ by 1; either of them is first.",
            examples=(
                Example("Pear borders on Quince, on one side or the other", ("Pear", "Quince")),
                Example("Fig has Pear for a direct neighbour", ("Fig", "Pear")),
            ),
            query="adj",
            phrasings=(
                "{0} and {1} are at neighbouring positions, in either order",
                "{0} comes immediately before or immediately after {1}",
                "nothing comes between {0} and {1}, whichever of them is earlier",
                "{0} and {1} are directly next to each other in the order",
                "the position numbers of {0} and {1} differ by exactly one",
            ),
        ),
        Kind(
            "not_adjacent",
            (Entity(), Entity()),
            lambda w, a, b: abs(a.position - b.position) >= 2,
            sentence="{0} is not adjacent to {1}",
            symmetric=True,
            definition="The positions of A and B differ by 2 or more; either of them is first.",
            examples=(
                Example("Pear does not border on Quince, on either side", ("Pear", "Quince")),
                Example("Whatever is a direct neighbour of Fig, it is not Pear", ("Fig", "Pear")),
            ),
            query="adj",
            phrasings=(
                "{0} and {1} are not at neighbouring positions",
                "{0} comes neither immediately before nor immediately after {1}",
                "something comes between {0} and {1}, whichever of them is earlier",
                "{0} and {1} are not directly next to each other in the order",
                "the position numbers of {0} and {1} differ by more than one",
            ),
        ),
        Kind(
            "between",
            (Entity(), Entity(), Entity()),
            _between,
            sentence="{0} is between {1} and {2}",
            canonical=any_order(1),
            definition="A comes after one of B and C and before the other; others may stand between them too.",
            examples=(
                Example("Pear has Quince on the one side and Fig on the other, near or far", ("Pear", "Quince", "Fig")),
                Example(
                    "On the way from Fig to Pear, or the other way round, Quince is passed", ("Quince", "Fig", "Pear")
                ),
            ),
            phrasings=(
                "{0} comes somewhere between {1} and {2}",
                "{0} comes after one of {1} and {2} and before the other",
                "the position of {0} is between the positions of {1} and {2}",
                "one of {1} and {2} is earlier than {0} and the other is later",
                "somewhere between {1} and {2}, in whichever order these are, comes {0}",
            ),
        ),
        Kind(
            "first",
            (Entity(),),
            lambda w, a: a.position.eq(1),
            sentence="{0} is first",
            definition="The position of A is 1.",
            examples=(
                Example("Pear leads the whole row", ("Pear",)),
                Example("It all begins with Quince", ("Quince",)),
            ),
            query="pos",
            phrasings=(
                "{0} comes first",
                "{0} comes before all the others",
                "{0} opens the order",
                "the first in the order is {0}",
                "nothing comes before {0}",
            ),
        ),
        Kind(
            "last",
            (Entity(),),
            lambda w, a: a.position.eq(_count(w)),
            sentence="{0} is last",
            definition="The position of A is the highest one.",
            examples=(
                Example("Pear brings up the rear", ("Pear",)),
                Example("It all finishes with Quince", ("Quince",)),
            ),
            query="pos",
            phrasings=(
                "{0} comes last",
                "{0} comes after all the others",
                "{0} closes the order",
                "the last in the order is {0}",
                "nothing comes after {0}",
            ),
        ),
        Kind(
            "at_position",
            (Entity(), Integer(2, _inside)),
            lambda w, a, position: a.position.eq(position),
            sentence="{0} is at position {1}",
            definition="The position of A is p.",
            examples=(
                Example("Pear comes as number 3", ("Pear", 3)),
                Example("Spot 2 is for Quince", ("Quince", 2)),
            ),
            query="pos",
            phrasings=(
                "{0} has position {1}",
                "position {1} belongs to {0}",
                "the position of {0} is number {1}",
                "the one at position {1} is {0}",
                "{0} takes position {1} in the order",
            ),
        ),
        Kind(
            "not_at_position",
            (Entity(), Integer(1, _count)),
            lambda w, a, position: a.position.ne(position),
            sentence="{0} is not at position {1}",
            definition="The position of A is not p.",
            examples=(
                Example("Pear comes as anything but number 3", ("Pear", 3)),
                Example("Spot 2 is for another one than Quince", ("Quince", 2)),
            ),
            query="pos",
            phrasings=(
                "{0} does not have position {1}",
                "position {1} does not belong to {0}",
                "the position of {0} is not number {1}",
                "the one at position {1} is not {0}",
                "{0} takes another position than {1}",
            ),
        ),
        Kind(
            "among_first",
            (Entity(), Integer(2, lambda w: _count(w) - 2)),
            lambda w, a, position: a.position <= position,
            sentence="{0} is one of the first {1}",
            definition="The position of A is p or lower.",
            examples=(
                Example("Pear makes it into the top 3", ("Pear", 3)),
                Example("Quince has its turn within the opening 2", ("Quince", 2)),
            ),
            query="pos",
            phrasings=(
                "{0} is among the first {1} in the order",
                "{0} has position {1} or one with a lower number",
                "the position number of {0} is {1} or lower",
                "{0} comes at position {1} at the latest",
                "the first {1} in the order include {0}",
            ),
        ),
    ),
)
