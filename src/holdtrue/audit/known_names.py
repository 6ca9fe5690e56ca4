"""Keep what turns with the same names share: their world, how their answers and constraints read, and their ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.audit.known_world import Held, KnownWorld, renamed
from holdtrue.audit.log_row import UNREADABLE, RawConstraint, any_value, constraints_in
from holdtrue.errors import InputError
from holdtrue.logic.evaluate import Values
from holdtrue.world.instance import Constraint


class LoggedLedger:
    """A `LoggedLedger` grows with each turn.

    `held` has the commitments in their order, `ids` the log's ids of each: a constraint that was logged twice is one
    commitment with several ids. `count` is the number of constraints in the log.
    """

    def __init__(self) -> None:
        self.text = b""
        self.count = 0
        self.held: list[Held] = []
        self.ids: list[tuple[str, ...]] = []
        self._place: dict[Constraint, int] = {}
        self._named: dict[str, Constraint] = {}

    def is_begun_by(self, text: bytes) -> bool:
        """Return whether a list of constraints begins with the one that was read last."""
        own = self.text
        return bool(own) and (own == text or (text.startswith(own[:-1]) and text[len(own) - 1 : len(own)] == b","))

    def extend(self, world: KnownWorld, places: Mapping[str, str], text: bytes) -> bool:
        """Take in what a list of constraints adds; return whether all of it is sound.

        Where it is not, the ledger is of no more use, and the reader of `check` says what is wrong.
        """
        if self.text and text == self.text:
            return True
        before, self.text = self.text, b""
        read = constraints_in(b"[" + text[len(before) :] if before else text)
        # A comma with nothing behind it is no list.
        if read is None or (before and not read) or not all(self._take(world, places, own) for own in read):
            return False
        # What white space stands around a list is no part of what it begins.
        self.text = text.strip()
        return True

    def _take(self, world: KnownWorld, places: Mapping[str, str], own: RawConstraint) -> bool:
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


def _held(world: KnownWorld, places: Mapping[str, str], own: RawConstraint) -> Held | None:
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
"""What is longer, has more in it, or is larger, the reader of answers has limits of its own for."""


class KnownNames:
    """`KnownNames` are the entities of a conversation, their numbers in a known world, and its last ledger.

    `witness` is the last assignment that is known to keep what was agreed.
    """

    def __init__(self, world: KnownWorld, names: list[str]) -> None:
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
        """Take in the constraints of a turn; return whether they could be read, or only the slow way can tell."""
        if not self.ledger.is_begun_by(constraints):
            self.ledger = LoggedLedger()
        return self.ledger.extend(self.world, self.places, constraints)

    def read(self, answer: Any) -> dict[str, int] | None:
        """Return the values that an answer gives in plain words; None where the slow way has to read it."""
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
        """Return a text of the world with the names of these entities."""
        return renamed(text, self.names)

    def rename_keys(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return an answer of the world with the names of these entities."""
        return {self.rename(name): value for name, value in answer.items()}


def _object_in(text: str) -> Any:
    """Return the one object that a text holds, where it is strict JSON that repeats no key; else None.

    Prose around it may have no bracket and nothing that looks like thinking, so that `read_answer` finds the same.
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
    """Return how many texts stand in an object; one with more has a key twice."""
    count = 0
    for value in found.values():
        count += 1
        if value.__class__ is str:
            count += 1
        elif value.__class__ is dict:
            count += _texts_in(value)
    return count
