"""Write down all that a decision was made from, as JSON, and read it back: a decision replays from that alone.

A value that JSON or its type cannot say stands as an object with one key that begins with `#`; keys of records and maps
that begin so have one more `#` in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.facts import Absent, Answer, DoneCall, Facts, Keys, Seen
from holdtrue.guard.fetching import call_text
from holdtrue.guard.footprints import looked_at
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy_parts import WRITTEN, PolicyParts
from holdtrue.guard.surroundings import Surroundings
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import ListOf, MapOf, Nullable, Number, Record, Type
from holdtrue.rules.values import FactKey, NotSeen, Reader, ValueFault, to_json

NOT_SEEN, PERHAPS, UNFIT, EXACT = "#not seen", "#perhaps", "#unfit", "#exact"
"""Keys of what was not seen, may not be there, or may be of another type, and of a number or date as a fraction."""


def given_json(surroundings: Surroundings, heard: Listening, now: str | None, tool: str) -> dict[str, Any]:
    """Return what the decision on a call of a tool in these surroundings was made from."""
    policy, facts = surroundings.policy, surroundings.facts
    looks = looked_at(policy, heard, tool)
    done = {
        name: [_done(own, policy, name) for own in calls]
        for name, calls in facts.done.items()
        if ("done", name) in looks
    }
    return {
        "policy": policy.digest,
        "now": now if now is not None else policy.now,
        **heard.to_json(),
        "facts": [_record(policy, facts, *own) for own in surroundings.used.items()],
        "done": done,
        "written": list(facts.written) if (WRITTEN, "") in looks else [],
        "listened": facts.listened,
        **({"overflows": True} if facts.overflows else {}),
        "answered": _answers(policy, surroundings),
    }


def _answers(policy: PolicyParts, surroundings: Surroundings) -> list[dict[str, Any]]:
    """Return the answers that were looked up, once each, in an order that does not depend on how they were found."""
    found = {(tool, call_text(own.arguments)): _answer(policy, tool, own) for tool, own in surroundings.answers}
    return [found[key] for key in sorted(found)]


def _answer(policy: PolicyParts, tool: str, own: Answer) -> dict[str, Any]:
    found = {"tool": tool, "arguments": own.arguments, "error": own.error}
    return found if own.at is None else {**found, "at": encoded(own.at, policy.moment)}


def _done(call: Any, policy: PolicyParts, tool: str) -> Any:
    if not isinstance(call, DoneCall):
        return encoded(call, _call_type(policy, tool))
    if not hasattr(call, "encoded"):
        call.encoded = encoded(call, _call_type(policy, tool))
    return call.encoded


def _call_type(policy: PolicyParts, tool: str) -> Type:
    type = policy.done_type.fields[tool].type
    return type.item if isinstance(type, ListOf) else type


def _record(policy: PolicyParts, facts: Facts, key: tuple[str, Keys], seen: Seen | None) -> dict[str, Any]:
    kind = policy.facts[key[0]]
    keys = [encoded(own, type) for own, type in zip(key[1], kind.keys.values(), strict=True)]
    found: dict[str, Any] = {"kind": kind.name, "keys": keys}
    if seen is not None:
        found |= {"record": encoded(seen.record, kind.record), "tool": seen.tool}
        if seen.at is not None:
            found["at"] = encoded(seen.at, policy.moment)
    elif key in facts.absent:
        absent = facts.absent[key]
        found |= {"absent": absent.tool} | ({} if absent.at is None else {"at": encoded(absent.at, policy.moment)})
    if key in facts.unread:
        found["unread"] = facts.unread[key]
    return found


def encoded(value: Any, type: Type) -> Any:
    """Return a value as JSON, from which `decoded` makes just the same."""
    if isinstance(value, NotSeen):
        return {UNFIT if not value.fits else NOT_SEEN if value.there else PERHAPS: value.path}
    match type:
        case _ if value is None:
            return None
        case Nullable(inner):
            return encoded(value, inner)
        case ListOf(item):
            return [encoded(own, item) for own in value]
        case MapOf(inner):
            return {_escaped(name): encoded(own, inner) for name, own in value.items()}
        case Record(fields):
            return {_escaped(name): encoded(own, fields[name].type) for name, own in value.items()}
        case Number() | Calendar():
            return _encoded_number(value, type)
    return value


def _escaped(name: str) -> str:
    return f"#{name}" if name.startswith("#") else name


def _encoded_number(value: int | Fraction, type: Number | Calendar) -> Any:
    found = to_json(value, type)
    try:
        if isinstance(found, int | float | str) and Reader().read(found, type, "value") == value:
            return found
    except ValueFault:
        pass
    return {EXACT: f"{value.numerator}/{value.denominator}"}


def decoded(value: Any, type: Type, fact: FactKey | None) -> Any:
    """Return the value that `encoded` gave the JSON of; `fact` is the record that it is in."""
    if isinstance(value, Mapping):
        for key in (NOT_SEEN, PERHAPS, UNFIT):
            if key in value:
                return NotSeen(value[key], type, fact, key != PERHAPS, key != UNFIT)
        if EXACT in value:
            exact = Fraction(value[EXACT])
            return exact.numerator if exact.denominator == 1 else exact
    match type:
        case _ if value is None:
            return None
        case Nullable(inner):
            return decoded(value, inner, fact)
        case ListOf(item):
            return tuple(decoded(own, item, fact) for own in value)
        case MapOf(inner):
            return {_unescaped(name): decoded(own, inner, fact) for name, own in value.items()}
        case Record(fields):
            names = {name: _unescaped(name) for name in value}
            return {own: decoded(value[name], fields[own].type, fact) for name, own in names.items()}
        case Number() | Calendar():
            return Reader().read(value, type, "value")
    return value


def _unescaped(name: str) -> str:
    return name[1:] if name.startswith("##") else name


def given_facts(policy: PolicyParts, given: Mapping[str, Any]) -> Facts:
    """Return the facts of a recorded decision. Raises `InputError` where the record does not fit the policy."""
    if given.get("policy") != policy.digest:
        raise InputError(f"the decision was made by another policy than {policy.name!r}: its hash is not the same")
    listened, overflows = bool(given["listened"]), bool(given.get("overflows"))
    facts = Facts(written=tuple(given["written"]), listened=listened, overflows=overflows)
    for own in given["facts"]:
        kind = policy.facts[own["kind"]]
        keys = tuple(decoded(each, type, None) for each, type in zip(own["keys"], kind.keys.values(), strict=True))
        at = decoded(own["at"], policy.moment, None) if "at" in own else None
        if "record" in own:
            record = decoded(own["record"], kind.record, FactKey(kind.name, keys))
            facts = facts.with_record(kind.name, keys, Seen(record, own["tool"], at))
        elif "absent" in own:
            facts = facts.with_absent(kind.name, keys, Absent(own["absent"], at))
        if "unread" in own:
            facts = facts.with_unread(kind.name, keys, own["unread"], keep=True)
    for own in given["answered"]:
        at = decoded(own["at"], policy.moment, None) if "at" in own else None
        text = call_text(own["arguments"])
        facts = facts.with_answer(own["tool"], text, Answer(own["arguments"], at, own["error"]))
    for name, calls in given["done"].items():
        for call in calls:
            facts = facts.with_call(name, decoded(call, _call_type(policy, name), None))
    return facts
