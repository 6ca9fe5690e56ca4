"""Translate the conditions of a policy of Cedar into conditions on the calls of a tool.

    action                      the tool of that name
    context.input.x             the argument `call.x`
    context.system.now          `now`
    principal, resource         facts that the app states: `uid`, `type`, `within` (the entity itself and all above it,
                                as `Type::"id"`), the attributes, and `tags`
    context.x                   the fact `facts.context().x`

Cedar skips a policy whose condition is an error, and CEL's `&&` and `||` absorb errors that Cedar's do not. Where that
could make a policy true that Cedar skips, a choice stands in place of the junction.

Source: Cedar Policy Language Guide, "JSON policy format" (docs.cedarpolicy.com/policies/json-format.html).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from holdtrue.guard.imported import folded_conditions as c
from holdtrue.guard.imported.folded_conditions import FALSE, TRUE, stated
from holdtrue.guard.imported.foreign_statements import NotCarried, Part, carried, presence, typed
from holdtrue.guard.imported.temporal_conditions import TemporalCondition
from holdtrue.guard.imported.temporal_notation import read_temporal
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL, NOW
from holdtrue.rules.syntax import Constant, Expression, Ident, Invoke, Items, Select
from holdtrue.rules.typed_expressions import At, Get, walk
from holdtrue.rules.types import ListOf

Json = Mapping[str, Any]
TEMPORAL = "temporal "
"""The beginning of the attributes of `context` that stand for temporal blocks."""
_SIGNS = ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*")
_NAMED = {"lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="}
_SETS = {"containsAll": "contains", "containsAny": "intersects"}


class CedarConditions:
    """`CedarConditions` translate policies for one tool. `differs` gets the ways in which a rule decides otherwise."""

    def __init__(self, tool: str, policy: Policy, groups: Mapping[str, Collection[str]], blocks: Sequence[str]) -> None:
        self._tool, self._policy, self._groups, self._blocks = tool, policy, groups, blocks
        self.differs: list[str] = []

    def parts(self, policy: Json) -> Iterator[Part]:
        """Yield the conditions that make a policy apply. The first is on the action."""
        yield carried(partial(self._action, policy["action"]))
        for name in ("principal", "resource"):
            yield carried(partial(_scope, name, policy[name]))
        for own in policy["conditions"]:
            wanted = own["kind"] == "when"
            for body in _conjuncts(own["body"]) if wanted else (own["body"],):
                found = carried(partial(self.expression, body, wanted))
                yield found if wanted or isinstance(found, NotCarried) else c.negated(found)

    def _action(self, scope: Json) -> Expression:
        own = scope.get("entities", [scope["entity"]] if "entity" in scope else None)
        if scope["op"] == "==":
            return Constant(self._is_tool(scope["entity"]["id"]))
        return TRUE if own is None else Constant(any([self._is_within(uid["id"]) for uid in own]))

    def _is_tool(self, id: str) -> bool:
        """Return whether an action is the tool. A gateway writes its target before the name: `Desk___refund`."""
        return id == self._tool or id.endswith(f"___{self._tool}")

    def _is_within(self, id: str) -> bool:
        """Return whether the tool's action has this id, or is in the group with this id."""
        if any(id == own or id.endswith(f"___{own}") for own in self._policy.tools):
            return self._is_tool(id)
        if not self._groups:
            raise NotCarried(f"no schema says which actions are in the group {id}")
        above = [group for own, groups in self._groups.items() if self._is_tool(own) for group in groups]
        for group in above:  # The list grows while it is read.
            above += [own for own in self._groups.get(group, ()) if own not in above]
        return id in above

    def expression(self, node: Json, positive: bool | None = None) -> Expression:
        """Return an expression. `positive` is whether a condition may be false in place of an error.

        It is False where a condition may be true in place of an error, and None where neither is right.
        """
        match next(iter(node.items())):
            case "&&" | "||" as sign, {"left": left, "right": right}:
                return self._junction(sign, left, right, positive)
            case "!", {"arg": arg}:
                return c.negated(self.expression(arg, None if positive is None else not positive))
            case "if-then-else", {"if": test, "then": then, "else": otherwise}:
                return c.chosen(self.expression(test), *(self.expression(own, positive) for own in (then, otherwise)))
            case "==" | "!=" as sign, {"left": {"Var": "action"}, "right": {"Value": {"__entity": {"id": id}}}}:
                return Constant(self._is_tool(id) is (sign == "=="))
            case sign, {"left": left, "right": right} if sign in _SIGNS:
                sides = self.expression(left), self.expression(right)
                if sign in ("==", "!=") and any(self._is_set(own) for own in sides):
                    same = c.called("equivalent", *sides, on=Ident("sets"))
                    return same if sign == "==" else c.negated(same)
                return c.compared(sign, *sides)
            case name, [left, right] if name in _NAMED:
                return Invoke(_NAMED[name], (self.expression(left), self.expression(right)))
            case "contains", {"left": left, "right": right}:
                return c.called("in", self.expression(right), self.expression(left))
            case name, {"left": left, "right": right} if name in _SETS:
                return c.called(_SETS[name], self.expression(left), self.expression(right), on=Ident("sets"))
            case "in", {"left": {"Var": name}, "right": right} if name != "action":
                groups = [self.expression(own) for own in right.get("Set", [right])]
                return c.any_of(c.called("in", own, stated(name, "within")) for own in groups)
            case "is", {"left": {"Var": name} as left, "entity_type": type, **rest}:
                within = self.expression({"in": {"left": left, "right": rest["in"]}}) if "in" in rest else TRUE
                return c.all_of((c.compared("==", stated(name, "type"), Constant(type)), within))
            case "like", {"left": left, "pattern": pattern}:
                return _like(self.expression(left), pattern)
            case "has", {"left": left, "attr": attr}:
                return self._has(left, attr if isinstance(attr, list) else [attr])
            case "hasTag" | "getTag" as name, {"left": {"Var": who}, "right": {"Value": str(tag)}}:
                found = stated(who, "tags", tag)
                return c.called("has", found) if name == "hasTag" else found
            case "isEmpty", {"arg": arg}:
                return c.compared("==", c.called("size", self.expression(arg)), Constant(0))
            case "neg", {"arg": arg}:
                return Invoke("-", (self.expression(arg),))
            case "Set", items:
                return Items(tuple(map(self.expression, items)))
            case ".", _:
                return self._field(node)
        return _value(node)

    def _junction(self, sign: str, left: Json, right: Json, positive: bool | None) -> Expression:
        absorbs = positive is (sign == "&&")
        own, other = self.expression(left, positive if absorbs else None), self.expression(right, positive)
        if absorbs or self._is_sure(own):
            return c.all_of((own, other), sign)
        return c.chosen(own, other, FALSE) if sign == "&&" else c.chosen(own, TRUE, other)

    def _is_sure(self, condition: Expression) -> bool:
        """Return whether a condition reads only arguments that are always there."""
        found = typed(self._policy, self._tool, condition)
        parts = () if found is None else walk(found)
        return found is not None and not any(
            isinstance(own, At) or (isinstance(own, Get) and own.optional) for own in parts
        )

    def _is_set(self, value: Expression) -> bool:
        found = typed(self._policy, self._tool, value)
        return isinstance(value, Items) or (found is not None and isinstance(found.type, ListOf))

    def _field(self, node: Json) -> Expression:
        base, names = node, list[str]()
        while "." in base:
            base, names = base["."]["left"], [base["."]["attr"], *names]
        match base, names:
            case {"Var": "context"}, [name] if name.startswith(TEMPORAL):
                own = TemporalCondition(self._tool, self._policy)
                found = own.translated(read_temporal(self._blocks[int(name.removeprefix(TEMPORAL))]))
                self.differs += own.differs
                return found
            case {"Var": "context"}, ["input", *inner]:
                return c.selected(Ident(CALL), inner)
            case {"Var": "context"}, ["system", "now"]:
                return Ident(NOW)
            case {"Var": str(who)}, _:
                return stated(who, *names)
        return c.selected(self.expression(base), names)

    def _has(self, left: Json, attrs: Sequence[str]) -> Expression:
        """Return the condition that a field exists. The schema of the tool decides it where that is possible."""
        if left == {"Var": "context"} and attrs[0] in ("input", "output", "system"):
            inner = {".": {"left": left, "attr": attrs[0]}}
            return self._has(inner, attrs[1:]) if attrs[1:] else Constant(attrs[0] != "output")
        found: Expression = TRUE
        of = stated(left["Var"]) if "Var" in left else self.expression(left)
        if c.stated_path(of):
            return c.called("has", c.selected(of, attrs))
        for name in attrs:
            own = typed(self._policy, self._tool, of)
            there = presence(self._policy, self._tool, None if own is None else own.type, name)
            of = Select(of, name)
            found = c.all_of((found, c.called("has", of) if there is None else Constant(there)))
            if there is False:
                break
        return found


def _scope(name: str, scope: Json) -> Expression:
    match scope:
        case {"op": "==", "entity": {"type": type, "id": id}}:
            return c.compared("==", stated(name, "uid"), _uid(type, id))
        case {"op": "in", "entity": {"type": type, "id": id}}:
            return c.called("in", _uid(type, id), stated(name, "within"))
        case {"op": "is", "entity_type": type, **rest}:
            within = _scope(name, {"op": "in", **rest["in"]}) if "in" in rest else TRUE
            return c.all_of((c.compared("==", stated(name, "type"), Constant(type)), within))
    return TRUE


def _conjuncts(body: Json) -> Iterator[Json]:
    if "&&" not in body:
        yield body
        return
    for side in ("left", "right"):
        yield from _conjuncts(body["&&"][side])


def _uid(type: str, id: str) -> Expression:
    return Constant(f'{type}::"{id}"')


def _value(node: Json) -> Expression:
    match node:
        case {"Value": {"__entity": {"type": type, "id": id}}}:
            return _uid(type, id)
        case {"Value": bool() | int() | str() as value}:
            return Constant(value)
        case {"Var": "principal" | "resource" as name}:
            return stated(name, "uid")
        case {"decimal": [{"Value": text}]}:
            return Constant(Fraction(text))
        case {"datetime": [{"Value": text}]}:
            return c.called("timestamp", Constant(text if "T" in text else f"{text}T00:00:00Z"))
    raise NotCarried(f"no rule says {next(iter(node))!r} of Cedar")


def _like(text: Expression, pattern: Sequence[Any]) -> Expression:
    """Return a `like` of Cedar, in which a wildcard stands for any characters."""
    parts = "".join("\0" if own == "Wildcard" else own["Literal"] for own in pattern).split("\0")
    match parts:
        case [whole]:
            return c.compared("==", text, Constant(whole))
        case [start, ""]:
            return c.called("startsWith", Constant(start), on=text)
        case ["", end]:
            return c.called("endsWith", Constant(end), on=text)
        case ["", middle, ""]:
            return c.called("contains", Constant(middle), on=text)
    return c.called("matches", Constant(f"(?s)^{'.*'.join(map(re.escape, parts))}$"), on=text)
