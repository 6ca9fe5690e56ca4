"""This module declares the `Domain` of suite belief: atoms that are true or false, and Horn rules about them.

Each atom is an entity with the attribute `holds`, 0 or 1. The name of an atom is an English clause, such as "the gate
is locked". The words of each constraint type are in `horn_world.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holdtrue.logic.formula import And, Formula, Not
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Example
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.constraints import any_order
from holdtrue_lab.kit.words import words_beside

LONGEST_BODY = 4


def is_rule(type: str) -> bool:
    """Return whether constraints of this type are rules: the last argument is the head, and the others are the body."""
    return type.startswith("if")


def holds(atom: EntityTerms) -> Formula:
    """Return the formula that this atom is true."""
    return atom["holds"].eq(1)


def _all_hold(atoms: tuple[EntityTerms, ...]) -> Formula:
    return holds(atoms[0]) if len(atoms) == 1 else And(tuple(map(holds, atoms)))


def _rule(world: Instance, *atoms: EntityTerms) -> Formula:
    return _all_hold(atoms[:-1]).implies(holds(atoms[-1]))


def _never(world: Instance, *atoms: EntityTerms) -> Formula:
    return Not(_all_hold(atoms))


_FORMULAS: Mapping[str, Callable[..., Formula]] = {
    "not_both": _never,
    "never_all3": _never,
    "equivalent": lambda world, a, b: holds(a).iff(holds(b)),
    "holds": lambda world, a: holds(a),
    "holds_not": lambda world, a: Not(holds(a)),
}
_SORTED = {"never_all3": any_order()}


def _type(name: str, said: Mapping[str, Any]) -> ConstraintType:
    examples = tuple(Example(text, tuple(atoms)) for text, *atoms in said["examples"])
    return ConstraintType(
        name,
        (Entity(),) * len(examples[0].args),
        said["sentence"],
        _rule if is_rule(name) else _FORMULAS[name],
        symmetric=said.get("symmetric", False),
        canonical=any_order(stop=-1) if is_rule(name) else _SORTED.get(name),
        definition=said["definition"],
        examples=examples,
    )


HORN_WORLD = Domain(
    name="horn_world",
    attributes=(Attribute("holds", low=0, high=1),),
    constraint_types=tuple(_type(name, said) for name, said in words_beside(__file__).items()),
    conventions=("A rule says nothing about what is true where its conditions are not met.",),
)
