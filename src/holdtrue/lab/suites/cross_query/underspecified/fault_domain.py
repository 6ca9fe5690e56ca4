"""The `Domain` of fault finding: components work or are faulty, and alarms report on them."""

from __future__ import annotations

from holdtrue.lab.kit.constraints import any_order
from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import And, Formula, Not, Or, at_least, at_most
from holdtrue.world.domain import Attribute, Domain, Entity, Example, Integer
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
        Kind(
            "depends",
            (Entity(), Entity()),
            lambda w, a, b: _works(a).implies(_works(b)),
            definition="E cannot work while F is faulty; where F works, E may be faulty all the same.",
            examples=(
                Example("A broken kettle takes the toaster down with it", ("toaster", "kettle")),
                Example("The lamp needs the fuse", ("lamp", "fuse")),
            ),
            query=None,
            phrasings=(
                "the {0} works only if the {1} works",
                "the {0} depends on the {1}",
                "if the {1} is faulty, then so is the {0}",
                "the {0} does not work unless the {1} does",
                "a fault of the {1} makes the {0} faulty as well",
            ),
        ),
        Kind(
            "backed",
            (Entity(), Entity(), Entity()),
            lambda w, a, b, c: _works(a).implies(Or((_works(b), _works(c)))),
            canonical=any_order(1),
            definition="E cannot work while both F and G are faulty.",
            examples=(
                Example("The kettle and the toaster together take the lamp down", ("lamp", "kettle", "toaster")),
                Example("The radio needs at least one of fuse and lamp", ("radio", "fuse", "lamp")),
            ),
            query=None,
            phrasings=(
                "the {0} works only if the {1} or the {2} works",
                "if the {1} and the {2} are both faulty, then so is the {0}",
                "the {0} does not work unless at least one of the {1} and the {2} does",
                "the {0} depends on having at least one of the {1} and the {2} in working order",
            ),
        ),
        Kind(
            "no_false_alarm",
            (Entity(),),
            lambda w, a: _alarm(a).implies(_faulty(a)),
            definition="Where the alarm of E is on, E is faulty; a fault may go without alarm.",
            examples=(
                Example("The alarm of the kettle can be believed when it is on", ("kettle",)),
                Example("A lamp that works never sets off its alarm", ("lamp",)),
            ),
            query=None,
            phrasings=(
                "the alarm of the {0} is on only if the {0} is faulty",
                "as long as the {0} works, its alarm is off",
                "the alarm of the {0} is never on while the {0} works",
                "if the alarm of the {0} is on, then the {0} is faulty",
            ),
        ),
        Kind(
            "no_missed_fault",
            (Entity(),),
            lambda w, a: _faulty(a).implies(_alarm(a)),
            definition="Where E is faulty, its alarm is on; an alarm may be false.",
            examples=(
                Example("The alarm of the kettle can be believed when it is off", ("kettle",)),
                Example("No fault of the lamp escapes its alarm", ("lamp",)),
            ),
            query=None,
            phrasings=(
                "if the {0} is faulty, then its alarm is on",
                "the alarm of the {0} is off only if the {0} works",
                "the alarm of the {0} is never off while the {0} is faulty",
                "if the alarm of the {0} is off, then the {0} works",
            ),
        ),
        Kind(
            "alarm_on",
            (Entity(),),
            lambda w, a: _alarm(a),
            definition="The alarm of E reports a fault, rightly or not.",
            examples=(
                Example("According to its alarm the kettle is faulty", ("kettle",)),
                Example("The lamp's alarm has gone off and is still ringing", ("lamp",)),
            ),
            query="alarm",
            phrasings=(
                "the alarm of the {0} is on",
                "the {0} has its alarm on",
                "the {0} is a component whose alarm is on",
                "the alarm that belongs to the {0} is on",
            ),
        ),
        Kind(
            "alarm_off",
            (Entity(),),
            lambda w, a: Not(_alarm(a)),
            definition="The alarm of E reports no fault, rightly or not.",
            examples=(
                Example("According to its alarm the kettle is fine", ("kettle",)),
                Example("The lamp's alarm is silent", ("lamp",)),
            ),
            query="alarm",
            phrasings=(
                "the alarm of the {0} is off",
                "the {0} has its alarm off",
                "the {0} is a component whose alarm is off",
                "the alarm that belongs to the {0} is off",
            ),
        ),
        Kind(
            "works",
            (Entity(),),
            lambda w, a: _works(a),
            definition="E works: it is not faulty.",
            examples=(
                Example("Nothing is wrong with the kettle", ("kettle",)),
                Example("The lamp is all right", ("lamp",)),
            ),
            phrasings=(
                "the {0} works",
                "the {0} is not faulty",
                "the {0} is one of the components that work",
                "the {0} is in working order",
                "one of the working components is the {0}",
            ),
        ),
        Kind(
            "is_faulty",
            (Entity(),),
            lambda w, a: _faulty(a),
            definition="E is faulty: it does not work.",
            examples=(
                Example("The kettle is out of order", ("kettle",)),
                Example("The lamp has failed", ("lamp",)),
            ),
            phrasings=(
                "the {0} is faulty",
                "the {0} does not work",
                "the {0} is one of the faulty components",
                "there is a fault in the {0}",
                "one of the faulty components is the {0}",
            ),
        ),
        Kind(
            "both_work",
            (Entity(), Entity()),
            lambda w, a, b: And((_works(a), _works(b))),
            symmetric=True,
            definition="Neither E nor F is faulty.",
            examples=(
                Example("Nothing is wrong with the kettle or with the lamp", ("kettle", "lamp")),
                Example("The fuse is all right, and the radio too", ("fuse", "radio")),
            ),
            query="works",
            phrasings=(
                "the {0} and the {1} both work",
                "neither the {0} nor the {1} is faulty",
                "both the {0} and the {1} work",
                "the {0} works and so does the {1}",
            ),
        ),
        Kind(
            "some_faulty",
            (Entity(), Entity()),
            lambda w, a, b: Or((_faulty(a), _faulty(b))),
            sentence="the {0} or the {1} is faulty",
            symmetric=True,
            definition="E is faulty, or F is, or both.",
            examples=(
                Example("Something is wrong with the kettle or with the lamp", ("kettle", "lamp")),
                Example("The fuse and the radio are not both all right", ("fuse", "radio")),
            ),
            query="is_faulty",
            phrasings=(
                "the {0} or the {1} is faulty, or both are",
                "at least one of the {0} and the {1} is faulty",
                "the {0} and the {1} do not both work",
                "it is not the case that the {0} and the {1} both work",
            ),
        ),
        Kind(
            "at_most_faulty",
            (_NUMBER,),
            lambda w, number: at_most(number, _all_faulty(w)),
            definition="So many components are faulty, or fewer.",
            examples=(
                Example("There are 4 faults at the worst", (4,)),
                Example("It is certain that fewer than 3 components have failed", (2,)),
            ),
            query="count_faulty",
            phrasings=(
                "the number of faulty components is at most {0}",
                "the number of faulty components does not exceed {0}",
                "the count of faulty components is {0} or less",
                "the number of components that do not work is no greater than {0}",
            ),
        ),
        Kind(
            "at_least_faulty",
            (_NUMBER,),
            lambda w, number: at_least(number, _all_faulty(w)),
            definition="So many components are faulty, or more.",
            examples=(
                Example("There are 4 faults at the best", (4,)),
                Example("It is certain that more than 2 components have failed", (3,)),
            ),
            query="count_faulty",
            phrasings=(
                "the number of faulty components is at least {0}",
                "the number of faulty components is not below {0}",
                "the count of faulty components is {0} or more",
                "the number of components that do not work is no less than {0}",
            ),
        ),
    ),
)
