"""Compare two policies: find a call that they decide differently, or prove that there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product, takewhile, zip_longest
from typing import Any, Literal, get_args

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import InputError
from holdtrue.guard.analysis.analysis_results import Compared, Comparison, Difference, Side
from holdtrue.guard.analysis.argument_variants import UNDECLARED, steps, variants
from holdtrue.guard.analysis.call_shapes import CommonTypes, Shapes, rebuilt
from holdtrue.guard.analysis.canonical_forms import Form, canonical, form_differences, form_of, policy_form, schema_form
from holdtrue.guard.analysis.inquiry import Answer, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.rule_formulas import Demand, Shown, What, each, written_out
from holdtrue.guard.analysis.sample_values import SampleValues
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.tool_rules import calls_beyond
from holdtrue.guard.analysis.two_decisions import decisions, told_apart
from holdtrue.guard.decision import SCHEMA
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import SAID, Consent, ConsentWay, Rule, RuleOnTool
from holdtrue.guard.rule_context import not_said
from holdtrue.guard.wording import LONGEST
from holdtrue.rules.typed_expressions import Fact, Get, Given, Node, Root, walk

LIMIT = Budget(timeout_s=60.0)
"""The default time limit for comparing two policies."""
UNCLAIMED = "without claims"
UNNAMED = "a tool without a name here"
"""The name of a tool that no policy names."""
SEEN = "all that the rules ask for is seen; where it is not, one policy may ask about a call that the other blocks"
_BY_PROOF = ("tools", "rules", "obligations", "consents")
"""The parts of a policy that are compared tool by tool."""
_WAYS = get_args(ConsentWay)
_SIDES: tuple[tuple[Side, Side], ...] = (("first", "second"), ("second", "first"))


def compare_policies(first: Policy, second: Policy, budget: Budget = LIMIT) -> Comparison:
    """Return the differences of two policies: calls that they decide differently, and other differences in their texts.

    Rules and obligations are compared by their meaning, over all possible facts, and with the user's consent. All other
    parts are compared as written. `budget` is for the whole comparison.
    """
    deadline = budget.start()
    shared = [name for name in first.tools if name in second.tools]
    names = [*shared, *([""] if first.obligations or second.obligations else [])]
    pairs = [_Pair(first, second, name, budget, deadline) for name in names]
    tools = [own.compared() for own in pairs]
    if first.undeclared != second.undeclared:  # One tool is enough to show it.
        shown = (own.by_arguments() for own, found in zip(pairs, tools, strict=True) if not found.differences)
        tools += [own for own in shown if own.differences][:1]
    if first.unknown_tools != second.unknown_tools:
        calls = told_apart([Situation(UNNAMED)], (first, second), budget.until(deadline))
        tools += [Compared(UNNAMED, (own,)) for own in calls]
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
            side: {f"{side} {rule.id}": rule for rule in policy.parts_on(tool)}
            for side, policy in self._policies.items()
        }
        self._all: dict[str, Rule] = {**self._rules["first"], **self._rules["second"]}
        self._claims = {id: self._claims_in(id, side) for side, rules in self._rules.items() for id in rules}
        self._words = {
            id: canonical([form_of(rule.tools[tool]), sorted(self._claims[id])]) for id, rule in self._all.items()
        }
        self._traits = {id: canonical(form_of(rule, ("tools",))) for id, rule in self._all.items()}
        self._kinds = {**second.facts, **first.facts}
        self._common = CommonTypes()
        of = [Shapes.of(own, own.tools[tool] if tool else None) for own in (first, second)]
        self._shapes = self._common.shapes(*of)
        self._samples = SampleValues(self._shapes, first.tools[tool].schema.parameters) if tool else None
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
            found.append(self.by_arguments())
        if self._tool:
            found.append(self._by_consent(_told(*map(self._consent_form, self._policies))))
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
        one, other = (
            schema_form(own.tools[self._tool].schema.parameters, closed=own.undeclared == "block")
            for own in self._policies.values()
        )
        told = _told(one, other, root)
        told = told or _told(form_of(first.arguments), form_of(second.arguments), root)
        told += _told(form_of(first.schema, ["parameters"]), form_of(second.schema, ["parameters"]))
        out = ["schema", "arguments"]
        return told + _told(form_of(first, out), form_of(second, out))

    def _consents(self, side: Side) -> Iterator[tuple[int, Consent]]:
        yield from enumerate(self._policies[side].consents_on[self._tool])

    def _consent_form(self, side: Side) -> Form:
        """Return the calls that need consent, by the accepted evidence. The order of writing plays no part."""
        found: dict[str, list[Form]] = defaultdict(list)
        for _, own in self._consents(side):
            found[f"@{own.how}"].append(form_of(own.rule.tools[self._tool]))
        return {"@consent": {how: sorted(own, key=canonical) for how, own in found.items()}}

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
        if (self._traits[one], self._claims[one]) != (self._traits[other], self._claims[other]):
            return False
        rules = {id: self._all[id].tools[self._tool] for id in (one, other)}
        inquiry = Inquiry(self._shapes, rules, self._budget, self._deadline)
        for id, twin in ((one, other), (other, one)):
            pairs: tuple[tuple[What, What], ...] = (("kept", "not kept"), ("not broken", "broken"))
            for demands in pairs:
                found = inquiry.ask(Demand(demands[0], (id,)), Demand(demands[1], (twin,)))
                if not _is_sure(found):
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
        found: Impossible | NotDecided = NotDecided("no call", "")
        for claims in (False, True) if self._unsaid else (True,):
            inquiry = self._inquiry(claims)
            if what == "kept":
                demands = [*each("kept", self._with_unclaimed(mine)), Demand("not kept", self._with_unclaimed(rest))]
            else:
                demands = [*each("not broken", mine), Demand("some broken", rest)]
            answer = inquiry.ask(*demands)
            if isinstance(answer, Shown):
                return self._confirmed(
                    scope, side if what == "kept" else None, inquiry.example(*demands) or answer, inquiry
                )
            found = answer
        whether = f"the {side} policy allows more" if what == "kept" else f"the {other} policy blocks more"
        if isinstance(found, NotDecided):
            return self._open(f"whether {whether}: {found.reason}")
        if found.bounded is None:
            return Compared(self._tool, assumptions=found.assumptions)
        none = whether.replace(" more", " no more")
        return self._open(f"{none}, as far as lists with {found.bounded} items at most show")

    def _with_unclaimed(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Return the rules that an allowed call must keep.

        A rule on claims must hold without them, too, as they prove nothing.
        """
        return (*ids, *(f"{UNCLAIMED} {id}" for id in ids if self._claims[id]))

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
            unclaimed = {f"{UNCLAIMED} {id}": self._unclaimed(id) for id, own in self._claims.items() if own}
            self._inquiries[claims] = Inquiry(
                shapes, {**rules, **unclaimed}, self._budget, self._deadline, self._samples
            )
        return self._inquiries[claims]

    def _claims_in(self, id: str, side: Side) -> frozenset[str]:
        """Return the names of the statements that a rule reads and its policy takes for claims."""
        said = self._policies[side].said
        read = {own.name for own in _nodes(self._all[id], self._tool) if isinstance(own, Get) and _is_said(own)}
        return frozenset(name for name in read if said[name].claim)

    def _unclaimed(self, id: str) -> RuleOnTool:
        """Return a rule in which nobody made the claims that it reads."""

        def without(node: Node) -> Node:
            if isinstance(node, Get) and _is_said(node) and node.name in self._claims[id]:
                return Given(self._unsaid[node.name], node.type, node.place)
            return node

        return rebuilt(self._all[id].tools[self._tool], without)

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
            found = decisions(example, self._policies.values(), limit)
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

    # Differences by trial

    def by_arguments(self) -> Compared:
        """Return calls that only one of the policies allows because of the arguments that its tool accepts."""
        if not self._tool or self._deadline.passed:
            return Compared(self._tool)
        examples = (own for side, other in _SIDES for own in self._accepted(side, other))
        found = told_apart(examples, self._policies.values(), self._budget.until(self._deadline))
        return Compared(self._tool, tuple(sorted(found, key=lambda own: str(own.allowed_by))))

    def _accepted(self, side: Side, other: Side) -> Iterator[Situation]:
        """Yield calls that keep the rules of one policy, and that the tool of the other may not accept."""
        policy, tool, their = self._policies[side], *(self._policies[own].tools[self._tool] for own in (side, other))
        claims = {own.name: not_said(own) for own in policy.said.values() if own.claim}
        shapes = replace(Shapes.of(policy, tool), said=claims)
        rules = {id: own.tools[self._tool] for id, own in self._rules[side].items() if own.severity != "warn"}
        samples = SampleValues(shapes, tool.schema.parameters)
        inquiry, demands = Inquiry(shapes, rules, self._budget, self._deadline, samples), each("kept", rules)
        beyond = calls_beyond(inquiry, demands, replace(shapes, call=their.arguments))
        found = [written_out(own, self._tool, shapes, policy.facts, rules) for own in beyond]
        if (usual := inquiry.example(*demands)) is not None:
            example = written_out(usual, self._tool, shapes, policy.facts, rules)
            forms = [schema_form(own.schema.parameters) for own in (tool, their)]
            odd = [*variants(example.call, *forms), {**example.call, UNDECLARED: True}]
            odd += ({**example.call, name: step} for name, step in steps(tool.arguments))
            found += (replace(example, call=own) for own in odd if isinstance(own, dict))
        yield from found

    def _by_consent(self, told: Sequence[str]) -> Compared:
        """Return calls for which only one of the policies needs a yes. `told` are the differences as written."""
        if not told or self._incomparable():
            return Compared(self._tool, told=tuple(told))
        found = [(f"{side} {place}", own) for side in self._policies for place, own in self._consents(side)]
        due = {id: own.rule.tools[self._tool] for id, own in found}
        rules = {id: own.tools[self._tool] for id, own in self._all.items() if own.severity != "warn"}
        inquiry, alike = Inquiry(self._shapes, {**due, **rules}, self._budget, self._deadline), True
        examples = list[Situation]()
        for (side, other), how in product(_SIDES, {own.how: None for _, own in found}):
            # A surer yes is also one that a milder consent takes.
            ways = _WAYS[_WAYS.index(how) :]
            mine, yours = ([id for id, own in found if own.how in ways and id.startswith(of)] for of in (side, other))
            demands = (*each("kept", mine), Demand("not kept", tuple(yours)))
            answer = inquiry.ask(*demands) if yours else None
            alike &= answer is None or _is_sure(answer)
            if answer is not None and not _is_sure(answer):
                shown = inquiry.example(*demands, *each("kept", rules))
                more = shown and written_out(shown, self._tool, self._shapes, self._kinds, inquiry.rules)
                examples += [replace(more, consent=False)] if more else []
        if alike:
            asks = any(isinstance(node, Fact) for own in due.values() for node in walk(own.whole))
            return Compared(self._tool, assumptions=(SEEN,) if asks else ())
        calls = told_apart(examples, self._policies.values(), self._budget.until(self._deadline))
        return Compared(self._tool, tuple(calls), told=tuple(told))


def _is_sure(found: Answer) -> bool:
    """Return whether an answer proves for lists of any length, and without an assumption, that there is no call."""
    return isinstance(found, Impossible) and found.bounded is None and not found.assumptions


def _is_said(node: Get) -> bool:
    return isinstance(node.of, Root) and node.of.name == SAID


def _has_severity(severity: str, rule: Rule) -> bool:
    return rule.severity == severity


def _nodes(rule: Rule, tool: str) -> Iterator[Node]:
    for own in rule.tools[tool].nodes:
        yield from walk(own)
