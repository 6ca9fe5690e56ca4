"""Drawing a Horn world: rules, constraints, equivalences and facts that all hold in one hidden truth.

That truth makes the world consistent by construction. It is thrown away: what is true is what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from holdtrue.lab.suites.belief.horn_world import HORN_WORLD, LONGEST_BODY
from holdtrue.lab.suites.belief.lexicon import THEMES
from holdtrue.world.instance import Constraint, Instance

ATOMS = (5, 8)
RULES = (3, 5)
LONG_BODY = 3
"""Each world has a rule with so many conditions, or more: with short rules alone, all revision policies agree."""

_BODY_WEIGHTS = (4, 4, 2, 1)
_CONSTRAINTS = (0, 2)
_TRUE_FACTS = (1, 3)
_FALSE_FACTS = (0, 1)

Stated = tuple[str, tuple[str, ...]]
"""A constraint to be: its type, its atoms."""


@dataclass(frozen=True, slots=True)
class World:
    """The atoms are the instance's entities; each of them occurs in some premise."""

    instance: Instance
    premises: tuple[Constraint, ...]


def draw_world(rng: Random) -> World:
    """A world with one equivalence at least, and one rule of `LONG_BODY` conditions or more."""
    atoms = rng.sample(THEMES[rng.choice(sorted(THEMES))], rng.randint(*ATOMS))
    true = set(rng.sample(atoms, rng.randint(2, len(atoms) - 1)))
    truth = {atom: atom in true for atom in atoms}
    instance = HORN_WORLD.instance(atoms)
    made: dict[Constraint, Constraint] = {}
    for type, args in _stated(rng, truth):
        stated = instance.constraint(type, args)
        made.setdefault(instance.canonical(stated), stated)
    unused = [atom for atom in atoms if not any(atom in stated.args for stated in made)]
    for atom in unused:
        stated = instance.constraint("if2", _rule(rng, truth, 2, atom))
        made[instance.canonical(stated)] = stated
    premises = list(made.values())
    rng.shuffle(premises)
    return World(instance, tuple(premises))


def _stated(rng: Random, truth: Mapping[str, bool]) -> Iterator[Stated]:
    """Yield what is said of the hidden truth; a constraint may come twice."""
    sizes = [rng.randint(LONG_BODY, min(LONGEST_BODY, len(truth) - 1))]
    sizes += rng.choices(range(1, LONGEST_BODY + 1), _BODY_WEIGHTS, k=rng.randint(*RULES) - 1)
    rules = [_rule(rng, truth, size) for size in sizes]
    for rule in rules:
        yield f"if{len(rule) - 1}", rule
    yield "equivalent", _alike(rng, truth)
    for _ in range(rng.randint(*_CONSTRAINTS)):
        size = rng.choice((2, 3))
        atoms = rng.sample(list(truth), size)
        if not all(truth[atom] for atom in atoms):
            yield "not_both" if size == 2 else "never_all3", tuple(atoms)
    # Facts that meet conditions come first, and those that follow perhaps come last: something is left to infer.
    conditions = {atom for rule in rules for atom in rule[:-1]}
    heads = {rule[-1] for rule in rules}
    true = sorted(_drawn(rng, truth, True), key=lambda atom: (atom in heads, atom not in conditions))
    for atom in true[: rng.randint(*_TRUE_FACTS)]:
        yield "holds", (atom,)
    for atom in _drawn(rng, truth, False)[: rng.randint(*_FALSE_FACTS)]:
        yield "holds_not", (atom,)


def _rule(rng: Random, truth: Mapping[str, bool], size: int, about: str | None = None) -> tuple[str, ...]:
    """Body and head of a rule that holds, with the atom `about` somewhere in it."""
    while True:
        atoms = rng.sample(list(truth), size + 1)
        fitting = about is None or about in atoms
        if fitting and (truth[atoms[-1]] or not all(truth[atom] for atom in atoms[:-1])):
            return tuple(atoms)


def _alike(rng: Random, truth: Mapping[str, bool]) -> tuple[str, ...]:
    """Two atoms that are both true or both false."""
    while True:
        first, second = rng.sample(list(truth), 2)
        if truth[first] == truth[second]:
            return first, second


def _drawn(rng: Random, truth: Mapping[str, bool], value: bool) -> Sequence[str]:
    """The atoms of that truth value, in any order."""
    fitting = [atom for atom in truth if truth[atom] == value]
    return rng.sample(fitting, len(fitting))
