"""Bounds that hold on any machine: a test must not fail because other programs are running.

A test of speed counts the work, which is the same everywhere, or has a bound that only a hang exceeds. `make bench`
measures seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

HANG_S = 120.0
"""A longer wait is a hang. Nothing in the tests takes a tenth of it, even on a busy machine."""


@contextmanager
def no_hang() -> Iterator[None]:
    """Allow the block a minute of CPU time in this thread. Work that explodes takes hours."""
    started = time.thread_time()
    yield
    assert time.thread_time() - started < HANG_S / 2


class Calls:
    """The number of function calls `made`, including built-in functions: a measure of work without a clock."""

    made = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.made += event in ("call", "c_call")


@contextmanager
def counted() -> Iterator[Calls]:
    """Count the calls in the block. Work inside of one built-in call, such as a regular expression, is not seen."""
    before, calls = sys.getprofile(), Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def count_calls(do: Callable[[], object]) -> int:
    """Return the number of calls that `do` makes."""
    with counted() as calls:
        do()
    return calls.made
