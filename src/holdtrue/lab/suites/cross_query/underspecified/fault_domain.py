"""The `Domain` of fault finding: components work or are faulty, and alarms report on them."""

from __future__ import annotations

from holdtrue.lab.kit.constraints import any_order
from holdtrue.logic.formula import And, Formula, Not, Or, at_least, at_most
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Example, Integer
from holdtrue.world.instance import EntityTerms, Instance


def _works(component: EntityTerms) -> Formula:
    return component["state"].eq(1)


def _faulty(component: EntityTerms) -> Formula:
    return component["state"].eq(0)


def _alarm(component: EntityTerms) -> Formula:
    return component["alarm"].eq(1)


def _all_faulty(instance: Instance) -> list[Formula]:
    return [_faulty(instance[name]) for name in instance.entities]


_NUMBER = Integer(1, lambda instance: len(instance.entities))

FAULT_DOMAIN = Domain(
    name="fault",
    attributes=(Attribute("state", values=("faulty", "working")), Attribute("alarm", values=("off", "on"))),
    constraint_types=(
        ConstraintType(
            "depends",
            (Entity(), Entity()),
            "the {0} works only if the {1} works",
            lambda w, a, b: _works(a).implies(_works(b)),
            definition="E cannot work while F is faulty; where F works, E may be faulty all the same.",
            examples=(
                Example("A broken kettle takes the toaster down with it", ("toaster", "kettle")),
                Example("The lamp needs the fuse", ("lamp", "fuse")),
            ),
        ),
        ConstraintType(
            "backed",
            (Entity(), Entity(), Entity()),
            "the {0} works only if the {1} or the {2} works",
            lambda w, a, b, c: _works(a).implies(Or((_works(b), _works(c)))),
            canonical=any_order(1),
            definition="E cannot work while both F and G are faulty.",
            examples=(
                Example("The kettle and the toaster together take the lamp down", ("lamp", "kettle", "toaster")),
                Example("The radio needs at least one of fuse and lamp", ("radio", "fuse", "lamp")),
            ),
        ),
        ConstraintType(
            "no_false_alarm",
            (Entity(),),
            "the alarm of the {0} is on only if the {0} is faulty",
            lambda w, a: _alarm(a).implies(_faulty(a)),
            definition="Where the alarm of E is on, E is faulty; a fault may go without alarm.",
            examples=(
                Example("The alarm of the kettle can be believed when it is on", ("kettle",)),
                Example("A lamp that works never sets off its alarm", ("lamp",)),
            ),
        ),
        ConstraintType(
            "no_missed_fault",
            (Entity(),),
            "if the {0} is faulty, then its alarm is on",
            lambda w, a: _faulty(a).implies(_alarm(a)),
            definition="Where E is faulty, its alarm is on; an alarm may be false.",
            examples=(
                Example("The alarm of the kettle can be believed when it is off", ("kettle",)),
                Example("No fault of the lamp escapes its alarm", ("lamp",)),
            ),
        ),
        ConstraintType(
            "alarm_on",
            (Entity(),),
            "the alarm of the {0} is on",
            lambda w, a: _alarm(a),
            definition="The alarm of E reports a fault, rightly or not.",
            examples=(
                Example("According to its alarm the kettle is faulty", ("kettle",)),
                Example("The lamp's alarm has gone off and is still ringing", ("lamp",)),
            ),
        ),
        ConstraintType(
            "alarm_off",
            (Entity(),),
            "the alarm of the {0} is off",
            lambda w, a: Not(_alarm(a)),
            definition="The alarm of E reports no fault, rightly or not.",
            examples=(
                Example("According to its alarm the kettle is fine", ("kettle",)),
                Example("The lamp's alarm is silent", ("lamp",)),
            ),
        ),
        ConstraintType(
            "works",
            (Entity(),),
            "the {0} works",
            lambda w, a: _works(a),
            definition="E works: it is not faulty.",
            examples=(
                Example("Nothing is wrong with the kettle", ("kettle",)),
                Example("The lamp is all right", ("lamp",)),
            ),
        ),
        ConstraintType(
            "is_faulty",
            (Entity(),),
            "the {0} is faulty",
            lambda w, a: _faulty(a),
            definition="E is faulty: it does not work.",
            examples=(
                Example("The kettle is out of order", ("kettle",)),
                Example("The lamp has failed", ("lamp",)),
            ),
        ),
        ConstraintType(
            "both_work",
            (Entity(), Entity()),
            "the {0} and the {1} both work",
            lambda w, a, b: And((_works(a), _works(b))),
            symmetric=True,
            definition="Neither E nor F is faulty.",
            examples=(
                Example("Nothing is wrong with the kettle or with the lamp", ("kettle", "lamp")),
                Example("The fuse is all right, and the radio too", ("fuse", "radio")),
            ),
        ),
        ConstraintType(
            "some_faulty",
            (Entity(), Entity()),
            "the {0} or the {1} is faulty",
            lambda w, a, b: Or((_faulty(a), _faulty(b))),
            symmetric=True,
            definition="E is faulty, or F is, or both.",
            examples=(
                Example("Something is wrong with the kettle or with the lamp", ("kettle", "lamp")),
                Example("The fuse and the radio are not both all right", ("fuse", "radio")),
            ),
        ),
        ConstraintType(
            "at_most_faulty",
            (_NUMBER,),
            "the number of faulty components is at most {0}",
            lambda w, number: at_most(number, _all_faulty(w)),
            definition="So many components are faulty, or fewer.",
            examples=(
                Example("There are 4 faults at the worst", (4,)),
                Example("It is certain that fewer than 3 components have failed", (2,)),
            ),
        ),
        ConstraintType(
            "at_least_faulty",
            (_NUMBER,),
            "the number of faulty components is at least {0}",
            lambda w, number: at_least(number, _all_faulty(w)),
            definition="So many components are faulty, or more.",
            examples=(
                Example("There are 4 faults at the best", (4,)),
                Example("It is certain that more than 2 components have failed", (3,)),
            ),
        ),
    ),
)
