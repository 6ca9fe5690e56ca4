"""Build the rules, limits and obligations of a policy, each in the types of every tool that it is on.

A rule may name an argument that only some of its tools have: on the others it is not there, as in every call of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TypeGuard

from holdtrue.guard.decision import CONSENT
from holdtrue.guard.ground import At, Ground
from holdtrue.guard.policy_parts import (
    CALL,
    DONE,
    NOW,
    SAID,
    WRITTEN,
    Consent,
    Rule,
    RuleOnTool,
    Tool,
    done_type,
    said_type,
)
from holdtrue.guard.policy_wire import LimitWire, ObligationWire, RuleWire
from holdtrue.rules.cel import write_cel
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.syntax import Constant, Entries, Expression, Ident, Index, Invoke, Items, Select, parts
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
        return self._ground.scope({tool.root: tool.arguments, **self._shared})

    def rules(self) -> Iterator[Rule]:
        """Return the rules, and the limits as the rules that they are."""
        for place, rule in enumerate(self._ground.wire.rules):
            with self._ground.at(("rules", place)):
                yield self._rule(rule, ("rules", place))
        for place, limit in enumerate(self._ground.wire.limits):
            with self._ground.at(("limits", place), whole=True):
                yield self._rule(_limit_rule(limit, self._names(limit.on)), ("limits", place), whole=True)

    def consents(self) -> Iterator[Consent]:
        """Return what needs a yes of the user, as rules that a call to which they apply breaks."""
        say = "The user has to hear all arguments of the call, and say yes to just these."
        for place, wire in enumerate(self._ground.wire.tools.consent):
            path: At = ("tools", "consent", place)
            with self._ground.at(path, whole=wire.when is None):
                rule = RuleWire(id=CONSENT, on=wire.on, when=wire.when, hold="false", say=say, severity="ask")
                yield Consent(self._rule(rule, path), wire.how)

    def _rule(self, wire: RuleWire, path: At, *, whole: bool = False) -> Rule:
        ground = self._ground
        when = None if wire.when is None else ground.cel(wire.when, (*path, "when"))
        hold = ground.cel(wire.hold, (*path, "hold"))
        tools: dict[str, RuleOnTool] = {}
        names = self._names(wire.on)
        if not names:
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


def asked_for(expression: Expression, root: str) -> Iterator[str]:
    """Yield the names of which an expression asks whether `root` has them."""
    match expression:
        case Invoke("has", (Select(Ident(own), name),), None) if own == root:
            yield name
    for part in parts(expression):
        yield from asked_for(part, root)


def settled(expression: Expression, root: str, lacking: Collection[str]) -> Expression:
    """Return an expression in which `root` has none of the names `lacking`; what then is never reached is left out."""

    def own(part: Expression) -> Expression:
        return settled(part, root, lacking)

    match expression:
        case Invoke("has", (Select(Ident(name), field),), None, place) if name == root and field in lacking:
            return Constant(False, place)
        case Invoke("!", (operand,), None, place):
            inner = own(operand)
            return Constant(not inner.value, place) if _is_flag(inner) else Invoke("!", (inner,), None, place)
        case Invoke("&&" | "||" as sign, args, None, place):
            # In CEL's logic of errors what settles the matter does so on either side.
            found, settles = [own(part) for part in args], sign == "||"
            if any(_is_flag(part) and part.value is settles for part in found):
                return Constant(settles, place)
            left = tuple(part for part in found if not _is_flag(part))
            return left[0] if len(left) == 1 else Invoke(sign, left, None, place) if left else found[0]
        case Invoke("?:", (condition, then, otherwise), None, place):
            inner = own(condition)
            if _is_flag(inner):
                return own(then if inner.value else otherwise)
            return Invoke("?:", (inner, own(then), own(otherwise)), None, place)
        case Invoke(_, args, target):
            if target is not None and any(part == Ident(root) for part in args):
                return expression  # A macro has a variable of this name.
            return replace(expression, args=tuple(map(own, args)), target=None if target is None else own(target))
        case Select(of):
            return replace(expression, of=own(of))
        case Index(of, key):
            return replace(expression, of=own(of), key=own(key))
        case Items(items):
            return replace(expression, items=tuple(map(own, items)))
        case Entries(entries):
            return replace(expression, entries=tuple((own(key), own(value)) for key, value in entries))
    return expression


def _is_flag(expression: Expression) -> TypeGuard[Constant]:
    return isinstance(expression, Constant) and isinstance(expression.value, bool)
