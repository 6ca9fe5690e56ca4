"""A `Domain` declares what a conversation can be about.

Everything else follows from the declaration: formulas, sentences, JSON forms, the answer's schema and the
words of the prompts. The built-in domains and a user's own are declared through the same few classes:

>>> from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
>>> shifts = Domain(
...     name="shifts",
...     attributes=[Attribute("day", low=1, high=5)],
...     constraint_types=[
...         ConstraintType("on", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
...         ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
...     ],
... )
>>> week = shifts.instance(["Ann", "Bob"])
>>> week.sentence(week.constraint("before", ["Ann", "Bob"]))
'Ann works before Bob'
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from holdtrue.world.declaration import (
    Argument,
    Attribute,
    AttributeName,
    Bound,
    ConstraintType,
    Context,
    Cue,
    Entity,
    Example,
    Integer,
    ValueOf,
)
from holdtrue.world.declaration_check import check_declaration
from holdtrue.world.instance import Instance
from holdtrue.world.world import Axiom

__all__ = [
    "Argument",
    "Attribute",
    "AttributeName",
    "Axiom",
    "Bound",
    "ConstraintType",
    "Context",
    "Cue",
    "Domain",
    "Entity",
    "Example",
    "Integer",
    "ValueOf",
]


@dataclass(frozen=True)
class Domain:
    """The declaration; `instance` binds it to the entities and the setting of one problem.

    `attributes` and `context` may depend on the setting: `context(entities, given)` completes and checks
    the setting that a problem gives. `axioms` adds laws beyond ranges and distinctness. `setup` says in lines
    what the setting is, `conventions` what words mean (direction of 'left', say). `entities` are those of problems
    that name none.

    `joining` says whether an entity can join a problem that was begun, and how its setting changes then: True keeps the
    setting as it was given, False lets nobody in, and `joining(instance, name)` gives the setting with one more. In
    every case the new problem has to be one that the domain takes.

    `interchangeable` promises that entities can be renamed without any change of what is meant: no formula, law or
    setting looks at their names. Then one world stands for all of its size, which makes an audit of many quick.

    A model is told an axiom only when its answer broke it, so `conventions` should say the axioms, too:
    `conventions=lambda world: [axiom.sentence for axiom in world.axioms]`.
    """

    name: str
    attributes: Sequence[Attribute] | Callable[[Context], Sequence[Attribute]]
    constraint_types: Sequence[ConstraintType]
    context: Callable[[Sequence[str], Context], Context] | None = None
    axioms: Callable[[Instance], Sequence[Axiom]] | None = None
    setup: Callable[[Instance], Sequence[str]] | None = None
    conventions: Callable[[Instance], Sequence[str]] | Sequence[str] = ()
    entities: Sequence[str] = ()
    joining: bool | Callable[[Instance, str], Context] = True
    interchangeable: bool = False
    tried: set[Hashable] = field(default_factory=set, init=False, repr=False, compare=False)
    """What `instance_check` has found to work; a suite makes thousands of instances that differ in names only."""

    def __post_init__(self) -> None:
        check_declaration(self)

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of what can be said: the constraint types, by their names, kinds of arguments and sentences.

        What was learned of a domain's words belongs to it, whatever the domain is called.
        """
        said = [
            (own.name, [type(each).__name__ for each in own.arguments], own.sentence, own.symmetric)
            for own in self.constraint_types
        ]
        return hashlib.sha256(json.dumps(sorted(said)).encode()).hexdigest()[:16]

    def instance(self, entities: Sequence[str] = (), context: Context | None = None) -> Instance:
        """This domain with its entities and setting.

        Raises `DomainError` where they do not fit, and where trying the declaration's functions shows a mistake.
        """
        return Instance(self, entities or self.entities, context or {})
