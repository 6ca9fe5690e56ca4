"""Processor time of single operations, and what is said about many of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Samples:
    """Nanoseconds of processor time, one for each operation."""

    spent: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.spent)

    def time(self, operation: Callable[[], T]) -> T:
        """Run it once. The thread's own clock does not count what other processes and threads do."""
        gc.disable()
        try:
            started = time.thread_time_ns()
            result = operation()
            self.spent.append(time.thread_time_ns() - started)
        finally:
            gc.enable()
        return result

    @property
    def median_us(self) -> float:
        return statistics.median(self.spent) / 1000

    @property
    def p99_us(self) -> float:
        """The smallest value that 99% of the operations do not exceed."""
        ordered = sorted(self.spent)
        return ordered[-(-99 * len(ordered) // 100) - 1] / 1000


def clock_cost_us() -> float:
    """What measuring adds to an operation, in every figure, own and twin alike."""
    empty = Samples()
    for _ in range(2000):
        empty.time(lambda: None)
    return empty.median_us
