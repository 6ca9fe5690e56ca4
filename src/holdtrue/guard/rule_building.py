"""Build the rules, limits and obligations of a policy, each in the types of every tool that it is on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from holdtrue.guard.ground import At, Ground
from holdtrue.guard.policy_parts import Rule, RuleOnTool, Tool, done_type, said_type
from holdtrue.guard.policy_wire import LimitWire, ObligationWire, RuleWire
from holdtrue.guard.surroundings import ANSWER, CALL, DONE, NOW, SAID, WRITTEN
from holdtrue.rules.cel import write_cel
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.lacking import asked_for, settled
from holdtrue.rules.syntax import Constant, Expression
from holdtrue.rules.types import TEXT, ListOf, Type

EVERY = "*"
"""A rule on this is on every tool that writes."""


class RuleBuilder:
    """Reads the `rules`, `limits` and `obligations` of a policy file."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._shared: dict[str, Type] = {
            NOW: ground.moment,
            SAID: said_type(ground.said),
            DONE: done_type(ground.tools, ground.moment),
            WRITTEN: ListOf(TEXT),
        }
        self._scopes = {name: self._scope(own) for name, own in ground.tools.items()}

    def _scope(self, tool: Tool) -> Scope:
        """Return the names that a rule on a tool may use."""
        return self._ground.scope({ANSWER if tool.is_answer else CALL: tool.arguments, **self._shared})

    def rules(self) -> Iterator[Rule]:
        """Return the rules, and the limits as the rules that they are."""
        for place, rule in enumerate(self._ground.wire.rules):
            with self._ground.at(("rules", place)):
                yield self._rule(rule, ("rules", place))
        for place, limit in enumerate(self._ground.wire.limits):
            with self._ground.at(("limits", place), whole=True):
                yield self._rule(_limit_rule(limit, self._names(limit.on)), ("limits", place), whole=True)

    def _rule(self, wire: RuleWire, path: At, *, whole: bool = False) -> Rule:
        ground = self._ground
        when = None if wire.when is None else ground.cel(wire.when, (*path, "when"))
        hold = ground.cel(wire.hold, (*path, "hold"))
        tools: dict[str, RuleOnTool] = {}
        names = self._names(wire.on)
        if not names and not (wire.on == [EVERY] and ground.broken.has("tools", EVERY)):
            ground.fault((*path, "on"), "the rule is on no tool")
        for index, name in enumerate(names):
            if name not in self._scopes:
                with ground.at((*path, "on", index)):
                    ground.tool(name)
                continue
            with ground.at(path, whole=whole):
                tools[name] = self._on_tool(when, hold, name, names)
        place = ground.place(path)
        return Rule(wire.id, wire.say, wire.severity, tools, wire.when or "", wire.hold, place, wire.needs)

    def _on_tool(self, when: Expression | None, hold: Expression, name: str, names: list[str]) -> RuleOnTool:
        """Return a rule in the types of a tool; an argument that only other tools of the rule have is not there."""
        scope, tool = self._scopes[name], self._ground.tools[name].arguments
        texts = (hold, *(() if when is None else (when,)), *scope.named.values())
        asked = {own for text in texts for own in asked_for(text, CALL)} - tool.fields.keys() - tool.unread.keys()
        others = (self._ground.tools[own].arguments.fields for own in names if own in self._scopes)
        lacking = asked & {own for fields in others for own in fields}
        if lacking:
            named = {key: settled(own, CALL, lacking) for key, own in scope.named.items()}
            scope, hold = replace(scope, named=named), settled(hold, CALL, lacking)
            when = None if when is None else settled(when, CALL, lacking)
        return _on_tool(when, hold, scope)

    def _names(self, on: list[str]) -> list[str]:
        """Return the names of the tools that a rule is on."""
        return [own.name for own in self._ground.tools.values() if own.writes] if on == [EVERY] else on

    def obligations(self) -> Iterator[Rule]:
        """Return what has to hold at the end of a conversation."""
        scope = self._ground.scope(self._shared)
        for place, wire in enumerate(self._ground.wire.obligations):
            path: At = ("obligations", place)
            with self._ground.at(path):
                yield self._obligation(wire, path, scope)

    def _obligation(self, wire: ObligationWire, path: At, scope: Scope) -> Rule:
        ground = self._ground
        when = None if wire.when is None else ground.cel(wire.when, (*path, "when"))
        own = _on_tool(when, ground.cel(wire.hold, (*path, "hold")), scope)
        return Rule(wire.id, wire.say, wire.severity, {"": own}, wire.when or "", wire.hold, ground.place(path))


def _on_tool(when: Expression | None, hold: Expression, scope: Scope) -> RuleOnTool:
    return RuleOnTool(None if when is None else check_condition(when, scope), check_condition(hold, scope))


def _limit_rule(wire: LimitWire, tools: list[str]) -> RuleWire:
    """Return a limit per conversation as a rule: `per` is the argument whose value it counts for."""
    earlier = [f"done[{write_cel(Constant(tool))}]" for tool in tools]
    if wire.per is not None:
        argument = wire.per.removeprefix(f"{CALL}.")
        earlier = [f"{own}.filter(earlier, earlier.{argument} == call.{argument})" for own in earlier]
    counted = " + ".join(f"size({own})" for own in earlier) or "0"
    times = "once" if wire.most == 1 else f"{wire.most} times"
    say = wire.say or f"{' and '.join(tools)} may be called {times} at most in a conversation."
    return RuleWire(id=wire.id, on=wire.on, hold=f"{counted} < {wire.most}", say=say, severity=wire.severity)
