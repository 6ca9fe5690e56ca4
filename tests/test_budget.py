"""Budgets and deadlines on the monotonic clock, which the tests wind by hand."""

from __future__ import annotations

import time
from typing import Any

import pytest

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import SettingsError


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    wound = Clock()
    monkeypatch.setattr(time, "monotonic", wound)
    return wound


def test_a_deadline_passes_when_its_moment_comes(clock: Clock) -> None:
    deadline = Budget(timeout_s=2.0).start()
    assert deadline == Deadline(1_002.0)
    assert (deadline.passed, deadline.remaining_s) == (False, 2.0)
    clock.now += 1.5
    assert (deadline.passed, deadline.remaining_s) == (False, 0.5)
    clock.now += 0.5
    assert (deadline.passed, deadline.remaining_s) == (True, 0.0)
    clock.now += 10
    assert (deadline.passed, deadline.remaining_s) == (True, 0.0)


def test_without_a_timeout_nothing_ever_passes(clock: Clock) -> None:
    deadline = Budget(timeout_s=None).start()
    clock.now += 1e9
    assert (deadline.at, deadline.passed, deadline.remaining_s) == (None, False, None)


def test_a_budget_of_nothing_is_spent_at_once(clock: Clock) -> None:
    assert Budget(timeout_s=0).start().passed


def test_the_default_is_bounded_in_time_only() -> None:
    assert (Budget().timeout_s, Budget().conflicts) == (5.0, None)


def test_several_questions_share_a_deadline(clock: Clock) -> None:
    budget = Budget(timeout_s=5.0, conflicts=70)
    deadline = budget.start()
    clock.now += 3
    assert budget.until(deadline) == Budget(2.0, 70)
    assert budget.until(Deadline(None)) == Budget(None, 70)


@pytest.mark.parametrize("timeout_s", ["5", float("nan"), -1, -0.5, True])
def test_a_limit_of_time_is_a_number_of_seconds(timeout_s: Any) -> None:
    with pytest.raises(
        SettingsError, match=r"timeout_s \(seconds, or None for no limit\) must be a number of at least 0"
    ):
        Budget(timeout_s)


@pytest.mark.parametrize("conflicts", ["x", 1.5, -1, float("nan"), False])
def test_a_limit_of_conflicts_is_a_whole_number(conflicts: Any) -> None:
    with pytest.raises(SettingsError, match=r"conflicts \(or None for no limit\) must be a whole number of at least 0"):
        Budget(conflicts=conflicts)


def test_an_end_is_a_deadline() -> None:
    with pytest.raises(SettingsError, match=r"end must be a Deadline, as shared.* makes it, not 5"):
        Budget(end=5)  # type: ignore[arg-type]
