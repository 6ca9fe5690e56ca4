"""Measure cases by mutants of the policy's rules, and write down the cases that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.guard.analysis.analysis_results import Result
from holdtrue.guard.analysis.case_file import Case
from holdtrue.guard.analysis.case_running import run_case
from holdtrue.guard.analysis.edge_results import RuleEdges
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.rule_mutants import Mutant, MutantKind, mutants
from holdtrue.guard.policy import Policy

LIMIT = Budget(timeout_s=120.0)
"""The default time limit for measuring cases by mutants."""


@dataclass(frozen=True)
class Unnoticed(Result):
    """An `Unnoticed` is a mutant that no case notices.

    Attributes:
        text: The mutant in words.
        case: A case that would notice it, or None if it is unknown whether there is one.
        reason: The reason why that is unknown, or "".
    """

    kind: MutantKind
    rule: str
    text: str
    case: Case | None
    reason: str = ""


@dataclass(frozen=True)
class MutationRun(Result):
    """A `MutationRun` says how many mutants the cases notice. Those that are proved `equal` do not count."""

    noticed: int
    unnoticed: tuple[Unnoticed, ...]
    equal: int

    @property
    def share(self) -> float:
        """Return the share of the mutants that the cases notice, or 1 if there are none."""
        count = self.noticed + len(self.unnoticed)
        return self.noticed / count if count else 1.0


def run_mutants(policy: Policy, cases: Sequence[Case], budget: Budget = LIMIT) -> MutationRun:
    """Return which mutants of a policy's rules the cases notice. A case that fails on the policy itself counts nothing.

    `budget` is for finding the missing cases. Those that it does not reach are unknown, with that reason.
    """
    passing = [own for own in cases if not run_case(policy, own).problems]
    every = [*mutants(policy)]
    left = [own for own in every if not any(_notices(case, own) for case in passing)]
    deadline, equal, unnoticed = budget.start(), 0, list[Unnoticed]()
    edges = cache(lambda id: cases_of(find_edges(policy, [id], budget.until(deadline, 2))))
    for mutant in left:
        found: Case | str | None = OUT_OF_TIME
        if not deadline.passed:
            found = _missing(policy, mutant, edges(mutant.rule), budget.until(deadline, 4))
        if found is None:
            equal += 1
            continue
        case, reason = (found, "") if isinstance(found, Case) else (None, found)
        unnoticed.append(Unnoticed(mutant.kind, mutant.rule, mutant.text, case, reason))
    return MutationRun(len(every) - len(left), tuple(unnoticed), equal)


def _notices(case: Case, mutant: Mutant) -> bool:
    tool = case.situation.tool
    if mutant.changed is not None and tool not in mutant.changed.tools:
        return False
    return bool(run_case(mutant.policy, case).problems)


def _missing(policy: Policy, mutant: Mutant, edges: Sequence[Case], budget: Budget) -> Case | str | None:
    """Return a case that notices a mutant, or the reason why none is known, or None if there is none."""
    for case in edges:
        if _notices(case, mutant):
            return case
    found = compare_policies(policy, mutant.policy, budget)
    for difference in (own for each in found.tools for own in each.differences):
        return Case(f"{mutant.rule}: not {mutant.kind}", difference.example, difference.first.kind)
    told = [own for each in found.tools for own in (*each.undecided, *each.told)]
    return None if found.same else "; ".join(told)


def cases_of(found: Iterable[RuleEdges]) -> tuple[Case, ...]:
    """Return edges as cases with the decisions that they have now."""
    return tuple(
        Case(f"{own.rule}{own.tool and f' on {own.tool}'}, {edge.kind} {place}", edge.situation, edge.expect)
        for own in found
        for place, edge in enumerate(own.edges, 1)
    )


def missing_cases(run: MutationRun) -> tuple[Case, ...]:
    """Return the cases that would notice the unnoticed mutants, each once."""
    found: dict[str, Case] = {}
    for own in run.unnoticed:
        if own.case is not None and own.case not in found.values():
            name = own.case.name if own.case.name not in found else f"{own.case.name} {len(found) + 1}"
            found[name] = replace(own.case, name=name)
    return tuple(found.values())
