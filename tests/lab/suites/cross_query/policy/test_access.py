"""Access control: formulas are compared with tables of people, and with the laws of the setting."""

from __future__ import annotations

from random import Random

from holdtrue.world.instance import Instance
from holdtrue_lab.suites.cross_query.families.policy import ACCESS_CONTROL
from tests.lab.suites.cross_query.judged import Judge, World, disagreements, draw_values

OFFICE = ACCESS_CONTROL.declaration.instance(
    ["Alice", "Bob", "Eve"],
    {"roles": ["clerk", "nurse"], "resources": ["vault", "wiki"], "suspended": ["Eve"]},
)


def who(instance: Instance, world: World, attribute: str) -> set[str]:
    """Return everybody who has it."""
    return {name for name in instance.entities if world[f"{name}.{attribute}"]}


def _roles(world: World, name: str) -> set[str]:
    return {role for role in ("clerk", "nurse") if world[f"{name}.{role}"]}


JUDGES: dict[str, Judge] = {
    "has_role": lambda w, world, a, role: a in who(w, world, role),
    "not_role": lambda w, world, a, role: a not in who(w, world, role),
    "same_role": lambda w, world, a, b: _roles(world, a) == _roles(world, b),
    "different_role": lambda w, world, a, b: _roles(world, a) != _roles(world, b),
    "access": lambda w, world, a, resource: a in who(w, world, resource),
    "no_access": lambda w, world, a, resource: a not in who(w, world, resource),
    "certified": lambda w, world, a: a in who(w, world, "certified"),
    "not_certified": lambda w, world, a: a not in who(w, world, "certified"),
    "grant": lambda w, world, role, resource: (
        who(w, world, role) - who(w, world, "suspended") <= who(w, world, resource)
    ),
    "grant_certified": lambda w, world, role, resource: (
        (who(w, world, role) & who(w, world, "certified")) - who(w, world, "suspended") <= who(w, world, resource)
    ),
    "deny": lambda w, world, role, resource: not who(w, world, role) & who(w, world, resource),
    "only_role": lambda w, world, role, resource: who(w, world, resource) <= who(w, world, role),
    "only_certified": lambda w, world, resource: who(w, world, resource) <= who(w, world, "certified"),
    "wider": lambda w, world, one, other: who(w, world, one) <= who(w, world, other),
}


def test_formulas_say_what_sets_of_people_say() -> None:
    rng = Random(1)
    assert set(JUDGES) == set(OFFICE.types)
    wrong, seen = disagreements(rng, OFFICE, JUDGES, (draw_values(rng, OFFICE) for _ in range(300)))
    assert wrong == []
    assert seen == {(kind, truth) for kind in JUDGES for truth in (True, False)}


def test_laws_are_one_role_each_and_nothing_for_the_suspended() -> None:
    rng = Random(2)
    lawful = 0
    for _ in range(2000):
        world = draw_values(rng, OFFICE) | {"Alice.suspended": 0, "Eve.suspended": 1}
        one_each = all(len(_roles(world, name)) == 1 for name in OFFICE.entities)
        suspended = who(OFFICE, world, "suspended")
        shut = not suspended & (who(OFFICE, world, "vault") | who(OFFICE, world, "wiki"))
        expected = one_each and shut and suspended == {"Eve"}
        assert all(law.holds(world) for law in OFFICE.background) == expected
        lawful += expected
    assert lawful > 0


def test_silence_settles_nothing() -> None:
    """Without premises, anybody who is not suspended may have access or not, in any role."""
    lawful = [
        world
        for world in map(lambda seed: draw_values(Random(seed), OFFICE) | {"Eve.suspended": 1}, range(4000))
        if all(law.holds(world) for law in OFFICE.background)
    ]
    assert {(world["Bob.clerk"], world["Bob.vault"]) for world in lawful} == {(0, 0), (0, 1), (1, 0), (1, 1)}
