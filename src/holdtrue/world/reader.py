"""Read an answer: find the values of an instance's variables in a model's text.

The answer is the last complete JSON value that gives any entity a value, alone or under the key `solution`. Case and
surrounding spaces of names are ignored. These are its forms:

- `{entity: value}`, with a value of the first attribute
- `{entity: {attribute: value}}` or `{attribute: {entity: value}}`
- `[{"entity" or "name": entity, attribute: value, ...}]`
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdtrue.logic.sorts import IntSort, Sort
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.declaration import Attribute
from holdtrue.world.lenient_json import JsonObject, objects, strip_thinking, unread

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance

# Integers up to the first limit are read, and floats up to the second one, where they are exact.
_LIMIT, _EXACT = 10**100, 10**15
_PRINTABLE = 10**18
_DIGITS = re.compile(r"-?[0-9]{1,100}")
# Foreign texts go into prompts and records, so long ones are cut.
_LONGEST_FOREIGN = 80


def read_answer(instance: Instance, text: str) -> Answer:
    """Return the answer in a model's text; this takes linear time and never raises."""
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
    """Return the answer in a parsed JSON object or array."""
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
    """Return the members of an object, with repeated keys if the object kept them."""
    if isinstance(value, JsonObject):
        return value.members
    return ((key, inner) for key, inner in value.items() if isinstance(key, str))


class _Sheet:
    """A `_Sheet` collects values: `given` maps variables to integers, or to texts that are none of their values."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.attributes: dict[str, Attribute] = {}
        for attribute in instance.attributes.values():
            self.attributes.setdefault(attribute.label.strip().casefold(), attribute)
        # A name overrides an equal label of another attribute.
        for name, attribute in instance.attributes.items():
            self.attributes[name.strip().casefold()] = attribute
        self.first = next(iter(instance.attributes.values()))
        self.given: dict[str, int | str] = {}
        self.repeated: set[str] = set()

    def fill(self, value: object) -> None:
        """Add the values of an object or a list of rows."""
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
        # If an attribute has the name "name", only "entity" names the entity of a row.
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
        """Return the collected values, in the order of the instance's variables."""
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
    """Return an integer, or a text if `value` does not belong to the sort, or None if there is no value."""
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
    # NaN fails the comparison, and infinities are too large.
    return int(value) if -limit < value < limit and value == int(value) else None


def _text(value: object) -> str | None:
    """Return the JSON text of a scalar, with whole numbers without a fraction, or None for other values."""
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
        # Printing a huge integer takes more than linear time, and Python refuses over 4,300 digits.
        return "inf" if value > 0 else "-inf"
    return str(value if number is None else number)


def _foreign(text: str | None) -> str | None:
    if not text:
        return None
    return text if len(text) <= _LONGEST_FOREIGN else text[: _LONGEST_FOREIGN - 3] + "..."
