"""What all sessions have in common: one thing at a time, a model that was opened or handed in, a synchronous face."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from holdtrue.conversation.arguments import check_model
from holdtrue.errors import SessionBusy, SessionClosed, SessionError
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model

Result = TypeVar("Result")


class Opened:
    """A session's `model`; one that is given by name is opened here, and released at the end.

    A session does one thing at a time. Whatever changes it, or asks its solver, is refused with `SessionBusy` while
    something else runs, from the same task, another one or another thread: two turns at once would both go on from
    what was agreed before them, and the one that ends first would be forgotten. Nobody is made to wait, since what
    waits inside of a turn for that turn would wait for ever. What ends in an error changes nothing.
    """

    def __init__(self, model: ChatModel | str) -> None:
        self._runner: asyncio.Runner | None = None
        self._lock = threading.Lock()
        self._face = threading.Lock()  # the runner's own: a second `ask` must not reach a loop that runs
        self._running = ""  # what holds the lock, in words
        self._closed = False
        self._owns_model = isinstance(model, str)
        self.model = open_model(model) if isinstance(model, str) else check_model(model)

    @contextmanager
    def _alone(self, doing: str, *, also_closed: bool = False) -> Iterator[None]:
        """Do this and nothing else. Where it fails, or is cancelled, the session is as it was before.

        What is done puts new values in the place of old ones and edits none, so that putting the old ones back is
        enough. Raises `SessionBusy` where something else runs, `SessionClosed` unless that is `also_closed` to do.
        """
        if not self._lock.acquire(blocking=False):
            raise self._busy(doing)
        before, done = dict(vars(self)), False
        self._running = doing
        try:
            if self._closed and not also_closed:
                raise SessionClosed(f"this session was closed, so {doing} is refused; make another session")
            yield
            done = True
        finally:
            if not done:
                self._put_back(before)
            self._running = ""
            self._lock.release()

    def _put_back(self, before: dict[str, Any]) -> None:
        for name in vars(self).keys() - before.keys():
            delattr(self, name)
        vars(self).update(before)

    def _busy(self, doing: str) -> SessionBusy:
        return SessionBusy(
            f"{doing} is refused, because {self._running or 'something else'} is still running on this session; "
            "nothing was changed. Await that first, or use one session for each conversation"
        )

    def _run(self, doing: str, instead: str, begin: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """What `begin()` comes to, for code that is not asynchronous.

        Raises `SessionError` inside of a running event loop, where only `instead` can be written, and `SessionBusy`.
        """
        if _in_running_loop():
            raise SessionError(
                f"{doing} cannot wait inside of a running event loop (a notebook, a web server, an async function); "
                f"nothing was done. Write: {instead}"
            )
        if not self._face.acquire(blocking=False):
            raise self._busy(doing)
        try:
            if self._runner is None:
                self._runner = asyncio.Runner()
            return self._runner.run(begin())
        finally:
            self._face.release()

    async def aclose(self) -> None:
        """Release the model, if the session opened it by name; one that was handed in stays open.

        Nothing can be said in a closed session; what it holds can still be read and saved. Closing it twice is
        harmless. Raises `SessionBusy` while something runs.
        """
        with self._alone("closing", also_closed=True):
            await self._release()
            self._closed = True

    async def _release(self) -> None:
        if self._owns_model:
            await self.model.aclose()

    def close(self) -> None:
        """`aclose` for code that is not asynchronous."""
        self._run("close()", "await session.aclose(), or `async with` in place of `with`", self.aclose)
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


def _in_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
