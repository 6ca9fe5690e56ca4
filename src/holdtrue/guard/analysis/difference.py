"""Compare two policies: a call that one allows and the other does not, or the proof that there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import InputError
from holdtrue.guard.analysis.comparison import Compared, Comparison, Difference, Side
from holdtrue.guard.analysis.example import written_out
from holdtrue.guard.analysis.inquiry import LISTS, Answer, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.level import Demand, Shown, each
from holdtrue.guard.analysis.shared_types import Meeting
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.unseen import Shapes, rebuilt
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule, RuleOnTool
from holdtrue.guard.surroundings import SAID
from holdtrue.rules.typed import Fact, Get, Given, Node, Root, walk
from holdtrue.rules.types import Flag, ListOf, MapOf, Type

LIMIT = Budget(timeout_s=60.0)
"""The limit of comparing two policies, unless the caller says otherwise."""
UNCLAIMED = "without claims"


def compare_policies(first: Policy, second: Policy, budget: Budget = LIMIT) -> Comparison:
    """Return what two policies differ in: calls that one allows and the other does not, on the same facts.

    A policy allows a call if every rule that blocks or asks is kept; both are listened to, and the user has said yes.
    Not compared are obligations, which tools show facts, what calls do to them, and whether a call that both refuse is
    blocked or asked about.
    """
    deadline = budget.start()
    shared = [name for name in first.tools if name in second.tools]
    tools = [_Pair(first, second, name, budget, deadline).compared() for name in shared]
    return Comparison(
        first.name,
        second.name,
        tuple(tools),
        tuple(name for name in first.tools if name not in second.tools),
        tuple(name for name in second.tools if name not in first.tools),
        tuple(_elsewhere(first, second)),
        tuple(_not_compared(first, second)),
    )


def _not_compared(*policies: Policy) -> Iterator[str]:
    """Return what the policies say beyond the decisions on one call, which are all that is compared."""
    if any(own.obligations for own in policies):
        yield "obligations at the end of a conversation"
    if any(own.effects for own in policies):
        yield "what calls do to facts"
    if any(kind.sources for own in policies for kind in own.facts.values()):
        yield "which tools show facts"


def _elsewhere(first: Policy, second: Policy) -> Iterator[str]:
    """Return where what is shared by all tools differs."""
    for name in ("unknown_tools", "unsaid"):
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            yield f"{name} is {one} in the first policy and {other} in the second"
    for name in (own for own in first.facts if own in second.facts):
        one, other = ([*own.facts[name].keys] for own in (first, second))
        if one != other:
            yield f"facts.{name} is found by {', '.join(one)} in the first policy, by {', '.join(other)} in the second"
        if first.facts[name].fresh_s != second.facts[name].fresh_s:
            yield f"facts.{name} counts for another time in the second policy than in the first"


class _Pair:
    """The rules of two policies on one tool."""

    def __init__(self, first: Policy, second: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self._policies: dict[Side, Policy] = {"first": first, "second": second}
        self._tool = tool
        self._budget, self._deadline = budget, deadline
        self._rules: dict[Side, dict[str, Rule]] = {
            side: {f"{side} {rule.id}": rule for rule in policy.rules_on[tool] if rule.severity != "warn"}
            for side, policy in self._policies.items()
        }
        self._meeting = Meeting()
        self._shapes = self._meeting.shapes(*(Shapes.of(own, own.tools[tool]) for own in (first, second)))
        self._inquiries: dict[bool, Inquiry] = {}

    def compared(self) -> Compared:
        """Return what the policies differ in."""
        first, second = (own.tools[self._tool] for own in self._policies.values())
        told = [own for own in self._meeting.told if own.startswith(f"{self._shapes.root}.")]
        if first.consent != second.consent:
            told.append(f"only the {'first' if first.consent else 'second'} policy has the user agree to it")
        if first.is_answer != second.is_answer:
            return Compared(self._tool, told=("it is a tool in one policy, and an answer in the other",))
        told += self._told_of_facts()
        found = [self._allowed_only_by("first", "second"), self._allowed_only_by("second", "first")]
        return Compared(
            self._tool,
            tuple(own for own in found if isinstance(own, Difference)),
            tuple(own for own in found if isinstance(own, str)),
            tuple(dict.fromkeys(told)),
            tuple(dict.fromkeys(taken for own in found if isinstance(own, tuple) for taken in own)),
        )

    def _told_of_facts(self) -> Iterator[str]:
        """Return where types of facts and words differ that a rule on the tool asks for."""
        nodes = [node for rules in self._rules.values() for rule in rules.values() for node in _nodes(rule, self._tool)]
        used = {f"facts.{own.kind}" for own in nodes if isinstance(own, Fact)}
        used |= {f"{own.of.name}.{own.name}" for own in nodes if isinstance(own, Get) and isinstance(own.of, Root)}
        used |= {own.name for own in nodes if isinstance(own, Root) and own.name not in (SAID, self._shapes.root)}
        yield from (own for own in self._meeting.told if re.match(r"facts\.\w+|said\.\w+|\w+", own)[0] in used)  # type: ignore[index]

    def _allowed_only_by(self, side: Side, other: Side) -> Difference | str | tuple[str, ...]:
        """Return a call that one policy allows and the other does not, or why it is not known whether there is one.

        If there is none, what the proof takes to be so.
        """
        rest = self._without_same(side, other)
        if not rest:
            return ()
        reason = self._incomparable()
        if reason:
            return reason
        # What was claimed leaves a rule undecided: so first without any claim.
        found: Answer = NotDecided("")
        for claims in (False, True) if self._unsaid else (True,):
            inquiry = self._inquiry(claims)
            demands = [*each("kept", self._demanded(side)), Demand("not kept", rest)]
            found = inquiry.ask(*demands)
            if isinstance(found, Shown):
                return self._confirmed(side, inquiry.example(*demands) or found, inquiry)
        if isinstance(found, NotDecided):
            return f"whether the {side} policy allows more: {found.reason}"
        if isinstance(found, Impossible) and found.bounded is None:
            return found.assumptions
        return f"the {side} policy allows no more, as far as lists with {LISTS[-1]} items at most show"

    def _demanded(self, side: Side) -> tuple[str, ...]:
        """Return the rules that a call keeps which the policy allows.

        What was claimed counts for nothing, so that a rule has to be kept without any claim, too.
        """
        return (*self._rules[side], *(f"{UNCLAIMED} {id}" for id in self._rules[side] if self._unsaid))

    def _without_same(self, side: Side, other: Side) -> tuple[str, ...]:
        """Return the rules of the other policy that are not word for word in this one, too."""
        mine = [own.tools[self._tool] for own in self._rules[side].values()]
        return tuple(
            id
            for id, own in self._rules[other].items()
            if not any(_same_rule(own.tools[self._tool], each) for each in mine)
        )

    def _incomparable(self) -> str:
        if not self._meeting.alike:
            return "some value is of types in the two policies of which nothing is both"
        for rules in self._rules.values():
            for rule in rules.values():
                for node in _nodes(rule, self._tool):
                    if isinstance(node, Fact) and self._other_keys(node.kind):
                        return f"facts.{node.kind} is found by other keys in the second policy"
        return ""

    def _other_keys(self, kind: str) -> bool:
        found = [own.facts[kind] for own in self._policies.values() if kind in own.facts]
        return len(found) == 2 and [*found[0].keys] != [*found[1].keys]

    @cached_property
    def _unsaid(self) -> Mapping[str, Any]:
        """Return what stands for no claim, for everything that may be claimed."""
        said = [own for policy in self._policies.values() for own in policy.said.values()]
        return {own.name: _nothing(own.type) for own in said if own.claim}

    def _inquiry(self, claims: bool) -> Inquiry:
        if claims not in self._inquiries:
            shapes = self._shapes if claims else replace(self._shapes, said=self._unsaid)
            rules = {id: rule.tools[self._tool] for own in self._rules.values() for id, rule in own.items()}
            unclaimed = {f"{UNCLAIMED} {id}": rebuilt(own, self._without_claim) for id, own in rules.items()}
            both = {**rules, **unclaimed} if self._unsaid else rules
            self._inquiries[claims] = Inquiry(shapes, both, self._budget, self._deadline)
        return self._inquiries[claims]

    def _without_claim(self, node: Node) -> Node:
        match node:
            case Get(Root(root), name) if root == SAID and name in self._unsaid:
                return Given(self._unsaid[name], node.type, node.place)
        return node

    def _confirmed(self, side: Side, shown: Shown, inquiry: Inquiry) -> Difference | str:
        kinds = {name: own for policy in self._policies.values() for name, own in policy.facts.items()}
        example = written_out(shown, self._tool, self._shapes, kinds, inquiry.rules)
        try:
            first, second = (seen_by(example, own).decide(own, mend=False) for own in self._policies.values())
        except InputError as error:
            return f"a call was found that one of the policies cannot read: {error}"
        allowed, refused = (first, second) if side == "first" else (second, first)
        if allowed.kind != "allow" or refused.kind not in ("block", "ask"):
            kinds_told = f"{first.kind} and {second.kind}"
            return f"whether the {side} policy allows more: of the call that was found they say {kinds_told}"
        return Difference(self._tool, side, example, first, second)


def seen_by(example: Situation, policy: Policy) -> Situation:
    """Return a situation without the facts, words and earlier calls that a policy does not know."""
    facts: dict[str, list[Any]] = {}
    for name, entries in example.facts.items():
        kind = policy.facts.get(name)
        if kind is not None:
            facts[name] = [_known(own, {*kind.keys, *kind.record.fields}) for own in entries]
    return replace(
        example,
        facts=facts,
        done={name: calls for name, calls in example.done.items() if name in policy.tools},
        said=None if example.said is None else {name: own for name, own in example.said.items() if name in policy.said},
    )


def _known(entry: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    if entry.keys() == {"key", "record"}:
        return {**entry, "record": {name: own for name, own in entry["record"].items() if name in names}}
    return {name: own for name, own in entry.items() if name in names}


def _nothing(type: Type) -> Any:
    """Return what stands for nothing said."""
    match type:
        case Flag():
            return False
        case ListOf():
            return ()
        case MapOf():
            return {}
    return None


def _nodes(rule: Rule, tool: str) -> Iterator[Node]:
    own = rule.tools[tool]
    yield from walk(own.hold)
    if own.when is not None:
        yield from walk(own.when)


def _same_rule(one: RuleOnTool, other: RuleOnTool) -> bool:
    return _same(one.when, other.when) and _same(one.hold, other.hold)


def _same(one: Any, other: Any) -> bool:
    """Return whether two expressions are the same word for word, with the same values of tables."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if not isinstance(one, Node) or type(one) is not type(other):
        return type(one) is type(other) and bool(one == other)
    names = [own.name for own in fields(one) if own.name not in ("type", "place")]
    return all(_same(getattr(one, name), getattr(other, name)) for name in names)
