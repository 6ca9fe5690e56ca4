"""A `Domain` declares the things that a conversation is about, and the constraints that users can state.

The formulas, sentences, JSON forms, the schema of answers and the texts of prompts follow from the declaration:

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

from holdtrue.world.declaration import Argument as Argument
from holdtrue.world.declaration import Attribute as Attribute
from holdtrue.world.declaration import AttributeName as AttributeName
from holdtrue.world.declaration import Bound as Bound
from holdtrue.world.declaration import ConstraintType as ConstraintType
from holdtrue.world.declaration import Context as Context
from holdtrue.world.declaration import Cue as Cue
from holdtrue.world.declaration import Entity as Entity
from holdtrue.world.declaration import Example as Example
from holdtrue.world.declaration import Integer as Integer
from holdtrue.world.declaration import ValueOf as ValueOf
from holdtrue.world.declaration_check import check_declaration
from holdtrue.world.instance import Instance
from holdtrue.world.world import Axiom as Axiom


@dataclass(frozen=True)
class Domain:
    """A `Domain` is the declaration; `instance` binds it to the entities and the setting of one problem.

    The *setting* is a mapping with the parameters of a problem, such as the number of seats.

    Attributes:
        name: The name of the domain.
        attributes: The attributes of each entity, or a function of the setting that returns them.
        constraint_types: The types of constraints that users can state.
        context: Completes and checks the setting, given the entities and the setting of the problem.
        axioms: Returns the laws beyond ranges and distinctness.
        setup: Returns lines that describe the setting.
        published_setup: Returns these lines in the words of the code that made DRIFT-Bench; the default is `setup`.
        conventions: Lines that explain words, such as the direction of 'left'. They should also state the axioms, by
            `lambda world: [axiom.sentence for axiom in world.axioms]`. Otherwise a model sees an axiom only after an
            answer that broke it.
        entities: The entities of problems that name none.
        joining: Whether an entity can join a problem later. True keeps the given setting, and False forbids joining. A
            function of the instance and the new name returns the new setting.
        interchangeable: Whether no formula, law or setting depends on the names of entities. An audit then checks one
            world in place of all worlds of the same size.
    """

    name: str
    attributes: Sequence[Attribute] | Callable[[Context], Sequence[Attribute]]
    constraint_types: Sequence[ConstraintType]
    context: Callable[[Sequence[str], Context], Context] | None = None
    axioms: Callable[[Instance], Sequence[Axiom]] | None = None
    setup: Callable[[Instance], Sequence[str]] | None = None
    published_setup: Callable[[Instance], Sequence[str]] | None = None
    conventions: Callable[[Instance], Sequence[str]] | Sequence[str] = ()
    entities: Sequence[str] = ()
    joining: bool | Callable[[Instance, str], Context] = True
    interchangeable: bool = False
    tried: set[Hashable] = field(default_factory=set, init=False, repr=False, compare=False)
    """The shapes of instances that `instance_check` has checked, since many instances differ only in names."""

    def __post_init__(self) -> None:
        check_declaration(self)

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of the names, arguments and sentences of the constraint types, but not of the domain's name.

        Lessons about the words of a domain are stored under this hash.
        """
        said = [
            (own.name, [type(each).__name__ for each in own.arguments], own.sentence, own.symmetric)
            for own in self.constraint_types
        ]
        return hashlib.sha256(json.dumps(sorted(said)).encode()).hexdigest()[:16]

    def instance(self, entities: Sequence[str] = (), context: Context | None = None) -> Instance:
        """Return an instance with these entities and this setting.

        Raises `DomainError` if they do not fit the domain, or if a declared function fails in this instance.
        """
        return Instance(self, entities or self.entities, context or {})
