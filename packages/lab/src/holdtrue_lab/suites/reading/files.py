"""This module reads messages from files.

Each message has a problem instance, and the constraints that the message states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from holdtrue.errors import ConstraintError, InputError, RecordError
from holdtrue.fields import by_id, expect, field, field_or, naming, texts
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kit.json_file import read_objects


def load_items(source: Path) -> list[MessageItem]:
    """Return the messages of a file or of all files of a folder.

    A line with `message` or `gold` is a message; other lines in a folder are ignored. Raises `RecordError` for
    malformed data, with file, line and field. Raises it also for a repeated message, and if there is no message.
    """
    found = ((where, _item(record, where)) for where, record in _records(source))
    return list(by_id(found, f"{source}: there are no messages").values())


def _records(source: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for where, record in read_objects(source):
        if "message" in record or "gold" in record:
            yield where, record
        elif not source.is_dir():
            raise RecordError(f"{where}: this is no message: it has neither message nor gold")


def _item(record: Mapping[str, Any], where: str) -> MessageItem:
    """Return the message of a line. Its id begins with its domain, because ids are unique only within a domain."""
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
    """Return unique constraints in canonical form; in the file, each is a list of its type and its arguments."""
    found = []
    for place, value in enumerate(listed):
        own = f"{where}[{place}]"
        type, *args = expect(value, list, own) or [None]
        with naming(own, ConstraintError):
            found.append(instance.canonical(instance.constraint(type, args)))
    return tuple(dict.fromkeys(found))
