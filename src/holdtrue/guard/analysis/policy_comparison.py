"""Compare two policies: find a call that they decide differently, or prove that there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import takewhile, zip_longest
from typing import Any, Literal

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import InputError
from holdtrue.guard.analysis.analysis_results import Compared, Comparison, Difference, Side
from holdtrue.guard.analysis.call_shapes import CommonTypes, Shapes, rebuilt
from holdtrue.guard.analysis.canonical_forms import Form, canonical, form_differences, form_of, policy_form, schema_form
from holdtrue.guard.analysis.inquiry import LISTS, Answer, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.rule_formulas import Demand, Shown, What, each, written_out
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.decision import SCHEMA
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import SAID, Rule
from holdtrue.guard.rule_context import not_said
from holdtrue.guard.wording import LONGEST
from holdtrue.rules.typed_expressions import Fact, Get, Given, Node, Root, walk

LIMIT = Budget(timeout_s=60.0)
"""The default time limit for comparing two policies."""
UNCLAIMED = "without claims"
UNDECLARED = "undeclared"
"""The name of an undeclared argument in an example."""
SEEN = "all that the rules ask for is seen; where it is not, one policy may ask about a call that the other blocks"
_BY_PROOF = ("tools", "rules", "obligations", "consents")
"""The parts of a policy that are compared tool by tool."""
_SIDES: tuple[tuple[Side, Side], ...] = (("first", "second"), ("second", "first"))


def compare_policies(first: Policy, second: Policy, budget: Budget = LIMIT) -> Comparison:
    """Return the differences of two policies: calls that they decide differently, and other differences in their texts.

    Rules and obligations are compared by their meaning, over all possible facts, and with the user's consent. All other
    parts are compared as written. `budget` is for the whole comparison.
    """
    deadline = budget.start()
    shared = [name for name in first.tools if name in second.tools]
    names = [*shared, *([""] if first.obligations or second.obligations else [])]
    tools = [_Pair(first, second, name, budget, deadline).compared() for name in names]
    return Comparison(
        first.name,
        second.name,
        tuple(tools),
        tuple(name for name in first.tools if name not in second.tools),
        tuple(name for name in second.tools if name not in first.tools),
        tuple(_told(policy_form(first, _BY_PROOF), policy_form(second, _BY_PROOF))),
    )


def _told(one: Form, other: Form, path: str = "") -> list[str]:
    return [f"{place.lstrip('.')} {words}" for place, words in form_differences(one, other, path)]


@dataclass(frozen=True)
class _Scope:
    """A `_Scope` is a set of rules that decide together. `told` stands for a difference that no single call shows."""

    rules: Mapping[Side, tuple[str, ...]]
    listens: bool = True
    told: str = ""


class _Pair:
    """The rules of two policies on one tool. For the obligations, `tool` is ""."""

    def __init__(self, first: Policy, second: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self._policies: dict[Side, Policy] = {"first": first, "second": second}
        self._tool = tool
        self._budget, self._deadline = budget, deadline
        self._rules: dict[Side, dict[str, Rule]] = {
            side: {f"{side} {rule.id}": rule for rule in (policy.rules_on[tool] if tool else policy.obligations)}
            for side, policy in self._policies.items()
        }
        self._all: dict[str, Rule] = {**self._rules["first"], **self._rules["second"]}
        self._words = {id: canonical(form_of(rule.tools[tool])) for id, rule in self._all.items()}
        self._traits = {id: canonical(form_of(rule, ("tools",))) for id, rule in self._all.items()}
        self._kinds = {**second.facts, **first.facts}
        self._common = CommonTypes()
        of = [Shapes.of(own, own.tools[tool] if tool else None) for own in (first, second)]
        self._shapes = self._common.shapes(*of)
        self._inquiries: dict[bool, Inquiry] = {}

    def compared(self) -> Compared:
        """Return the differences of the policies on this tool."""
        told = self._told_of_tool() if self._tool else []
        if told is None:
            return Compared(self._tool, told=("it is a tool in one policy, and an answer in the other",))
        unlike, found = self._unlike(), list[Compared]()
        if any(unlike.values()):
            reason = self._incomparable()
            scopes = [] if reason else self._scopes(unlike)
            found = [self._open(reason)] if reason else [own for scope in scopes for own in self._in_scope(scope)]
            if len({self._others(id) for own in unlike.values() for id in own}) > 1:
                told.append("its rules differ in more than their conditions")
        if told and not any(own.differences for own in found):
            found.append(self._with_undeclared())
        assumptions = [taken for own in found for taken in own.assumptions]
        roots = self._shapes.roots
        others = (isinstance(own, Fact) or (isinstance(own, Root) and own.name in roots) for own in self._nodes(unlike))
        if all(own.same for own in found) and any(others):
            assumptions.append(SEEN)
        return Compared(
            self._tool,
            tuple(call for own in found for call in own.differences),
            tuple(dict.fromkeys(reason for own in found for reason in own.undecided)),
            tuple(dict.fromkeys((*told, *(words for own in found for words in own.told)))),
            tuple(dict.fromkeys(assumptions)),
        )

    def _open(self, reason: str) -> Compared:
        return Compared(self._tool, undecided=(reason,))

    def _told_of_tool(self) -> list[str] | None:
        """Return the differences of the tool's schemas and settings, or None if it is an answer in only one policy."""
        first, second = (own.tools[self._tool] for own in self._policies.values())
        if first.is_answer != second.is_answer:
            return None
        root = self._shapes.root
        told = _told(schema_form(first.schema.parameters), schema_form(second.schema.parameters), root)
        told = told or _told(form_of(first.arguments), form_of(second.arguments), root)
        told += _told(form_of(first.schema, ["parameters"]), form_of(second.schema, ["parameters"]))
        out = ["schema", "arguments"]
        told += _told(form_of(first, out), form_of(second, out))
        one, other = ({"@consent": self._consents(own)} for own in self._policies.values())
        return told + _told(one, other)

    def _consents(self, policy: Policy) -> dict[str, Form]:
        """Return the calls that need consent, by the accepted evidence. The order of writing plays no part."""
        found: dict[str, list[Form]] = defaultdict(list)
        for own in policy.consents_on[self._tool]:
            found[f"@{own.how}"].append(form_of(own.rule.tools[self._tool]))
        return {how: sorted(own, key=canonical) for how, own in found.items()}

    def _nodes(self, rules: Mapping[Side, Collection[str]]) -> list[Node]:
        return [node for ids in rules.values() for id in ids for node in _nodes(self._all[id], self._tool)]

    # The rules to compare

    def _others(self, id: str) -> str:
        """Return the parts of a rule that can affect a decision, except its tools, `severity` and `needs`."""
        return canonical(form_of(self._all[id], ("tools", "severity", "needs")))

    def _unlike(self) -> dict[Side, list[str]]:
        """Return the rules for which neither text nor proof shows an equivalent in the other policy."""
        keys = {id: (self._words[id], self._traits[id]) for id in self._all}
        known: dict[Side, set[tuple[str, str]]] = {
            side: {keys[id] for id in rules} for side, rules in self._rules.items()
        }
        left = {side: [id for id in self._rules[side] if keys[id] not in known[other]] for side, other in _SIDES}
        if not all(left.values()) or self._incomparable():
            return left
        by_id = {self._all[id].id: id for id in left["second"]}
        pairs = [(id, by_id.pop(self._all[id].id)) for id in left["first"] if self._all[id].id in by_id]
        paired = {id for own in pairs for id in own}
        rest = ([id for id in left[side] if id not in paired] for side, _ in _SIDES)
        pairs += [(one, other) for one, other in zip_longest(*rest) if one is not None and other is not None]
        in_time = takewhile(lambda _: not self._deadline.passed, pairs)
        alike = {id for own in in_time if self._are_alike(*own) for id in own}
        return {side: [id for id in ids if id not in alike] for side, ids in left.items()}

    def _are_alike(self, one: str, other: str) -> bool:
        """Return whether two rules are proved to agree on every call, whatever was seen."""
        if self._traits[one] != self._traits[other]:
            return False
        rules = {id: self._all[id].tools[self._tool] for id in (one, other)}
        inquiry = Inquiry(self._shapes, rules, self._budget, self._deadline)
        for id, twin in ((one, other), (other, one)):
            pairs: tuple[tuple[What, What], ...] = (("kept", "not kept"), ("not broken", "broken"))
            for demands in pairs:
                found = inquiry.ask(Demand(demands[0], (id,)), Demand(demands[1], (twin,)))
                if not isinstance(found, Impossible) or found.bounded is not None or found.assumptions:
                    return False
        return True

    def _scopes(self, unlike: Mapping[Side, Collection[str]]) -> Iterator[_Scope]:
        """Yield the sets of rules that decide together and contain one without an equivalent."""
        involved = [self._all[id] for ids in unlike.values() for id in ids]
        stopping = [own for own in involved if own.severity != "warn" or not self._tool]
        if not self._tool:
            for severity in dict.fromkeys(own.severity for own in involved):
                yield self._scope(partial(_has_severity, severity), "the obligations differ")
            return
        if stopping:
            yield self._scope(lambda own: own.severity != "warn")
        if any(own.needs == "words" for own in stopping):
            yield replace(self._scope(lambda own: own.severity != "warn" and own.needs != "words"), listens=False)
        if any(own.needs == "facts" for own in stopping):
            told = "rules that count on what was seen alone (needs: facts) differ, and may decide otherwise"
            yield self._scope(lambda own: own.severity != "warn" and own.needs == "facts", told)
        if len(stopping) < len(involved):
            yield self._scope(lambda own: own.severity == "warn", "rules that only warn differ")

    def _scope(self, is_in: Callable[[Rule], bool], told: str = "") -> _Scope:
        rules = {side: tuple(id for id, own in rules.items() if is_in(own)) for side, rules in self._rules.items()}
        return _Scope(rules, told=told)

    # Differences by proof

    def _in_scope(self, scope: _Scope) -> list[Compared]:
        """Return calls that one policy allows and the other does not, or that one blocks and the other asks about.

        If there are none, return the assumptions of the proof, or the reason why it is unknown.
        """
        found = [self._stricter(scope, side, other, "kept") for side, other in _SIDES]
        if all(own.same for own in found):
            found += [self._stricter(scope, side, other, "broken") for side, other in _SIDES]
        if scope.told and any(own.told for own in found):
            return [next(own for own in found if own.told)]  # A difference on both sides is reported once.
        return found

    def _stricter(self, scope: _Scope, side: Side, other: Side, what: Literal["kept", "broken"]) -> Compared:
        """Return a call on which the other policy is stricter than that of this `side`.

        With `kept`, only the other policy refuses the call. With `broken`, only the other policy blocks it.
        """
        mine, yours = scope.rules[side], scope.rules[other]
        if what == "broken" and not scope.told:
            mine, yours = (tuple(id for id in own if self._all[id].severity == "block") for own in (mine, yours))
        words = {self._words[id] for id in mine}
        rest = tuple(id for id in yours if self._words[id] not in words)
        if not rest:
            return Compared(self._tool)
        if self._deadline.passed:
            return self._open(OUT_OF_TIME)
        # A claim leaves a rule undecided, so calls without claims are tried first.
        found: Answer = NotDecided("no call", "")
        for claims in (False, True) if self._unsaid else (True,):
            inquiry = self._inquiry(claims)
            if what == "kept":
                demands = [*each("kept", self._with_unclaimed(mine)), Demand("not kept", rest)]
            else:
                demands = [*each("not broken", mine), Demand("some broken", rest)]
            found = inquiry.ask(*demands)
            if isinstance(found, Shown):
                return self._confirmed(
                    scope, side if what == "kept" else None, inquiry.example(*demands) or found, inquiry
                )
        whether = f"the {side} policy allows more" if what == "kept" else f"the {other} policy blocks more"
        if isinstance(found, NotDecided):
            return self._open(f"whether {whether}: {found.reason}")
        if isinstance(found, Impossible) and found.bounded is None:
            return Compared(self._tool, assumptions=found.assumptions)
        none = whether.replace(" more", " no more")
        return self._open(f"{none}, as far as lists with {LISTS[-1]} items at most show")

    def _with_unclaimed(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Return the rules that an allowed call must keep.

        A rule on claims must hold without them, too, as they prove nothing.
        """
        return (*ids, *(f"{UNCLAIMED} {id}" for id in ids if id in self._claimed))

    def _incomparable(self) -> str:
        if not self._common.alike:
            return "some value is of types in the two policies of which nothing is both"
        for node in self._nodes(self._rules):
            if isinstance(node, Fact):
                kinds = [own.facts[node.kind] for own in self._policies.values() if node.kind in own.facts]
                if [*kinds[0].keys] != [*kinds[-1].keys]:
                    return f"facts.{node.kind} is found by other keys in the second policy"
        return ""

    @cached_property
    def _unsaid(self) -> Mapping[str, Any]:
        """Return the value of each claim if nobody made it."""
        said = [own for policy in self._policies.values() for own in policy.said.values()]
        return {own.name: not_said(own) for own in said if own.claim}

    def _inquiry(self, claims: bool) -> Inquiry:
        if claims not in self._inquiries:
            shapes = self._shapes if claims else replace(self._shapes, said=self._unsaid)
            rules = {id: rule.tools[self._tool] for id, rule in self._all.items()}
            unclaimed = {f"{UNCLAIMED} {id}": rebuilt(rules[id], self._without_claim) for id in self._claimed}
            self._inquiries[claims] = Inquiry(shapes, {**rules, **unclaimed}, self._budget, self._deadline)
        return self._inquiries[claims]

    @cached_property
    def _claimed(self) -> frozenset[str]:
        asked = {id: _nodes(rule, self._tool) for id, rule in self._all.items() if self._unsaid}
        return frozenset(id for id, nodes in asked.items() if any(self._without_claim(own) is not own for own in nodes))

    def _without_claim(self, node: Node) -> Node:
        match node:
            case Get(Root(root), name) if root == SAID and name in self._unsaid:
                return Given(self._unsaid[name], node.type, node.place)
        return node

    def _confirmed(self, scope: _Scope, side: Side | None, shown: Shown, inquiry: Inquiry) -> Compared:
        example = written_out(shown, self._tool, self._shapes, self._kinds, inquiry.rules)
        example = replace(example, listen=scope.listens)
        if scope.told:
            return Compared(self._tool, told=(f"{scope.told}, as after {json_text(example.to_json(), LONGEST)}",))
        return self._decided(example, side)

    def _decided(self, example: Situation, side: Side | None) -> Compared:
        """Return a call that only the policy of `side` allows.

        If `side` is None, one policy must block it and the other ask.
        """
        try:
            limit = self._budget.until(self._deadline)
            found = [seen_by(example, own).decide(own, budget=limit, mend=False) for own in self._policies.values()]
        except InputError as error:
            return self._open(f"a call was found that one of the policies cannot read: {error}")
        allowed, refused = reversed(found) if side == "second" else found
        wanted = ("block", "ask") if side is None else ("allow",)
        if allowed.kind not in wanted or refused.kind not in {"block", "ask"} - {allowed.kind}:
            if any(SCHEMA in own.rules for own in found):
                # An arbitrary value, such as an id, may not match a pattern of the schema.
                shown = json_text(example.to_json(), LONGEST)
                return Compared(
                    self._tool, told=(f"the rules differ on a call with a value that the schema refuses, {shown}",)
                )
            told = " and ".join(own.kind for own in found)
            return self._open(f"whether one policy is stricter: of the call that was found they say {told}")
        return Compared(self._tool, (Difference(self._tool, side, example, *found),))

    def _with_undeclared(self) -> Compared:
        """Return a call with an undeclared argument that only one of the policies allows."""
        if not self._tool or self._deadline.passed or self._incomparable():
            return Compared(self._tool)
        inquiry = self._inquiry(True)
        ids = self._with_unclaimed([id for id, own in self._all.items() if own.severity != "warn"])
        shown = inquiry.example(*each("kept", ids))
        if shown is None:
            return Compared(self._tool)
        example = written_out(shown, self._tool, self._shapes, self._kinds, inquiry.rules)
        example = replace(example, call={**example.call, UNDECLARED: True})
        found = [self._decided(example, side) for side, _ in _SIDES]
        return next((own for own in found if own.differences), Compared(self._tool))


def seen_by(example: Situation, policy: Policy) -> Situation:
    """Return a situation without the facts, statements and earlier calls that a policy does not declare."""
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
        record = entry["record"]  # None means that it does not exist.
        return {**entry, "record": record and {name: own for name, own in record.items() if name in names}}
    return {name: own for name, own in entry.items() if name in names}


def _has_severity(severity: str, rule: Rule) -> bool:
    return rule.severity == severity


def _nodes(rule: Rule, tool: str) -> Iterator[Node]:
    own = rule.tools[tool]
    yield from walk(own.hold)
    if own.when is not None:
        yield from walk(own.when)
