"""Decide on a new call while results of earlier calls are pending.

A pending call may take effect before the new one, after it, or never. So every order of the calls that affect each
other is checked. In each order, a call is judged after the effects of the calls before it. A failed call has no effect,
as if it came after all others, so such an order is checked anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import commitment_rules
from holdtrue.guard.decision import PENDING, Finding
from holdtrue.guard.decision_record import footprint
from holdtrue.guard.facts import Facts, Keys
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.judgement import Judged, judge
from holdtrue.guard.listening import Listening, PendingCall
from holdtrue.guard.policy_parts import PolicyParts, Rule, Tool
from holdtrue.guard.results import begun
from holdtrue.guard.rule_context import RuleContext, make_context
from holdtrue.rules.values import Reader

NEW = -1
"""The place of the new call among the pending ones, which are numbered from 0."""
MOST_TOGETHER = 4
"""At most this many calls that affect each other are checked in all orders, the new one included.

Further calls must wait.
"""


def with_pending(policy: PolicyParts, facts: Facts, calls: Sequence[PendingCall]) -> Facts:
    """Return the facts as if these calls had taken effect in this order."""
    for own in calls:
        facts = begun(policy, facts, own.tool, own.arguments, at=own.at)
    return facts


def look_at_pending(settled: RuleContext, heard: Listening, used: Iterable[tuple[str, Keys]]) -> None:
    """Note the records that a judgement after pending effects read, in their state before these effects.

    Records that the effects themselves depend on are noted, too.
    """
    tools = {own.tool for own in heard.pending} & settled.policy.tools.keys()
    prints = [footprint(settled.policy, own, heard.rules) for own in tools]
    kinds = {name for own in prints for what, name in own.looks | own.changes if what == "fact"}
    records = ((kind, keys) for kind in kinds for keys in settled.facts.records.get(kind, {}))
    for kind, keys in (*used, *records):
        settled.used.setdefault((kind, keys), settled.facts.record(kind, keys))


@dataclass(frozen=True, slots=True)
class NewCall:
    """A `NewCall` is the call to decide on, as typed values and as JSON."""

    tool: Tool
    call: Any
    arguments: Any


def not_yet_decided(
    settled: RuleContext,
    now: str | None,
    heard: Listening,
    new: NewCall,
    rules: Sequence[Rule],
    judged: Judged,
    budget: Budget,
) -> Judged:
    """Return a verdict in which rules that only the effects of pending calls break become undecided.

    The pending calls still count as made, so that they use up a limit.
    """
    if judged.kind != "block":
        return judged
    facts = settled.facts
    for own in heard.pending:
        call = _read(settled.policy, own).call if own.tool in settled.policy.tools else None
        facts = facts if call is None else facts.with_call(own.tool, call)
    found = make_context(settled.policy, new.tool, new.call, facts, now, heard.said, heard.unread)
    counted = judge(found, heard, new.tool, rules, budget)
    look_at_pending(settled, replace(heard, pending=()), found.used)
    still = {own.rule for own in counted.findings if own.status == "broken" and own.severity == "block"}
    if still:
        return judged
    names = ", ".join(dict.fromkeys(own.tool for own in heard.pending))
    findings = [
        replace(own, status="undecided", why=f"as if {names} had happened: {own.why}")
        if own.status == "broken" and own.severity == "block"
        else own
        for own in judged.findings
    ]
    say = f"The result of an earlier call ({names}) has to come first."
    return Judged("ask", (*findings, Finding(PENDING, "undecided", "ask", say, "what it does is not known yet")))


def other_orders(
    settled: RuleContext, now: str | None, heard: Listening, new: NewCall, judged: Judged, budget: Budget
) -> Judged:
    """Return a verdict that is as strict as every other order of the pending calls demands.

    `settled` is the context at the moment `now` without the effects of the pending calls.
    """
    if judged.kind == "block":
        return judged
    together = _together(settled.policy, heard, new.tool.name)
    if not together:
        return judged
    names = ", ".join(dict.fromkeys(own.tool for own in together))
    if len(together) >= MOST_TOGETHER:
        say = f"The results of earlier calls ({names}) have not come, and too many are open to know what follows."
        return _stopped(judged, say, f"{len(together)} calls are pending")
    orders = _Orders(settled, now, heard, new, together, budget)
    faults = (orders.fault(order) for order in permutations((*range(len(together)), NEW)))
    fault = next((own for own in faults if own is not None), None)
    if fault is None:
        return judged
    return _stopped(judged, f"The result of an earlier call ({names}) has to come first.", fault)


def _together(policy: PolicyParts, heard: Listening, tool: str) -> tuple[PendingCall, ...]:
    """Return the pending calls that affect a call of a tool or are affected by it, directly or through others."""
    open_ones = [own for own in heard.pending if own.tool in policy.tools]
    agreed, among = heard.rules, frozenset((tool, *(own.tool for own in open_ones)))
    reached, found = {tool}, set[int]()
    while True:
        more = {
            place
            for place, own in enumerate(open_ones)
            if place not in found
            and any(
                footprint(policy, own.tool, agreed, among).touches(footprint(policy, name, agreed, among))
                for name in reached
            )
        }
        if not more:
            return tuple(own for place, own in enumerate(open_ones) if place in found)
        found |= more
        reached |= {open_ones[place].tool for place in more}


def _stopped(judged: Judged, say: str, why: str) -> Judged:
    return Judged("ask", (*judged.findings, Finding(PENDING, "undecided", "ask", say, why)), judged.records)


class _Orders:
    """Judges calls in different orders, by their places among the pending ones. It judges each prefix once."""

    def __init__(
        self,
        settled: RuleContext,
        now: str | None,
        heard: Listening,
        new: NewCall,
        together: Sequence[PendingCall],
        budget: Budget,
    ) -> None:
        self._settled, self._now, self._budget = settled, now, budget
        # Only commitments that are expressions can depend on facts, and so on the order.
        rules = tuple(own for own in heard.commitments if own.rule)
        self._heard = replace(heard, consent="answer", unfounded=(), commitments=rules, pending=())
        self._calls = {place: _read(settled.policy, own) for place, own in enumerate(together)}
        self._calls[NEW] = new
        self._open: dict[tuple[int, ...], frozenset[str]] = {}

    def fault(self, order: tuple[int, ...]) -> str | None:
        """Return the fault of an order, or None.

        In a faulty order the new call breaks a rule or leaves one undecided, or makes a pending call do so.
        """
        for place, own in enumerate(order):
            before = order[:place]
            found = self._found(before, own)
            if own == NEW and found:
                after = ", ".join(self._calls[each].tool.name for each in before)
                return f"{', '.join(sorted(found))}: it is not kept {f'just after {after}' if after else 'before it'}"
            if own != NEW and NEW in before:
                more = found - self._found(tuple(each for each in before if each != NEW), own)
                if more:
                    return f"{', '.join(sorted(more))}: {self._calls[own].tool.name} would not keep it afterwards"
        return None

    def _found(self, before: tuple[int, ...], own: int) -> frozenset[str]:
        """Return the rules that a call breaks or leaves undecided after others."""
        if (*before, own) not in self._open:
            self._open[*before, own] = self._judged(before, self._calls[own])
        return self._open[*before, own]

    def _judged(self, before: tuple[int, ...], own: NewCall) -> frozenset[str]:
        if own.call is None:
            return frozenset()
        policy = self._settled.policy
        calls = (PendingCall(self._calls[each].tool.name, self._calls[each].arguments, self._now) for each in before)
        facts = with_pending(policy, self._settled.facts, tuple(calls))
        found = make_context(policy, own.tool, own.call, facts, self._now, self._heard.said, self._heard.unread)
        rules = (*policy.rules_on[own.tool.name], *commitment_rules(policy, self._heard, own.tool, own.call))
        judged = judge(found, self._heard, own.tool, rules, self._budget)
        look_at_pending(self._settled, self._heard, found.used)
        open_ = ("broken", "undecided")
        return frozenset(each.rule for each in judged.findings if each.status in open_ and each.severity != "warn")


def _read(policy: PolicyParts, own: PendingCall) -> NewCall:
    """Return a pending call as typed values. A call that cannot be read is subject to no rules."""
    tool = policy.tools[own.tool]
    try:
        return NewCall(tool, Reader().read(arguments_of(own.arguments), tool.arguments, "call"), own.arguments)
    except InputError:
        return NewCall(tool, None, own.arguments)
