"""The thread in which a guard does what takes long, so that the event loop goes on with everything else meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision

Result = TypeVar("Result")


async def in_worker(work: Callable[[], Result]) -> Result:
    """Return the result of work that is done in the worker: one piece after the other, for solvers share caches."""
    return await asyncio.get_running_loop().run_in_executor(_worker(), work)


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
