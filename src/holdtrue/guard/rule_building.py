"""Build the rules, limits, consents and obligations of a policy in the types of every tool that they apply to.

A rule may read an argument that only some of its tools have. For the other tools it counts as absent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard, get_args

from holdtrue.guard.decision import CONSENT
from holdtrue.guard.policy_draft import At, PolicyDraft
from holdtrue.guard.policy_parts import CALL, SAID, Consent, PolicyParts, Rule, RuleOnTool, Severity, Tool, shared_roots
from holdtrue.guard.policy_wire import LimitWire, RuleWire, SeverityWire
from holdtrue.rules.cel import write_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.syntax import Constant, Entries, Expression, Ident, Index, Invoke, Items, RuleError, Select, parts
from holdtrue.rules.typed_expressions import Given
from holdtrue.rules.types import FLAG

EVERY = "*"
"""A rule on this name applies to every tool that writes."""
Grades = Mapping[Severity, Expression]
"""The condition of each severity of a rule, the strictest first. It is empty if the severity is always the same."""


class RuleBuilder:
    """Reads the `rules`, `limits`, consents and `obligations` of a policy file."""

    def __init__(self, draft: PolicyDraft) -> None:
        self._draft = draft
        self._shared = shared_roots(draft.tools, draft.said, draft.moment)
        self._scopes = {name: self._scope(own) for name, own in draft.tools.items()}
        for name, own in draft.named.items():
            with draft.at(("let", name)):
                _check_words(own)

    def _scope(self, tool: Tool) -> Scope:
        return self._draft.scope({tool.root: tool.arguments, **self._shared})

    def rules(self) -> Iterator[Rule]:
        """Yield the rules, and the limits as rules."""
        for place, rule in enumerate(self._draft.wire.rules):
            with self._draft.at(("rules", place)):
                yield self._rule(rule, ("rules", place))
        for place, limit in enumerate(self._draft.wire.limits):
            with self._draft.at(("limits", place), whole=True):
                yield self._rule(_limit_rule(limit, self._names(limit.on)), ("limits", place), whole=True)

    def consents(self) -> Iterator[Consent]:
        """Yield the consents. Each has a rule that breaks for every call that needs a yes."""
        say = "The user has to hear all arguments of the call, and say yes to just these."
        asks = SeverityWire(ask="true")
        for place, wire in enumerate(self._draft.wire.tools.consent):
            path: At = ("tools", "consent", place)
            with self._draft.at(path, whole=wire.when is None):
                rule = RuleWire(id=CONSENT, on=wire.on, when=wire.when, hold="false", say=say, severity=asks)
                yield Consent(self._rule(rule, path), wire.how)

    def _rule(self, wire: RuleWire, path: At, *, whole: bool = False) -> Rule:
        draft = self._draft
        when = None if wire.when is None else draft.cel(wire.when, (*path, "when"))
        hold = draft.cel(wire.hold, (*path, "hold"))
        severity, grades = self._severity(wire.severity, (*path, "severity"))
        tools: dict[str, RuleOnTool] = {}
        names = self._names(wire.on)
        if not names:
            draft.fault((*path, "on"), "the rule is on no tool")
        for index, name in enumerate(names):
            if name not in self._scopes:
                with draft.at((*path, "on", index)):
                    draft.tool(name)
                continue
            with draft.at(path, whole=whole):
                tools[name] = on_tool(when, hold, grades, name, names, draft.tools, self._scopes[name])
        place = draft.text.place(path)
        return Rule(wire.id, wire.say, severity, tools, wire.when or "", wire.hold, place, wire.needs)

    def _severity(self, wire: SeverityWire, path: At) -> tuple[Severity, Grades]:
        """Return the strictest severity of a rule, and the conditions of its severities if there are several."""
        known: tuple[Severity, ...] = get_args(Severity)
        written = {own: text for own in known if (text := getattr(wire, own)) is not None}
        if [*written.values()][-1:] != ["true"]:
            why = "no severity is for all other calls: the mildest one that is named has to be `true`"
            raise RuleError(why, self._draft.text.place(path))
        several = len(written) > 1
        grades = {own: self._draft.cel(text, (*path, own)) for own, text in written.items() if several}
        return next(iter(written)), grades

    def _names(self, on: list[str]) -> list[str]:
        return [own.name for own in self._draft.tools.values() if own.writes] if on == [EVERY] else on

    def obligations(self) -> Iterator[Rule]:
        """Yield the conditions that must hold at the end of a conversation."""
        draft = self._draft
        scope = draft.scope(self._shared)
        for place, wire in enumerate(draft.wire.obligations):
            path: At = ("obligations", place)
            with draft.at(path):
                when = None if wire.when is None else draft.cel(wire.when, (*path, "when"))
                severity, grades = self._severity(wire.severity, (*path, "severity"))
                own = {"": _on_tool(when, draft.cel(wire.hold, (*path, "hold")), scope, grades)}
                yield Rule(wire.id, wire.say, severity, own, wire.when or "", wire.hold, draft.text.place(path))


def on_tool(
    when: Expression | None,
    hold: Expression,
    grades: Grades,
    name: str,
    names: Sequence[str],
    tools: Mapping[str, Tool],
    scope: Scope,
) -> RuleOnTool:
    """Return a rule in the types of one of its tools. Raises `RuleError`.

    Args:
        when: The condition under which the rule applies, or None.
        hold: The condition that has to hold.
        grades: The conditions of its severities, if there are several.
        name: The tool.
        names: All tools of the rule. An argument that only others of them have counts as absent.
        tools: The tools of the policy.
        scope: The names that a rule on the tool may use.
    """
    tool = tools[name].arguments
    texts = (hold, *(() if when is None else (when,)), *grades.values(), *scope.named.values())
    asked = {own for text in texts for own in asked_for(text, CALL)} - tool.fields.keys() - tool.unread.keys()
    others = (tools[own].arguments.fields for own in names if own in tools)
    lacking = asked & {own for fields in others for own in fields}
    if lacking:
        named = {key: settled(own, CALL, lacking) for key, own in scope.named.items()}
        scope, hold = replace(scope, named=named), settled(hold, CALL, lacking)
        when = None if when is None else settled(when, CALL, lacking)
        grades = {own: settled(text, CALL, lacking) for own, text in grades.items()}
    try:
        return _on_tool(when, hold, scope, grades)
    except RuleError as error:
        schema = tools[name].schema
        if tool.fields or tool.unread or not schema.notes:
            raise
        raise RuleError(f"{error.message} ({schema.notes[0]})", error.place) from error


def retyped(policy: PolicyParts, rule: Rule, when: Expression | None, hold: Expression) -> dict[str, RuleOnTool]:
    """Return other conditions in place of those of a policy's rule, in the types of each of its tools.

    Raises `RuleError` for a condition without a type.
    """
    kinds = {name: FactType(tuple(own.keys.values()), own.record) for name, own in policy.facts.items()}
    found = {}
    for name in rule.tools:
        tool = policy.tools.get(name)
        roots = {**({} if tool is None else {tool.root: tool.arguments}), **policy.roots}
        scope = Scope(roots, kinds, policy.given, policy.named)
        if tool is None:
            own = _on_tool(when, hold, scope, {})
        else:
            own = on_tool(when, hold, {}, name, rule.on, policy.tools, scope)
        found[name] = replace(own, grades=rule.tools[name].grades)
    return found


def _on_tool(when: Expression | None, hold: Expression, scope: Scope, grades: Grades) -> RuleOnTool:
    for text in (hold, *(() if when is None else (when,)), *grades.values()):
        _check_words(text)
    never = Given(False, FLAG)
    found = ((severity, RuleOnTool(check_condition(own, scope), never)) for severity, own in grades.items())
    applies = None if when is None else check_condition(when, scope)
    return RuleOnTool(applies, check_condition(hold, scope), tuple(found))


def _check_words(text: Expression) -> None:
    """Raise `RuleError` for a test of whether words are missing, which they never are."""
    for name in asked_for(text, SAID):
        advice = f"write said.{name} != null, size(said.{name}) > 0 for a list, or a flag itself"
        raise RuleError(f"has(said.{name}) is true of every call; {advice}")


def _limit_rule(wire: LimitWire, tools: list[str]) -> RuleWire:
    """Return a limit on calls per conversation as a rule. With `per`, calls count for each value of that argument."""
    earlier = [f"done[{write_cel(Constant(tool))}]" for tool in tools]
    if wire.per is not None:
        argument = wire.per.removeprefix(f"{CALL}.")
        earlier = [f"{own}.filter(earlier, earlier.{argument} == call.{argument})" for own in earlier]
    counted = " + ".join(f"size({own})" for own in earlier) or "0"
    times = "once" if wire.most == 1 else f"{wire.most} times"
    say = wire.say or f"{' and '.join(tools)} may be called {times} at most in a conversation."
    return RuleWire(id=wire.id, on=wire.on, hold=f"{counted} < {wire.most}", say=say, severity=wire.severity)


def asked_for(expression: Expression, root: str) -> Iterator[str]:
    """Yield the names in `has(root.NAME)` tests of an expression."""
    match expression:
        case Invoke("has", (Select(Ident(own), name),), None) if own == root:
            yield name
    for part in parts(expression):
        yield from asked_for(part, root)


def settled(expression: Expression, root: str, lacking: Collection[str]) -> Expression:
    """Simplify an expression for a `root` that lacks the names `lacking`, and drop unreachable parts."""

    def own(part: Expression) -> Expression:
        return settled(part, root, lacking)

    match expression:
        case Invoke("has", (Select(Ident(name), field),), None, place) if name == root and field in lacking:
            return Constant(False, place)
        case Invoke("!", (operand,), None, place):
            inner = own(operand)
            return Constant(not inner.value, place) if _is_flag(inner) else Invoke("!", (inner,), None, place)
        case Invoke("&&" | "||" as sign, args, None, place):
            # In CEL, one deciding operand is enough, even if the other is an error.
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
                return expression  # A macro's variable hides the root.
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
