"""A lock for tasks of several event loops: what is asynchronous and what waits for it may share a conversation."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future


class SharedLock:
    """A `SharedLock` lets one task after the other in, in the order in which they come, whichever loop each is of.

    A lock of asyncio's own wakes who waits only in its own loop, so that a second loop would wait for ever.
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
                self._let_next_in()  # It was this one's turn just then.
            raise

    async def __aexit__(self, *_: object) -> None:
        self._let_next_in()

    def _let_next_in(self) -> None:
        with self._inner:
            while self._waiting:
                turn = self._waiting.popleft()
                if turn.set_running_or_notify_cancel():  # Whoever stopped waiting is passed over.
                    turn.set_result(None)
                    return
            self._is_held = False
