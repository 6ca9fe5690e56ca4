"""Find what rules ask for and nothing can show: kinds of facts, fields of records, and keys that nobody can know."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import FactKind, RuleOnTool, Source
from holdtrue.guard.surroundings import SAID
from holdtrue.rules.paths import shortened
from holdtrue.rules.typed import Fact, Get, Node, Root, path, walk
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null


def missing_facts(policy: Policy, rule: RuleOnTool) -> tuple[str, ...]:
    """Return a sentence on each fact that a rule asks for and that nothing can show."""
    nodes = [*(() if rule.when is None else walk(rule.when)), *walk(rule.hold)]
    found: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, Fact):
            found.update(dict.fromkeys(_about_record(policy, node)))
        if isinstance(node, Get):
            kinds = [own for own in _kinds_of(policy, node.of) if _is_shown(policy, own)]
            if kinds and not any(_shows_field(policy, own, node.name) for own in kinds):
                found[_about_field(policy, kinds[0], node.name)] = None
    return tuple(found)


def _kinds_of(policy: Policy, node: Node) -> list[FactKind]:
    """Return the kinds of facts that a record may be of; none where it may be a part of something else, too."""
    if isinstance(node, Fact):
        return [policy.facts[node.kind]]
    record = without_null(node.type)
    parts = (
        own for kind in policy.facts.values() for field in kind.record.fields.values() for own in _types(field.type)
    )
    if not isinstance(record, Record) or any(own is record for own in parts):
        return []
    return [own for own in policy.facts.values() if own.record is record]


def _types(type: Type) -> Iterator[Type]:
    """Return a type and all that it is made of."""
    own = without_null(type)
    yield own
    match own:
        case ListOf(item):
            yield from _types(item)
        case MapOf(value):
            yield from _types(value)
        case Record(fields):
            for field in fields.values():
                yield from _types(field.type)


def _about_record(policy: Policy, node: Fact) -> Iterator[str]:
    kind = policy.facts[node.kind]
    if not _is_shown(policy, kind):
        writing = sorted({own.tool for own in kind.sources})
        shown = f"only {', '.join(writing)} would, which writes" if writing else "no tool is named that would"
        yield f"It asks for facts.{kind.name}, and no reading tool shows it: {shown}."
    for key, name in zip(node.keys, kind.keys, strict=True):
        reason = _unknowable(policy, key)
        if reason:
            yield f"It asks for facts.{kind.name} by {path(key) or name}, which nobody can know: {reason}."


def _is_shown(policy: Policy, kind: FactKind) -> bool:
    return any(_reads(policy, own) for own in kind.sources) or any(
        own.kind == kind.name and own.changes for own in policy.effects
    )


def _reads(policy: Policy, source: Source) -> bool:
    return not policy.tools[source.tool].writes


def _shows_field(policy: Policy, kind: FactKind, name: str) -> bool:
    """Return whether a tool that reads shows a field of a record, or a call is known to set it."""
    shown = any(_reads(policy, own) and (name in own.fields or name in own.named) for own in kind.sources)
    return shown or any(own.kind == kind.name and name in own.changes for own in policy.effects)


def _about_field(policy: Policy, kind: FactKind, name: str) -> str:
    tools = sorted({own.tool for own in kind.sources if _reads(policy, own)})
    who = f"{' and '.join(tools)} {'does' if len(tools) == 1 else 'do'} not" if tools else "no reading tool does"
    return f"It asks for {shortened(name)} of facts.{kind.name}, which nothing shows: {who}."


def _unknowable(policy: Policy, key: Node) -> str:
    """Return why the value of a key can never be known, or "" where it can."""
    for node in walk(key):
        match node:
            case Get(Root(root), name) if root == SAID and name in policy.said and policy.said[name].claim:
                return f"it rests on the claim {SAID}.{name}, which no tool can show"
            case Fact(kind) if not _is_shown(policy, policy.facts[kind]):
                return f"it rests on facts.{kind}, which no reading tool shows"
    return ""
