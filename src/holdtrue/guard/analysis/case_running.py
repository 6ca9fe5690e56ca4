"""Test a policy by cases: compare its decisions with the expected ones, and count the rules that the cases break and
keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdtrue.budget import Budget
from holdtrue.guard.analysis.case_file import Case
from holdtrue.guard.deciding import LIMIT
from holdtrue.guard.decision import Decision, Finding
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import SAID, Rule
from holdtrue.rules.typed_expressions import Get, Root, walk


@dataclass(frozen=True)
class CaseResult:
    """A `CaseResult` is the result of one case.

    Attributes:
        problems: A sentence for each deviation; none if the case passes.
        log: The policy's decision in words.
    """

    case: Case
    problems: tuple[str, ...]
    log: str
    decision: Decision | None = None
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        found = {"name": self.case.name, "line": self.case.place.line or None, "passed": not self.problems}
        return {**found, "problems": list(self.problems), "log": self.log}


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """A `RuleCoverage` counts the cases that break a rule, keep it where it applies, or leave it undecided.

    If a rule `rests_on_claim`, it is undecided whenever somebody makes the claim. Such a case counts as kept.
    """

    rule: str
    broken: int = 0
    kept: int = 0
    undecided: int = 0
    rests_on_claim: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the statuses that no case shows: `broken`, `kept`, or both."""
        kept = self.kept or (self.rests_on_claim and self.undecided)
        return (*(() if self.broken else ("broken",)), *(() if kept else ("kept",)))

    def to_json(self) -> dict[str, Any]:
        counts = {"broken": self.broken, "kept": self.kept, "undecided": self.undecided}
        return {"rule": self.rule, **counts, "missing": list(self.missing)}


@dataclass(frozen=True)
class CasesRun:
    """A `CasesRun` is the result of all cases, with the coverage of the rules."""

    results: tuple[CaseResult, ...]
    coverage: tuple[RuleCoverage, ...] = field(default=())

    @property
    def failed(self) -> tuple[CaseResult, ...]:
        return tuple(own for own in self.results if own.problems)

    @property
    def uncovered(self) -> tuple[RuleCoverage, ...]:
        return tuple(own for own in self.coverage if own.missing)

    def to_json(self) -> dict[str, Any]:
        return {
            "cases": len(self.results),
            "failed": len(self.failed),
            "results": [own.to_json() for own in self.results],
            "coverage": [own.to_json() for own in self.coverage],
        }


def run_cases(policy: Policy, cases: Sequence[Case], budget: Budget = LIMIT) -> CasesRun:
    """Return a policy's results on cases, and its rules' coverage. `budget` is for each case."""
    results = tuple(run_case(policy, case, budget) for case in cases)
    return CasesRun(results, tuple(_coverage(policy, results)))


def run_case(policy: Policy, case: Case, budget: Budget = LIMIT) -> CaseResult:
    """Return a policy's result on one case."""
    if not case.situation.tool:
        found = case.situation.at_the_end(policy, budget=budget)
        unmet = tuple(own for own in found if own.status in ("broken", "undecided"))
        return CaseResult(case, tuple(_end_problems(case, unmet)), _log(unmet), None, found)
    decision = case.situation.decide(policy, budget=budget)
    return CaseResult(case, tuple(_problems(case, decision)), decision.for_log, decision, decision.findings)


def _problems(case: Case, decision: Decision) -> Iterator[str]:
    if decision.kind != case.expect:
        yield f"it is {decision.kind}, and {case.expect} is expected"
    yield from _other_rules(case, decision.rules)
    if case.mend is None:
        return
    changes = {} if decision.mend is None else {own.path: own.after for own in decision.mend.changes}
    if case.mend is False and decision.mend is not None:
        yield f"this call is proposed, and none is expected: {_listed(changes)}"
    if isinstance(case.mend, Mapping) and not _same(changes, case.mend):
        proposed = _listed(changes) if decision.mend is not None else f"none ({decision.no_mend})"
        yield f"{proposed} is proposed, and {_listed(case.mend)} is expected"


def _end_problems(case: Case, findings: tuple[Finding, ...]) -> Iterator[str]:
    if bool(findings) is not (case.expect == "unmet"):
        yield f"it is {'unmet' if findings else 'met'}, and {case.expect} is expected"
    yield from _other_rules(case, tuple(own.rule for own in findings))


def _other_rules(case: Case, found: tuple[str, ...]) -> Iterator[str]:
    if case.rules is not None and {*case.rules} != {*found}:
        yield f"it rests on {', '.join(found) or 'no rule'}, and {', '.join(case.rules) or 'no rule'} is expected"


def _log(findings: tuple[Finding, ...]) -> str:
    lines = [f"  {own.rule} is {own.status}: {own.say}{f' ({own.why})' if own.why else ''}" for own in findings]
    return "\n".join([f"{'unmet' if findings else 'met'}: the end of the conversation", *lines])


def _listed(changes: Mapping[str, Any]) -> str:
    return ", ".join(f"{path} = {value!r}" for path, value in changes.items()) or "nothing"


def _same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal, with numbers compared by value."""
    numbers = int | float | Decimal | Fraction
    if isinstance(one, numbers) and isinstance(other, numbers) and not isinstance(one, bool):
        return not isinstance(other, bool) and Fraction(str(one)) == Fraction(str(other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(own, other[name]) for name, own in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _coverage(policy: Policy, results: Sequence[CaseResult]) -> Iterator[RuleCoverage]:
    statuses: dict[str, list[str]] = {}
    for result in results:
        for finding in result.findings:
            statuses.setdefault(finding.rule, []).append(finding.status)
    for rule in (*policy.rules, *policy.obligations):
        own = statuses.get(rule.id, [])
        broken, kept, undecided = (own.count(status) for status in ("broken", "holds", "undecided"))
        yield RuleCoverage(rule.id, broken, kept, undecided, _rests_on_claim(policy, rule))


def _rests_on_claim(policy: Policy, rule: Rule) -> bool:
    claims = {name for name, own in policy.said.items() if own.claim}
    for on in rule.tools.values():
        for node in (part for own in on.nodes for part in walk(own)):
            if isinstance(node, Get) and isinstance(node.of, Root) and node.of.name == SAID and node.name in claims:
                return True
    return False
