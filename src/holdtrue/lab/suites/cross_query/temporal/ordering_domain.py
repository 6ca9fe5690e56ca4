"""The `Domain` of pure ordering: things in a row of positions, each at a position of its own."""

from __future__ import annotations

from holdtrue.lab.kit.constraints import any_order
from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, ConstraintType, Cue, Domain, Entity, Example, Integer
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
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} is ahead of {1}",
            lambda w, a, b: a.position < b.position,
            wordings=("{0} is before {1}", "{1} is after {0}"),
            definition="The position of A is lower than the position of B, by one or more.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Pear precedes Quince", ("Pear", "Quince")),
                Example("Quince turns up behind Fig, maybe far behind", ("Fig", "Quince")),
                Example("Fig has its turn sooner than Pear", ("Fig", "Pear")),
            ),
        ),
        ConstraintType(
            "just_before",
            (Entity(), Entity()),
            "{0} is just ahead of {1}",
            lambda w, a, b: (a.position + 1).eq(b.position),
            wordings=("{0} is immediately before {1}", "{1} is immediately after {0}"),
            definition="The position of B is the position of A plus 1.",
            cues=(_EARLIER, _LATER),
            examples=(
                Example("Pear precedes Quince without anything in the middle", ("Pear", "Quince")),
                Example("Quince is the very next one behind Fig", ("Fig", "Quince")),
                Example("Straight after Fig it is the turn of Pear", ("Fig", "Pear")),
            ),
        ),
        ConstraintType(
            "adjacent",
            (Entity(), Entity()),
            "{0} is adjacent to {1}",
            _adjacent,
            symmetric=True,
            definition="The positions of A and B differ by 1; either of them is first.",
            examples=(
                Example("Pear borders on Quince, on one side or the other", ("Pear", "Quince")),
                Example("Fig has Pear for a direct neighbour", ("Fig", "Pear")),
            ),
        ),
        ConstraintType(
            "not_adjacent",
            (Entity(), Entity()),
            "{0} is not adjacent to {1}",
            lambda w, a, b: abs(a.position - b.position) >= 2,
            symmetric=True,
            definition="The positions of A and B differ by 2 or more; either of them is first.",
            examples=(
                Example("Pear does not border on Quince, on either side", ("Pear", "Quince")),
                Example("Whatever is a direct neighbour of Fig, it is not Pear", ("Fig", "Pear")),
            ),
        ),
        ConstraintType(
            "between",
            (Entity(), Entity(), Entity()),
            "{0} is between {1} and {2}",
            _between,
            canonical=any_order(1),
            definition="A comes after one of B and C and before the other; others may stand between them too.",
            examples=(
                Example("Pear has Quince on the one side and Fig on the other, near or far", ("Pear", "Quince", "Fig")),
                Example(
                    "On the way from Fig to Pear, or the other way round, Quince is passed", ("Quince", "Fig", "Pear")
                ),
            ),
        ),
        ConstraintType(
            "first",
            (Entity(),),
            "{0} is first",
            lambda w, a: a.position.eq(1),
            definition="The position of A is 1.",
            examples=(
                Example("Pear leads the whole row", ("Pear",)),
                Example("It all begins with Quince", ("Quince",)),
            ),
        ),
        ConstraintType(
            "last",
            (Entity(),),
            "{0} is last",
            lambda w, a: a.position.eq(_count(w)),
            definition="The position of A is the highest one.",
            examples=(
                Example("Pear brings up the rear", ("Pear",)),
                Example("It all finishes with Quince", ("Quince",)),
            ),
        ),
        ConstraintType(
            "at_position",
            (Entity(), Integer(2, _inside)),
            "{0} is at position {1}",
            lambda w, a, position: a.position.eq(position),
            definition="The position of A is p.",
            examples=(
                Example("Pear comes as number 3", ("Pear", 3)),
                Example("Spot 2 is for Quince", ("Quince", 2)),
            ),
        ),
        ConstraintType(
            "not_at_position",
            (Entity(), Integer(1, _count)),
            "{0} is not at position {1}",
            lambda w, a, position: a.position.ne(position),
            definition="The position of A is not p.",
            examples=(
                Example("Pear comes as anything but number 3", ("Pear", 3)),
                Example("Spot 2 is for another one than Quince", ("Quince", 2)),
            ),
        ),
        ConstraintType(
            "among_first",
            (Entity(), Integer(2, lambda w: _count(w) - 2)),
            "{0} is one of the first {1}",
            lambda w, a, position: a.position <= position,
            definition="The position of A is p or lower.",
            examples=(
                Example("Pear makes it into the top 3", ("Pear", 3)),
                Example("Quince has its turn within the opening 2", ("Quince", 2)),
            ),
        ),
    ),
)
