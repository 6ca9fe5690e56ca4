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


def count_calls(do: Callable[[], object]) -> int:
    """How many calls of functions, Python's own included, `do` comes to: a measure of work without a clock."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(before)
    return calls
