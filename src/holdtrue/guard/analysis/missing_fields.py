"""Find calls that a rule does not break or keep as its author expects, because a field is missing.

Of a call that breaks the rule, each field that may be missing is left out: the rule should still be broken. The same is
done with a call that keeps it. If that shows nothing, a call is sought on which the condition is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.analysis.inquiry import Impossible, NotDecided
from holdtrue.guard.analysis.rule_formulas import Demand
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.tool_rules import ToolRules
from holdtrue.guard.decision import Status
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL, Rule
from holdtrue.rules.paths import instead
from holdtrue.rules.typed_expressions import Fact, Get, Has, Node, Root, path, walk


@dataclass(frozen=True)
class Counterexample:
    """A `Counterexample` is a call that a rule does not decide as expected.

    Attributes:
        expected: Whether the rule should be broken or kept.
        missing: The path of the missing field, or "" if the condition is an error for another reason.
        status: The status of the rule without the field, or None if it was not decided on.
        example: The call without the field, or None if no call breaks the rule at all.
    """

    rule: str
    tool: str
    expected: Status
    missing: str = ""
    status: Status | None = None
    example: Situation | None = None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "example": None if self.example is None else self.example.to_json()}


def find_counterexamples(policy: Policy, id: str, budget: Budget) -> tuple[tuple[Counterexample, ...], tuple[str, ...]]:
    """Return the counterexamples of a rule, and the tools on which they were not all decided, with the reasons.

    Raises `InputError` for an unknown rule.
    """
    rule = next((own for own in policy.rules if own.id == id), None)
    if rule is None:
        raise InputError(f"there is no rule {id!r}; {instead(id, [own.id for own in policy.rules])}")
    deadline = budget.start()
    found = [own for tool in rule.tools for own in _on_tool(rule, ToolRules(policy, tool, budget, deadline))]
    undecided = tuple(own for own in found if isinstance(own, str))
    return tuple(own for own in found if isinstance(own, Counterexample)), undecided


def _on_tool(rule: Rule, on: ToolRules) -> Iterator[Counterexample | str]:
    places = {".".join(filter(None, (path(own.of), own.name))): _place(own) for own in _optional(rule, on.tool)}
    demands: dict[Status, Demand] = {
        "broken": Demand("broken", (rule.id,)),
        "holds": Demand("kept where it applies", (rule.id,)),
    }
    some = False
    for expected, demand in demands.items():
        answer = on.inquiry.ask(demand)
        if isinstance(answer, NotDecided):
            yield f"{on.tool}: {answer.reason}"
        if isinstance(answer, Impossible) and expected == "broken":
            yield Counterexample(rule.id, on.tool, "broken")
        example = on.example(demand)
        for name, place in places.items():
            left = None if example is None or not place else _without(example, place)
            if left is None:
                continue
            decision = left.decide(on.policy, mend=False, explain=True)
            statuses = [own.status for own in decision.findings if own.rule == rule.id]
            if statuses != [expected]:
                some = True
                yield Counterexample(rule.id, on.tool, expected, name, statuses[0] if statuses else None, left)
    error = None if some else on.example(Demand("not kept", (rule.id,)), Demand("not broken", (rule.id,)))
    if error is not None:
        yield Counterexample(rule.id, on.tool, "broken", "", "undecided", error)


def _optional(rule: Rule, tool: str) -> Iterator[Get | Has]:
    """Yield the reads of fields that may be missing."""
    for own in walk(rule.tools[tool].whole):
        if isinstance(own, Has) or (isinstance(own, Get) and own.optional):
            yield own


def _place(node: Node) -> tuple[str, ...]:
    """Return the names on the way to a field, from `call` or a kind of facts. A field in a list or map has ()."""
    match node:
        case Get(of, name) | Has(of, name):
            inner = _place(of)
            return (*inner, name) if inner else ()
        case Root("call"):
            return (CALL,)
        case Fact(kind):
            return (kind,)
    return ()


def _without(situation: Situation, place: tuple[str, ...]) -> Situation | None:
    """Return the situation without a field, or None if it lacks the field already."""
    root, *names = place
    call, facts = deepcopy(situation.call), {kind: deepcopy(list(own)) for kind, own in situation.facts.items()}
    records = [own.get("record", own) for own in facts.get(root, ())] if root != CALL else [call]
    dropped = [_drop(own, names) for own in records]
    return replace(situation, call=call, facts=facts) if any(dropped) else None


def _drop(record: Any, names: list[str]) -> bool:
    for name in names[:-1]:
        record = record.get(name) if isinstance(record, Mapping) else None
    return isinstance(record, dict) and record.pop(names[-1], record) is not record
