"""The CPU time of solvers, also of one that works in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


class _Elsewhere(threading.local):
    """The CPU time that other threads spent for this one (seconds)."""

    spent_s: float = 0.0


_ELSEWHERE = _Elsewhere()


def cpu_s() -> float:
    """Return the CPU time of this thread and of the threads that solved for it (seconds); only differences mean much.

    The clock on the wall would also count other conversations: a local model that writes their answers in other threads
    takes the processor and the interpreter's lock while a question waits.
    """
    return time.thread_time() + _ELSEWHERE.spent_s


def timed(work: Callable[[], Found]) -> Callable[[], tuple[Found, float]]:
    """Return the work as a function that also says how much CPU time its thread spent on it; see `spent_elsewhere`."""

    def run() -> tuple[Found, float]:
        started = time.thread_time()
        found = work()
        return found, time.thread_time() - started

    return run


def spent_elsewhere(seconds: float) -> None:
    """Add CPU time that another thread spent for this one."""
    _ELSEWHERE.spent_s += seconds
