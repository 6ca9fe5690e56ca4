"""Write down all inputs of a decision as JSON, and read them back, so that the decision replays from them alone.

A value that JSON or its type cannot express becomes an object with one key that begins with `#`. Real keys that begin
so get one more `#` in front. A *footprint* of a tool tells which facts its calls change, and which a decision on them
reads. Only these facts are written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.facts import Absent, Answer, DoneCall, Facts, Keys, Seen
from holdtrue.guard.fetching import call_text
from holdtrue.guard.listening import Agreed, Listening
from holdtrue.guard.policy_parts import DONE, WRITTEN, Effect, PolicyParts
from holdtrue.guard.rule_context import RuleContext
from holdtrue.logic.value_sorts import Calendar, int_if_whole
from holdtrue.rules.typed_expressions import At, Fact, Get, Given, Node, Root, walk
from holdtrue.rules.types import ListOf, MapOf, Nullable, Number, Record, Type
from holdtrue.rules.values import FactKey, NotSeen, Reader, ValueFault, to_json

NOT_SEEN, PERHAPS, UNFIT, EXACT = "#not seen", "#perhaps", "#unfit", "#exact"
"""Keys of JSON objects for unseen values, values that may be absent, values of another type, and exact fractions."""


def given_json(context: RuleContext, heard: Listening, now: str | None, tool: str) -> dict[str, Any]:
    """Return all inputs of the decision on a call of a tool as JSON."""
    policy, facts = context.policy, context.facts
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
        "facts": [_record(policy, facts, *own) for own in context.used.items()],
        "done": done,
        "written": list(facts.written) if (WRITTEN, "") in looks else [],
        "listened": facts.listened,
        **({"overflows": True} if facts.overflows else {}),
        "answered": _answers(policy, context),
    }


def _answers(policy: PolicyParts, context: RuleContext) -> list[dict[str, Any]]:
    """Return the answers of reading calls that were looked up, each once, in a fixed order."""
    found = {(tool, call_text(own.arguments)): _answer(policy, tool, own) for tool, own in context.answers}
    return [found[key] for key in sorted(found)]


def _answer(policy: PolicyParts, tool: str, own: Answer) -> dict[str, Any]:
    return {"tool": tool, "arguments": own.arguments, "error": own.error, **_at(policy, own)}


def _at(policy: PolicyParts, own: Answer | Seen | Absent) -> dict[str, Any]:
    return {} if own.at is None else {"at": encoded(own.at, policy.moment)}


def _done(call: Any, policy: PolicyParts, tool: str) -> Any:
    if not isinstance(call, DoneCall):
        return encoded(call, policy.call_type(tool))
    if not hasattr(call, "encoded"):
        call.encoded = encoded(call, policy.call_type(tool))
    return call.encoded


def _record(policy: PolicyParts, facts: Facts, key: tuple[str, Keys], seen: Seen | None) -> dict[str, Any]:
    kind = policy.facts[key[0]]
    keys = [encoded(own, type) for own, type in zip(key[1], kind.keys.values(), strict=True)]
    found: dict[str, Any] = {"kind": kind.name, "keys": keys}
    if seen is not None:
        found |= {"record": encoded(seen.record, kind.record), "tool": seen.tool, **_at(policy, seen)}
    elif key in facts.absent:
        found |= {"absent": facts.absent[key].tool, **_at(policy, facts.absent[key])}
    if key in facts.unread:
        found["unread"] = facts.unread[key]
    return found


def encoded(value: Any, type: Type) -> Any:
    """Return a value as JSON from which `decoded` makes an equal value."""
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
    """Return the value that `encoded` wrote as JSON. `fact` is the record that it belongs to."""
    if isinstance(value, Mapping):
        for key in (NOT_SEEN, PERHAPS, UNFIT):
            if key in value:
                return NotSeen(value[key], type, fact, key != PERHAPS, key != UNFIT)
        if EXACT in value:
            return int_if_whole(Fraction(value[EXACT]))
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
    """Return the facts of a recorded decision. Raises `InputError` if the record does not fit the policy."""
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
            facts = facts.with_call(name, decoded(call, policy.call_type(name), None))
    return facts


What = tuple[str, str]
"""A thing that a rule can read: ("fact", a kind), ("done", a tool), or (WRITTEN, "")."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """A `Footprint` lists the things that calls of a tool change, and those that a decision on them reads."""

    changes: frozenset[What]
    looks: frozenset[What]

    def touches(self, other: Footprint) -> bool:
        """Return whether the order of two calls can matter."""
        return not self.changes.isdisjoint(other.looks) or not other.changes.isdisjoint(self.looks)


@lru_cache(maxsize=1024)
def footprint(policy: PolicyParts, tool: str, agreed: Agreed = (), among: frozenset[str] | None = None) -> Footprint:
    """Return the things that calls of a tool change and read, by the policy's rules and by the `agreed` ones.

    `among` are the tools of the calls that are compared. Rules on other tools play no part.
    """
    effects = [own for own in policy.effects if own.tool == tool]
    changes = {("done", tool), *(("fact", own.kind) for own in effects)}
    for kind in policy.facts.values():
        if any(own.tool == tool for own in kind.sources):
            changes.add(("fact", kind.name))
    looks = {what for own in policy.rules_on[tool] for node in own.tools[tool].nodes for what in _looks(policy, node)}
    looks |= {what for text, on in agreed if tool in on for what in _looks(policy, _node(policy, text, tool))}
    looks |= {what for own in effects for what in _effect_looks(policy, own)}
    matters = _what_matters(policy, agreed, frozenset(policy.tools) if among is None else among)
    return Footprint(frozenset(changes & matters), frozenset(looks & matters))


def looked_at(policy: PolicyParts, heard: Listening, tool: str) -> frozenset[What]:
    """Return the things that a decision on a call can read, including things that users' words add."""
    names = {tool, *(own.tool for own in heard.pending)} & policy.tools.keys()
    return frozenset().union(*(footprint(policy, name, heard.rules).looks for name in names))


def _node(policy: PolicyParts, text: str, tool: str) -> Node:
    return check_expression(policy, text, tool).whole


@lru_cache(maxsize=256)
def _what_matters(policy: PolicyParts, agreed: Agreed, among: frozenset[str]) -> frozenset[What]:
    """Return all things that rules on these tools read, directly or through effects. No other change matters."""
    found = {
        what
        for rule in (*policy.rules, *policy.obligations)
        for tool, own in rule.tools.items()
        if tool in among
        for node in own.nodes
        for what in _looks(policy, node)
    }
    found |= {what for text, on in agreed for tool in on for what in _looks(policy, _node(policy, text, tool))}
    while True:
        effects = [own for own in policy.effects if ("fact", own.kind) in found]
        more = {what for own in effects for what in _effect_looks(policy, own)} - found
        if not more:
            return frozenset(found)
        found |= more


def _effect_looks(policy: PolicyParts, effect: Effect) -> Iterator[What]:
    """Yield the things that an effect reads: those in its expressions, and its record, whose other fields stay."""
    yield "fact", effect.kind
    for node in effect.nodes:
        yield from _looks(policy, node)


def _looks(policy: PolicyParts, node: Node) -> Iterator[What]:
    for part in walk(node):
        match part:
            case Fact(kind):
                yield "fact", kind
            case Get(Root(name), tool) | At(Root(name), Given(str(tool))) if name == DONE:
                yield "done", tool
            case At(Root(name)) if name == DONE:
                yield from (("done", tool) for tool in policy.tools)
            case Root(name) if name == WRITTEN:
                yield WRITTEN, ""
