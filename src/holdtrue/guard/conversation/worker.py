"""The thread in which a guard does what takes long, so that the event loop goes on with everything else meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")


async def in_worker(work: Callable[[], Result]) -> Result:
    """Return the result of work that is done in the worker: one piece after the other, for solvers share caches."""
    return await asyncio.get_running_loop().run_in_executor(_worker(), work)


@cache
def _worker() -> ThreadPoolExecutor:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_worker.cache_clear)  # A process that was forked has none of the threads.
    return ThreadPoolExecutor(1, thread_name_prefix="holdtrue")
