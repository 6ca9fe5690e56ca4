"""A write of events that goes on whoever stops waiting for it, and of whose end every event loop can be told."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any

from holdtrue.errors import HoldtrueError, StoreError
from holdtrue.guard.store.event import NewEvent, store_error

_LOOK_S = 0.1
"""So often it is looked whether the loop of a write still runs, where that is another one."""


class StoreWrite:
    """A `StoreWrite` writes some events, `count` in all.

    The last of them is `newest`, and `keep` says whether that is to be written later where it cannot be now.
    """

    def __init__(self, work: Coroutine[Any, Any, Any], newest: NewEvent, count: int, *, keep: bool) -> None:
        self.newest, self.count, self.keep = newest, count, keep
        self._loop = asyncio.get_running_loop()
        self._done: Future[BaseException | None] = Future()
        self._task = asyncio.ensure_future(work)
        self._task.add_done_callback(self._end)

    def _end(self, task: asyncio.Future[Any]) -> None:
        if task.cancelled():
            self._done.set_result(StoreError("the event loop ended while the store was writing"))
        else:
            self._done.set_result(task.exception())

    async def ended(self) -> HoldtrueError | None:
        """Return the error that it ended with, or None, once it has. Where its loop is gone nobody knows its end."""
        own = asyncio.get_running_loop()
        while not self._done.done():
            if self._loop is not own and not self._loop.is_running():
                return StoreError("the event loop ended while the store was writing")
            await asyncio.wait([asyncio.wrap_future(self._done)], timeout=None if self._loop is own else _LOOK_S)
        error = self._done.result()
        # Whatever a store of one's own raises, the events were not kept.
        return error if error is None or isinstance(error, HoldtrueError) else store_error("the store failed", error)
