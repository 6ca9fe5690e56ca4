"""Read a message that is an item by itself, with the instance that it is about and what it commits to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import ConstraintError, InputError
from holdtrue.fields import expect, field, field_or, naming, texts
from holdtrue.lab.kinds.readings.message_item import MessageItem
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain


def read_item(record: Mapping[str, Any], where: str) -> MessageItem:
    """Return the message of a line, whose id in a run begins with its domain: files count the messages of each anew.

    Raises `RecordError`, naming file, line and field, for what cannot be read.
    """
    domain = field(record, "domain", str, where)
    entities, context = texts(record, "entities", where), field_or(record, "context", dict, where, {})
    with naming(where, InputError):
        instance = Instance(find_domain(domain), entities, context)
    return MessageItem(
        id=f"{domain}/{field(record, 'id', str, where)}",
        domain=domain,
        kind=field_or(record, "kind", str, where, ""),
        style=field_or(record, "style", str, where, ""),
        family=field_or(record, "family", str, where, ""),
        message=field(record, "message", str, where),
        instance=instance,
        gold=_constraints(instance, field(record, "gold", list, where), f"{where}.gold"),
        before=_constraints(instance, field_or(record, "before", list, where, []), f"{where}.before"),
    )


def _constraints(instance: Instance, listed: list[Any], where: str) -> tuple[Constraint, ...]:
    """Return constraints in canonical form, each once; they are written as a type and its arguments in one list."""
    found = []
    for place, value in enumerate(listed):
        own = f"{where}[{place}]"
        type, *args = expect(value, list, own) or [None]
        with naming(own, ConstraintError):
            found.append(instance.canonical(instance.constraint(type, args)))
    return tuple(dict.fromkeys(found))
