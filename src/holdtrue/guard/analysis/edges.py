"""Find the edges of each rule: adjacent calls of which it allows one only, and the values on which it depends.

First comes a kept and a broken call that differ as little as possible. Then come the values at each bound, a call for
each missing fact, and a call that breaks another rule, too. Further pairs tell the rule from its mutants. All other
rules are kept wherever that is possible, so that the decision shows the rule. The policy has decided on each edge.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.errors import InputError
from holdtrue.guard.analysis.edge_calls import EdgeCalls
from holdtrue.guard.analysis.edge_results import Edge, EdgeKind, Expect, RuleEdges
from holdtrue.guard.analysis.near_calls import NearPair, Verdict
from holdtrue.guard.analysis.rule_formulas import Shown
from holdtrue.guard.analysis.rule_mutants import Mutant, mutants
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.situation_parts import MISSING, Change, differences, joined, lacking, pruned
from holdtrue.guard.analysis.unread_changes import unread_changes
from holdtrue.guard.decision import Finding, Status
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule, Severity
from holdtrue.guard.wording import LONGEST, values_in_words
from holdtrue.rules.paths import instead, some_of
from holdtrue.rules.values import ValueFault

LIMIT = Budget(timeout_s=60.0)
"""The default time limit for the edges of a whole policy."""
MOST_TEXTS = 3
"""At most this many mutants are named in a sentence."""
_WORDS: dict[Expect, str] = {"allow": "Allowed", "block": "Blocked", "ask": "Asked about", "confirm": "To confirm"}
_WORDS |= {"met": "Met", "unmet": "Not met"}
_FATES = {"allow": "allowed", "block": "blocked", "ask": "asked about", "confirm": "put to the user"}
_SEVERITIES = get_args(Severity)
_VERDICTS: tuple[Verdict, Verdict] = ("kept", "broken")


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
        ids = dict.fromkeys(own.part_of or id for id, own in calls.rules.items())
        found += [
            _edges_of(calls, id, () if calls.late else variants(id)) for id in ids if rules is None or id in rules
        ]
    return tuple(sorted(found, key=lambda own: known.index(own.rule)))


@dataclass(frozen=True)
class _Seen:
    """The edges of a rule that were found so far, and reasons for those that were not.

    Attributes:
        edges: The edges by their situations.
        shown: The calls of the edges that may notice mutants.
        untold: The reasons why mutants are not noticed, by the mutants' texts.
    """

    edges: dict[str, Edge]
    shown: list[tuple[Shown, Edge]]
    undecided: list[str]
    untold: dict[str, str]


def _edges_of(calls: EdgeCalls, rule: str, variants: Collection[Mutant]) -> RuleEdges:
    """Return all edges of a rule that are found in time, those of each of its severities."""
    seen, reasons = _Seen({}, [], [], {}), dict[str, list[str]]()
    for id, own in calls.rules.items():
        if rule in (id, own.part_of):
            _PartEdges(calls, own, seen).find(variants)
    for text, reason in seen.untold.items():
        reasons.setdefault(reason, []).append(text)
    told = (f"whether a call tells it from {some_of(texts, MOST_TEXTS)}: {own}" for own, texts in reasons.items())
    late = [f"{OUT_OF_TIME} before all edges were found"] if calls.late else []
    undecided = tuple(dict.fromkeys((*seen.undecided, *told, *late)))
    return RuleEdges(rule, calls.tool, tuple(seen.edges.values()), undecided)


class _PartEdges:
    """The edges of a rule with one severity on one tool, while they are being found."""

    def __init__(self, calls: EdgeCalls, rule: Rule, seen: _Seen) -> None:
        self._calls, self._part, self._id, self._seen = calls, rule, rule.id, seen
        self._policy, self._rule, self._node = calls.policy, rule.part_of or rule.id, calls.on_tool(rule.id).whole
        self._others = self._all = calls.demanding(rule.id)
        """The rules that the pairs keep."""
        self._near = calls.near(rule.id, self._all)
        self._names = calls.read(own.tools[calls.tool].whole for own in calls.rules.values())
        """The fields that any rule reads, by the kind of record. `_own_names` are those that this rule reads."""
        self._own_names = calls.read([self._node])

    def find(self, variants: Collection[Mutant]) -> None:
        """Find all edges in time."""
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
        for pair in pairs[:1]:
            self._add_unread(pair.broken)
            self._add_missing(pair)
            self._add_hidden(pair)
        # Mutants look up further records, which the calls so far need not show.
        self._tell(variants)

    def _pairs(self) -> list[NearPair]:
        """Return pairs that keep all other rules, or else pairs that need not. Claims are tried last."""
        for claims in (False, True) if self._calls.claims(self._id) else (False,):
            for others in dict.fromkeys((self._all, ())):
                found = self._calls.pairs(self._id, others, claims)
                if not isinstance(found, str):
                    self._others = others
                    return found
                self._seen.undecided.append(f"to {self._part.severity}: {found}" if self._part.part_of else found)
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
                fate = self._fate(_VERDICTS[1 - place], pair[1 - place])
                other = f" With {_put(changes, 1 - place)} it would be {fate}." if changes else ""
                told = f"{values_in_words(self._node, shown[place].env)}.{other}"
                self._add(kind or verdict, verdict, pair[place], changes, told, shown[place])

    def _situation(self, shown: Shown) -> Situation:
        """Return a call with the values that rules read."""
        return pruned(self._calls.written(shown), self._policy.facts, self._names)

    def _fate(self, verdict: Verdict, situation: Situation) -> str:
        """Return the consequence for a kept or a broken call in words."""
        if not self._calls.tool or self._others != self._all:
            return verdict if self._calls.tool else ("unmet" if verdict == "broken" else "met")
        if verdict == "broken" and self._part.severity == "warn":
            return "warned of"
        return _FATES[self._decided(situation)[0]]

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
        inquiry = self._calls.with_mutants(self._id, left)
        for place, mutant in enumerate(left):
            reason, is_told = "", self._calls.late or self._is_told(mutant)
            for found in (
                () if is_told else self._calls.apart(inquiry, self._id, place, [own for own, _ in self._seen.shown])
            ):
                if isinstance(found, str):
                    reason = reason or found
                    continue
                self._add_start(found)
                is_told = self._is_told(mutant)
                if is_told:
                    break
            if reason and not is_told:
                self._seen.untold.setdefault(mutant.text, reason)

    def _is_told(self, mutant: Mutant) -> bool:
        """Return whether the policy and a mutant decide differently on an edge."""
        edges = (edge for shown, edge in self._seen.shown if self._calls.tells(mutant, shown))
        is_told = any(self._decided(own.situation, mutant.policy)[0] != own.expect for own in edges)
        if is_told:
            self._seen.untold.pop(mutant.text, None)
        return is_told

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

    def _add_unread(self, broken: Shown) -> None:
        """Add a broken call with other values for all that the rule does not read, as far as other rules are kept.

        Somebody who knows of an exception for such a value sees that the rule lacks it.
        """
        whole = self._situation(broken)
        if not self._calls.tool or self._decided(whole)[1] is None:
            return
        for high in (True, False):
            situation, told = whole, list[str]()
            for text, change in unread_changes(self._policy, whole, self._node, self._own_names, high=high):
                changed = change(situation)
                findings = changed.decide(self._policy, mend=False).findings
                if [own.rule for own in findings if own.status in ("broken", "undecided")] == [self._rule]:
                    situation = changed
                    told.append(text)
            if told:
                text = f"{values_in_words(self._node, broken.env)}; also where {', '.join(told)}."
                self._add("broken", "broken", situation, (), text)

    def _add_missing(self, pair: NearPair) -> None:
        """Add a call of the pair without each of the facts that decide the rule in it."""
        told = set[str]()
        for shown in (pair.kept, pair.broken):
            whole = self._situation(shown)
            before = self._decided(whole)
            for path, value, situation in lacking(whole, self._policy.facts, self._own_names):
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
            made = Edge(kind, self._rule, self._calls.tool, situation, expect, changes, text)
            edge = self._seen.edges.setdefault(json_text(situation.to_json(), 10**9), made)
            self._seen.shown.extend([] if shown is None else [(shown, edge)])

    def _decided(self, situation: Situation, policy: Policy | None = None) -> tuple[Expect, Status | None]:
        """Return a policy's decision on a situation, and the status of the rule, or None if it was not judged."""
        own = self._policy if policy is None else policy
        expect: Expect
        try:
            if self._calls.tool:
                decision = situation.decide(own, mend=False)
                expect, found = decision.kind, decision.findings
            else:
                found = situation.at_the_end(own)
                expect = "met" if all(each.status not in ("broken", "undecided") for each in found) else "unmet"
        except ValueFault:  # Some value, such as a key that a rule computes, is not of the type of its record.
            return "ask", None
        return expect, next((self._status(each) for each in found if each.rule == self._rule), None)

    def _status(self, finding: Finding) -> Status:
        """Return the status of the part of a rule. A call that breaks a stricter part breaks this one, too."""
        own = self._part.severity
        breaking = ("warn",) if own == "warn" else _SEVERITIES[: _SEVERITIES.index(own) + 1]
        is_kept = finding.status == "broken" and self._part.part_of and finding.severity not in breaking
        return "holds" if is_kept else finding.status

    def _is_confirmed(self, verdict: Verdict | None, status: Status | None) -> bool:
        if verdict is None or (status == "undecided" and self._calls.claims(self._id)):
            return status is not None
        return status in (("holds", "does not apply") if verdict == "kept" else ("broken",))


def _put(changes: tuple[Change, ...], place: int) -> str:
    """Return the values of the kept call (place 0) or of the broken one (1) where they differ, in words."""
    return " and ".join(
        f"{own[0]} {MISSING if own[1 + place] == MISSING else json_text(own[1 + place], LONGEST)}" for own in changes
    )
