"""This module defines two subdomains of policies: access to resources by roles, and eligibility for programmes.

In `access_control`, people have roles, and rules say which roles have access to which resources. The world is open:
access that no rule grants may still exist, unless a rule denies it. Suspended people have no access. In `eligibility`,
facts about applicants decide for which programmes they are eligible.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, exactly, for_all
from holdtrue.world.domain import Attribute, Axiom, Context, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.constraints import choices
from holdtrue_lab.kit.words import Number, listed
from holdtrue_lab.suites.cross_query.drafts import Shares, draw_by_shares, draw_people
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain, Words

_ACCESS = Words("access_control")
_SHARES_OF_ACCESS = Shares(premises=(6, 9), true=0.45)
_RULES = ("grant", "grant_certified", "deny")  # the kinds of rules about one role and one resource
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


def _laws_of_access(instance: Instance) -> Sequence[Axiom]:
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


def _draw_roles(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 3, 4)
    suspended = rng.sample(people, int(rng.random() < _SUSPENDED_SHARE))
    return people, {
        "roles": rng.sample(_ACCESS.names["roles"], 3),
        "resources": rng.sample(_ACCESS.names["resources"], rng.randint(2, 3)),
        "suspended": suspended,
    }


def _draw_access_world(rng: Random, instance: Instance) -> dict[str, int]:
    """Return a world in which mostly all people of a role have access to a resource, or none, so that rules hold."""
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
    """Return the topic of a constraint: a role with a resource, a person's role, or another status of a person."""
    if constraint.type in _RULES:
        return constraint.args
    kind = constraint.type.removeprefix("not_").replace("has_role", "role").replace("no_access", "access")
    return (kind, constraint.args[0]) if kind == "role" else (kind, *sorted(map(str, constraint.args)))


def _draw_access(rng: Random, instance: Instance) -> Draft:
    return draw_by_shares(rng, instance, _draw_access_world(rng, instance), _SHARES_OF_ACCESS, topic=_topic)


def _tell_access(rng: Random, instance: Instance) -> Sequence[str]:
    """Return sentences about people, roles, resources, the effect of suspension, and the open world."""
    suspended = instance.context["suspended"]
    status = _ACCESS.tell(rng, "suspended" if suspended else "nobody_suspended", who=listed(suspended))
    *sentences, open_world = _ACCESS.tell(
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
        axioms=_laws_of_access,
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
        constraint_types=_ACCESS.kinds(_MEANINGS),
    ),
    _draw_roles,
    _draw_access,
    _tell_access,
)


_PROGRAMMES = Words("eligibility")
_SHARES_OF_PROGRAMMES = Shares(premises=(2, 3), true=0.4)
AGES = (18, 70)
INCOMES = (10, 90)
EXPERIENCES = (0, 40)
# The range of each limit that a programme may set; each mapping is one measure, which has at most one limit.
_LIMITS: Sequence[Mapping[str, tuple[int, int]]] = (
    {"age_from": (21, 45), "age_to": (30, 60)},
    {"income_from": (25, 50), "income_to": (30, 70)},
    {"experience_from": (3, 15)},
)
# The kinds of facts about each measure (exact, from below, from above), and the largest distance of a stated limit.
_FACTS: Mapping[str, tuple[tuple[str, str, str], int]] = {
    "age": (("aged", "older_than", "younger_than"), 12),
    "income": (("earns", "earns_from", "earns_to"), 12),
    "experience": (("experience", "experience_from", "experience_to"), 6),
}
_KNOWN_SHARE = 0.65

Conditions = Mapping[str, int]
"""The conditions of a programme: limits of ages, incomes and experience, by name (`age_from`, `income_to`)."""


def _programmes(instance: Instance) -> Mapping[str, Conditions]:
    programmes: Mapping[str, Conditions] = instance.context["programmes"]
    return programmes


def _attributes(context: Context) -> Sequence[Attribute]:
    return [
        Attribute("age", *AGES),
        Attribute("income", *INCOMES),
        Attribute("experience", *EXPERIENCES),
        *(Attribute(programme, 0, 1) for programme in context["programmes"]),
    ]


def _met(who: EntityTerms, conditions: Conditions) -> Iterator[Formula]:
    for name, limit in conditions.items():
        measure, side = name.split("_")
        yield who[measure] >= limit if side == "from" else who[measure] <= limit


def _laws_of_programmes(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom(
            f"{programme}_{name}",
            f"{name} is eligible for {programme} exactly when the conditions are met",
            instance[name][programme].eq(1).iff(And(tuple(_met(instance[name], conditions)))),
        )
        for programme, conditions in _programmes(instance).items()
        for name in instance.entities
    ]


def _setup(instance: Instance) -> Iterator[str]:
    yield f"Ages: {AGES[0]} to {AGES[1]}; incomes in thousands: {INCOMES[0]} to {INCOMES[1]}"
    yield f"Experience in years: {EXPERIENCES[0]} to {EXPERIENCES[1]}"
    for programme, conditions in _programmes(instance).items():
        limits = (f"{name.replace('_', ' ')} {limit}" for name, limit in conditions.items())
        yield f"Programme {programme}: {', '.join(limits)}"


def _draw_programmes(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    people = draw_people(rng, 2, 3)
    names = rng.sample(_PROGRAMMES.names["programmes"], rng.randint(2, 3))
    return people, {"programmes": {name: _draw_conditions(rng) for name in names}}


def _draw_conditions(rng: Random) -> dict[str, int]:
    measures = rng.sample(_LIMITS, rng.randint(2, 3))
    kinds = [rng.choice(list(limits.items())) for limits in measures]
    return {kind: rng.randint(*limits) for kind, limits in kinds}


def _draw_applicants(rng: Random, instance: Instance) -> dict[str, int]:
    world: dict[str, int] = {}
    for name in instance.entities:
        age = rng.randint(*AGES)
        experience = rng.randint(EXPERIENCES[0], min(EXPERIENCES[1], age - AGES[0]))
        world |= {f"{name}.age": age, f"{name}.income": rng.randint(*INCOMES), f"{name}.experience": experience}
        for programme, conditions in _programmes(instance).items():
            world[f"{name}.{programme}"] = int(all(own.holds(world) for own in _met(instance[name], conditions)))
    return world


def _draw_facts(rng: Random, instance: Instance, world: Mapping[str, int]) -> Iterator[Constraint]:
    """Yield facts about the applicants: exact values for some numbers, and limits for other numbers."""
    for name in instance.entities:
        for measure, (kinds, most) in _FACTS.items():
            if rng.random() >= _KNOWN_SHARE:
                continue
            kind, side = rng.choice(tuple(zip(kinds, (0, 1, -1), strict=True)))
            off = side * rng.randint(1, most)
            value = world[f"{name}.{measure}"] - off
            if value in choices(instance, instance.types[kind].arguments[1], ()):
                yield instance.constraint(kind, [name, value])


def _draw_eligibility(rng: Random, instance: Instance) -> Draft:
    world = _draw_applicants(rng, instance)
    return draw_by_shares(
        rng,
        instance,
        world,
        _SHARES_OF_PROGRAMMES,
        first=tuple(_draw_facts(rng, instance, world)),
        topic=lambda made: (made.type.removeprefix("not_"), *sorted(map(str, made.args))),
    )


def _tell_programmes(rng: Random, instance: Instance) -> Sequence[str]:
    sentences = _PROGRAMMES.tell(
        rng,
        *("openings", "ranges", "independent", "exactly"),
        count=Number(len(instance.entities), spelled=True),
        names=listed(instance.entities),
        ages=AGES,
        incomes=INCOMES,
        experiences=EXPERIENCES,
    )
    for name, conditions in _programmes(instance).items():
        asked = [text for kind, limit in conditions.items() for text in _PROGRAMMES.tell(rng, kind, limit=limit)]
        sentences += _PROGRAMMES.tell(rng, "programme", name=name, conditions=listed(asked))
    return sentences


ELIGIBILITY = Subdomain(
    "policy",
    Domain(
        name="eligibility",
        attributes=_attributes,
        axioms=_laws_of_programmes,
        setup=lambda instance: tuple(_setup(instance)),
        conventions=("One is eligible for a programme exactly when one meets all its conditions; 1 means yes, 0 no.",),
        constraint_types=_PROGRAMMES.kinds(
            {
                "aged": lambda w, a, years: a.age.eq(years),
                "older_than": lambda w, a, years: a.age > years,
                "younger_than": lambda w, a, years: a.age < years,
                "earns": lambda w, a, thousands: a.income.eq(thousands),
                "earns_from": lambda w, a, thousands: a.income >= thousands,
                "earns_to": lambda w, a, thousands: a.income <= thousands,
                "experience": lambda w, a, years: a.experience.eq(years),
                "experience_from": lambda w, a, years: a.experience >= years,
                "experience_to": lambda w, a, years: a.experience <= years,
                "older": lambda w, a, b: a.age > b.age,
                "earns_more": lambda w, a, b: a.income > b.income,
                "more_experience": lambda w, a, b: a.experience > b.experience,
                "eligible": lambda w, a, programme: a[programme].eq(1),
                "not_eligible": lambda w, a, programme: a[programme].eq(0),
                "either": lambda w, a, one, other: a[one].eq(1) | a[other].eq(1),
            }
        ),
    ),
    _draw_programmes,
    _draw_eligibility,
    _tell_programmes,
)
