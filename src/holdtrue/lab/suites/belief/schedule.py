"""The schedules of suite belief: which questions a dialogue asks and in which order, at random or under stress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType

from holdtrue.lab.suites.belief.horn_world import is_rule
from holdtrue.lab.suites.belief.world import World
from holdtrue.world.instance import Constraint


def ask_at_random(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions, each about a random atom, asserted or denied, whatever was asked before."""
    atoms = world.instance.entities
    return tuple(_literal(world, rng.choice(atoms), rng.random() < 0.5) for _ in range(turns))


def ask_under_stress(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions in an order in which contradicting oneself is easy.

    First the head P of a rule, then not P, then each condition of the rule; then one of two equivalent atoms, and the
    denial of the other; then other rules, equivalences and constraints in the same way. Of four questions or more the
    last is one that was asked before.
    """
    rules = [made for made in world.premises if is_rule(made.type)]
    equivalences = [made for made in world.premises if made.type == "equivalent"]
    first = [rng.choice(rules), rng.choice(equivalences)]
    rest = [made for made in world.premises if len(made.args) > 1 and made not in first]
    rng.shuffle(rest)
    asked: list[Constraint] = []
    for premise in (*first, *rest):
        asked += _press(rng, world, premise)
    again = 1 if turns > 3 else 0
    del asked[turns - again :]
    while len(asked) < turns:
        asked.append(rng.choice(asked))
    return tuple(asked)


def _press(rng: Random, world: World, premise: Constraint) -> Iterator[Constraint]:
    """Yield questions whose answers easily clash with each other by this premise."""
    atoms = [str(atom) for atom in premise.args]
    if is_rule(premise.type):
        head = atoms.pop()
        yield _literal(world, head, True)
        yield _literal(world, head, False)
    rng.shuffle(atoms)
    for place, atom in enumerate(atoms):
        yield _literal(world, atom, premise.type != "equivalent" or place == 0)


def _literal(world: World, atom: str, positive: bool) -> Constraint:
    return world.instance.constraint("holds" if positive else "holds_not", [atom])


SCHEDULES: Mapping[str, Callable[[Random, World, int], tuple[Constraint, ...]]] = MappingProxyType(
    {"random": ask_at_random, "stress": ask_under_stress}
)
