"""Find out what calls of a tool change, and what deciding on them looks at: by the policy alone, without any call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.listening import Agreed, Listening
from holdtrue.guard.policy_parts import DONE, WRITTEN, Effect, PolicyParts
from holdtrue.rules.typed_expressions import At, Fact, Get, Given, Node, Root, walk

What = tuple[str, str]
"""Something that can be looked at: ("fact", a kind), ("done", a tool), or (WRITTEN, "")."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """A `Footprint` says what calls of a tool change, and what deciding on them looks at: facts, and calls done."""

    changes: frozenset[What]
    looks: frozenset[What]

    def touches(self, other: Footprint) -> bool:
        """Return whether it can matter which of two calls comes first."""
        return not self.changes.isdisjoint(other.looks) or not other.changes.isdisjoint(self.looks)


@lru_cache(maxsize=1024)
def footprint(policy: PolicyParts, tool: str, agreed: Agreed = (), among: frozenset[str] | None = None) -> Footprint:
    """Return what calls of a tool that the policy names change and look at, by its rules and by those `agreed`.

    `among` are the tools of the calls that are looked at together: rules on other tools are kept whatever they do.
    """
    effects = [own for own in policy.effects if own.tool == tool]
    changes = {("done", tool), *(("fact", own.kind) for own in effects)}
    for kind in policy.facts.values():
        if any(own.tool == tool for own in kind.sources):
            changes.add(("fact", kind.name))
    looks = {what for own in policy.rules_on[tool] for what in _looks(policy, own.tools[tool].whole)}
    looks |= {what for text, on in agreed if tool in on for what in _looks(policy, _node(policy, text, tool))}
    looks |= {what for own in effects for what in _effect_looks(policy, own)}
    matters = _what_matters(policy, agreed, frozenset(policy.tools) if among is None else among)
    return Footprint(frozenset(changes & matters), frozenset(looks & matters))


def looked_at(policy: PolicyParts, heard: Listening, tool: str) -> frozenset[What]:
    """Return what deciding on a call of a tool can look at, by the words that were heard, too."""
    names = {tool, *(own.tool for own in heard.pending)} & policy.tools.keys()
    return frozenset().union(*(footprint(policy, name, heard.rules).looks for name in names))


def _node(policy: PolicyParts, text: str, tool: str) -> Node:
    return check_expression(policy, text, tool).whole


@lru_cache(maxsize=256)
def _what_matters(policy: PolicyParts, agreed: Agreed, among: frozenset[str]) -> frozenset[What]:
    """Return what some rule on these tools looks at, by itself or by way of effects: no rule sees what else changes."""
    found = {
        what
        for rule in (*policy.rules, *policy.obligations)
        for tool, own in rule.tools.items()
        if tool in among
        for what in _looks(policy, own.whole)
    }
    found |= {what for text, on in agreed for tool in on for what in _looks(policy, _node(policy, text, tool))}
    while True:
        effects = [own for own in policy.effects if ("fact", own.kind) in found]
        more = {what for own in effects for what in _effect_looks(policy, own)} - found
        if not more:
            return frozenset(found)
        found |= more


def _effect_looks(policy: PolicyParts, effect: Effect) -> Iterator[What]:
    """Yield what an effect looks at: its expressions, and its record, whose other fields stay as they were."""
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
