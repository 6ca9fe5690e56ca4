"""Change the values of a call that a rule does not read, to show that its verdict does not depend on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.wording import LONGEST
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.typed_expressions import Get, Has, Node, Root, walk
from holdtrue.rules.types import Field, Flag, Name, Number, Type, without_null
from holdtrue.rules.values import to_json

Change = Callable[[Situation], Situation]
_LONG_AGO, _LATE = "1992", "2052"
"""Leap years, so that every day of another year is one of them."""
_MANY = 1000


def unread_changes(
    policy: Policy, situation: Situation, rule: Node, fields: Mapping[str, frozenset[str]], *, high: bool
) -> Iterator[tuple[str, Change]]:
    """Yield changes of single values that a rule does not read, each with the new value in words.

    Args:
        situation: The call with its facts.
        rule: The condition that the rule is kept.
        fields: The fields that the rule reads, by the kind of record.
        high: Whether numbers and dates become large, or small.
    """
    tool = policy.tools[situation.tool]
    read = {own.name for own in walk(rule) if isinstance(own, Get | Has) and isinstance(own.of, Root)}
    for name, value in _others(situation.call, tool.arguments.fields, read, high):
        yield f"{tool.root}.{name} is {json_text(value, LONGEST)}", partial(_with_argument, name=name, value=value)
    for kind, entries in situation.facts.items():
        own = policy.facts[kind]
        for place, entry in enumerate(entries):
            for name, value in _others(entry, own.record.fields, {*fields[kind], *own.keys}, high):
                put = partial(_with_field, kind=kind, place=place, name=name, value=value)
                yield f"{kind}.{name} is {json_text(value, LONGEST)}", put


def _others(
    record: Mapping[str, Any], fields: Mapping[str, Field], read: Collection[str], high: bool
) -> Iterator[tuple[str, Any]]:
    for name, own in fields.items():
        value = _another(own.type, record[name], high) if name in record and name not in read else None
        if value is not None:
            yield name, value


def _another(type: Type, value: Any, high: bool) -> Any:
    """Return a very different value of a plain type, or None for other types."""
    match without_null(type):
        case Name(_, tuple(values)):
            return next((own for own in (reversed(values) if high else values) if own != value), None)
        case Flag():
            return not value
        case Number(_, low, most) as number:
            end = (_MANY if most is None else most) if high else (low or 0)
            return None if to_json(end, number) == value else to_json(end, number)
        case Calendar("date" | "moment") if isinstance(value, str):
            return f"{_LATE if high else _LONG_AGO}{value[4:]}"
    return None


def _with_argument(situation: Situation, name: str, value: Any) -> Situation:
    return replace(situation, call={**situation.call, name: value})


def _with_field(situation: Situation, kind: str, place: int, name: str, value: Any) -> Situation:
    entries = [*situation.facts[kind]]
    entries[place] = {**entries[place], name: value}
    return replace(situation, facts={**situation.facts, kind: entries})
