"""Turn tool results into facts as the policy declares them, and apply the declared effects of calls.

Nothing else becomes a fact: no statement of the assistant, and no part of a result beyond its declared fields. If the
effect of a call is unknown, every record that it may have changed becomes unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.facts import Answer, Facts, Keys, Seen, fact_path, not_seen
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import parsed, recorded
from holdtrue.guard.policy_parts import Effect, FactKind, PolicyParts, Source
from holdtrue.guard.result_forms import ReadResult, is_stop, read_result, stopped_note
from holdtrue.guard.shown_records import (
    At,
    ShownReader,
    absent_shown,
    before_of,
    keys_of,
    says_absent,
    shown,
    taken,
    without_shown,
)
from holdtrue.rules.compilation import FACTS, Env, compile_rule
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null
from holdtrue.rules.values import FactKey, NotSeen, Reader, Undecided, ValueFault, field_path, read_moment


def taken_in(
    policy: PolicyParts,
    facts: Facts,
    tool: str,
    arguments: Any,
    result: Any,
    *,
    at: str | None = None,
    failed: bool | None = None,
) -> tuple[Facts, bool]:
    """Return the facts after a tool's result for a call, and whether the call took effect.

    Notes on unreadable parts go into `Facts.notes`. `result` is JSON, as values or text, or any form that
    `result_forms` reads. An error has no effect and shows nothing. `failed` states whether the result is an error; None
    leaves it to the policy. The guard's own message about a stopped call is no result.
    """
    if tool not in policy.tools:
        return facts, False
    if failed is not False and is_stop(result, arguments):
        return facts.with_note(stopped_note(tool)), False
    read = read_result(policy.errors, result, _declared(policy, tool))
    failed = read.failed if failed is None else failed
    notes: dict[str, None] = {}

    def show(facts: Facts, kind: FactKind, source: Source, call: Any, at: At) -> Facts:
        if says_absent(source, read, failed=failed):
            return absent_shown(facts, kind, source, call, at)
        if failed:
            return facts
        facts, told = shown(policy, facts, kind, source, call, read, at)
        notes.update(dict.fromkeys(told))
        return facts

    if failed:
        found = _failed(policy, facts, tool, arguments, read, at, show)
    else:
        found = _done(policy, facts, tool, arguments, at, show)
        if not policy.writes(tool):
            found = answered(policy, found, tool, arguments, at, "")
    for note in notes:
        found = found.with_note(note)
    return found, not failed


_LONGEST_ERROR = 2_000
"""A longer error is cut, because the record of every later decision contains it."""
_Show = Callable[[Facts, "FactKind", "Source", Any, At], Facts]
"""A function that applies the records which a result of a source shows."""


def begun(policy: PolicyParts, facts: Facts, tool: str, arguments: Any, *, at: str | None = None) -> Facts:
    """Return the facts as if a call had taken effect. The records that its missing result would show become unknown."""
    if tool not in policy.tools:
        return facts

    def hidden(facts: Facts, kind: FactKind, source: Source, call: Any, at: At) -> Facts:
        return without_shown(facts, kind, source, call) if policy.writes(tool) else facts

    return _done(policy, facts, tool, arguments, at, hidden)


def _failed(
    policy: PolicyParts, facts: Facts, tool: str, arguments: Any, read: ReadResult, at: str | None, show: _Show
) -> Facts:
    """Return the facts after an error.

    It may report a missing record, and it counts as the answer to a reading call.
    """
    if policy.writes(tool):
        return facts
    try:
        call = Reader().read(parsed(arguments), policy.tools[tool].arguments, "call")
        facts = _shown_by(policy, facts, tool, call, _moment(policy, at), show)
    except InputError:
        pass  # The arguments are unreadable, so the record is unknown.
    error = read.value if isinstance(read.value, str) else json.dumps(read.value, ensure_ascii=False, default=str)
    return answered(policy, facts, tool, arguments, at, error or "it failed")


def answered(policy: PolicyParts, facts: Facts, tool: str, arguments: Any, at: str | None, error: str) -> Facts:
    """Return the facts after a reading call has returned. `error` is its error message, or ""."""
    try:
        moment = _moment(policy, at)
    except InputError:
        moment = None
    given = recorded(arguments)
    return facts.with_answer(tool, call_text(given), Answer(given, moment, error[:_LONGEST_ERROR]))


def _moment(policy: PolicyParts, at: str | None) -> At:
    return None if at is None else read_moment(at, policy.moment, "at")


def _done(policy: PolicyParts, facts: Facts, tool: str, arguments: Any, at: str | None, show: _Show) -> Facts:
    own, before = policy.tools[tool], facts
    moment: At = None
    try:
        moment = _moment(policy, at)
    except InputError as error:
        facts = facts.with_note(f"{tool}: {error}; when it was called is not known")
    if policy.writes(tool):
        kinds = _changes(policy, tool)
        facts = facts.without_answers(source.tool for name in kinds for source in policy.facts[name].sources)
    try:
        call = Reader().read(parsed(arguments), own.arguments, "call")
    except InputError as error:
        return _after_unread_call(policy, facts, tool, str(error))
    done = call if moment is None or "at" in own.arguments.fields else {**call, "at": moment}
    facts = _shown_by(policy, facts.with_call(tool, done), tool, call, moment, show)
    # Declared effects override the result, because real tools were seen to show the values from before the call.
    for effect in policy.effects:
        if effect.tool == tool:
            facts = _affected(policy, facts, before, effect, call, moment)
    return facts


def _shown_by(policy: PolicyParts, facts: Facts, tool: str, call: Any, moment: At, show: _Show) -> Facts:
    for kind in policy.facts.values():
        for source in kind.sources:
            if source.tool == tool:
                facts = show(facts, kind, source, call, moment)
    return facts


def _changes(policy: PolicyParts, tool: str) -> list[str]:
    """Return the kinds of facts that a writing call of a tool may change."""
    kinds = [own.kind for own in policy.effects if own.tool == tool]
    return kinds + [kind.name for kind in policy.facts.values() if any(own.tool == tool for own in kind.sources)]


@lru_cache(maxsize=256)
def _declared(policy: PolicyParts, tool: str) -> frozenset[str]:
    """Return the names of the fields in a tool's results, by their declared types."""
    types = [own.result for kind in policy.facts.values() for own in kind.sources if own.tool == tool]
    items = [own.item if isinstance(own := without_null(each), ListOf) else own for each in types]
    return frozenset(name for own in map(without_null, items) if isinstance(own, Record) for name in own.fields)


def is_error(policy: PolicyParts, result: Any) -> bool:
    """Return whether a result reports a failed call, by its beginning or by one of its keys, even in faulty JSON."""
    return read_result(policy.errors, result).failed


def _after_unread_call(policy: PolicyParts, facts: Facts, tool: str, error: str) -> Facts:
    """Return the facts after a call with unreadable arguments. All records that it can change become unknown."""
    facts = facts.with_note(f"{tool}: {error}")
    number = len(facts.done.get(tool, ()))
    facts = facts.with_call(tool, NotSeen(f"done.{tool}[{number}]", policy.call_type(tool), fits=False))
    kinds = _changes(policy, tool) if policy.writes(tool) else [own.kind for own in policy.effects if own.tool == tool]
    for kind in kinds:
        facts = facts.without_kind(kind)
    return facts


# Effects of calls


def changed_records(
    policy: PolicyParts, before: Facts, tool: str, arguments: Any, at: str | None
) -> Iterator[tuple[str, Keys | None]]:
    """Yield the records that an effective call has changed, seen or not. Keys of None mean any record of the kind."""
    effects = [own for own in policy.effects if own.tool == tool]
    try:
        call = Reader().read(parsed(arguments), policy.tools[tool].arguments, "call")
        env = _surrounding(policy, before, call, _moment(policy, at))
    except (InputError, KeyError):
        env = None
    for own in effects:
        try:
            yield own.kind, None if env is None else keys_of(own.keys, env)
        except Undecided:
            yield own.kind, None


def _surrounding(policy: PolicyParts, before: Facts, call: Any, at: At) -> Env:
    """Return the names that expressions of an effect can read: the call, and the facts from `before` it."""

    def look_up(name: str, keys: Keys) -> Any:
        own = policy.facts[name]
        seen = before_of(before, own, keys, at)
        return not_seen(name, keys, own.record, own.keys.values()) if seen is None else seen.record

    return {"call": call, "now": NotSeen("now", policy.moment) if at is None else at, FACTS: look_up}


def _affected(policy: PolicyParts, facts: Facts, before: Facts, effect: Effect, call: Any, at: At) -> Facts:
    """Return the facts after an effect. If a part of it is unknown, only the fields that it changes become unknown."""
    kind, env = policy.facts[effect.kind], _surrounding(policy, before, call, at)
    try:
        keys = keys_of(effect.keys, env)
    except Undecided as error:
        note = f"which {kind.name} {effect.tool} changes is not known ({error}): all are unknown now"
        return facts.without_kind(kind.name).with_note(note)
    applies = True
    try:
        if effect.when is not None and not compile_rule(effect.when)(dict(env)):
            return facts
    except (Undecided, InputError) as error:
        applies, facts = False, facts.with_note(f"the effect of {effect.tool} is not known: {error}")
    if effect.forget is None:
        return facts.without_record(kind.name, keys)
    return _changed(facts, kind, effect, keys, env if applies else None, at)


def _changed(facts: Facts, kind: FactKind, effect: Effect, keys: Keys, env: Env | None, at: At) -> Facts:
    """Return the facts after fields of a record were set or forgotten. The record keeps the age of its remaining
    fields.

    If `env` is None, it is unknown whether the fields were set.
    """
    path, fact = fact_path(kind.name, keys, kind.keys.values()), FactKey(kind.name, keys)
    before, reader = before_of(facts, kind, keys, at), ShownReader()
    moment, record = at, dict[str, Any]()
    for name, own in kind.record.fields.items():
        inner = field_path(path, name)
        unknown = NotSeen(inner, own.type, fact, own.required)
        changed = name in (effect.forget or ()) or (env is None and name in effect.changes)
        old = unknown if before is None or changed else before.record.get(name, _MISSING)
        if before is not None and old is not unknown and name not in effect.sets:
            moment = before.at
        if env is not None and name in effect.sets:
            value, error = _evaluated(effect.sets[name], env)
            if error:
                facts, old = facts.with_note(f"the effect of {effect.tool} is not known: {inner}: {error}"), unknown
            else:
                old = taken(value, own.type, inner, fact, reader, there=own.required)
        if old is not _MISSING:
            record[name] = old
    for part in effect.parts if env is not None else ():
        value, error = _evaluated(part.value, env or {})
        steps = [own if isinstance(own, str) else _evaluated(own, env or {})[0] for own in part.steps]
        type, inner = kind.record.fields[part.field].type, field_path(path, part.field)
        record[part.field] = _put(record.get(part.field), type, steps, value, inner, fact, reader)
        if error:
            facts = facts.with_note(f"the effect of {effect.tool} is not known: {part.text}: {error}")
    for refused in reader.refused.values():
        facts = facts.with_note(f"the effect of {effect.tool} is not known: {refused}")
    if all(isinstance(own, NotSeen) for own in record.values()):
        return facts.without_record(kind.name, keys)
    return facts.with_record(kind.name, keys, Seen(record, effect.tool, moment))


_MISSING = object()


def _evaluated(node: Node, env: Env) -> tuple[Any, str]:
    """Return the value of an expression, or a marker and the reason if it is unknown."""
    try:
        return compile_rule(node)(dict(env)), ""
    except (Undecided, InputError) as error:
        return NotSeen("set", node.type), str(error)


def _put(old: Any, type: Type, steps: Sequence[Any], value: Any, path: str, fact: FactKey, reader: ShownReader) -> Any:
    """Return a part of a record with a value put at a place in it. Unseen parts stay unseen."""
    if not steps:
        return taken(value, type, path, fact, reader)
    step, own = steps[0], without_null(type)
    fits = not isinstance(old, NotSeen) or old.fits
    if isinstance(type, Record) and isinstance(old, NotSeen) and not isinstance(value, NotSeen):
        fields = type.fields.items()  # Only this part of the unseen record is known.
        old = {name: NotSeen(field_path(path, name), each.type, fact, each.required, fits) for name, each in fields}
    if isinstance(own, Record) and isinstance(old, Mapping):
        inner = field_path(path, step)
        return {**old, step: _put(old.get(step), own.fields[step].type, steps[1:], value, inner, fact, reader)}
    if isinstance(own, MapOf) and isinstance(old, Mapping) and isinstance(step, str):
        inner = f"{path}[{step!r}]"
        return {**old, step: _put(old.get(step), own.value, steps[1:], value, inner, fact, reader)}
    if isinstance(own, ListOf) and isinstance(old, tuple) and isinstance(step, int) and 0 <= step < len(old):
        put = _put(old[step], own.item, steps[1:], value, f"{path}[{step}]", fact, reader)
        return (*old[:step], put, *old[step + 1 :])
    reader.refused[path] = ValueFault(path, "a part of it was set, and what the whole is now cannot be told")
    return NotSeen(path, type, fact, fits=fits)
