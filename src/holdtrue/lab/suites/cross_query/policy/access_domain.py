"""The `Domain` of access control: people have roles, and rules say which roles have access to which resources.

The world is open: a person who is not granted access may have it all the same, unless a rule denies it. No grant is for
suspended people.

Every phrasing has exactly one meaning: a grant says that it leaves out suspended people, and 'only' says nothing about
who does have access. The setting says that rules are about its people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import And, Formula, exactly, for_all
from holdtrue.world.domain import Attribute, AttributeName, Axiom, Domain, Entity, Example
from holdtrue.world.instance import EntityTerms, Instance

_Rule = Callable[[EntityTerms], Formula]


def _roles(instance: Instance) -> Sequence[str]:
    roles: Sequence[str] = instance.context["roles"]
    return roles


def _resources(instance: Instance) -> Sequence[str]:
    resources: Sequence[str] = instance.context["resources"]
    return resources


_ROLE, _RESOURCE = AttributeName(_roles), AttributeName(_resources)


def _everybody(instance: Instance, rule: _Rule) -> Formula:
    return for_all(instance.entities, lambda name: rule(instance[name]))


def _grant(instance: Instance, role: str, resource: str) -> Formula:
    return _everybody(instance, lambda who: (who[role].eq(1) & who.suspended.eq(0)).implies(who[resource].eq(1)))


def _grant_certified(instance: Instance, role: str, resource: str) -> Formula:
    return _everybody(
        instance,
        lambda who: (who[role].eq(1) & who.certified.eq(1) & who.suspended.eq(0)).implies(who[resource].eq(1)),
    )


def _laws(instance: Instance) -> Sequence[Axiom]:
    laws: list[Axiom] = []
    for name in instance.entities:
        who = instance[name]
        one = exactly(1, (who[role].eq(1) for role in _roles(instance)))
        shut = And(tuple(who[resource].eq(0) for resource in _resources(instance)))
        laws.append(Axiom(f"role_{name}", f"{name} has exactly one role", one))
        laws.append(
            Axiom(f"shut_{name}", f"{name} has no access to anything if suspended", who.suspended.eq(1).implies(shut))
        )
        known = name in instance.context["suspended"]
        laws.append(
            Axiom(f"suspended_{name}", f"{name} is{'' if known else ' not'} suspended", who.suspended.eq(int(known)))
        )
    return laws


ACCESS = Domain(
    name="access_control",
    attributes=lambda context: [
        Attribute(name, 0, 1) for name in (*context["roles"], "certified", "suspended", *context["resources"])
    ],
    axioms=_laws,
    setup=lambda instance: (
        f"Roles: {', '.join(_roles(instance))}",
        f"Resources: {', '.join(_resources(instance))}",
        "Everybody may also be certified or not",
        f"Suspended: {', '.join(instance.context['suspended']) or 'nobody'}",
    ),
    conventions=(
        "1 means yes and 0 means no. Everybody has exactly one role.",
        "A suspended person has no access to anything, whatever is granted.",
        "What is not granted may still be allowed, as long as nothing denies it.",
    ),
    constraint_types=(
        Kind(
            "has_role",
            (Entity(), _ROLE),
            lambda w, a, role: a[role].eq(1),
            sentence="{0} is in role {1}",
            definition="The role of A is R.",
            examples=(
                Example("Ida got a job as baker here", ("Ida", "baker")),
                Example("The badge of Jonas says: courier", ("Jonas", "courier")),
            ),
            query="role",
            phrasings=(
                "{0} has the role of {1}",
                "the role of {0} is that of {1}",
                "{0} works in the role of {1}",
                "{0} holds the {1} role",
                "among those in the role of {1} is {0}",
            ),
        ),
        Kind(
            "not_role",
            (Entity(), _ROLE),
            lambda w, a, role: a[role].eq(0),
            sentence="{0} is not in role {1}",
            definition="The role of A is another one than R.",
            examples=(
                Example("Ida is anything but a baker", ("Ida", "baker")),
                Example("Jonas never got the job of courier", ("Jonas", "courier")),
            ),
            query="role",
            phrasings=(
                "{0} does not have the role of {1}",
                "the role of {0} is not that of {1}",
                "{0} has another role than that of {1}",
                "{0} does not hold the {1} role",
                "{0} is not among those in the role of {1}",
            ),
        ),
        Kind(
            "same_role",
            (Entity(), Entity()),
            lambda w, a, b: for_all(_roles(w), lambda role: a[role].eq(b[role])),
            sentence="{0} is in the same role as {1}",
            symmetric=True,
            definition="A and B have one and the same role, whichever it is.",
            examples=(
                Example("Ida does the very job that Jonas does", ("Ida", "Jonas")),
                Example("What Lena is here, Mats is too", ("Lena", "Mats")),
            ),
            query="role",
            phrasings=(
                "{0} and {1} have the same role",
                "the role of {0} is also the role of {1}",
                "{0} has the role that {1} has",
                "{0} and {1} share one role",
            ),
        ),
        Kind(
            "different_role",
            (Entity(), Entity()),
            lambda w, a, b: ~for_all(_roles(w), lambda role: a[role].eq(b[role])),
            sentence="{0} is in another role than {1}",
            symmetric=True,
            definition="A and B do not have the same role.",
            examples=(
                Example("Ida does not do the job that Jonas does", ("Ida", "Jonas")),
                Example("Lena and Mats each have a job of their own kind", ("Lena", "Mats")),
            ),
            query="role",
            phrasings=(
                "{0} and {1} have different roles",
                "the role of {0} is not the role of {1}",
                "{0} has another role than {1} has",
                "{0} and {1} do not share one role",
            ),
        ),
        Kind(
            "access",
            (Entity(), _RESOURCE),
            lambda w, a, resource: a[resource].eq(1),
            sentence="{0} has access to {1}",
            definition="A may use resource X.",
            examples=(
                Example("Ida may go up to the attic", ("Ida", "attic")),
                Example("The printer lets Jonas in", ("Jonas", "printer")),
            ),
            phrasings=(
                "{0} has access to the {1}",
                "the {1} is accessible to {0}",
                "{0} is among the people with access to the {1}",
                "one of those who have access to the {1} is {0}",
                "access to the {1} is allowed for {0}",
            ),
        ),
        Kind(
            "no_access",
            (Entity(), _RESOURCE),
            lambda w, a, resource: a[resource].eq(0),
            sentence="{0} has no access to {1}",
            definition="A may not use resource X.",
            examples=(
                Example("The attic is off limits for Ida", ("Ida", "attic")),
                Example("The printer turns Jonas away", ("Jonas", "printer")),
            ),
            query="access",
            phrasings=(
                "{0} has no access to the {1}",
                "the {1} is not accessible to {0}",
                "{0} is not among the people with access to the {1}",
                "access to the {1} is not allowed for {0}",
                "{0} is without access to the {1}",
            ),
        ),
        Kind(
            "certified",
            (Entity(),),
            lambda w, a: a.certified.eq(1),
            definition="A has a certificate.",
            examples=(Example("Ida earned the certificate", ("Ida",)), Example("Jonas passed for it", ("Jonas",))),
            query="status",
            phrasings=(
                "{0} is certified",
                "{0} is a certified person",
                "it is the case that {0} is certified",
                "{0} is among the certified people",
            ),
        ),
        Kind(
            "not_certified",
            (Entity(),),
            lambda w, a: a.certified.eq(0),
            definition="A has no certificate.",
            examples=(
                Example("Ida never earned the certificate", ("Ida",)),
                Example("Jonas still goes without the certificate", ("Jonas",)),
            ),
            query="status",
            phrasings=(
                "{0} is not certified",
                "{0} is not a certified person",
                "it is not the case that {0} is certified",
                "{0} is not among the certified people",
            ),
        ),
        Kind(
            "grant",
            (_ROLE, _RESOURCE),
            _grant,
            sentence="unless suspended, role {0} has access to {1}",
            definition="Everybody in role R who is not suspended has access to resource X.",
            examples=(
                Example("The attic lets every baker in, suspended ones apart", ("baker", "attic")),
                Example("Couriers that are not under suspension are welcome at the printer", ("courier", "printer")),
            ),
            query=None,
            phrasings=(
                "everybody in the role of {0} who is not suspended has access to the {1}",
                "the role of {0} gives access to the {1} to all who have it and are not suspended",
                "whoever has the role of {0} has access to the {1}, except when suspended",
                "access to the {1} is granted to the role of {0}, which is to all in this role who are not suspended",
            ),
        ),
        Kind(
            "grant_certified",
            (_ROLE, _RESOURCE),
            _grant_certified,
            sentence="unless suspended, role {0} with certificate has access to {1}",
            definition="Everybody in role R who is certified and not suspended has access to resource X.",
            examples=(
                Example("The attic lets every baker with a certificate in, suspended ones apart", ("baker", "attic")),
                Example(
                    "Couriers with certificate, not under suspension, are welcome at the printer",
                    ("courier", "printer"),
                ),
            ),
            query=None,
            phrasings=(
                "everybody in the role of {0} who is certified and not suspended has access to the {1}",
                "the role of {0} gives access to the {1} to all who have it, are certified and are not suspended",
                "whoever has the role of {0} and is certified has access to the {1}, except when suspended",
                "on condition of being certified and not suspended, everybody in the role of {0} has access to the {1}",
            ),
        ),
        Kind(
            "deny",
            (_ROLE, _RESOURCE),
            lambda w, role, resource: _everybody(w, lambda who: who[role].eq(1).implies(who[resource].eq(0))),
            sentence="role {0} has no access to {1}",
            definition="Nobody in role R has access to resource X.",
            examples=(
                Example("The attic is off limits for bakers", ("baker", "attic")),
                Example("The printer turns every courier away", ("courier", "printer")),
            ),
            query="rule",
            phrasings=(
                "nobody in the role of {0} has access to the {1}",
                "access to the {1} is denied to everybody in the role of {0}",
                "whoever has the role of {0} has no access to the {1}",
                "the {1} is not accessible to anybody in the role of {0}",
            ),
        ),
        Kind(
            "only_role",
            (_ROLE, _RESOURCE),
            lambda w, role, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who[role].eq(1))),
            sentence="only role {0} has access to {1}",
            definition="Whoever has access to resource X is in role R; perhaps not all in role R have access.",
            examples=(
                Example("The attic turns away all but bakers", ("baker", "attic")),
                Example("One has to be a courier to be let in at the printer", ("courier", "printer")),
            ),
            query="rule",
            phrasings=(
                "nobody outside the role of {0} has access to the {1}",
                "access to the {1} is denied to everybody who does not have the role of {0}",
                "if somebody has access to the {1}, then that person has the role of {0}",
                "the {1} is not accessible to anybody in another role than that of {0}",
            ),
        ),
        Kind(
            "only_certified",
            (_RESOURCE,),
            lambda w, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who.certified.eq(1))),
            sentence="only certified people have access to {0}",
            definition="Whoever has access to resource X is certified.",
            examples=(
                Example("The attic turns away all who go without a certificate", ("attic",)),
                Example("One needs the certificate to be let in at the printer", ("printer",)),
            ),
            query="rule",
            phrasings=(
                "nobody who is not certified has access to the {0}",
                "access to the {0} is denied to everybody who is not certified",
                "if somebody has access to the {0}, then that person is certified",
                "the {0} is not accessible to anybody who lacks certification",
            ),
        ),
        Kind(
            "wider",
            (_RESOURCE, _RESOURCE),
            lambda w, one, other: _everybody(w, lambda who: who[one].eq(1).implies(who[other].eq(1))),
            sentence="access to {0} goes with access to {1}",
            definition="Whoever has access to the first resource has access to the second too.",
            examples=(
                Example("Those let into the attic are let in at the printer as well", ("attic", "printer")),
                Example("A key to the printer is a key to the attic too", ("printer", "attic")),
            ),
            query=None,
            phrasings=(
                "whoever has access to the {0} also has access to the {1}",
                "if somebody has access to the {0}, then that person has access to the {1} as well",
                "everybody with access to the {0} has access to the {1} too",
                "nobody has access to the {0} without having access to the {1}",
            ),
        ),
    ),
)
