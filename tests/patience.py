"""Bounds that hold on any machine: a test must not fail because something else is running.

What is quick is shown by the work that was done, which is the same everywhere, or by a bound that only catches what
hangs. How quick it is in seconds is for `make bench` to say.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

HANG_S = 120.0
"""Who waits so long waits for ever: nothing in the tests takes a tenth of it, on a busy machine either."""


@contextmanager
def no_hang() -> Iterator[None]:
    """What is done here may take this thread a minute of a processor's time: work that explodes takes hours."""
    started = time.thread_time()
    yield
    assert time.thread_time() - started < HANG_S / 2


class Calls:
    """How many calls of functions, Python's own included, were `made`: a measure of work without a clock."""

    made = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.made += event in ("call", "c_call")


@contextmanager
def counted() -> Iterator[Calls]:
    """Count the calls that are made here; what one call does inside, as a search by an expression, is seen by none."""
    before, calls = sys.getprofile(), Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def count_calls(do: Callable[[], object]) -> int:
    """How many calls `do` comes to."""
    with counted() as calls:
        do()
    return calls.made
