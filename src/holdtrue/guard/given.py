"""Write down all that a decision was made from, as JSON, and read it back: a decision replays from that alone."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.checking import Listening
from holdtrue.guard.facts import Facts, Seen
from holdtrue.guard.policy import Policy
from holdtrue.guard.surroundings import Surroundings
from holdtrue.rules.types import ListOf, MapOf, Nullable, Record, Type
from holdtrue.rules.values import FactKey, NotSeen, Reader, to_json

NOT_SEEN = "#not seen"


def given_json(surroundings: Surroundings, heard: Listening, now: str | None) -> dict[str, Any]:
    """Return what the decision in these surroundings was made from."""
    policy, facts = surroundings.policy, surroundings.facts
    done = {
        name: [encoded(own, policy.done_type.fields[name].type.item) for own in calls]  # type: ignore[union-attr]
        for name, calls in facts.done.items()
    }
    return {
        "policy": policy.digest,
        "now": now if now is not None else policy.now,
        "said": None if heard.said is None else dict(heard.said),
        "unsaid": heard.unsaid,
        "consent": heard.consent,
        "listens": heard.listens,
        "facts": [_record(policy, *own) for own in surroundings.used.items()],
        "done": done,
        "written": list(facts.written),
        "listened": facts.listened,
    }


def _record(policy: Policy, key: tuple[str, tuple[Any, ...]], seen: Seen | None) -> dict[str, Any]:
    kind = policy.facts[key[0]]
    keys = [to_json(own, type) for own, type in zip(key[1], kind.keys.values(), strict=True)]
    found: dict[str, Any] = {"kind": kind.name, "keys": keys}
    if seen is not None:
        found |= {"record": encoded(seen.record, kind.record), "tool": seen.tool}
        if seen.at is not None:
            found["at"] = to_json(seen.at, policy.moment)
    return found


def encoded(value: Any, type: Type) -> Any:
    """Return a value as JSON, with the parts that were not seen marked as such."""
    if isinstance(value, NotSeen):
        return {NOT_SEEN: value.path}
    match type:
        case Nullable(inner) if value is not None:
            return encoded(value, inner)
        case ListOf(item) if value is not None:
            return [encoded(own, item) for own in value]
        case MapOf(inner) if value is not None:
            return {name: encoded(own, inner) for name, own in value.items()}
        case Record(fields) if value is not None:
            return {name: encoded(own, fields[name].type) for name, own in value.items()}
    found = to_json(value, type)
    return found if not hasattr(found, "as_tuple") else {"#decimal": str(found)}


def decoded(value: Any, type: Type, fact: FactKey | None) -> Any:
    """Return the JSON of `encoded` as it was before, for `Reader` to read."""
    if isinstance(value, Mapping):
        if NOT_SEEN in value:
            return NotSeen(value[NOT_SEEN], type, fact)
        if "#decimal" in value:
            return Fraction(value["#decimal"])
    match type:
        case Nullable(inner):
            return decoded(value, inner, fact)
        case ListOf(item) if isinstance(value, list):
            return [decoded(own, item, fact) for own in value]
        case MapOf(inner) if isinstance(value, Mapping):
            return {name: decoded(own, inner, fact) for name, own in value.items()}
        case Record(fields) if isinstance(value, Mapping):
            return {name: decoded(own, fields[name].type, fact) for name, own in value.items() if name in fields}
    return value


def given_facts(policy: Policy, given: Mapping[str, Any]) -> Facts:
    """Return the facts of a recorded decision. Raises `InputError` where the record does not fit the policy."""
    if given.get("policy") != policy.digest:
        raise InputError(f"the decision was made by another policy than {policy.name!r}: its hash is not the same")
    read = Reader().read
    facts = Facts(written=tuple(given["written"]), listened=bool(given["listened"]))
    for own in given["facts"]:
        kind = policy.facts[own["kind"]]
        keys = tuple(read(each, type, "key") for each, type in zip(own["keys"], kind.keys.values(), strict=True))
        if "record" in own:
            record = _read_partly(decoded(own["record"], kind.record, FactKey(kind.name, keys)), kind.record, kind.name)
            at = read(own["at"], policy.moment, "at") if "at" in own else None
            facts = facts.with_record(kind.name, keys, Seen(record, own["tool"], at))
    for name, calls in given["done"].items():
        type = policy.done_type.fields[name].type
        for call in calls:
            item: Any = type.item  # type: ignore[union-attr]
            facts = facts.with_call(name, read(decoded(call, item, None), item, "done"))
    return facts


def _read_partly(value: Any, type: Record, path: str) -> dict[str, Any]:
    """Return a record, in which a field that was unknown and is optional may be missing."""
    read = Reader().read
    return {name: read(own, type.fields[name].type, f"{path}.{name}") for name, own in value.items()}
