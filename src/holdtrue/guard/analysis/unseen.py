"""The surroundings of a call of which nothing was seen, so that what is proved of it holds for every call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from holdtrue.guard.facts import not_seen
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import RuleOnTool, Tool
from holdtrue.guard.surroundings import ANSWER, CALL, DONE, NOW, SAID, WRITTEN
from holdtrue.rules import typed as t
from holdtrue.rules.closure import FACTS, Env
from holdtrue.rules.types import TEXT, ListOf, Record, Type
from holdtrue.rules.values import NotSeen


@dataclass(frozen=True)
class Shapes:
    """The types of everything that a call can depend on.

    Attributes:
        root: The name of the arguments: `call`, or `answer`.
        call: Their type, or None at the end of a conversation.
        facts: The types of records, by their kind.
        keys: The names of what records are found by.
        roots: The types of all else.
        said: What was said of something is just this.
    """

    root: str
    call: Record | None
    facts: Mapping[str, Record]
    keys: Mapping[str, tuple[str, ...]]
    roots: Mapping[str, Type]
    said: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(policy: Policy, tool: Tool | None) -> Shapes:
        """Return the types of calls of a tool, or those at the end of a conversation."""
        root = ANSWER if tool is not None and tool.is_answer else CALL
        roots: dict[str, Type] = {
            NOW: policy.moment,
            SAID: policy.said_type,
            DONE: policy.done_type,
            WRITTEN: ListOf(TEXT),
        }
        records = {name: kind.record for name, kind in policy.facts.items()}
        keys = {name: tuple(kind.keys) for name, kind in policy.facts.items()}
        return Shapes(root, None if tool is None else tool.arguments, records, keys, roots)

    def unseen(self) -> Env:
        """Return surroundings in which nothing is seen."""

        def look_up(kind: str, keys: tuple[Any, ...]) -> NotSeen:
            return not_seen(kind, keys, self.facts[kind])

        env: Env = {name: NotSeen(name, type) for name, type in self.roots.items()}
        if self.said and isinstance(words := self.roots[SAID], Record):
            others = {name: NotSeen(f"{SAID}.{name}", own.type) for name, own in words.fields.items()}
            env[SAID] = {**others, **self.said}
        if self.call is not None:
            env[self.root] = NotSeen(self.root, self.call)
        return {**env, FACTS: look_up}

    def rule(self, rule: RuleOnTool) -> RuleOnTool:
        """Return a rule that finds records of these types."""

        def retyped(node: t.Node) -> t.Node:
            return replace(node, type=self.facts[node.kind]) if isinstance(node, t.Fact) else node

        asks = any(isinstance(node, t.Fact) for node in t.walk(rule.whole))
        return rebuilt(rule, retyped) if asks else rule


def rebuilt(rule: RuleOnTool, change: Callable[[t.Node], t.Node]) -> RuleOnTool:
    """Return a rule in which each expression is what `change` makes of it; its parts are changed before it."""

    def made(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(made(own) for own in part)
        if not isinstance(part, t.Node):
            return part
        own: Any = part
        return change(replace(own, **{field.name: made(getattr(part, field.name)) for field in fields(part)}))

    return RuleOnTool(made(rule.when), made(rule.hold))
