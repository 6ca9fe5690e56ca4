"""Run work in order: a lock for tasks of several event loops, and a thread for slow work."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.guard.json_values import is_large

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision

Result = TypeVar("Result")


async def in_worker(work: Callable[[], Result]) -> Result:
    """Run work in the worker thread and return its result.

    Pieces of work run one by one, because solvers share caches.
    """
    return await asyncio.get_running_loop().run_in_executor(_worker(), work)


def begun(work: Callable[[], Result], *about: Any) -> asyncio.Future[Result]:
    """Begin a piece of work and return its future. If the values `about` are large, the worker thread does it."""
    loop = asyncio.get_running_loop()
    if is_large(*about):
        return loop.run_in_executor(_worker(), work)
    done: asyncio.Future[Result] = loop.create_future()
    done.set_result(work())
    return done


async def to_its_end(work: Callable[[], Result], *about: Any) -> Result:
    """Do work that changes something, and return its result. A cancelled task ends only when the work is done."""
    return await ended(begun(work, *about))


async def ended(done: asyncio.Future[Result]) -> Result:
    """Wait until work has ended, and return its result. A cancelled task waits, too, and is cancelled then."""
    is_cancelled = False
    while not done.done():
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError:
            is_cancelled = True
    task = asyncio.current_task()
    if is_cancelled and task is not None:
        task.uncancel()
        task.cancel()  # Cancel again, so that the next await raises the error.
    return done.result()


async def look_for_mends(decisions: Iterable[Decision]) -> None:
    """Compute the mends of blocked decisions in the worker, so that reading `Decision.mend` blocks no event loop."""
    for own in decisions:
        if own.kind == "block":
            await in_worker(partial(getattr, own, "mend"))


@cache
def _worker() -> ThreadPoolExecutor:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_worker.cache_clear)  # A forked process has none of the threads.
    return ThreadPoolExecutor(1, thread_name_prefix="holdtrue")


class SharedLock:
    """A `SharedLock` admits one task at a time, in the order of their arrival, from any event loop.

    An `asyncio.Lock` wakes only tasks of its own loop, so that a task of a second loop would wait for ever.
    """

    def __init__(self) -> None:
        self._inner = threading.Lock()
        self._is_held = False
        self._waiting: deque[Future[None]] = deque()

    async def __aenter__(self) -> None:
        with self._inner:
            if not self._is_held:
                self._is_held = True
                return
            turn: Future[None] = Future()
            self._waiting.append(turn)
        try:
            await asyncio.wrap_future(turn)
        except BaseException:
            if not turn.cancel() and not turn.cancelled():
                self._let_next_in()  # The task got the lock just when it was cancelled.
            raise

    async def __aexit__(self, *_: object) -> None:
        self._let_next_in()

    def _let_next_in(self) -> None:
        with self._inner:
            while self._waiting:
                turn = self._waiting.popleft()
                if turn.set_running_or_notify_cancel():  # A cancelled waiter is skipped.
                    turn.set_result(None)
                    return
            self._is_held = False
