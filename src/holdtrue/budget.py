"""A budget bounds solver work; what exceeds it is `unknown`, never a verdict."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one question to a solver.

    `timeout_s`: wall-clock seconds; `conflicts`: SAT conflicts (engines without conflicts ignore it).
    None means unlimited.
    """

    timeout_s: float | None = 5.0
    conflicts: int | None = None

    def start(self) -> Deadline:
        """The moment at which this budget, spent from now on, runs out."""
        return Deadline(None if self.timeout_s is None else time.monotonic() + self.timeout_s)

    def until(self, deadline: Deadline) -> Budget:
        """What is left of this budget for one of several questions that share a deadline."""
        return Budget(deadline.remaining_s, self.conflicts)


UNLIMITED = Budget(timeout_s=None)
"""For what may not depend on the speed of the machine: what is generated, and what is right."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock (seconds), or never."""

    at: float | None

    @property
    def passed(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    @property
    def remaining_s(self) -> float | None:
        """Seconds left, never negative; None when unlimited."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())
