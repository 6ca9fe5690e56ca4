"""The `Domain` of suite belief: atoms that are true or false, and rules by which atoms follow from others.

Each atom is an entity with the attribute `holds`, 0 or 1, and its name is a clause of English: "the gate is locked".
"""

from __future__ import annotations

from holdtrue.logic.formula import And, Formula, Not
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Example
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.constraints import any_order

LONGEST_BODY = 4

_LID, _KEY, _BELL = "the lid is shut", "the key is lost", "the bell has rung"
_CAT, _ROOF = "the cat is hungry", "the roof is wet"


def holds(atom: EntityTerms) -> Formula:
    """Return the formula which says that this atom is true."""
    return atom["holds"].eq(1)


def _all_hold(atoms: tuple[EntityTerms, ...]) -> Formula:
    return holds(atoms[0]) if len(atoms) == 1 else And(tuple(map(holds, atoms)))


def _rule(world: Instance, *atoms: EntityTerms) -> Formula:
    return _all_hold(atoms[:-1]).implies(holds(atoms[-1]))


def _never(world: Instance, *atoms: EntityTerms) -> Formula:
    return Not(_all_hold(atoms))


def _rule_type(body: int) -> ConstraintType:
    given = " and ".join(f"{{{place}}}" for place in range(body))
    letters = "ABCD"[:body]
    examples = {
        1: (
            Example("The key is lost as soon as the lid is shut", (_LID, _KEY)),
            Example("The cat is hungry only if the bell has rung", (_CAT, _BELL)),
        ),
        2: (
            Example("The bell has rung in case the lid is shut and the roof is wet", (_LID, _ROOF, _BELL)),
            Example("With the cat hungry and the key lost, the lid is always shut", (_CAT, _KEY, _LID)),
        ),
        3: (
            Example(
                "Should the cat be hungry, the key be lost and the lid be shut, the bell has rung",
                (_CAT, _KEY, _LID, _BELL),
            ),
            Example(
                "The roof is wet as soon as the bell has rung and the lid is shut and the cat is hungry",
                (_BELL, _LID, _CAT, _ROOF),
            ),
        ),
        4: (
            Example(
                "Should the cat be hungry, the key be lost, the lid be shut and the roof be wet, the bell has rung",
                (_CAT, _KEY, _LID, _ROOF, _BELL),
            ),
            Example(
                "The cat is hungry as soon as the bell has rung and the lid is shut and the roof is wet and the key "
                "is lost",
                (_BELL, _LID, _ROOF, _KEY, _CAT),
            ),
        ),
    }
    return ConstraintType(
        f"if{body}",
        (Entity(),) * (body + 1),
        f"if {given}, then {{{body}}}",
        _rule,
        canonical=any_order(stop=-1),
        definition=f"Where all of {', '.join(letters)} are true, {'ABCDE'[body]} is true as well."
        if body > 1
        else "Where A is true, B is true as well; nothing is said about A where B is true.",
        examples=examples[body],
    )


HORN_WORLD = Domain(
    name="horn_world",
    attributes=(Attribute("holds", low=0, high=1),),
    constraint_types=(
        *map(_rule_type, range(1, LONGEST_BODY + 1)),
        ConstraintType(
            "not_both",
            (Entity(), Entity()),
            "not both: {0}, and {1}",
            _never,
            symmetric=True,
            definition="At least one of A and B is false; perhaps both are.",
            examples=(
                Example("A lid that is shut rules out that the roof is wet", (_LID, _ROOF)),
                Example("The bell has never rung while the cat is hungry", (_BELL, _CAT)),
            ),
        ),
        ConstraintType(
            "never_all3",
            (Entity(), Entity(), Entity()),
            "not all of these: {0}, {1}, and {2}",
            _never,
            canonical=any_order(),
            definition="At least one of A, B and C is false; perhaps more are.",
            examples=(
                Example(
                    "The lid is shut, the key is lost, the roof is wet: all three of that cannot be",
                    (_LID, _KEY, _ROOF),
                ),
                Example("With the bell rung and the cat hungry, the key is not lost", (_BELL, _CAT, _KEY)),
            ),
        ),
        ConstraintType(
            "equivalent",
            (Entity(), Entity()),
            "{0} if and only if {1}",
            lambda world, a, b: holds(a).iff(holds(b)),
            symmetric=True,
            definition="A and B are both true or both false.",
            examples=(
                Example("That the lid is shut and that the key is lost are one and the same", (_LID, _KEY)),
                Example("The roof is wet in just those cases in which the bell has rung", (_ROOF, _BELL)),
            ),
        ),
        ConstraintType(
            "holds",
            (Entity(),),
            "{0}",
            lambda world, a: holds(a),
            definition="A is true.",
            examples=(
                Example("Nobody doubts that the cat is hungry", (_CAT,)),
                Example("The bell has rung, that much is clear", (_BELL,)),
            ),
        ),
        ConstraintType(
            "holds_not",
            (Entity(),),
            "it is not the case that {0}",
            lambda world, a: Not(holds(a)),
            definition="A is false.",
            examples=(
                Example("The cat is anything but hungry", (_CAT,)),
                Example("Nobody has lost the key: it is not lost", (_KEY,)),
            ),
        ),
    ),
    conventions=("A rule says nothing about what is true where its conditions are not met.",),
)


def is_rule(type: str) -> bool:
    """Return whether constraints of this type are rules, whose last argument is the head, and all others the body."""
    return type.startswith("if")
