"""Find the calls for the edges of the rules on one tool. Some come in pairs, and others tell a rule from mutants."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from holdtrue.budget import Budget, Deadline
from holdtrue.guard.analysis.call_shapes import Shapes
from holdtrue.guard.analysis.inquiry import LISTS, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.near_calls import NearCalls, NearPair, plainness
from holdtrue.guard.analysis.rule_formulas import Demand, Shown, What, does, each, written_out
from holdtrue.guard.analysis.rule_mutants import Mutant
from holdtrue.guard.analysis.sample_values import SampleValues
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import SAID, Rule, RuleOnTool
from holdtrue.guard.rule_context import not_said
from holdtrue.rules.schema_validation import path_of
from holdtrue.rules.typed_expressions import Apply, Get, Has, Node, Root, walk
from holdtrue.rules.types import types_within, without_null
from holdtrue.rules.values import Reader, ValueFault, to_json

MUTANT = "mutant "
"""The beginning of a mutant's id in an inquiry."""
_BLOCK = 2
"""The strictest outcome. An `ask`, and an unmet obligation, are 1."""


class EdgeCalls:
    """`EdgeCalls` are the rules on one tool, or the obligations for the tool "", and the calls around them."""

    def __init__(self, policy: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self.policy, self.tool = policy, tool
        self.rules = {own.id: own for own in policy.parts_on(tool)}
        """The rules with one severity each: the parts of those whose severity depends on the call."""
        self._tool = policy.tools[tool] if tool else None
        self._budget, self._deadline = budget, deadline
        whole = Shapes.of(policy, self._tool)
        # A claim leaves a rule undecided, so nobody makes one, unless a rule has no edges without it.
        unsaid = {own.name: not_said(own) for own in policy.said.values() if own.claim}
        self._shapes = {True: whole, False: replace(whole, said=unsaid)}
        self._samples = SampleValues(whole, None if self._tool is None else self._tool.schema.parameters)
        self._inquiries = {claims: self._inquiry(claims, {}) for claims in (True, False)}
        self._starts: dict[bool, list[Shown]] = {True: [], False: []}
        """Calls that were found so far. They serve other rules, too."""
        self.root = whole.root

    def _inquiry(self, claims: bool, more: Mapping[str, RuleOnTool]) -> Inquiry:
        rules = {**{id: own.tools[self.tool] for id, own in self.rules.items()}, **more}
        return Inquiry(self._shapes[claims], rules, self._budget, self._deadline, self._samples)

    @property
    def late(self) -> bool:
        return self._deadline.passed

    def on_tool(self, id: str) -> RuleOnTool:
        return self.rules[id].tools[self.tool]

    def claims(self, id: str) -> bool:
        """Return whether a rule rests on a claim."""
        nodes = (own for own in walk(self.on_tool(id).whole) if isinstance(own, Get) and isinstance(own.of, Root))
        return any(
            own.of.name == SAID and self.policy.said[own.name].claim for own in nodes if isinstance(own.of, Root)
        )

    def demanding(self, id: str) -> tuple[str, ...]:
        """Return the other rules that can stop a call, except the milder parts of the same rule."""
        part_of, ids = self.rules[id].part_of, [*self.rules]
        milder = {own for own in ids[ids.index(id) :] if self.rules[own].part_of == part_of} if part_of else {id}
        return tuple(own for own, rule in self.rules.items() if own not in milder and rule.severity != "warn")

    def read(self, conditions: Iterable[Node]) -> dict[str, frozenset[str]]:
        """Return the names of the fields that conditions read of each kind of record."""
        nodes, found = [own for each in conditions for own in walk(each)], {}
        for name, kind in self.policy.facts.items():
            names = (
                own.name for own in nodes if isinstance(own, Get | Has) and without_null(own.of.type) is kind.record
            )
            # A comparison of whole records reads all of their fields.
            args = (arg for own in nodes if isinstance(own, Apply) for arg in own.args)
            whole = any(kind.record in types_within(arg.type) for arg in args)
            found[name] = frozenset(kind.record.fields if whole else names)
        return found

    def near(self, id: str, others: Collection[str]) -> NearCalls:
        """Return a search around a rule, for calls that keep the others and that the tool accepts."""
        kept = [NearCalls(own, self.on_tool(own)) for own in others]

        def fits(shown: Shown) -> bool:
            return all(own.verdict(shown) == "kept" for own in kept) and not self._refusal(shown)

        return NearCalls(id, self.on_tool(id), fits, lambda: self.late)

    def _refusal(self, shown: Shown) -> str:
        """Return the reason why the tool's schema refuses a call, or a key is not of its type, or ""."""
        try:
            for kind, keys in shown.records:
                for key, type in zip(keys, self.policy.facts[kind].keys.values(), strict=True):
                    Reader().read(to_json(key, type), type, f"a key of facts.{kind}")
        except ValueFault as error:
            return str(error)
        if self._tool is None or self._tool.validator is None:
            return ""
        fault = self._tool.validator.fault(to_json(shown.env[self.root], self._tool.arguments))
        return "" if fault is None else f"{path_of(fault[0], self.root)}: {fault[1]}"

    def written(self, shown: Shown) -> Situation:
        """Return a call as a situation."""
        conditions = {id: own.tools[self.tool] for id, own in self.rules.items()}
        return written_out(shown, self.tool, self._shapes[True], self.policy.facts, conditions)

    def pairs(self, id: str, others: Collection[str], claims: bool) -> list[NearPair] | str:
        """Return pairs around a rule, the plainest first, or the reason why there are none."""
        near, inquiry, known = self.near(id, others), self._inquiries[claims], self._starts[claims]
        keep, reasons, starts = each("kept", others), list[str](), list[tuple[Shown, What]]()
        wanted: tuple[tuple[What, What], ...] = (("kept where it applies", "broken"), ("broken", "kept"))
        for what, turned in wanted:
            demands = (Demand(what, (id,)), *keep)
            fitting = (own for own in known if all(does(each, inquiry.rules, own.env) for each in demands))
            if (start := next(fitting, None)) is None:
                found = inquiry.example(*demands) or inquiry.ask(*demands)
                start = found if isinstance(found, Shown) else None
                known += [] if start is None else [start]
            if start is None or (refused := self._refusal(start)):
                reasons.append(_why(inquiry, demands) if start is None else f"the tool refuses such calls: {refused}")
                continue
            starts.append((start, turned))
            if pairs := sorted(near.pairs(start), key=lambda own: plainness(own.kept, own.names[0])):
                return pairs
        for start, turned in starts:
            apart = near.nearest_pair(start, (Demand(turned, (id,)), *keep), inquiry.limit)
            if apart is not None:
                return [apart]
        return next(iter(reasons), "no two calls near each other were found of which only one keeps it")

    def with_mutants(self, id: str, found: Sequence[Mutant]) -> Inquiry:
        """Return an inquiry about the rules and these mutants of a rule, which have their places as ids."""
        more = {f"{MUTANT}{place}": own.on_tool(self.tool, self.rules[id]) for place, own in enumerate(found)}
        return self._inquiry(self.claims(id), more)

    def apart(self, inquiry: Inquiry, id: str, place: int, shown: Sequence[Shown]) -> Iterator[Shown | str]:
        """Yield calls that a rule and a mutant of it judge differently, and reasons why there may be more.

        They keep all other rules, or at least break none of them. Their lists are as short as in the calls `shown`.
        """
        name, others = f"{MUTANT}{place}", self.demanding(id)
        items = max([LISTS[0], *(own.items or 0 for own in shown)])
        blocking = [own for own in others if self.rules[own].severity == "block"]
        tried: list[tuple[What, What, tuple[Demand, ...]]] = [("kept", "not kept", each("kept", others))]
        if self.tool and self.rules[id].severity == "block":
            tried.append(("broken", "not broken", each("not broken", blocking)))
        for what, turned, keep in tried:
            for mine, yours in ((what, turned), (turned, what)):
                demands = (Demand(mine, (id,)), Demand(yours, (name,)), *keep)
                found = inquiry.within(items, *demands)
                if isinstance(found, Shown):
                    usual = inquiry.within(items, *demands, usual=True)
                    yield from (own for own in (usual, found) if isinstance(own, Shown))
                elif isinstance(found, NotDecided):
                    yield found.reason

    def tells(self, mutant: Mutant, shown: Shown) -> bool:
        """Return whether a call may be decided differently by a policy and by a mutant of a rule."""
        parts = [own for own in self.rules.values() if mutant.rule in (own.id, own.part_of)]
        mine = max(self._outcome(own, own.tools[self.tool], shown) for own in parts)
        yours = max(self._outcome(own, mutant.on_tool(self.tool, own), shown) for own in parts)
        others = (own for own in self.rules.values() if own not in parts)
        # The strictest outcome of all rules wins.
        return mine != yours and all(
            self._outcome(own, own.tools[self.tool], shown) < max(mine, yours) for own in others
        )

    def _outcome(self, own: Rule, on_tool: RuleOnTool, shown: Shown) -> int:
        """Return how strict the decision on a call is that a rule leads to."""
        verdict = NearCalls(own.id, on_tool).verdict(shown)
        if verdict == "kept" or own.severity == "warn":
            return 0
        return _BLOCK if verdict == "broken" and own.severity == "block" and self.tool else 1

    def hidden(self, id: str, broken: Shown) -> tuple[Shown, str] | None:
        """Return a call near a broken one that breaks another rule, too, and that rule, or None."""
        own, others = NearCalls(id, self.on_tool(id)), self.demanding(id)
        for other in sorted(others, key=lambda each: self.rules[each].severity != "block"):
            near = self.near(other, [each for each in others if each != other])
            found = (pair.broken for pair in near.pairs(broken) if own.verdict(pair.broken) == "broken")
            if (shown := next(found, None)) is not None:
                return shown, self.rules[other].part_of or other
        return None


def _why(inquiry: Inquiry, demands: Sequence[Demand]) -> str:
    """Return a sentence on the reason why no call was found."""
    wanted = "breaks it" if demands[0].what == "broken" else "keeps it where it applies"
    wanted += " and keeps the other rules" if len(demands) > 1 else ""
    found = inquiry.ask(*demands)
    if isinstance(found, Impossible):
        return f"no call {wanted}"
    return f"whether a call {wanted}: {found.reason if isinstance(found, NotDecided) else 'it was not shown'}"
