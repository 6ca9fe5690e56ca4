"""The subdomain of access control: who has which role, what the rules grant and deny, and who may use what."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.suites.cross_query.people import draw_people
from holdtrue.lab.suites.cross_query.policy.access_domain import ACCESS
from holdtrue.lab.suites.cross_query.policy.access_words import PHRASINGS, tell_setting
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
    told={"has_role": 7, "not_role": 2, "same_role": 1, "different_role": 1, "access": 2, "no_access": 2,
          "certified": 1, "not_certified": 1, "grant": 5, "grant_certified": 3, "deny": 4, "only_role": 2,
          "only_certified": 1, "wider": 1},
    asked={"has_role": 4, "not_role": 1, "same_role": 2, "different_role": 1, "access": 10, "no_access": 4,
           "certified": 1, "not_certified": 1, "deny": 2, "only_role": 1, "only_certified": 1},
    premises=(6, 9),
    true=0.45,
)  # fmt: skip


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


def _topic(made: Constraint) -> Hashable:
    """One rule for a role and a resource, one statement of a role and of a status for each person."""
    if made.type in _RULES:
        return made.args
    kind = made.type.removeprefix("not_").replace("has_role", "role").replace("no_access", "access")
    return (kind, made.args[0]) if kind == "role" else (kind, *sorted(map(str, made.args)))


def _draw(rng: Random, instance: Instance) -> Draft:
    return draw_draft(rng, instance, _draw_world(rng, instance), _SHARES, topic=_topic)


ACCESS_CONTROL = Subdomain(
    name="access_control",
    domain="policy",
    logic_type="first_order_ground",
    declaration=ACCESS,
    draw_setting=_draw_setting,
    draw=_draw,
    setting=tell_setting,
    phrasings=PHRASINGS,
    query_types={
        "access": "access",
        "no_access": "access",
        "has_role": "role",
        "not_role": "role",
        "same_role": "role",
        "different_role": "role",
        "certified": "status",
        "not_certified": "status",
        "deny": "rule",
        "only_role": "rule",
        "only_certified": "rule",
    },
)
