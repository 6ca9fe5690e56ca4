"""A cache of the worlds of logged turns: instances, compiled constraints, engines, and satisfiable sets.

Most logs are about few worlds with many names of entities. If a domain allows renaming, one world of numbered entities
serves for all names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.audit.log_row import UNREADABLE, RawConstraint, any_value, constraints_in
from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.evaluate import Check, Values
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import EnumSort, within
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.world.declaration import Entity
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Constraint, Instance

_MARK, _END = "\ue000", "\ue001"
"""Characters around the number of an entity. No name may have them."""
_NUMBERED = re.compile(f"{_MARK}(\\d+){_END}")
_MOST_MEMOS, _MOST_HELD = 20_000, 20_000
Arguments = tuple[tuple[type, object], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A `Held` is a constraint of a world in canonical form, with its formula and the function that evaluates it."""

    number: int
    constraint: Constraint
    formula: Formula
    holds: Check


class CachedWorld:
    """A `CachedWorld` is an instance with its caches."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = tuple(instance.variables)
        self.required = frozenset(instance.required)
        self.ranges = [(name, within(variable.sort)) for name, variable in instance.variables.items()]
        self.laws: list[tuple[Callable[[Values], bool], str]] = [
            (axiom.formula.holds, axiom.sentence) for axiom in instance.axioms
        ]
        self.entity_places = {
            name: tuple(isinstance(argument, Entity) for argument in kind.arguments)
            for name, kind in instance.types.items()
        }
        self.labels: list[Mapping[str, int] | None] = [
            _plain_labels(attribute.sort) if isinstance(attribute.sort, EnumSort) else None
            for attribute in instance.attributes.values()
        ]
        self.attributes = {name: at for at, name in enumerate(instance.attributes)}
        self._held: dict[tuple[str, Arguments], Held] = {}
        self._by_constraint: dict[Constraint, Held] = {}
        self._engine: Engine | None = None
        self._satisfiable: dict[frozenset[int], bool] = {}
        self._numbers = 0

    @property
    def engine(self) -> Engine:
        """Return the engine of the world. The first call makes it."""
        if self._engine is None:
            self._engine = make_engine(list(self.instance.variables.values()), self.instance.background)
        return self._engine

    def hold(self, type: str, args: tuple[object, ...]) -> Held:
        """Return a compiled constraint. Raises `ConstraintError` for an invalid one."""
        key = (type, tuple((arg.__class__, arg) for arg in args))
        known = self._held.get(key)
        if known is None:
            constraint = self.instance.canonical(self.instance.constraint(type, args))
            known = self._by_constraint.get(constraint)
            if known is None:
                formula = self.instance.formula(constraint)
                known = Held(self._numbers, constraint, formula, formula.holds)
                self._numbers += 1
                self._by_constraint[constraint] = known
            self._held[key] = known
            if len(self._held) > _MOST_HELD:
                self._forget()
        return known

    def _forget(self) -> None:
        """Clear the caches of constraints, so that the log of one world does not fill the memory."""
        self._held.clear()
        self._by_constraint.clear()
        self._satisfiable.clear()
        self._engine = None

    def is_satisfiable(self, held: Sequence[Held], budget: Budget) -> tuple[bool | None, Values | None]:
        """Return whether constraints are satisfiable, with a witness if a solver made one. None means unknown."""
        key = frozenset(own.number for own in held)
        known = self._satisfiable.get(key)
        if known is not None:
            return known, None
        decided = self.engine.decide(soft_of(held), budget)
        if isinstance(decided, Unknown):
            return None, None
        found = isinstance(decided, Satisfiable)
        values = decided.witness if isinstance(decided, Satisfiable) else None
        if len(self._satisfiable) >= _MOST_MEMOS:
            self._satisfiable.clear()
        self._satisfiable[key] = found
        return found, values


def soft_of(held: Sequence[Held]) -> dict[str, Formula]:
    """Return the formulas of constraints by the names that the engine uses."""
    return {str(own.number): own.formula for own in held}


def _plain_labels(sort: EnumSort) -> dict[str, int]:
    """Return, by label, the index of each label that is recognized when it is written exactly."""
    return {label: at for at, label in enumerate(sort.labels) if label == label.strip() and sort.index(label) == at}


def numbered_world(domain: Domain, count: int, context: Mapping[str, object]) -> CachedWorld:
    """Return a world of `count` numbered entities. Raises `InputError` for a context that does not fit."""
    return CachedWorld(domain.instance([f"{_MARK}{at}{_END}" for at in range(count)], dict(context)))


def has_marks(names: list[str], context: bytes) -> bool:
    """Return whether names or a context contain the characters around numbers. Then no numbered world can be used."""
    written = context.lower()
    return any(_MARK in name or _END in name for name in names) or any(
        mark.encode() in written or repr(mark)[1:-1].encode() in written for mark in (_MARK, _END)
    )


class LoggedLedger:
    """A `LoggedLedger` has the constraints of a conversation's log, and grows with each turn.

    Attributes:
        count: The number of constraints in the log.
        held: The different constraints, in order.
        ids: For each different constraint, its ids in the log. A constraint that was logged twice has two ids.
    """

    def __init__(self) -> None:
        self.text = b""
        self.count = 0
        self.held: list[Held] = []
        self.ids: list[tuple[str, ...]] = []
        self._place: dict[Constraint, int] = {}
        self._named: dict[str, Constraint] = {}

    def is_begun_by(self, text: bytes) -> bool:
        """Return whether a list of constraints begins with the list that was read last."""
        own = self.text
        return bool(own) and (own == text or (text.startswith(own[:-1]) and text[len(own) - 1 : len(own)] == b","))

    def extend(self, world: CachedWorld, places: Mapping[str, str], text: bytes) -> bool:
        """Take in the new constraints of a list, and return whether all are valid.

        After False the ledger must not be used any more; `check_logged_turn` reports the fault.
        """
        if self.text and text == self.text:
            return True
        before, self.text = self.text, b""
        read = constraints_in(b"[" + text[len(before) :] if before else text)
        # After a comma there has to be a constraint.
        if read is None or (before and not read) or not all(self._take(world, places, own) for own in read):
            return False
        # White space around the list is no part of the prefix.
        self.text = text.strip()
        return True

    def _take(self, world: CachedWorld, places: Mapping[str, str], own: RawConstraint) -> bool:
        self.count += 1
        id = own.id
        if id is None:
            id = f"C{self.count:03d}"
        elif id.__class__ is not str:
            if id.__class__ is not int:
                return False
            id = str(id)
        if not id or own.turn.__class__ is not int:
            return False
        held = _held(world, places, own)
        if held is None or self._named.setdefault(id, held.constraint) != held.constraint:
            return False
        at = self._place.get(held.constraint)
        if at is None:
            self._place[held.constraint] = len(self.held)
            self.held.append(held)
            self.ids.append((id,))
        elif id not in self.ids[at]:
            self.ids[at] = (*self.ids[at], id)
        return True


def _held(world: CachedWorld, places: Mapping[str, str], own: RawConstraint) -> Held | None:
    named = world.entity_places.get(own.type)
    if named is None or len(named) != len(own.args):
        return None
    args: list[object] = []
    for is_entity, arg in zip(named, own.args, strict=True):
        if is_entity:
            arg = places.get(arg.strip().casefold()) if arg.__class__ is str else None
        if arg.__class__ not in (str, int):
            return None
        args.append(arg)
    try:
        return world.hold(own.type, tuple(args))
    except InputError:
        return None


_SOLUTION = "solution"
_LONGEST, _MOST_OBJECTS, _MOST_BITS = 50_000, 60, 64
"""Answers beyond these limits go to the reader of answers, which has its own limits."""


class NamedWorld:
    """A `NamedWorld` is a cached world with the entities' names in one conversation, and its last ledger.

    `witness` is the last assignment that is known to satisfy the ledger.
    """

    def __init__(self, world: CachedWorld, names: list[str]) -> None:
        own = world.instance
        self.world = world
        self.names = tuple(names)
        self.places = {name.strip().casefold(): entity for name, entity in zip(names, own.entities, strict=True)}
        self.variables = {
            name: tuple(own[entity][attribute].name for attribute in own.attributes)
            for name, entity in zip(names, own.entities, strict=True)
        }
        self.ledger = LoggedLedger()
        self.witness: Values | None = None

    def extend(self, constraints: bytes) -> bool:
        """Take in the constraints of a turn. Return False if only `check_logged_turn` can read them."""
        if not self.ledger.is_begun_by(constraints):
            self.ledger = LoggedLedger()
        return self.ledger.extend(self.world, self.places, constraints)

    def read(self, answer: Any) -> dict[str, int] | None:
        """Return the values in a plain answer, or None if only the reader of answers can read it."""
        if isinstance(answer, str):
            answer = _object_in(answer)
        if not isinstance(answer, dict):
            return None
        if len(answer) == 1 and _SOLUTION in answer:
            answer = answer[_SOLUTION]
            if not isinstance(answer, dict):
                return None
        if not answer:
            return None
        if len(self.world.attributes) == 1:
            return self._single(answer)
        return self._several(answer) or None

    def _single(self, answer: dict[str, Any]) -> dict[str, int] | None:
        labels, values = self.world.labels[0], {}
        for name, given in answer.items():
            own = self.variables.get(name)
            value = given if labels is None else labels.get(given) if given.__class__ is str else None
            if own is None or value.__class__ is not int or value.bit_length() > _MOST_BITS:
                return None
            values[own[0]] = value
        return values

    def _several(self, answer: dict[str, Any]) -> dict[str, int] | None:
        values: dict[str, int] = {}
        attributes, labels = self.world.attributes, self.world.labels
        for name, row in answer.items():
            own = self.variables.get(name)
            if own is None or not isinstance(row, dict):
                return None
            for attribute, given in row.items():
                at = attributes.get(attribute)
                if at is None:
                    return None
                known = labels[at]
                value = given if known is None else known.get(given) if given.__class__ is str else None
                if value.__class__ is not int or value.bit_length() > _MOST_BITS:
                    return None
                values[own[at]] = value
        return values

    def rename(self, text: str) -> str:
        """Return a text in which the entities' names replace their numbers."""
        return _NUMBERED.sub(lambda match: self.names[int(match[1])], text) if _MARK in text else text

    def rename_keys(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return an answer whose keys have the entities' names in place of their numbers."""
        return {self.rename(name): value for name, value in answer.items()}


def _object_in(text: str) -> Any:
    """Return the only JSON object in a text, or None. The object must repeat no key.

    Text around the object must have no bracket and no sign of thinking, so that `read_answer` finds the same object.
    """
    start, end = text.find("{"), text.rfind("}") + 1
    if len(text) > _LONGEST or text.count("{") > _MOST_OBJECTS:
        return None
    if start < 0 or end <= start or "\\" in text or "[" in text or "]" in text or "<" in text:
        return None
    chunk = text[start:end]
    try:
        found = any_value(chunk.encode())
    except UNREADABLE:
        return None
    return found if isinstance(found, dict) and chunk.count('"') == 2 * _texts_in(found) else None


def _texts_in(found: dict[str, Any]) -> int:
    """Return the number of strings in an object. A JSON text with more strings than its object has a repeated key."""
    count = 0
    for value in found.values():
        count += 1
        if value.__class__ is str:
            count += 1
        elif value.__class__ is dict:
            count += _texts_in(value)
    return count
