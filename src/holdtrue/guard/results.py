"""Take in what tools gave: results become facts where the policy says so, and calls have their declared effects.

Nothing else becomes a fact: not what an assistant says, and not what a tool's text claims beyond its declared fields.
Where it cannot be told what a call has changed, nothing is known any more of what it may have changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.facts import Facts, Keys, Seen, fact_path, not_seen
from holdtrue.guard.json_values import parsed
from holdtrue.guard.moments import moment_of
from holdtrue.guard.stops import is_stop, stopped_note
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.closure import FACTS, Env, compile_rule
from holdtrue.rules.paths import shortened
from holdtrue.rules.typed import Node
from holdtrue.rules.types import ListOf, MapOf, Nullable, Record, Type, without_null
from holdtrue.rules.values import (
    FactKey,
    NotSeen,
    Reader,
    Undecided,
    ValueFault,
    field_path,
    to_json,
)

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy
    from holdtrue.guard.policy_parts import Effect, FactKind, Source

At = int | Fraction | None
"""The moment of a call, None where nobody said it."""


def saw(
    policy: Policy,
    facts: Facts,
    tool: str,
    arguments: Any,
    result: Any,
    *,
    at: str | None = None,
    failed: bool | None = None,
) -> Facts:
    """Return the facts after a tool's result for a call; what of it cannot be read is told in `Facts.notes`.

    `result` is JSON, as values or as its text. An error has no effect, and shows nothing; `failed` says that it is one,
    or none, whatever it looks like. The guard's own words for a stopped call are no result.
    """
    own = policy.tools.get(tool)
    if own is None:
        return facts
    if is_stop(result, arguments):
        return facts.with_note(stopped_note(tool))
    value, looks_failed = _read_result(policy, result)
    if looks_failed if failed is None else failed:
        return facts

    def shown(facts: Facts, kind: FactKind, source: Source, call: Any, at: At) -> Facts:
        return _shown(policy, facts, kind, source, call, value, at)

    return _done(policy, facts, tool, arguments, at, shown)


def begun(policy: Policy, facts: Facts, tool: str, arguments: Any, *, at: str | None = None) -> Facts:
    """Return the facts as if a call had taken effect of which no result has come.

    Nothing is known of the records that its result would show.
    """
    if tool not in policy.tools:
        return facts

    def hidden(facts: Facts, kind: FactKind, source: Source, call: Any, at: At) -> Facts:
        if not policy.writes(tool):
            return facts
        unseen = {"result": NotSeen("result", source.result), "item": NotSeen("item", source.result)}
        try:
            keys = _keys(source.keys, {"call": call, **unseen})
        except Undecided:
            return _without_kind(facts, kind.name)
        return facts.without_record(kind.name, keys)

    return _done(policy, facts, tool, arguments, at, hidden)


def _done(
    policy: Policy,
    facts: Facts,
    tool: str,
    arguments: Any,
    at: str | None,
    shown: Callable[[Facts, FactKind, Source, Any, At], Facts],
) -> Facts:
    """Return the facts after a call that took effect; `shown` is what becomes of the records that its result shows."""
    own, before = policy.tools[tool], facts
    moment: At = None
    try:
        moment = None if at is None else moment_of(at, policy.moment, "at")
    except InputError as error:
        facts = facts.with_note(f"{tool}: {error}; when it was called is not known")
    try:
        call = Reader().read(parsed(arguments), own.arguments, "call")
    except InputError as error:
        return _after_unread_call(policy, facts, tool, str(error))
    done = call if moment is None or "at" in own.arguments.fields else {**call, "at": moment}
    facts = facts.with_call(tool, done)
    for kind in policy.facts.values():
        for source in kind.sources:
            if source.tool == tool:
                facts = shown(facts, kind, source, call, moment)
    # What the policy says of a call goes before what its result shows: results are known to show old values.
    for effect in policy.effects:
        if effect.tool == tool:
            facts = _affected(policy, facts, before, effect, call, moment)
    return facts


def is_error(policy: Policy, result: Any) -> bool:
    """Return whether a result says that the call failed: by how its text begins, or by a key that it has.

    What is no good JSON, with a number that is none or a key that stands twice, may say so, too.
    """
    return _read_result(policy, result)[1]


def _read_result(policy: Policy, result: Any) -> tuple[Any, bool]:
    """Return a result as values, and whether it is an error."""
    if not isinstance(result, str | bytes):
        # An object is an error if it has something under a key that errors are called by.
        said = isinstance(result, Mapping) and any(result.get(own) for own in policy.errors)
        return result, said or isinstance(result, BaseException)
    text = result.decode(errors="replace") if isinstance(result, bytes) else result
    if any(text.strip().startswith(own) for own in policy.errors):
        return result, True
    try:
        value = parsed(result)
    except InputError:
        return result, _says_error(policy, text)  # A text, such as "done": the call had its effects, and shows nothing.
    return value, value != text and _read_result(policy, value)[1]


def _says_error(policy: Policy, text: str) -> bool:
    """Return whether a text that is no good JSON has something under a key that errors are called by."""
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return False
    return isinstance(pairs, _Pairs) and any(name in policy.errors and value for name, value in pairs)


class _Pairs(list[tuple[str, Any]]):
    """The pairs of an object of JSON, in which a key may stand twice."""


def _after_unread_call(policy: Policy, facts: Facts, tool: str, error: str) -> Facts:
    """Return the facts after a call whose arguments cannot be read: it may have changed any record that it can."""
    facts = facts.with_note(f"{tool}: {error}")
    type = policy.done_type.fields[tool].type
    number = len(facts.done.get(tool, ()))
    facts = facts.with_call(tool, NotSeen(f"done.{tool}[{number}]", type.item if isinstance(type, ListOf) else type))
    kinds = [own.kind for own in policy.effects if own.tool == tool]
    if policy.writes(tool):
        kinds += [kind.name for kind in policy.facts.values() if any(own.tool == tool for own in kind.sources)]
    for kind in kinds:
        facts = _without_kind(facts, kind)
    return facts


def _without_kind(facts: Facts, kind: str) -> Facts:
    return replace(facts, records={**facts.records, kind: {}})


# What results show


def _shown(policy: Policy, facts: Facts, kind: FactKind, source: Source, call: Any, value: Any, at: At) -> Facts:
    """Return the facts with the records that a result shows."""
    try:
        filled = _filled(value, source.result) if source.partial else value
        result = Reader().read(filled, source.result, "result")
        items = list(_items(source, call, result))
    except (InputError, Undecided) as error:
        facts = facts.with_note(f"{source.tool} shows no {kind.name} that can be read: {error}")
        return _without_changed(policy, facts, kind, source, {"call": call}, error)
    for item in items:
        try:
            facts = _one_shown(facts, kind, source, item, at)
        except (InputError, Undecided) as error:
            facts = facts.with_note(f"{source.tool} shows a record of kind {kind.name} that cannot be read: {error}")
            facts = _without_changed(policy, facts, kind, source, item, error)
    return facts


def _without_changed(policy: Policy, facts: Facts, kind: FactKind, source: Source, env: Env, error: Exception) -> Facts:
    """Return the facts without the record that could not be read; a writing call may have changed any that it hides.

    What was seen before is past, even if a tool only reads: somebody else may have changed it.
    """
    unseen = {"result": NotSeen("result", source.result), "item": NotSeen("item", source.result)}
    try:
        keys = _keys(source.keys, {**unseen, **env})
    except Undecided:
        return _without_kind(facts, kind.name) if policy.writes(source.tool) else facts
    where = shortened(error.path) if isinstance(error, ValueFault) else "'result'"
    return facts.with_unread(kind.name, keys, f"{source.tool} has shown it, and {where} cannot be read")


def _items(source: Source, call: Any, result: Any) -> Iterator[Env]:
    env: Env = {"call": call, "result": result}
    if source.each is None:
        yield {**env, "item": result}
        return
    for item in compile_rule(source.each)(env):
        if isinstance(item, NotSeen):
            continue
        yield {**env, "item": item}


def _keys(nodes: tuple[Node, ...], env: Env) -> Keys:
    """Return the keys of a record. Raises `Undecided` where one is not known, or is null."""
    keys = tuple(compile_rule(own)(dict(env)) for own in nodes)
    if None in keys:
        raise Undecided("a key of it is null")
    return keys


def _one_shown(facts: Facts, kind: FactKind, source: Source, env: Env, at: At) -> Facts:
    keys = _keys(source.keys, env)
    path, fact = fact_path(kind.name, keys, kind.keys.values()), FactKey(kind.name, keys)
    record = dict(env["item"])
    for name, node in source.fields.items():
        record[name] = compile_rule(node)(dict(env))
    before = _before(facts, kind, keys, at) if source.partial else None
    moment, found = at, dict[str, Any]()
    for name, own in kind.record.fields.items():
        inner = field_path(path, name)
        if name in record and not isinstance(record[name], NotSeen):
            found[name] = _taken(record[name], own.type, inner, fact)
        elif before is not None:
            moment = before.at  # It is as old as the oldest of its fields.
            if name in before.record:
                found[name] = before.record[name]
        elif source.partial:
            found[name] = NotSeen(inner, own.type, fact, own.required)
        elif own.required:
            raise ValueFault(inner, "it is missing")
    return facts.with_record(kind.name, keys, Seen(found, source.tool, moment))


def _before(facts: Facts, kind: FactKind, keys: Keys, at: At) -> Seen | None:
    """Return what was seen of a record before, unless it is too old to count."""
    before = facts.record(kind.name, keys)
    if before is None or kind.fresh_s is None:
        return before
    known = before.at is not None and at is not None
    return before if known and before.at <= at <= before.at + kind.fresh_s else None  # type: ignore[operator]


def _taken(value: Any, type: Type, path: str, fact: FactKey) -> Any:
    """Return a value as a part of a record; what was not seen of it is called by its place there, so none are mixed.

    Raises `ValueFault` for a value that is none of the record's type.
    """
    if isinstance(value, NotSeen):
        return NotSeen(path, type, fact, value.there)
    if isinstance(type, Nullable) and value is None:
        return None
    match without_null(type):
        case ListOf(item, most, least) if isinstance(value, tuple):
            if len(value) < least or (most is not None and len(value) > most):
                raise ValueFault(path, f"it cannot have {len(value):,} items")
            return tuple(_taken(own, item, f"{path}[{place}]", fact) for place, own in enumerate(value))
        case MapOf(inner) if isinstance(value, Mapping):
            return {name: _taken(own, inner, f"{path}[{name!r}]", fact) for name, own in value.items()}
        case Record(fields) if isinstance(value, Mapping):
            for name, own in fields.items():
                if own.required and name not in value:
                    raise ValueFault(field_path(path, name), "it is missing")
            return {
                name: _taken(value[name], own.type, field_path(path, name), fact)
                for name, own in fields.items()
                if name in value
            }
        case other:
            Reader().read(to_json(value, other) if isinstance(other, Calendar) else value, other, path)
    return value


def _filled(value: Any, type: Type) -> Any:
    """Return a result with markers for the fields that a partial one does not have."""
    match without_null(type):
        case ListOf(item) if isinstance(value, list | tuple):
            return [_filled(own, item) for own in value]
        case MapOf(inner) if isinstance(value, Mapping):
            return {name: _filled(own, inner) for name, own in value.items()}
        case Record(fields) if isinstance(value, Mapping):
            return {
                name: _filled(value[name], own.type) if name in value else NotSeen(name, own.type, None, own.required)
                for name, own in fields.items()
            }
    return value


# What calls do


def _affected(policy: Policy, facts: Facts, before: Facts, effect: Effect, call: Any, at: At) -> Facts:
    """Return the facts after an effect; where it cannot be told, nothing is known of the record any more.

    Its expressions see the facts from `before` the call.
    """
    kind = policy.facts[effect.kind]

    def look_up(name: str, keys: Keys) -> Any:
        own = policy.facts[name]
        seen = _before(before, own, keys, at)
        return not_seen(name, keys, own.record, own.keys.values()) if seen is None else seen.record

    env: Env = {"call": call, "now": NotSeen("now", policy.moment) if at is None else at, FACTS: look_up}
    try:
        keys = _keys(effect.keys, env)
    except Undecided as error:
        note = f"which {kind.name} {effect.tool} changes is not known ({error}): all are unknown now"
        return _without_kind(facts, kind.name).with_note(note)
    try:
        if effect.when is not None and not compile_rule(effect.when)(dict(env)):
            return facts
        if effect.forget is None:
            return facts.without_record(kind.name, keys)
        sets = {name: compile_rule(own)(dict(env)) for name, own in effect.sets.items()}
        return _changed(facts, kind, effect, keys, sets, at)
    except (Undecided, InputError) as error:
        return facts.without_record(kind.name, keys).with_note(f"the effect of {effect.tool} is not known: {error}")


def _changed(facts: Facts, kind: FactKind, effect: Effect, keys: Keys, sets: Mapping[str, Any], at: At) -> Facts:
    """Return the facts with fields of a record set and others forgotten; it stays as old as what is left of it."""
    path, fact = fact_path(kind.name, keys, kind.keys.values()), FactKey(kind.name, keys)
    before = _before(facts, kind, keys, at)
    forget = effect.forget or ()
    moment, record = at, dict[str, Any]()
    for name, own in kind.record.fields.items():
        inner = field_path(path, name)
        if name in sets:
            record[name] = _taken(sets[name], own.type, inner, fact)
        elif before is not None and name not in forget:
            moment = before.at
            if name in before.record:
                record[name] = before.record[name]
        else:
            record[name] = NotSeen(inner, own.type, fact, own.required)
    return facts.with_record(kind.name, keys, Seen(record, effect.tool, moment))
