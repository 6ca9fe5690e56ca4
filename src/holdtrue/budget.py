"""Budgets: of solver work, where what exceeds it is `unknown` and never a verdict, and of calls to a model."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, replace

from holdtrue.errors import SettingsError


def check_number(what: str, value: object, *, least: float = 0, whole: bool = False) -> None:
    """Raise `SettingsError` for what is no number, no whole one where that is needed, not finite, or too small."""
    kind = "a whole number" if whole else "a number"
    fits = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not fits or not isinstance(value, int | float) or not math.isfinite(value) or value < least:
        low = "" if least == -math.inf else f" of at least {least:g}"
        raise SettingsError(f"{what} must be {kind}{low}, not {value!r:.60}")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one question to a solver, or of several that are asked with a `shared` one.

    `timeout_s`: wall-clock seconds; `conflicts`: SAT conflicts (engines without conflicts ignore it). None means
    unlimited. `end` is where the time of a shared budget runs out, whenever a question begins. Raises `SettingsError`
    for limits that are no numbers, or negative.
    """

    timeout_s: float | None = 5.0
    conflicts: int | None = None
    end: Deadline | None = None

    def __post_init__(self) -> None:
        # What is not a number is not reached by any clock, or at once: every answer would be undecided, unexplained.
        if self.timeout_s is not None and self.timeout_s != math.inf:
            check_number("timeout_s (seconds, or None for no limit)", self.timeout_s)
        if self.conflicts is not None:
            check_number("conflicts (or None for no limit)", self.conflicts, whole=True)
        if self.end is not None and not isinstance(self.end, Deadline):
            raise SettingsError(f"end must be a Deadline, as shared() makes it, not {self.end!r:.60}")

    def start(self, began: float | None = None) -> Deadline:
        """Return the moment at which this budget, spent from now on, or since it `began` by the clock, runs out."""
        if self.timeout_s is None:
            return self.end or NEVER
        own = (time.monotonic() if began is None else began) + self.timeout_s
        if self.end is not None and self.end.at is not None:
            own = min(own, self.end.at)
        return Deadline(own)

    def shared(self) -> Budget:
        """Return this budget, spent from now on by all questions together that are asked with it."""
        return replace(self, end=self.start())

    def half(self) -> Budget:
        """Return the same limits with half of the time for a question; a shared end stays."""
        return replace(self, timeout_s=None if self.timeout_s is None else self.timeout_s / 2)

    def until(self, deadline: Deadline, part: int = 1) -> Budget:
        """Return what is left of this budget for one of several questions with one deadline, or a `part`-th of it."""
        left = deadline.remaining_s
        return Budget(None if left is None else left / part, self.conflicts)


OUT_OF_TIME = "the time budget ran out"
"""The reason of whatever is unknown because a deadline passed."""

UNLIMITED = Budget(timeout_s=None)
"""For what may not depend on the speed of the machine: what is generated, and what is right."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock (seconds), or never."""

    at: float | None

    @property
    def passed(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    def check(self) -> None:
        """Raise `TimeoutError` once the deadline has passed: the way out of a loop in plain Python."""
        if self.passed:
            raise TimeoutError

    @property
    def remaining_s(self) -> float | None:
        """Seconds left, never negative; None when unlimited."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())


NEVER = Deadline(None)
"""The deadline of what may take as long as it needs."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """A `SearchBudget` limits what one search may spend, the same for every method: `k` candidates in each of `rounds`.

    `tokens` bounds the generated tokens, `seconds` the calls' own time (a call that has begun may finish); None is no
    limit.
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
    """An `Allowance` is what is left of a `SearchBudget`: ask `exhausted` before a call, and `spend` what it took."""

    def __init__(self, budget: SearchBudget) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.seconds = 0.0

    @property
    def exhausted(self) -> str | None:
        """Return the limit that forbids another call (`calls`, `tokens`, `seconds`), or None where one may begin."""
        if self.calls >= self.budget.calls:
            return "calls"
        if self.budget.tokens is not None and self.tokens >= self.budget.tokens:
            return "tokens"
        if self.budget.seconds is not None and self.seconds >= self.budget.seconds:
            return "seconds"
        return None

    def longest(self, tokens: int) -> int:
        """Return how many tokens the next call may generate: `tokens`, or the number that is left if it is smaller."""
        return tokens if self.budget.tokens is None else min(tokens, self.budget.tokens - self.tokens)

    def spend(self, tokens: int, seconds: float) -> None:
        """Count one call. Raises `RuntimeError` where none was allowed: a defect, never input."""
        if self.exhausted is not None:
            raise RuntimeError(f"a call was made beyond the limit of {self.exhausted}")
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds


def cores() -> int:
    """Return how many processors this process may use; not every system can say which ones."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
