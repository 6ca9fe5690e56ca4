"""The subdomain of access control: who has which role, what the rules grant and deny, and who may use what."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import Number, listed
from holdtrue.lab.suites.cross_query.drawing import draw_people
from holdtrue.lab.suites.cross_query.policy.access_domain import ACCESS
from holdtrue.lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.world.instance import Constraint, Instance

ROLES = (
    "accountant", "analyst", "architect", "archivist", "auditor", "clerk", "consultant", "contractor", "designer",
    "engineer", "intern", "librarian", "manager", "nurse", "operator", "planner", "researcher", "supervisor",
    "technician", "trainee", "visitor",
)  # fmt: skip
RESOURCES = (
    "armoury", "boardroom", "bunker", "cellar", "codebase", "database", "depot", "garage", "greenhouse", "kitchen",
    "laboratory", "mainframe", "observatory", "payroll", "pharmacy", "registry", "roof", "studio", "tunnel", "vault",
    "warehouse", "wiki",
)  # fmt: skip

_RULES = ("grant", "grant_certified", "deny")  # about one role and one resource
_SUSPENDED_SHARE = 0.4
_EXCEPTION_SHARE = 0.15

_SHARES = Shares(
    premise_weights={
        "has_role": 7, "not_role": 2, "same_role": 1, "different_role": 1, "access": 2, "no_access": 2,
        "certified": 1, "not_certified": 1, "grant": 5, "grant_certified": 3, "deny": 4, "only_role": 2,
        "only_certified": 1, "wider": 1,
    },
    statement_weights={
        "has_role": 4, "not_role": 1, "same_role": 2, "different_role": 1, "access": 10, "no_access": 4,
        "certified": 1, "not_certified": 1, "deny": 2, "only_role": 1, "only_certified": 1,
    },
    premises=(6, 9),
    true=0.45,
)  # fmt: skip
_PEOPLE = (
    "This policy is about {count} people, {people}; what it says of everybody or nobody is said of them alone.",
    "There are {count} people: {people}. Rules for everybody or nobody are about these people only.",
)
_ROLES = (
    "Each of them has exactly one role out of {roles}; several people may have the same role, and a role may be "
    "nobody's.",
    "The roles are {roles}: everybody has exactly one of these, and a role may be that of several people or of nobody.",
)
_STATUS = ("Everybody is either certified or not.", "A person may or may not be certified.")
_RESOURCES = (
    "The resources are {resources}, and for each of them a person either has access or has none.",
    "Access is a matter of {number} resources, {resources}: to each of them, a person has access or has none.",
)
_SUSPENSIONS = (
    "A suspension wins over every grant: a suspended person has no access to any resource.",
    "Whoever is suspended has no access to any resource, whatever is granted.",
)
_SUSPENDED = ("{who} is suspended, and nobody else is.", "The only one who is suspended is {who}.")
_NOBODY_SUSPENDED = ("Nobody is suspended.", "As it is, not one of them is suspended.")
_OPEN_WORLDS = (
    "Whatever follows neither from this nor from what is stated below is open: somebody to whom nothing grants access "
    "may have it or not.",
    "Nothing is settled by silence: where no statement grants access and none denies it, a person may have access or "
    "not.",
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 3, 4)
    suspended = rng.sample(people, int(rng.random() < _SUSPENDED_SHARE))
    return people, {
        "roles": rng.sample(ROLES, 3),
        "resources": rng.sample(RESOURCES, rng.randint(2, 3)),
        "suspended": suspended,
    }


def _draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    """A world in which most roles have or lack each resource as a whole, so that there are rules to tell."""
    habit = {
        (role, resource): rng.random() < 0.5
        for role in instance.context["roles"]
        for resource in instance.context["resources"]
    }
    world = dict.fromkeys(instance.variables, 0)
    for name in instance.entities:
        role = rng.choice(instance.context["roles"])
        suspended = name in instance.context["suspended"]
        world |= {f"{name}.{role}": 1, f"{name}.suspended": int(suspended), f"{name}.certified": rng.randint(0, 1)}
        for resource in instance.context["resources"]:
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
    resources, suspended = instance.context["resources"], instance.context["suspended"]
    who = rng.choice(_SUSPENDED).format(who=suspended[0]) if suspended else rng.choice(_NOBODY_SUSPENDED)
    count, number = (Number(len(found), spelled=True) for found in (instance.entities, resources))
    return [
        rng.choice(_PEOPLE).format(count=count, people=listed(instance.entities)),
        rng.choice(_ROLES).format(roles=listed(instance.context["roles"])),
        rng.choice(_STATUS),
        rng.choice(_RESOURCES).format(number=number, resources=listed([f"the {name}" for name in resources])),
        rng.choice(_SUSPENSIONS),
        who,
        rng.choice(_OPEN_WORLDS),
    ]


ACCESS_CONTROL = Subdomain("policy", ACCESS, _draw_setting, _draw, _setting)
