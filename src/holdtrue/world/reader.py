"""Read an answer: find values for an instance's variables in a model's text.

These forms are read, bare or under the key `solution`: `{entity: value}` (the value of the first attribute),
`{entity: {attribute: value}}`, `{attribute: {entity: value}}`, and rows
`[{"entity" or "name": entity, attribute: value, ...}]`. Case and surrounding space of names do not matter. The last
complete JSON value that gives any entity a value is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdtrue.logic.sorts import IntSort, Sort
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.declaration import Attribute
from holdtrue.world.jsonscan import JsonObject, objects, strip_thinking, unread

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance

# Larger numbers are meant by nobody, and up to the second a floating-point number says exactly which integer it is.
_LIMIT, _EXACT = 10**100, 10**15
_PRINTABLE = 10**18
_DIGITS = re.compile(r"-?[0-9]{1,100}")
# Foreign texts are shown to models and written to records; nobody needs a megabyte of one.
_LONGEST_FOREIGN = 80


def read_answer(instance: Instance, text: str) -> Answer:
    """Return the answer in a model's text; this is linear in its length, and never raises."""
    text = strip_thinking(text)
    found = objects(text)
    for value in reversed(found):
        assignment = _read(instance, value)
        if assignment is not None:
            return assignment
    reason = "no JSON in the text gives any entity a value" if found else "there is no complete JSON object in the text"
    part = unread(text)
    return Unparsed(reason if part is None else f"{reason}; {part}")


def read_assignment(instance: Instance, value: object) -> Answer:
    """Return the answer in a JSON object or array that was parsed already."""
    return _read(instance, value) or Unparsed("the answer gives no entity a value")


def _read(instance: Instance, value: object) -> Assignment | None:
    if isinstance(value, dict):
        wrapped = _Sheet(instance)
        for key, inner in _members(value):
            if key.strip().casefold() == "solution":
                wrapped.fill(inner)
        if wrapped.given:
            return wrapped.assignment()
    bare = _Sheet(instance)
    bare.fill(value)
    return bare.assignment() if bare.given else None


def _members(value: dict[object, object]) -> Iterable[tuple[str, object]]:
    """The members of an object, repeated keys included where they were kept."""
    if isinstance(value, JsonObject):
        return value.members
    return ((key, inner) for key, inner in value.items() if isinstance(key, str))


class _Sheet:
    """Values as they come in: `given` maps variables to integers, or to texts that are no value of theirs."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.attributes: dict[str, Attribute] = {}
        for attribute in instance.attributes.values():
            self.attributes.setdefault(attribute.label.strip().casefold(), attribute)
        # Names come last because they win: one attribute's label may be another one's name.
        for name, attribute in instance.attributes.items():
            self.attributes[name.strip().casefold()] = attribute
        self.first = next(iter(instance.attributes.values()))
        self.given: dict[str, int | str] = {}
        self.repeated: set[str] = set()

    def fill(self, value: object) -> None:
        """Take what an object or a list of rows gives."""
        if isinstance(value, dict):
            for key, inner in _members(value):
                entity = self.instance.find_entity(key)
                if entity is not None:
                    self.give_entity(entity, inner)
                elif isinstance(inner, dict):
                    self.give_attribute(key, inner)
        elif isinstance(value, list):
            for row in value:
                if isinstance(row, dict):
                    self.give_row(row)

    def give_entity(self, entity: str, value: object) -> None:
        if not isinstance(value, dict):
            self.give(entity, self.first, value)
            return
        for key, inner in _members(value):
            attribute = self.attributes.get(key.strip().casefold())
            if attribute is not None:
                self.give(entity, attribute, inner)

    def give_attribute(self, name: str, values: dict[object, object]) -> None:
        attribute = self.attributes.get(name.strip().casefold())
        if attribute is None:
            return
        for key, value in _members(values):
            entity = self.instance.find_entity(key)
            if entity is not None:
                self.give(entity, attribute, value)

    def give_row(self, row: dict[object, object]) -> None:
        named = {key.strip().casefold(): value for key, value in _members(row)}
        # An attribute may itself be called "name"; then only "entity" says whose row it is.
        name = named.get("entity", None if "name" in self.attributes else named.get("name"))
        entity = self.instance.find_entity(name) if isinstance(name, str) else None
        if entity is not None:
            self.give_entity(entity, row)

    def give(self, entity: str, attribute: Attribute, value: object) -> None:
        read = _value(attribute.sort, value)
        if read is None:
            return
        variable = f"{entity}.{attribute.name}"
        if self.given.setdefault(variable, read) != read:
            self.repeated.add(variable)

    def assignment(self) -> Assignment:
        """Return what was given, in the order of the instance's variables."""
        values: dict[str, int] = {}
        foreign: dict[str, str] = {}
        for variable in self.instance.variables:
            given = self.given.get(variable)
            if given is None or variable in self.repeated:
                continue
            if isinstance(given, int):
                values[variable] = given
            else:
                foreign[variable] = given
        repeated = tuple(variable for variable in self.instance.variables if variable in self.repeated)
        return Assignment(values, foreign, repeated)


def _value(sort: Sort, value: object) -> int | str | None:
    """An integer; a text where `value` is none of the sort's kind; None where there is no value at all."""
    if isinstance(sort, IntSort):
        number = _integer(value)
        return number if number is not None else _foreign(_text(value))
    text = _text(value)
    index = None if text is None else sort.index(text)
    return index if index is not None else _foreign(text)


def _integer(value: object) -> int | None:
    if isinstance(value, str):
        text = value.strip()
        return int(text) if _DIGITS.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    limit = _EXACT if isinstance(value, float) else _LIMIT
    # NaN fails the comparison; infinities are too large.
    return int(value) if -limit < value < limit and value == int(value) else None


def _text(value: object) -> str | None:
    """A scalar as its JSON text, whole numbers without a fraction; None for nothing and for containers."""
    match value:
        case str():
            return value.strip()
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _number_text(value)
    return None


def _number_text(value: int | float) -> str:
    number = _integer(value)
    if number is None and isinstance(value, int) and abs(value) >= _PRINTABLE:
        # Writing out a huge integer takes more than linear time, and Python refuses beyond 4,300 digits.
        return "inf" if value > 0 else "-inf"
    return str(value if number is None else number)


def _foreign(text: str | None) -> str | None:
    if not text:
        return None
    return text if len(text) <= _LONGEST_FOREIGN else text[: _LONGEST_FOREIGN - 3] + "..."
