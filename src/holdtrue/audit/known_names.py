"""Keep what turns with the same names share: which world they are about, and how their answers and constraints read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.audit.known_world import KnownWorld, renamed
from holdtrue.audit.logged_ledger import LoggedLedger
from holdtrue.audit.raw_turn import UNREADABLE, any_value
from holdtrue.logic.evaluate import Values

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
