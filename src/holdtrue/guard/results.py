"""Take in what tools gave: results become facts where the policy says so, and calls have their declared effects.

Nothing else becomes a fact: not what an assistant says, and not what a tool's text claims beyond its declared fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.facts import Facts, Keys, Seen, fact_path
from holdtrue.rules.closure import Env, compile_rule
from holdtrue.rules.types import Record
from holdtrue.rules.values import FactKey, NotSeen, Reader, Undecided, ValueFault, read_moment, show_plain

if TYPE_CHECKING:
    from holdtrue.guard.policy import Effect, FactKind, Policy, Source, Tool

MOST_TEXT = 10_000_000
"""A result may have so many characters; a longer one is told and not read."""


def saw(policy: Policy, facts: Facts, tool: str, arguments: Any, result: Any, *, at: str | None = None) -> Facts:
    """Return the facts after a tool's result for a call; what of it cannot be read is told in `Facts.notes`.

    `result` is JSON, as values or as its text. An error has no effect, and shows nothing.
    """
    own = policy.tools.get(tool)
    if own is None:
        return facts
    value, failed = _result(policy, result)
    if failed:
        return facts
    try:
        call = Reader().read(parsed(arguments), own.arguments, "call")
        moment = None if at is None else read_moment(at, policy.moment, "at")
    except InputError as error:
        return facts.with_note(f"{tool}: {error}")
    facts = facts.with_call(tool, call if moment is None else {**call, "at": moment})
    for kind in policy.facts.values():
        for source in kind.sources:
            if source.tool == tool:
                facts = _shown(facts, kind, source, call, value, moment)
    # What the policy says of a call goes before what its result shows: results are known to show old values.
    for effect in policy.effects:
        if effect.tool == tool:
            facts = _affected(policy, facts, effect, call, moment)
    return facts


def parsed(value: Any) -> Any:
    """Return arguments or a result as values. Raises `InputError` for a text that is no JSON."""
    if not isinstance(value, str | bytes):
        return value
    if len(value) > MOST_TEXT:
        raise InputError(f"{len(value):,} characters, over {MOST_TEXT:,}")
    try:
        return json.loads(value, parse_float=Decimal, parse_constant=_no_number)
    except RecursionError as error:
        raise InputError("no JSON that can be read: it is nested too deep") from error
    except ValueError as error:
        raise InputError(f"no JSON: {error}") from error


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _result(policy: Policy, result: Any) -> tuple[Any, bool]:
    """Return a result as values, and whether it is an error."""
    if isinstance(result, str):
        if any(result.startswith(own) for own in policy.errors):
            return result, True
        try:
            return parsed(result), False
        except InputError:
            return result, False  # A text, such as "done": the call had its effects, and shows no record.
    return result, isinstance(result, BaseException)


def _shown(facts: Facts, kind: FactKind, source: Source, call: Any, value: Any, at: int | Fraction | None) -> Facts:
    """Return the facts with the records that a result shows."""
    try:
        result = Reader().read(_filled(value, source.result, source.partial), source.result, "result")
        items = list(_items(source, call, result))
    except (InputError, Undecided) as error:
        return facts.with_note(f"{source.tool} shows no {kind.name} that can be read: {error}")
    for item in items:
        try:
            facts = _one_shown(facts, kind, source, item, at)
        except (InputError, Undecided) as error:
            facts = facts.with_note(f"{source.tool} shows a {kind.name} that cannot be read: {error}")
    return facts


def _items(source: Source, call: Any, result: Any) -> Iterator[Env]:
    env: Env = {"call": call, "result": result}
    if source.each is None:
        yield {**env, "item": result}
        return
    for item in compile_rule(source.each)(env):
        if isinstance(item, NotSeen):
            continue
        yield {**env, "item": item}


def _one_shown(facts: Facts, kind: FactKind, source: Source, env: Env, at: int | Fraction | None) -> Facts:
    keys: Keys = tuple(compile_rule(own)(env) for own in source.keys)
    path = fact_path(kind.name, keys)
    record = dict(env["item"])
    for name, node in source.fields.items():
        record[name] = compile_rule(node)(env)
    fact = FactKey(kind.name, keys)
    before = facts.record(kind.name, keys)
    found: dict[str, Any] = {}
    for name, own in kind.record.fields.items():
        value = record.get(name)
        if name in record and not isinstance(value, NotSeen):
            found[name] = _placed(value, f"{path}.{name}", fact)
        elif source.partial and before is not None and name in before.record:
            found[name] = before.record[name]
        elif source.partial:
            found[name] = NotSeen(f"{path}.{name}", own.type, fact)
        elif own.required:
            raise ValueFault(f"{path}.{name}", "it is missing")
    return facts.with_record(kind.name, keys, Seen(found, source.tool, at))


def _placed(value: Any, path: str, fact: FactKey) -> Any:
    """Return a value whose parts that were not seen are called by their place in the record, so that none are mixed."""
    match value:
        case NotSeen():
            return NotSeen(path, value.type, fact)
        case tuple():
            return tuple(_placed(own, f"{path}[{place}]", fact) for place, own in enumerate(value))
        case Mapping():
            return {name: _placed(own, f"{path}.{name}", fact) for name, own in value.items()}
    return value


def _filled(value: Any, type: Any, partial: bool) -> Any:
    """Return a result with markers for the fields that a partial one does not have."""
    if not partial:
        return value
    if isinstance(value, list) and hasattr(type, "item"):
        return [_filled(own, type.item, True) for own in value]
    if isinstance(value, Mapping) and isinstance(type, Record):
        missing = {name: NotSeen(name, own.type) for name, own in type.fields.items() if name not in value}
        return {**value, **missing}
    return value


def _affected(policy: Policy, facts: Facts, effect: Effect, call: Any, at: int | Fraction | None) -> Facts:
    """Return the facts after an effect; where it cannot be told, nothing is known of the record any more."""
    kind = policy.facts[effect.kind]
    env: Env = {"call": call}
    if at is not None:
        env["now"] = at
    try:
        keys: Keys = tuple(compile_rule(own)(env) for own in effect.keys)
    except Undecided as error:
        empty = replace(facts, records={**facts.records, kind.name: {}})
        return empty.with_note(f"which {kind.name} {effect.tool} changes is not known ({error}): all are unknown now")
    before = facts.record(kind.name, keys)
    try:
        if effect.when is not None and not compile_rule(effect.when)(env):
            return facts
        if effect.forget is None:
            return facts.without_record(kind.name, keys)
        sets = {name: compile_rule(own)(env) for name, own in effect.sets.items()}
    except (Undecided, KeyError) as error:
        return facts.without_record(kind.name, keys).with_note(f"the effect of {effect.tool} is not known: {error}")
    return _changed(facts, kind, effect, keys, before, sets, at)


def _changed(
    facts: Facts,
    kind: FactKind,
    effect: Effect,
    keys: Keys,
    before: Seen | None,
    sets: Mapping[str, Any],
    at: int | Fraction | None,
) -> Facts:
    path, fact = fact_path(kind.name, keys), FactKey(kind.name, keys)
    record: dict[str, Any] = {}
    for name, own in kind.record.fields.items():
        if name in sets:
            record[name] = sets[name]
        elif before is not None and name in before.record and name not in (effect.forget or ()):
            record[name] = before.record[name]
        elif before is None or name in (effect.forget or ()):
            record[name] = NotSeen(f"{path}.{name}", own.type, fact)
    return facts.with_record(kind.name, keys, Seen(record, effect.tool, at))


def show_call(tool: Tool | str, arguments: Any) -> str:
    """Return a call on one line."""
    name = tool if isinstance(tool, str) else tool.name
    if not isinstance(arguments, Mapping):
        return f"{name}({show_plain(arguments)})"
    return f"{name}({', '.join(f'{key}={show_plain(own)}' for key, own in arguments.items())})"
