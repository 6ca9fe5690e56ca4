"""Constraint types about office numbers: who has which, who has a lower one, and which office is empty."""

from __future__ import annotations

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.relational.kind import Kind
from holdtrue.logic.formula import And, Formula
from holdtrue.world.domain import ConstraintType, Cue, Entity, Example, Integer
from holdtrue.world.instance import Instance


def offices_of(instance: Instance) -> int:
    """Return the number of offices, which is even."""
    offices: int = instance.context["offices"]
    return offices


def _empty(instance: Instance, office: int) -> Formula:
    return And(tuple(instance[who].office.ne(office) for who in instance.entities))


_NUMBER = Integer(1, offices_of)

NUMBER_KINDS = (
    Kind(
        ConstraintType(
            "in_office",
            (Entity(), _NUMBER),
            "{0} has office {1}",
            lambda w, a, office: a.office.eq(office),
            definition="A works in office number k.",
            examples=(
                Example("The door with the number 4 bears Lena's name", ("Lena", 4)),
                Example("Mats moves into room 2", ("Mats", 2)),
            ),
        ),
        "office",
        (
            "{0} has office {1}",
            "office {1} is assigned to {0}",
            "{0} works in office {1}",
            "the person in office {1} is {0}",
            "office number {1} is {0}'s",
        ),
        weight=5,
    ),
    Kind(
        ConstraintType(
            "not_in_office",
            (Entity(), _NUMBER),
            "{0} does not have office {1}",
            lambda w, a, office: a.office.ne(office),
            definition="A works in any office except number k.",
            examples=(
                Example("Jonas is banned from room 3", ("Jonas", 3)),
                Example("The name on door 5 is anything but Ida's", ("Ida", 5)),
            ),
        ),
        "not_office",
        (
            "{0} does not have office {1}",
            "office {1} is not assigned to {0}",
            "{0} does not work in office {1}",
            "{0} has some other office than office {1}",
        ),
        weight=1,
    ),
    Kind(
        ConstraintType(
            "either_office",
            (Entity(), _NUMBER, _NUMBER),
            "{0} has office {1} or office {2}",
            lambda w, a, one, other: a.office.eq(one) | a.office.eq(other),
            canonical=any_order(1),
            definition="A works in one of the offices k and l.",
            examples=(
                Example("For Ida there are two rooms to choose from, 1 and 6", ("Ida", 1, 6)),
                Example("If Lena is not behind door 2, she is behind door 5", ("Lena", 2, 5)),
            ),
        ),
        "either_office",
        (
            "{0} has office {1} or office {2}",
            "{0} works either in office {1} or in office {2}",
            "{0}'s office is number {1} or number {2}",
            "one of the offices {1} and {2} is {0}'s",
        ),
        weight=3,
    ),
    Kind(
        ConstraintType(
            "lower_office",
            (Entity(), Entity()),
            "{0} has a lower office number than {1}",
            lambda w, a, b: a.office < b.office,
            definition="The number of A's office is smaller than that of B's. The one with the smaller comes first.",
            cues=(Cue("lower|smaller|below"), Cue("higher|larger|greater|above", swap=True)),
            examples=(
                Example("Ida's door number is smaller than Lena's", ("Ida", "Lena")),
                Example("Room by room in order, one gets to Jonas sooner than to Mats", ("Jonas", "Mats")),
            ),
        ),
        "order",
        (
            "{0} has a lower office number than {1}",
            "{1} has a higher office number than {0}",
            "the number of {0}'s office is below that of {1}'s",
            "the number of {1}'s office is above that of {0}'s",
        ),
        weight=3,
    ),
    Kind(
        ConstraintType(
            "empty_office",
            (_NUMBER,),
            "office {0} is empty",
            _empty,
            applies=lambda instance: offices_of(instance) > len(instance.entities),
            definition="Nobody has office number k.",
            examples=(
                Example("Room 3 stays without anybody", (3,)),
                Example("Behind door 6 there is no one to be found", (6,)),
            ),
        ),
        "empty",
        (
            "office {0} is empty",
            "nobody has office {0}",
            "office {0} is assigned to nobody",
            "none of these people works in office {0}",
        ),
        weight=2,
    ),
)
