"""Analyse a policy before it runs: rules that never apply, that nothing breaks or keeps, that follow, or contradict."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from holdtrue.budget import Budget
from holdtrue.guard.analysis.alone import faults_alone
from holdtrue.guard.analysis.fault import Analysis, Fault, Undecided
from holdtrue.guard.analysis.inquiry import LISTS
from holdtrue.guard.analysis.level import Demand, Level, each
from holdtrue.guard.analysis.missing_facts import missing_facts
from holdtrue.guard.analysis.on_tool import Finding, OnTool
from holdtrue.guard.analysis.together import contradictions, implied
from holdtrue.guard.policy import Policy

LIMIT = Budget(timeout_s=60.0)
"""The limit of analysing a whole policy, unless the caller says otherwise."""
_ON_ALL = ("never applies", "always holds", "implied")
"""What is a fault of a rule on several tools only where it is so on all of them: it may be meant for the others."""


def check_policy(policy: Policy, budget: Budget = LIMIT) -> tuple[Fault, ...]:
    """Return the faults of a policy that were proved; `analyse_policy` says what was not decided, too."""
    return analyse_policy(policy, budget).faults


def analyse_policy(policy: Policy, budget: Budget = LIMIT) -> Analysis:
    """Return what is wrong with a policy's rules, limits and obligations, for every call, moment and fact there can be.

    `budget` is for all of it. What ran out of time, or no formula says, is told in `Analysis.undecided`.
    """
    began, deadline = time.perf_counter(), budget.start()
    names = [*(name for name, rules in policy.rules_on.items() if rules), *([""] if policy.obligations else [])]
    tools = [OnTool(policy, name, budget, deadline) for name in names]
    found = [own for on in tools for own in _on_tool(on)]
    faults = [own for own in found if isinstance(own, Fault)]
    kept, asides = _by_rule(policy, faults)
    return Analysis(
        policy.name,
        tuple(sorted(kept, key=_order)),
        tuple(sorted(asides, key=_order)),
        tuple(sorted(dict.fromkeys(own for own in found if isinstance(own, Undecided)), key=_order)),
        tuple(_assumptions(tools)),
        len(policy.rules) + len(policy.obligations),
        sum(1 for name in names if name),
        time.perf_counter() - began,
        tuple(_notes(policy)),
    )


def _notes(policy: Policy) -> Iterator[str]:
    """Yield what becomes of arguments that a schema allows and does not declare."""
    own = [name for name, tool in policy.tools.items() if not (tool.schema.closed or tool.arguments.open)]
    if own:
        named = ", ".join(own[:8]) + (f" and {len(own) - 8} more" if len(own) > 8 else "")
        fate = "block a call" if policy.undeclared == "block" else "are only told (undeclared: tell)"
        yield f"Arguments that the schema does not declare and does not forbid {fate}: {named}."


def _on_tool(on: OnTool) -> Iterator[Finding]:
    # One call that keeps all, and one that breaks each and keeps all others, answer most of what is asked later.
    on.inquiry.ask(*each("kept where it applies", on.rules))
    for id in on.rules:
        yield from _missing(on, id)
    followed = [own for id in on.rules for own in implied(on, id)]
    for id in on.rules:
        yield from faults_alone(on, id)
    clashes = list(contradictions(on))
    yield from clashes
    # From rules that contradict each other anything follows.
    sets = [{own.rule, *own.others} for own in clashes]
    yield from (own for own in followed if not any(clash <= {*own.others} for clash in sets))


def _missing(on: OnTool, id: str) -> Iterator[Fault]:
    rule = on.rules[id]
    for text in missing_facts(on.policy, rule.tools[on.tool]):
        example = on.example(Demand("applies", (id,)))
        yield Fault("missing fact", id, on.tool, text, rule.place, example=example)


def _by_rule(policy: Policy, faults: Sequence[Fault]) -> tuple[list[Fault], list[Fault]]:
    """Return the faults of rules, and apart from them those that a rule has on some of its tools only."""
    tools = defaultdict(set)
    for own in faults:
        tools[own.kind, own.rule].add(own.tool)
    on = {rule.id: set(rule.tools) for rule in (*policy.rules, *policy.obligations)}
    asides = [own for own in faults if own.kind in _ON_ALL and tools[own.kind, own.rule] != on[own.rule]]
    return [own for own in faults if own not in asides], asides


def _order(own: Fault | Undecided) -> tuple[int, str, str]:
    return own.place.line, own.rule, own.tool


def _assumptions(tools: Sequence[OnTool]) -> Iterator[str]:
    levels = [on.inquiry.level(LISTS[0]) for on in tools]
    stated = (own for level in levels if isinstance(level, Level) for own in level.unknowns.assumptions.values())
    if any(own.endswith("items at most") for own in stated):
        yield (
            f"A list without a stated bound has {LISTS[0]} items at most, or {LISTS[-1]} where that shows no call; "
            "what only such lists prove counts as not decided."
        )
