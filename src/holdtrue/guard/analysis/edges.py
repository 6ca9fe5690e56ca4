"""Find the edges of each rule: adjacent calls of which it allows one only, and the values on which it depends.

First comes a kept and a broken call that differ as little as possible. Then come the values at each bound, a call for
each missing fact, and a call that breaks another rule, too. Further pairs tell the rule from its mutants. All other
rules are kept wherever that is possible, so that the decision shows the rule. The policy has decided on each edge.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.errors import InputError
from holdtrue.guard.analysis.analysis_results import Result
from holdtrue.guard.analysis.edge_calls import EdgeCalls
from holdtrue.guard.analysis.near_calls import NearPair, Verdict
from holdtrue.guard.analysis.rule_formulas import Shown
from holdtrue.guard.analysis.rule_mutants import Mutant, mutants
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.situation_parts import MISSING, Change, differences, joined, lacking, pruned
from holdtrue.guard.decision import Status
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.wording import LONGEST, values_in_words
from holdtrue.rules.paths import instead, some_of
from holdtrue.rules.values import ValueFault

LIMIT = Budget(timeout_s=60.0)
"""The default time limit for the edges of a whole policy."""
MOST_TEXTS = 3
"""At most this many mutants are named in a sentence."""
EdgeKind = Literal["kept", "broken", "boundary", "missing", "hidden"]
Expect = Literal["allow", "block", "ask", "confirm", "met", "unmet"]
_WORDS: dict[Expect, str] = {"allow": "Allowed", "block": "Blocked", "ask": "Asked about", "confirm": "To confirm"}
_WORDS |= {"met": "Met", "unmet": "Not met"}
_BROKEN = {"block": "blocked", "ask": "asked about", "warn": "warned of"}
_VERDICTS: tuple[Verdict, Verdict] = ("kept", "broken")


@dataclass(frozen=True)
class Edge(Result):
    """An `Edge` is a call at the edge of a rule.

    Attributes:
        kind: `kept` and `broken` come in adjacent pairs. `boundary` has a value at a bound, `missing` lacks a fact, and
            `hidden` breaks another rule, too.
        tool: The tool, or "" at the end of a conversation.
        expect: What the policy decides on the situation.
        changes: The differences of the pair: a path, the kept and the broken value. A missing value is `(missing)`.
        text: The edge in a sentence.
    """

    kind: EdgeKind
    rule: str
    tool: str
    situation: Situation
    expect: Expect
    changes: tuple[Change, ...]
    text: str

    @cached_property
    def id(self) -> str:
        """Return an id that stays the same as long as rule and situation do."""
        text = json_text(self.situation.to_json(), 10**9)
        return f"{self.rule}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, **super().to_json()}


@dataclass(frozen=True)
class RuleEdges(Result):
    """`RuleEdges` are the edges of a rule on a tool, with the reasons for those that were not found."""

    rule: str
    tool: str
    edges: tuple[Edge, ...]
    undecided: tuple[str, ...] = ()


def find_edges(policy: Policy, rules: Collection[str] | None = None, budget: Budget = LIMIT) -> tuple[RuleEdges, ...]:
    """Return the edges of a policy's rules, limits and obligations on each of their tools.

    Args:
        policy: The policy.
        rules: The ids of the rules, or None for all of them.
        budget: The time limit for all edges together. Rules that it does not reach have none, and say so.

    Raises `InputError` for an unknown id.
    """
    known = [own.id for own in (*policy.rules, *policy.obligations)]
    for id in rules or ():
        if id not in known:
            raise InputError(f"there is no rule {id!r}; {instead(id, known)}")
    deadline, found = budget.start(), list[RuleEdges]()
    variants = cache(lambda id: tuple(mutants(policy, [id])))
    for tool in (*(name for name, own in policy.rules_on.items() if own), *([""] if policy.obligations else [])):
        calls = EdgeCalls(policy, tool, budget, deadline)
        ids = [id for id in calls.rules if rules is None or id in rules]
        found += [_RuleEdges(calls, id).found(() if calls.late else variants(id)) for id in ids]
    return tuple(sorted(found, key=lambda own: known.index(own.rule)))


class _RuleEdges:
    """The edges of one rule on one tool, while they are being found."""

    def __init__(self, calls: EdgeCalls, id: str) -> None:
        self._calls, self._id = calls, id
        self._policy, self._rule, self._node = calls.policy, calls.rules[id], calls.on_tool(id).whole
        self._edges: dict[str, Edge] = {}
        self._shown: list[tuple[Shown, Edge]] = []
        self._undecided: list[str] = []
        self._others = self._all = calls.demanding(id)
        """The rules that the pairs keep."""
        self._near = calls.near(id, self._all)
        self._names = calls.read(own.tools[calls.tool].whole for own in calls.rules.values())

    def found(self, variants: Collection[Mutant]) -> RuleEdges:
        """Return all edges that are found in time."""
        pairs = self._pairs()
        numbers = dict[tuple[bool, str], NearPair]()
        for pair in pairs:
            if name := pair.number:
                rises = pair.kept.witness[name] < pair.broken.witness[name]
                numbers.setdefault((rises, re.sub(r"\[\d+\]", "[]", name)), pair)
        for pair in pairs[:1]:
            self._add_calls(pair.kept, pair.broken)
        for pair in numbers.values():
            self._add_calls(pair.kept, pair.broken, "boundary")
            self._add_beyond(pair)
        self._tell(variants)
        for pair in pairs[:1]:
            self._add_missing(pair)
            self._add_hidden(pair)
        if self._calls.late:
            self._undecided.append(f"{OUT_OF_TIME} before all edges were found")
        return RuleEdges(self._id, self._calls.tool, tuple(self._edges.values()), tuple(dict.fromkeys(self._undecided)))

    def _pairs(self) -> list[NearPair]:
        """Return pairs that keep all other rules, or else pairs that need not. Claims are tried last."""
        for claims in (False, True) if self._calls.claims(self._id) else (False,):
            for others in dict.fromkeys((self._all, ())):
                found = self._calls.pairs(self._id, others, claims)
                if not isinstance(found, str):
                    self._others = others
                    return found
                self._undecided.append(found)
        return []

    def _add_calls(
        self, kept: Shown, broken: Shown, kind: Literal["boundary", ""] = "", only: Verdict | None = None
    ) -> None:
        """Add a kept and a broken call, or `only` one of them, with their differences."""
        kinds, shown = self._policy.facts, (kept, broken)
        alone = [self._situation(own) for own in shown]
        pair = [joined(alone[0], alone[1], kinds), joined(alone[1], alone[0], kinds)]
        if not all(self._is_confirmed(own, self._decided(each)[1]) for own, each in zip(_VERDICTS, pair, strict=True)):
            pair = alone
        changes = tuple(differences(pair[0], pair[1], kinds, self._calls.root))
        for place, verdict in enumerate(_VERDICTS):
            if only in (None, verdict):
                other = f" With {_put(changes, 1 - place)} it would be {self._fate(1 - place)}." if changes else ""
                told = f"{values_in_words(self._node, shown[place].env)}.{other}"
                self._add(kind or verdict, verdict, pair[place], changes, told, shown[place])

    def _situation(self, shown: Shown) -> Situation:
        """Return a call with the values that rules read."""
        return pruned(self._calls.written(shown), self._policy.facts, self._names)

    def _fate(self, place: int) -> str:
        """Return the consequence for a kept call at place 0, or a broken one at place 1, in words."""
        if self._calls.tool and self._others == self._all:
            return ("allowed", _BROKEN[self._rule.severity])[place]
        return (("kept", "broken") if self._calls.tool else ("met", "unmet"))[place]

    def _add_beyond(self, pair: NearPair) -> None:
        """Add the next value on the side of a bound that allows a number."""
        name = pair.number
        place = 2 * pair.kept.witness[name] - pair.broken.witness[name]
        if place in pair.kept.formulas.unknowns.variables[name].sort:
            third = pair.kept.changed({name: place})
            verdict = self._near.verdict(third)
            if verdict == "kept":
                self._add_calls(third, pair.broken, "boundary", "kept")
            elif verdict == "broken":
                self._add_calls(pair.kept, third, "boundary", "broken")

    def _tell(self, variants: Collection[Mutant]) -> None:
        """Add a call for each mutant that the edges so far do not notice."""
        left = [own for own in variants if not self._is_told(own)]
        inquiry, open_ones = self._calls.with_mutants(self._id, left), dict[str, list[str]]()
        for place, mutant in enumerate(left):
            reason, is_told = "", self._calls.late or self._is_told(mutant)
            for found in (
                () if is_told else self._calls.apart(inquiry, self._id, place, [own for own, _ in self._shown])
            ):
                if isinstance(found, str):
                    reason = reason or found
                    continue
                self._add_start(found)
                is_told = self._is_told(mutant)
                if is_told:
                    break
            if reason and not is_told:
                open_ones.setdefault(reason, []).append(mutant.text)
        for reason, texts in open_ones.items():
            self._undecided.append(f"whether a call tells it from {some_of(texts, MOST_TEXTS)}: {reason}")

    def _is_told(self, mutant: Mutant) -> bool:
        """Return whether the policy and a mutant decide differently on an edge."""
        edges = (edge for shown, edge in self._shown if self._calls.tells(self._id, mutant, shown))
        return any(self._decided(own.situation, mutant.policy)[0] != own.expect for own in edges)

    def _add_start(self, start: Shown) -> None:
        """Add a call together with an adjacent one if there is one."""
        ends = (own for own in self._near.pairs(start) if start.witness in (own.kept.witness, own.broken.witness))
        pair, verdict = next(ends, None), self._near.verdict(start)
        if pair is not None:
            self._add_calls(pair.kept, pair.broken)
        elif verdict is not None:
            self._add_calls(start, start, only=verdict)
        else:
            # The mutant has to see all that it reads, since the decision on the rule is an `ask` already.
            whole = self._calls.written(start)
            self._add("missing", None, whole, (), "A value that the rule needs is missing.", start)

    def _add_missing(self, pair: NearPair) -> None:
        """Add a call of the pair without each of the facts that decide the rule in it."""
        names, told = self._calls.read([self._node]), set[str]()
        for shown in (pair.kept, pair.broken):
            whole = self._situation(shown)
            before = self._decided(whole)
            for path, value, situation in lacking(whole, self._policy.facts, names):
                if path not in told and self._decided(situation) != before:
                    told.add(path)
                    text = f"{path} {'does not exist' if path.endswith(')') else 'was not seen'}."
                    self._add("missing", None, situation, ((path, value, MISSING),), text)

    def _add_hidden(self, pair: NearPair) -> None:
        if (found := self._calls.hidden(self._id, pair.broken)) is not None:
            shown, other = found
            told = f"{values_in_words(self._node, shown.env)}. {other} is broken, too, and hides this rule."
            self._add("hidden", "broken", self._situation(shown), (), told)

    def _add(
        self,
        kind: EdgeKind,
        verdict: Verdict | None,
        situation: Situation,
        changes: tuple[Change, ...],
        told: str,
        shown: Shown | None = None,
    ) -> None:
        """Add an edge if it is new, and if the policy's decision confirms the verdict. `shown` may notice mutants."""
        expect, status = self._decided(situation)
        if self._is_confirmed(verdict, status):
            text = f"{_WORDS[expect]}: {told}"
            made = Edge(kind, self._id, self._calls.tool, situation, expect, changes, text)
            edge = self._edges.setdefault(json_text(situation.to_json(), 10**9), made)
            self._shown += [] if shown is None else [(shown, edge)]

    def _decided(self, situation: Situation, policy: Policy | None = None) -> tuple[Expect, Status | None]:
        """Return a policy's decision on a situation, and the status of the rule, or None if it was not judged."""
        own = self._policy if policy is None else policy
        try:
            if self._calls.tool:
                decision = situation.decide(own, mend=False)
                return decision.kind, next((each.status for each in decision.findings if each.rule == self._id), None)
            found = situation.at_the_end(own)
        except ValueFault:  # Some value, such as a key that a rule computes, is not of the type of its record.
            return "ask", None
        met = all(each.status not in ("broken", "undecided") for each in found)
        return ("met" if met else "unmet"), next((each.status for each in found if each.rule == self._id), None)

    def _is_confirmed(self, verdict: Verdict | None, status: Status | None) -> bool:
        if verdict is None or (status == "undecided" and self._calls.claims(self._id)):
            return status is not None
        return status in (("holds", "does not apply") if verdict == "kept" else ("broken",))


def _put(changes: tuple[Change, ...], place: int) -> str:
    """Return the values of the kept call (place 0) or of the broken one (1) where they differ, in words."""
    return " and ".join(
        f"{own[0]} {MISSING if own[1 + place] == MISSING else json_text(own[1 + place], LONGEST)}" for own in changes
    )
