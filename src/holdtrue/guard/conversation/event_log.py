"""The events of a conversation: those in the guard's store, and those that could not be written yet.

A write that has begun goes on if its caller is cancelled, and any event loop can wait for its end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from holdtrue.errors import HoldtrueError, InputError, StoreConflict, StoreError
from holdtrue.guard.conversation.conversation_keeper import Keeper
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.worker import SharedLock, begun, to_its_end
from holdtrue.guard.json_values import recorded
from holdtrue.guard.moment_texts import utc_now
from holdtrue.guard.policy_parts import PolicyParts
from holdtrue.guard.results import is_error
from holdtrue.guard.store.event import ERASED, NewEvent, StoredEvent, chain_fault, key_of, store_error, written

_LOOK_S = 0.1
"""Seconds between two checks whether the event loop of another thread's write still runs."""


class _Gathering:
    """A `_Gathering` is a block whose events are written together. If `is_lost`, another process wrote before them."""

    is_lost = False


_GATHERING: ContextVar[_Gathering | None] = ContextVar("gathering", default=None)


@contextmanager
def gathered_writes() -> Iterator[None]:
    """Let the events of the block wait for its next decision or for `save`, so that one append writes them all.

    If another process writes before, they are dropped, and the next step of the block raises `StoreConflict`.
    """
    former = _GATHERING.set(_Gathering())
    try:
        yield
    finally:
        _GATHERING.reset(former)


class StoreWrite:
    """A write of `count` events that is under way.

    If `keep` is true and the write fails, the `newest` event is written later.
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
        """Wait for the end of the write, and return its error or None.

        If its event loop has stopped, that is an error.
        """
        own = asyncio.get_running_loop()
        while not self._done.done():
            if self._loop is not own and not self._loop.is_running():
                return StoreError("the event loop ended while the store was writing")
            await asyncio.wait([asyncio.wrap_future(self._done)], timeout=None if self._loop is own else _LOOK_S)
        error = self._done.result()
        # Any exception of a custom store means that the events were not kept.
        return error if error is None or isinstance(error, HoldtrueError) else store_error("the store failed", error)


class EventLog:
    """An `EventLog` has the state of a conversation, and the events that are not written yet.

    The state takes in an event before it is written, so that no invalid event is written. An event that cannot be
    written waits here, and goes out with the next write. Callers hold the `lock`.
    """

    def __init__(self, guard: Keeper, id: str, tenant: str) -> None:
        self._guard, self._id, self._tenant = guard, id, tenant
        self.lock = SharedLock()
        self._state: ConversationState | None = None
        self._stored = 0
        """The number of the last event that is known to be in the store."""
        self._unsaved: list[NewEvent] = []
        self._write: StoreWrite | None = None
        self._gathered: list[tuple[_Gathering, NewEvent]] = []
        """The unsaved events of blocks that gather."""

    @property
    def state(self) -> ConversationState:
        """Return the state. Callers await `opened` first."""
        assert self._state is not None
        return self._state

    @property
    def waits(self) -> bool:
        """Return whether some events are not written yet, as far as is known."""
        return bool(self._unsaved or self._write)

    async def opened(self) -> ConversationState:
        """Return the state, read if necessary.

        Raises `StoreError`, and `InputError` for a conversation that was erased.
        """
        if self._write is not None:
            await self._landed()  # A cancelled caller may have left a write under way.
        if self._state is None:
            await self._read()
        return self.state

    def keep(self, kind: str, body: Mapping[str, Any]) -> None:
        """Keep an event of a conversation that cannot be read now; it is applied and written later."""
        if "ref" not in body or all(own.body.get("ref") != body["ref"] for own in self._unsaved):
            self._unsaved.append(NewEvent(kind, json.loads(written(body)), utc_now()))

    async def happened(self, kind: str, body: Mapping[str, Any], *, keep: bool = True) -> None:
        """Apply an event and write it. If `keep` is true, an event that cannot be written now is kept for later.

        If `keep` is false, such an event is dropped. A cancelled write is still completed. Raises `StoreError`, and
        `StoreConflict` if another process has written; the event was not taken in then.
        """
        block = self._gathering()
        event = await self._taken_in(kind, body, utc_now())
        if keep and block is not None:
            self._unsaved.append(event)
            self._gathered.append((block, event))
        else:
            await self._written(event, keep)

    async def saved(self) -> None:
        """Write the events that could not be written before. Raises `StoreError`."""
        await self.opened()
        self._gathering()
        while self._unsaved:
            await self._written(None, keep=True)

    async def catch_up(self) -> None:
        """Read the conversation anew if another process has written to it. Raises `StoreError`."""
        await self.opened()
        if await self._guard.store.read(self._tenant, self._id, self._stored):
            self._state = None
            await self.opened()

    def _gathering(self) -> _Gathering | None:
        """Return the block of this task that gathers, or None. Raises `StoreConflict` if its events were dropped."""
        block = _GATHERING.get()
        if block is not None and block.is_lost:
            raise StoreConflict(f"another process has written to the conversation {self._id!r:.60}; do it again")
        return block

    # Reading and writing

    async def _taken_in(self, kind: str, body: Mapping[str, Any], at: str) -> NewEvent:
        """Apply an event to the state and return it. After an error the state is discarded and read again later."""
        state = self.state

        def take_in() -> NewEvent:
            # A copy of the JSON shares no objects with the caller.
            event = NewEvent(kind, json.loads(written(body)), at)
            state.apply(state.seq + 1, event.kind, event.body)
            return event

        try:
            return await to_its_end(take_in, body)
        except BaseException:
            self._state = None
            raise

    async def _read(self) -> int:
        """Rebuild the state from the store, and return how many events another process has written meanwhile."""
        try:
            events = await self._guard.store.read(self._tenant, self._id)
        except HoldtrueError:
            raise
        except Exception as error:
            # A custom store may raise anything. Callers keep the event that they came with, as after a failed write.
            raise store_error("the store failed", error) from error
        bodies = [own.body for own in events]
        fault = await begun(partial(chain_fault, events, key_of(self._guard.store)), bodies)
        if fault is not None:
            raise StoreError(f"the conversation {self._id!r:.60} is not opened: {fault}")
        if any(own.kind == ERASED for own in events):
            self._unsaved.clear()
            raise InputError(f"the conversation {self._id!r} was erased; begin another one")
        # A write whose end nobody saw may have succeeded: its events are no longer unsaved.
        more = [own for own in events if own.seq > self._stored]
        own = 0
        while own < min(len(more), len(self._unsaved)) and _is_same(more[own], self._unsaved[own]):
            own += 1
        state, unsaved = self._guard.new_state(), self._unsaved[own:]
        if own < len(more):
            # Gathered events follow from a history that has changed.
            for block, event in self._gathered:
                block.is_lost = True
                unsaved = [each for each in unsaved if each is not event]
            self._gathered.clear()
        self._state = None

        def take_in() -> None:
            for stored in events:
                state.apply(stored.seq, stored.kind, stored.content)
            # Another process may have taken in a message that waits here.
            unsaved[:] = [own for own in unsaved if own.body.get("ref") not in state.refs]
            for event in unsaved:
                state.apply(state.seq + 1, event.kind, event.body)

        await begun(take_in, bodies, [each.body for each in unsaved])
        self._state, self._unsaved = state, unsaved
        self._stored = events[-1].seq if events else 0
        return len(more) - own

    async def _written(self, event: NewEvent | None, keep: bool) -> None:
        while True:
            waiting = tuple(self._unsaved) if event is None else (*self._unsaved, event)
            if event is not None and keep:
                self._unsaved.append(event)
            work = self._guard.store.append(self._tenant, self._id, self._stored, waiting)
            self._write = StoreWrite(work, waiting[-1], len(waiting), keep=keep and event is not None)
            error = await self._landed()
            if error is None:
                return
            if not isinstance(error, StoreConflict) or not await self._only_own_came_before():
                raise error
            if event is not None:
                event = await self._taken_in(event.kind, event.body, event.at)
            elif not self._unsaved:
                return

    async def _landed(self) -> Exception | None:
        """Wait for the last write, update the state of the log, and return the error."""
        write = self._write
        assert write is not None
        error = await write.ended()
        self._write = None
        if error is None:
            self._stored += write.count
            self._unsaved.clear()
            self._gathered.clear()
            return None
        if isinstance(error, StoreConflict) and write.keep:
            self._unsaved = [own for own in self._unsaved if own is not write.newest]
        if isinstance(error, StoreConflict) or not write.keep:
            self._state = None
        return error

    async def _only_own_came_before(self) -> bool:
        """Return whether this object wrote all events before the last write."""
        try:
            return await self._read() == 0
        except StoreError:
            return False  # The caller raises the conflict, and the next use reads the conversation.


def _is_same(stored: StoredEvent, own: NewEvent) -> bool:
    return (stored.kind, stored.at, stored.body) == (own.kind, own.at, written(own.body))


def recorded_result(
    policy: PolicyParts, tool: str, arguments: Any, result: Any, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the body of the event of a result, which shares no values with the app."""
    body = {"tool": tool, "arguments": recorded(arguments), "result": recorded(result, odd=True), **more}
    if "outcome" in body and body["outcome"] is None and is_error(policy, result):
        body["outcome"] = "failed"  # JSON loses the signs of an error, so the failure is noted here.
    return body
