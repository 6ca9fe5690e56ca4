"""Analysis and comparison end with their time, and say in one line for how much it was too short."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.checking import analyse_policy
from holdtrue.guard.analysis.difference import compare_policies
from holdtrue.guard.analysis.telling import analysis_lines
from holdtrue.guard.policy import Policy
from tests.guard.analysis.shops import shop

STEP_S = 0.01
"""So much a clock goes on whenever somebody looks at it."""


class Clock:
    """A clock that stands still while nobody looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * STEP_S


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("holdtrue.budget.time.monotonic", found)
    return found


def many(count: int, more: int = 0) -> Policy:
    holds: list[Any] = [
        lambda i: f"call.amount <= {i}",
        lambda i: f"!has(call.lines) || call.lines.all(l, l > {i}) || size(call.lines) < {i % 7}",
        lambda i: f"call.amount / facts.order(call.order).total > {i}",
        lambda i: f"!has(call.note) || !call.note.contains('x{i}')",
    ]
    rules = [{"id": f"r{i}", "on": "refund", "say": "So.", "hold": holds[i % 4](i + more)} for i in range(count)]
    return shop(rules=rules)


@pytest.mark.parametrize("limit_s", [0.0, 0.5, 2.0, 5.0])
def test_an_analysis_ends_with_its_time(clock: Clock, limit_s: float) -> None:
    policy, before = many(60), clock.looks
    analysis = analyse_policy(policy, Budget(timeout_s=limit_s))
    assert (clock.looks - before) * STEP_S <= 1.3 * limit_s + 10 * STEP_S
    (late,) = (own for own in analysis.undecided if own.kind == "out of time")
    assert not any("ran out" in own.reason for own in analysis.undecided if own is not late)
    (line,) = (own for own in analysis_lines(analysis, "a.yaml") if "ran out" in own)
    assert line.startswith("  the time budget ran out before ") and " more) were answered" in line


@pytest.mark.parametrize("limit_s", [0.0, 0.5, 2.0])
def test_a_comparison_ends_with_its_time(clock: Clock, limit_s: float) -> None:
    policies, before = (many(60), many(60, 1)), clock.looks
    comparison = compare_policies(*policies, Budget(timeout_s=limit_s))
    assert (clock.looks - before) * STEP_S <= 1.3 * limit_s + 25 * STEP_S
    assert comparison.same is not True
    assert any("ran out" in text for own in comparison.tools for text in own.undecided)


def test_rules_on_tools_that_only_read_are_noted() -> None:
    analysis = analyse_policy(shop({"on": "get_order", "hold": "call.order != 'A-1'"}))
    assert analysis.notes[:1] == ("get_order only reads, and a decides on its calls all the same.",)
    assert f"Note: {analysis.notes[0]}" in analysis_lines(analysis, "a.yaml")
    others = analyse_policy(shop({"hold": "call.amount < 9"})).notes
    assert others == analysis.notes[1:]
