"""Describe the form of an answer by a JSON schema and a hint with placeholders. Write answers in this form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.logic.sorts import EnumSort, IntSort, Sort
from holdtrue.world.answer import show_value

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance

# A hint shows at most this many entities; another part of the prompt names all of them.
_SHOWN = 2


def answer_schema(instance: Instance) -> dict[str, Any]:
    """Return the JSON schema of `{"solution": {entity: value}}`; several attributes make each value an object.

    The schema also requires optional attributes, so that a model that is bound to it gives them.
    """
    one_each = {name: _value_schema(attribute.sort) for name, attribute in instance.attributes.items()}
    entity = next(iter(one_each.values())) if len(one_each) == 1 else object_schema(one_each)
    return object_schema({"solution": object_schema(dict.fromkeys(instance.entities, entity))})


def answer_hint(instance: Instance) -> str:
    """Return a line with placeholders for the values: `{"solution": {"Ann": <seat>, ...}}`."""
    slots = {_quoted(name): _placeholder(name, attribute.sort) for name, attribute in instance.attributes.items()}
    if len(slots) == 1:
        value = next(iter(slots.values()))
    else:
        value = "{" + ", ".join(f"{name}: {slot}" for name, slot in slots.items()) + "}"
    shown = [f"{_quoted(entity)}: {value}" for entity in instance.entities[:_SHOWN]]
    if len(instance.entities) > _SHOWN:
        shown.append("...")
    return '{"solution": {' + ", ".join(shown) + "}}"


def render_answer(instance: Instance, values: Mapping[str, int]) -> dict[str, Any]:
    """Return values (variable -> integer) in the form of an answer.

    The form is `{entity: value}` for one attribute, and else `{entity: {attribute: value}}`.
    """
    out: dict[str, Any] = {}
    for entity in instance.entities:
        own: dict[str, str | int] = {}
        for attribute in instance.attributes:
            variable = instance[entity][attribute]
            if variable.name in values:
                own[attribute] = show_value(variable, values[variable.name])
        if own:
            out[entity] = next(iter(own.values())) if len(instance.attributes) == 1 else own
    return out


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties, all of them required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def number_schema(sort: IntSort) -> dict[str, Any]:
    """Return the schema of an integer of the sort."""
    ends = {"minimum": sort.low, "maximum": sort.high}
    return {"type": "integer", **{name: end for name, end in ends.items() if end is not None}}


def _value_schema(sort: Sort) -> dict[str, Any]:
    if isinstance(sort, EnumSort):
        return {"type": "string", "enum": list(sort.labels)}
    return number_schema(sort)


def _placeholder(name: str, sort: Sort) -> str:
    return _quoted(f"<{name}>") if isinstance(sort, EnumSort) else f"<{name}>"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
