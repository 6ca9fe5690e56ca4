"""The subdomain of access control: people have roles, and rules say which roles have access to which resources.

The world is open: a person who is not granted access may have it all the same, unless a rule denies it. No grant is for
suspended people.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, exactly, for_all
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import Number, listed
from holdtrue_lab.suites.cross_query.drawing import draw_people
from holdtrue_lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("access_control")
_SHARES = Shares(premises=(6, 9), true=0.45)
_RULES = ("grant", "grant_certified", "deny")  # about one role and one resource
_SUSPENDED_SHARE = 0.4
_EXCEPTION_SHARE = 0.15


def _roles(instance: Instance) -> Sequence[str]:
    roles: Sequence[str] = instance.context["roles"]
    return roles


def _resources(instance: Instance) -> Sequence[str]:
    resources: Sequence[str] = instance.context["resources"]
    return resources


def _everybody(instance: Instance, rule: Callable[[EntityTerms], Formula]) -> Formula:
    return for_all(instance.entities, lambda name: rule(instance[name]))


def _grant(instance: Instance, role: str, resource: str) -> Formula:
    return _everybody(instance, lambda who: (who[role].eq(1) & who.suspended.eq(0)).implies(who[resource].eq(1)))


def _grant_certified(instance: Instance, role: str, resource: str) -> Formula:
    return _everybody(
        instance,
        lambda who: (who[role].eq(1) & who.certified.eq(1) & who.suspended.eq(0)).implies(who[resource].eq(1)),
    )


_MEANINGS: Mapping[str, Callable[..., Formula]] = {
    "has_role": lambda w, a, role: a[role].eq(1),
    "not_role": lambda w, a, role: a[role].eq(0),
    "same_role": lambda w, a, b: for_all(_roles(w), lambda role: a[role].eq(b[role])),
    "access": lambda w, a, resource: a[resource].eq(1),
    "no_access": lambda w, a, resource: a[resource].eq(0),
    "certified": lambda w, a: a.certified.eq(1),
    "not_certified": lambda w, a: a.certified.eq(0),
    "grant": _grant,
    "grant_certified": _grant_certified,
    "deny": lambda w, role, resource: _everybody(w, lambda who: who[role].eq(1).implies(who[resource].eq(0))),
    "only_role": lambda w, role, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who[role].eq(1))),
    "only_certified": lambda w, resource: _everybody(w, lambda who: who[resource].eq(1).implies(who.certified.eq(1))),
    "wider": lambda w, one, other: _everybody(w, lambda who: who[one].eq(1).implies(who[other].eq(1))),
}


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


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 3, 4)
    suspended = rng.sample(people, int(rng.random() < _SUSPENDED_SHARE))
    return people, {
        "roles": rng.sample(_WORDS.names["roles"], 3),
        "resources": rng.sample(_WORDS.names["resources"], rng.randint(2, 3)),
        "suspended": suspended,
    }


def _draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    """A world in which most roles have or lack each resource as a whole, so that there are rules to tell."""
    habit = {(role, resource): rng.random() < 0.5 for role in _roles(instance) for resource in _resources(instance)}
    world = dict.fromkeys(instance.variables, 0)
    for name in instance.entities:
        role = rng.choice(_roles(instance))
        suspended = name in instance.context["suspended"]
        world |= {f"{name}.{role}": 1, f"{name}.suspended": int(suspended), f"{name}.certified": rng.randint(0, 1)}
        for resource in _resources(instance):
            usual = habit[role, resource] != (rng.random() < _EXCEPTION_SHARE)
            world[f"{name}.{resource}"] = int(usual and not suspended)
    return world


def _topic(constraint: Constraint) -> Hashable:
    """One rule for a role and a resource, one statement of a role and of a status for each person."""
    if constraint.type in _RULES:
        return constraint.args
    kind = constraint.type.removeprefix("not_").replace("has_role", "role").replace("no_access", "access")
    return (kind, constraint.args[0]) if kind == "role" else (kind, *sorted(map(str, constraint.args)))


def _draw(rng: Random, instance: Instance) -> Draft:
    return draw_draft(rng, instance, _draw_world(rng, instance), _SHARES, topic=_topic)


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell people, roles and resources, what suspension means, and that the world is open."""
    suspended = instance.context["suspended"]
    status = _WORDS.tell(rng, "suspended" if suspended else "nobody_suspended", who=listed(suspended))
    *sentences, open_world = _WORDS.tell(
        rng,
        *("people", "roles", "status", "resources", "suspensions", "open_world"),
        count=Number(len(instance.entities), spelled=True),
        people=listed(instance.entities),
        roles=listed(_roles(instance)),
        number=Number(len(_resources(instance)), spelled=True),
        resources=listed([f"the {name}" for name in _resources(instance)]),
    )
    return [*sentences, *status, open_world]


ACCESS_CONTROL = Subdomain(
    "policy",
    Domain(
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
        constraint_types=_WORDS.kinds(_MEANINGS),
    ),
    _draw_setting,
    _draw,
    _setting,
)
