"""`Shapes` are the types of all inputs of a rule. They give a context in which no value is seen, so that a proof in it
covers every call.

To compare two policies, `CommonTypes` finds the types of the values that both can read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from holdtrue.guard.facts import not_seen
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import ANSWER, CALL, SAID, RuleOnTool, Tool
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.compilation import FACTS, Env
from holdtrue.rules.type_lattice import aligned, common_multiple
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type, without_null
from holdtrue.rules.values import NotSeen


@dataclass(frozen=True)
class Shapes:
    """`Shapes` are the types of all inputs of the rules on one tool.

    Attributes:
        root: The name of the arguments: `call` or `answer`.
        call: The type of the arguments, or None at the end of a conversation.
        facts: The types of records, by kind.
        keys: The names of the keys of records.
        roots: The types of the other names.
        said: Statements with a fixed value.
    """

    root: str
    call: Record | None
    facts: Mapping[str, Record]
    keys: Mapping[str, tuple[str, ...]]
    roots: Mapping[str, Type]
    said: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(policy: Policy, tool: Tool | None) -> Shapes:
        """Return the types for calls of a tool, or for the end of a conversation."""
        root = ANSWER if tool is not None and tool.is_answer else CALL
        records = {name: kind.record for name, kind in policy.facts.items()}
        keys = {name: tuple(kind.keys) for name, kind in policy.facts.items()}
        return Shapes(root, None if tool is None else tool.arguments, records, keys, policy.roots)

    def unseen(self) -> Env:
        """Return the values of all names, with a marker in place of everything unseen."""

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
        """Return a rule whose records have these types."""

        def retyped(node: t.Node) -> t.Node:
            return replace(node, type=self.facts[node.kind]) if isinstance(node, t.Fact) else node

        asks = any(isinstance(node, t.Fact) for own in rule.nodes for node in t.walk(own))
        return rebuilt(rule, retyped) if asks else rule


def rebuilt(rule: RuleOnTool, change: Callable[[t.Node], t.Node]) -> RuleOnTool:
    """Return a rule with every expression replaced by the result of `change`, inner expressions first."""

    def made(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(made(own) for own in part)
        if not isinstance(part, t.Node):
            return part
        own: Any = part
        return change(replace(own, **{field.name: made(getattr(part, field.name)) for field in fields(part)}))

    return RuleOnTool(made(rule.when), made(rule.hold), (), made(rule.perhaps), made(rule.unless))


_STEP = re.compile(r"\.([^.\[\](]+)|\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def steps_of(path: str) -> tuple[str | int, ...]:
    """Return the steps of a path: its root, names of fields, and places in lists. A step into a map is a text."""
    root, steps = re.split(r"[.\[]", path, maxsplit=1)[0], list[str | int]()
    for step in _STEP.finditer(path, len(root)):
        inner = step[1] if step[1] is not None else step[2]
        steps.append(int(inner) if step[1] is None and inner.isdecimal() else inner.strip("'\""))
    return root, *steps


def type_at(shapes: Shapes, path: str) -> Type | None:
    """Return the type of a value by its path, or None if nothing declares it."""
    if path.startswith("facts."):
        kind, _, rest = path.removeprefix("facts.").partition("(")
        depth, end = 1, 0
        while depth and end < len(rest):
            depth += (rest[end] == "(") - (rest[end] == ")")
            end += 1
        type: Type | None = shapes.facts.get(kind)
        path = rest[end:]
    elif path.startswith(f"{shapes.root}."):
        type, path = shapes.call, path.removeprefix(shapes.root)
    else:
        root = re.split(r"[.\[]", path, maxsplit=1)[0]
        type, path = shapes.roots.get(root), path.removeprefix(root)
    for step in _STEP.finditer(path):
        own = None if type is None else without_null(type)
        match own:
            case Record(fields) if step[1] in fields:
                type = fields[step[1]].type
            case ListOf(item) if step[1] is None:
                type = item
            case MapOf(value) if step[1] is None:
                type = value
            case _:
                return None
    return type


@dataclass
class CommonTypes:
    """Computes the types of values that two policies can both read.

    `alike` is false if two types have no value in common.
    """

    alike: bool = True

    def shapes(self, one: Shapes, other: Shapes) -> Shapes:
        """Return the common types of all inputs."""
        kinds = {
            name: self.record(own, other.facts[name]) if name in other.facts else own for name, own in one.facts.items()
        }
        call = one.call
        if one.call is not None and other.call is not None:
            call = self.record(one.call, other.call)
        roots = {name: self.of(own, other.roots[name]) or own for name, own in one.roots.items()}
        return Shapes(one.root, call, {**other.facts, **kinds}, {**other.keys, **one.keys}, roots)

    def record(self, one: Record, other: Record) -> Record:
        """Return the common type of two records. A field that only one of them has stays unchanged."""
        fields: dict[str, Field] = {}
        for name in dict.fromkeys((*one.fields, *other.fields)):
            mine, yours = one.fields.get(name), other.fields.get(name)
            if mine is None or yours is None:
                fields[name] = mine or yours or Field(Null())
                continue
            fields[name] = Field(self.of(mine.type, yours.type) or mine.type, mine.required or yours.required)
        return Record(fields, one.title, may_be_absent=one.may_be_absent and other.may_be_absent)

    def of(self, one: Type, other: Type) -> Type | None:
        """Return the type of the values that have both types, or None if there are none."""
        found = self._met(one, other)
        self.alike = self.alike and found is not None
        return found

    def _met(self, one: Type, other: Type) -> Type | None:
        if isinstance(one, Null | Nullable) or isinstance(other, Null | Nullable):
            return self._met_null(one, other)
        match one, other:
            case (Flag(), Flag()):
                return one
            case Number(), Number():
                return _number(one, other)
            case Calendar(), Calendar():
                return one if one == other else None  # The same text means another moment in another place.
            case Name(kind, values), Name(_, others):
                if values is None or others is None:
                    return Name(kind, values if others is None else others)
                both = tuple(own for own in values if own in others)
                return Name(kind, both) if both else None
            case ListOf(), ListOf():
                return self._list(one, other)
            case MapOf(value), MapOf(second_value):
                inner = self.of(value, second_value)
                return None if inner is None else MapOf(inner)
            case Record(), Record():
                return self.record(one, other)
        return None

    def _met_null(self, one: Type, other: Type) -> Type | None:
        nullable = [isinstance(own, Null | Nullable) for own in (one, other)]
        values = [own.value if isinstance(own, Nullable) else own for own in (one, other)]
        if any(isinstance(own, Null) for own in values):
            return Null() if all(nullable) else None
        inner = self.of(values[0], values[1])
        return Nullable(inner) if inner is not None and all(nullable) else inner

    def _list(self, one: ListOf, other: ListOf) -> ListOf | None:
        item = self.of(one.item, other.item)
        most = min((own.most for own in (one, other) if own.most is not None), default=None)
        least = max(one.least, other.least)
        return None if item is None or (most is not None and least > most) else ListOf(item, most, least)


def _number(one: Number, other: Number) -> Number | None:
    if one == other:
        return one
    if (one.sort.unit == SECOND) is not (other.sort.unit == SECOND):
        return None
    lows = [own.low for own in (one, other) if own.low is not None]
    highs = [own.high for own in (one, other) if own.high is not None]
    sort = Amount(one.sort.unit, common_multiple(one.sort.step, other.sort.step))
    return aligned(Number(sort, max(lows, default=None), min(highs, default=None)))
