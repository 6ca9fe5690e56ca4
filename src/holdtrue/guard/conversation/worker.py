"""The thread in which a guard does what takes long, so that the event loop goes on with everything else meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.guard.json_values import is_large

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision

Result = TypeVar("Result")


async def in_worker(work: Callable[[], Result]) -> Result:
    """Return the result of work that is done in the worker: one piece after the other, for solvers share caches."""
    return await asyncio.get_running_loop().run_in_executor(_worker(), work)


def begun(work: Callable[[], Result], *about: Any) -> asyncio.Future[Result]:
    """Begin a piece of work, and return its result to be awaited.

    The result is there at once, unless what the work is `about` is large: then the worker does the work, one piece
    after the other.
    """
    loop = asyncio.get_running_loop()
    if is_large(*about):
        return loop.run_in_executor(_worker(), work)
    done: asyncio.Future[Result] = loop.create_future()
    done.set_result(work())
    return done


async def to_its_end(work: Callable[[], Result], *about: Any) -> Result:
    """Return the result of work that changes something; a task that is cancelled meanwhile ends after the work has."""
    done, is_cancelled = begun(work, *about), False
    while not done.done():
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError:
            is_cancelled = True
    task = asyncio.current_task()
    if is_cancelled and task is not None:
        task.uncancel()
        task.cancel()  # It counts once, with whatever is awaited next.
    return done.result()


async def look_for_mends(decisions: Iterable[Decision]) -> None:
    """Have the mends of blocked calls looked for, so that reading `Decision.mend` holds up no event loop."""
    for own in decisions:
        if own.kind == "block":
            await in_worker(partial(getattr, own, "mend"))


@cache
def _worker() -> ThreadPoolExecutor:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_worker.cache_clear)  # A process that was forked has none of the threads.
    return ThreadPoolExecutor(1, thread_name_prefix="holdtrue")
