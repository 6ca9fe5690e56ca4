"""A loop of events on a thread of its own, for code that is not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from holdtrue.errors import SessionError

Result = TypeVar("Result")


class Background:
    """A `Background` runs what is asynchronous for threads that wait for it; its thread starts with the first of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return the result of something asynchronous, once it is there.

        Raises `SessionError` on the loop's own thread, which would wait for itself for ever.
        """
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="holdtrue guard", daemon=True)
                self._thread.start()
        if threading.current_thread() is self._thread:
            work.close()
            raise SessionError("this waits for the guard inside of the guard; use the asynchronous methods there")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the thread, if there is one."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
