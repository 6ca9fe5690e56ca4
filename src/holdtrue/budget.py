"""Budgets of solver work and of calls to a model. A question that exceeds its budget is `unknown`, never a verdict."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, replace

from holdtrue.errors import SettingsError


def check_number(what: str, value: object, *, least: float = 0, whole: bool = False) -> None:
    """Raise `SettingsError` unless the value is finite, at least `least`, and an integer if `whole` is true."""
    kind = "a whole number" if whole else "a number"
    fits = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not fits or not isinstance(value, int | float) or not math.isfinite(value) or value < least:
        low = "" if least == -math.inf else f" of at least {least:g}"
        raise SettingsError(f"{what} must be {kind}{low}, not {value!r:.60}")


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one question to a solver, or of several that use one `shared` budget.

    `timeout_s` limits wall-clock seconds, and `conflicts` limits SAT conflicts (engines without conflicts ignore it).
    None means unlimited. `end` is the moment at which a shared budget ends, however late a question begins. Raises
    `SettingsError` for limits that are negative or not numbers.
    """

    timeout_s: float | None = 5.0
    conflicts: int | None = None
    end: Deadline | None = None

    def __post_init__(self) -> None:
        # A limit of NaN would be reached never or at once, and every answer would be undecided without a reason.
        if self.timeout_s is not None and self.timeout_s != math.inf:
            check_number("timeout_s (seconds, or None for no limit)", self.timeout_s)
        if self.conflicts is not None:
            check_number("conflicts (or None for no limit)", self.conflicts, whole=True)
        if self.end is not None and not isinstance(self.end, Deadline):
            raise SettingsError(f"end must be a Deadline, as shared() makes it, not {self.end!r:.60}")

    def start(self, began: float | None = None) -> Deadline:
        """Return the moment at which this budget ends if its time starts now, or at the clock time `began`."""
        if self.timeout_s is None:
            return self.end or NEVER
        own = (time.monotonic() if began is None else began) + self.timeout_s
        if self.end is not None and self.end.at is not None:
            own = min(own, self.end.at)
        return Deadline(own)

    def shared(self) -> Budget:
        """Return a budget that starts now and that several questions can use up together."""
        return replace(self, end=self.start())

    def half(self) -> Budget:
        """Return a budget with half the time for each question. A shared end stays the same."""
        return replace(self, timeout_s=None if self.timeout_s is None else self.timeout_s / 2)

    def until(self, deadline: Deadline, part: int = 1) -> Budget:
        """Return a budget with the time left until the deadline, divided by `part`, and the same limit of conflicts."""
        left = deadline.remaining_s
        return Budget(None if left is None else left / part, self.conflicts)


OUT_OF_TIME = "the time budget ran out"
"""The reason of every `Unknown` that is due to a deadline."""

UNLIMITED = Budget(timeout_s=None)
"""The budget for results that must not depend on the speed of the machine, such as generated data and gold verdicts."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the monotonic clock (seconds), or never (None)."""

    at: float | None

    @property
    def passed(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    def check(self) -> None:
        """Raise `TimeoutError` if the deadline has passed."""
        if self.passed:
            raise TimeoutError

    @property
    def remaining_s(self) -> float | None:
        """Return the seconds left, never negative, or None if unlimited."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())


NEVER = Deadline(None)
"""The deadline that never passes."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """A `SearchBudget` limits one search, equally for every method: `k` candidates in each of `rounds`.

    `tokens` limits the generated tokens, and `seconds` the total duration of calls. A call that has begun may finish.
    None means no limit.
    """

    k: int = 4
    rounds: int = 4
    tokens: int | None = None
    seconds: float | None = None

    @property
    def calls(self) -> int:
        return self.k * self.rounds

    def open(self) -> Allowance:
        """Return an `Allowance` of the whole budget, for one search to spend."""
        return Allowance(self)


class Allowance:
    """The rest of a `SearchBudget`. Ask `exhausted` before a call, and `spend` its cost afterwards."""

    def __init__(self, budget: SearchBudget) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.seconds = 0.0

    @property
    def exhausted(self) -> str | None:
        """Return the limit that forbids another call (`calls`, `tokens`, `seconds`), or None if a call is allowed."""
        if self.calls >= self.budget.calls:
            return "calls"
        if self.budget.tokens is not None and self.tokens >= self.budget.tokens:
            return "tokens"
        if self.budget.seconds is not None and self.seconds >= self.budget.seconds:
            return "seconds"
        return None

    def longest(self, tokens: int) -> int:
        """Return how many tokens the next call may generate: `tokens`, or the rest if that is smaller."""
        return tokens if self.budget.tokens is None else min(tokens, self.budget.tokens - self.tokens)

    def spend(self, tokens: int, seconds: float) -> None:
        """Count one call. Raises `RuntimeError` if no call was allowed, which is a defect in the code."""
        if self.exhausted is not None:
            raise RuntimeError(f"a call was made beyond the limit of {self.exhausted}")
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds


def cores() -> int:
    """Return the number of processors that this process may use, or of all processors if the system cannot tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
