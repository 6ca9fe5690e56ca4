"""Read recorded dialogues with the tools of their services, or single messages, and with what each message settles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from holdtrue.errors import ConstraintError, InputError, RecordError
from holdtrue.fields import by_id, choice, expect, field, field_or, naming, texts
from holdtrue.lab.kinds.readings.problem import KINDS, Dialogue, DialogueTurn, GoldEvent, MessageItem, comparable
from holdtrue.lab.kit.json_file import read_lines
from holdtrue.language.slots.slot_world import slot_world
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.tools import read_tools
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


_MARKS = ("turns", "message", "gold")
"""Fields by which a line is known: the first makes it a dialogue, each other one a message."""


def load_items(source: Path) -> Sequence[Dialogue] | Sequence[MessageItem]:
    """Return the dialogues, or the messages that are items by themselves, of a file or of all files of a folder.

    A line with `turns` is a dialogue, and one with `message` or `gold` is such a message. In a folder, lines of
    anything else are left alone. Raises `RecordError`, naming file, line and field, for what cannot be read, for an
    item that is there twice, if there is none at all, and if there are both dialogues and messages.
    """
    records = list(_records(source))
    messages = [(where, record) for where, record in records if "turns" not in record]
    if not messages:
        return _dialogues(source, records)
    if len(messages) < len(records):
        raise RecordError(f"{messages[0][0]}: a message beside dialogues; play the two in runs of their own")
    return list(by_id((where, read_item(record, where)) for where, record in messages).values())


def _dialogues(source: Path, records: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Dialogue]:
    found = ((where, _dialogue(record, where)) for where, record in records)
    return list(by_id(found, f"{source}: there are no dialogues and no messages").values())


def _records(source: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the lines that are dialogues or messages, each with its place."""
    for path in sorted(source.glob("*.jsonl")) if source.is_dir() else [source]:
        for where, value in read_lines(path):
            record = expect(value, dict, where)
            if not record.keys().isdisjoint(_MARKS):
                yield where, record
            elif not source.is_dir():
                raise RecordError(
                    f"{where}: this is neither a dialogue nor a message: it has none of {', '.join(_MARKS)}"
                )


def _dialogue(record: Mapping[str, Any], where: str) -> Dialogue:
    tools = tuple(expect(own, dict, f"{where}.tools") for own in field(record, "tools", list, where))
    with naming(f"{where}.tools", RuleError):
        world = slot_world(read_tools(tools), writes={str(own.get("name")) for own in tools if own.get("writes")})
    seen = field_or(record, "seen", dict, where, {})
    turns = field(record, "turns", list, where)
    return Dialogue(
        id=field(record, "id", str, where),
        domain="+".join(str(own) for own in field_or(record, "services", list, where, [])) or "dialogue",
        today=_day(field(record, "today", str, where), f"{where}.today"),
        seen=all(seen.values()) if seen else None,
        world=world,
        tools=tools,
        messages=tuple(
            _turn(expect(own, dict, f"{where}.turns[{place}]"), f"{where}.turns[{place}]")
            for place, own in enumerate(turns)
        ),
    )


def _day(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RecordError(f"{where}: a day such as 2019-03-01 is needed, got {text!r:.60}") from None


def _turn(record: Mapping[str, Any], where: str) -> DialogueTurn:
    events = field_or(record, "events", list, where, [])
    system = record.get("system")
    return DialogueTurn(
        None if system is None else expect(system, str, f"{where}.system"),
        field(record, "user", str, where),
        tuple(
            _event(expect(own, dict, f"{where}.events[{place}]"), f"{where}.events[{place}]")
            for place, own in enumerate(events)
        ),
    )


def _event(record: Mapping[str, Any], where: str) -> GoldEvent:
    value = record.get("value")
    if value is not None and not isinstance(value, str | int | float | bool):
        raise RecordError(f"{where}.value: a text, a number, or true or false is needed, got {value!r:.60}")
    surface = field_or(record, "surface", list, where, []) if value is not None else []
    written = [] if value is None else [value, *surface]
    return GoldEvent(
        kind=choice(field(record, "kind", str, where), KINDS, f"{where}.kind"),
        slot=f"{field(record, 'service', str, where)}.{field(record, 'slot', str, where)}",
        value=value,
        forms=tuple(dict.fromkeys(map(comparable, written))),
        source=field_or(record, "source", str, where, "stated"),
    )
