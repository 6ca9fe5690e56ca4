"""The `Domain` of access control: people have roles, and rules say which roles have access to which resources.

The world is open: a person who is not granted access may have it all the same, unless a rule denies it. No grant is for
suspended people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.logic.formula import And, Formula, exactly, for_all
from holdtrue.world.domain import Attribute, AttributeName, Axiom, ConstraintType, Domain, Entity, Example
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
        ConstraintType(
            "has_role",
            (Entity(), _ROLE),
            "{0} is in role {1}",
            lambda w, a, role: a[role].eq(1),
            definition="The role of A is R.",
            examples=(
                Example("Ida got a job as baker here", ("Ida", "baker")),
                Example("The badge of Jonas says: courier", ("Jonas", "courier")),
            ),
        ),
        ConstraintType(
            "not_role",
            (Entity(), _ROLE),
            "{0} is not in role {1}",
            lambda w, a, role: a[role].eq(0),
            definition="The role of A is another one than R.",
            examples=(
                Example("Ida is anything but a baker", ("Ida", "baker")),
                Example("Jonas never got the job of courier", ("Jonas", "courier")),
            ),
        ),
        ConstraintType(
            "same_role",
            (Entity(), Entity()),
            "{0} is in the same role as {1}",
            lambda w, a, b: for_all(_roles(w), lambda role: a[role].eq(b[role])),
            symmetric=True,
            definition="A and B have one and the same role, whichever it is.",
            examples=(
                Example("Ida does the very job that Jonas does", ("Ida", "Jonas")),
                Example("What Lena is here, Mats is too", ("Lena", "Mats")),
            ),
        ),
        ConstraintType(
            "different_role",
            (Entity(), Entity()),
            "{0} is in another role than {1}",
            lambda w, a, b: ~for_all(_roles(w), lambda role: a[role].eq(b[role])),
            symmetric=True,
            definition="A and B do not have the same role.",
            examples=(
                Example("Ida does not do the job that Jonas does", ("Ida", "Jonas")),
                Example("Lena and Mats each have a job of their own kind", ("Lena", "Mats")),
            ),
        ),
        ConstraintType(
            "access",
            (Entity(), _RESOURCE),
            "{0} has access to {1}",
            lambda w, a, resource: a[resource].eq(1),
            definition="A may use resource X.",
            examples=(
                Example("Ida may go up to the attic", ("Ida", "attic")),
                Example("The printer lets Jonas in", ("Jonas", "printer")),
            ),
        ),
        ConstraintType(
            "no_access",
            (Entity(), _RESOURCE),
            "{0} has no access to {1}",
            lambda w, a, resource: a[resource].eq(0),
            definition="A may not use resource X.",
            examples=(
                Example("The attic is off limits for Ida", ("Ida", "attic")),
                Example("The printer turns Jonas away", ("Jonas", "printer")),
            ),
        ),
        ConstraintType(
            "certified",
            (Entity(),),
            "{0} is certified",
            lambda w, a: a.certified.eq(1),
            definition="A has a certificate.",
            examples=(Example("Ida earned the certificate", ("Ida",)), Example("Jonas passed for it", ("Jonas",))),
        ),
        ConstraintType(
            "not_certified",
            (Entity(),),
            "{0} is not certified",
            lambda w, a: a.certified.eq(0),
            definition="A has no certificate.",
            examples=(
                Example("Ida never earned the certificate", ("Ida",)),
                Example("Jonas still goes without the certificate", ("Jonas",)),
            ),
        ),
        ConstraintType(
            "grant",
            (_ROLE, _RESOURCE),
            "unless suspended, role {0} has access to {1}",
            _grant,
            definition="Everybody in role R who is not suspended has access to resource X.",
            examples=(
                Example("The attic lets every baker in, suspended ones apart", ("baker", "attic")),
                Example("Couriers that are not under suspension are welcome at the printer", ("courier", "printer")),
            ),
        ),
        ConstraintType(
            "grant_certified",
            (_ROLE, _RESOURCE),
            "unless suspended, role {0} with certificate has access to {1}",
            _grant_certified,
            definition="Everybody in role R who is certified and not suspended has access to resource X.",
            examples=(
                Example("The attic lets every baker with a certificate in, suspended ones apart", ("baker", "attic")),
                Example(
                    "Couriers with certificate, not under suspension, are welcome at the printer",
                    ("courier", "printer"),
                ),
            ),
        ),
        ConstraintType(
            "deny",
            (_ROLE, _RESOURCE),
            "role {0} has no access to {1}",
            lambda w, role, resource: _everybody(w, lambda who: who[role].eq(1).implies(who[resource].eq(0))),
            definition="Nobody in role R has access to resource X.",
            examples=(
                Example("The attic is off limits for bakers", ("baker", "attic")),
                Example("The printer turns every courier away", ("courier", "printer")),
            ),
        ),
        ConstraintType(
            "only_role",
            (_ROLE, _RESOURCE),
            "only role {0} has access to {1}",
            lambda w, role, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who[role].eq(1))),
            definition="Whoever has access to resource X is in role R; perhaps not all in role R have access.",
            examples=(
                Example("The attic turns away all but bakers", ("baker", "attic")),
                Example("One has to be a courier to be let in at the printer", ("courier", "printer")),
            ),
        ),
        ConstraintType(
            "only_certified",
            (_RESOURCE,),
            "only certified people have access to {0}",
            lambda w, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who.certified.eq(1))),
            definition="Whoever has access to resource X is certified.",
            examples=(
                Example("The attic turns away all who go without a certificate", ("attic",)),
                Example("One needs the certificate to be let in at the printer", ("printer",)),
            ),
        ),
        ConstraintType(
            "wider",
            (_RESOURCE, _RESOURCE),
            "access to {0} goes with access to {1}",
            lambda w, one, other: _everybody(w, lambda who: who[one].eq(1).implies(who[other].eq(1))),
            definition="Whoever has access to the first resource has access to the second too.",
            examples=(
                Example("Those let into the attic are let in at the printer as well", ("attic", "printer")),
                Example("A key to the printer is a key to the attic too", ("printer", "attic")),
            ),
        ),
    ),
)
