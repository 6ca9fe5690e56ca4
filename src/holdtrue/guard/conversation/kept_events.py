"""The events of a conversation as its guard keeps them: in the store, and, as long as that cannot be written, here.

A write goes on whoever stops waiting for it, and every event loop can be told of its end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from holdtrue.errors import HoldtrueError, InputError, StoreConflict, StoreError
from holdtrue.guard.conversation.calls import CallIds
from holdtrue.guard.conversation.keeper import Keeper
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.worker import SharedLock, begun, to_its_end
from holdtrue.guard.moment_texts import utc_now
from holdtrue.guard.store.event import ERASED, NewEvent, StoredEvent, chain_fault, key_of, store_error, written

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


class KeptEvents:
    """The `KeptEvents` of a conversation: its state, and what is not written down yet.

    An event is taken in before it is written, so that none is written that cannot be taken in. What cannot be written
    stays here, and is written with whatever comes next; `waits` says that there is something of that kind. Whoever uses
    the methods holds the `lock`.
    """

    def __init__(self, guard: Keeper, id: str, tenant: str) -> None:
        self._guard, self._id, self._tenant = guard, id, tenant
        self.lock = SharedLock()
        self._state: ConversationState | None = None
        self.calls = CallIds()
        """Which calls have which ids, after `opened`."""
        self._stored = 0
        """The number of the last event that is known to be in the store."""
        self._unsaved: list[NewEvent] = []
        self._write: StoreWrite | None = None

    @property
    def known(self) -> ConversationState:
        """Return what is known, after `opened`."""
        assert self._state is not None
        return self._state

    @property
    def waits(self) -> bool:
        """Return whether something is not written down yet, as far as is known."""
        return bool(self._unsaved or self._write)

    async def opened(self) -> ConversationState:
        """Return what is known. Raises `StoreError`, and `InputError` for a conversation that was erased."""
        if self._write is not None:
            await self._landed()  # Nobody is left who waits for how it ended.
        if self._state is None:
            await self._read()
        return self.known

    def keep(self, kind: str, body: Mapping[str, Any]) -> None:
        """Keep an event of a conversation that cannot be read now: it is taken in, and written, once it can be."""
        if "ref" not in body or all(own.body.get("ref") != body["ref"] for own in self._unsaved):
            self._unsaved.append(NewEvent(kind, json.loads(written(body)), utc_now()))

    async def happened(self, kind: str, body: Mapping[str, Any], *, keep: bool = True) -> None:
        """Take an event in, and write it down; one that cannot be written now is kept for later.

        With `keep` false it is forgotten where it cannot be written. Cancelled, it is written all the same. Raises
        `StoreError`, and `StoreConflict` where somebody else has written: then it was not taken in.
        """
        await self._written(await self._taken_in(kind, body, utc_now()), keep)

    async def saved(self) -> None:
        """Write down what could not be written before. Raises `StoreError`."""
        await self.opened()
        while self._unsaved:
            await self._written(None, keep=True)

    # How it is done

    async def _taken_in(self, kind: str, body: Mapping[str, Any], at: str) -> NewEvent:
        """Return an event that the state has taken in; whatever goes wrong, it is made anew from what is kept."""
        state, calls = self.known, self.calls

        def take_in() -> NewEvent:
            # As it will be read again: nothing in it is shared with whoever told of it.
            event = NewEvent(kind, json.loads(written(body)), at)
            _apply(state, calls, state.seq + 1, event.kind, event.body)
            return event

        try:
            return await to_its_end(take_in, body)
        except BaseException:
            self._state = None
            raise

    async def _read(self) -> int:
        """Make the state anew from what is kept, and return how many events somebody else has written meanwhile."""
        events = await self._guard.store.read(self._tenant, self._id)
        bodies = [own.body for own in events]
        fault = await begun(partial(chain_fault, events, key_of(self._guard.store)), bodies)
        if fault is not None:
            raise StoreError(f"the conversation {self._id!r:.60} is not opened: {fault}")
        if any(own.kind == ERASED for own in events):
            self._unsaved.clear()
            raise InputError(f"the conversation {self._id!r} was erased; begin another one")
        # A write of which nobody heard may have been done all the same.
        more = [own for own in events if own.seq > self._stored]
        own = 0
        while own < min(len(more), len(self._unsaved)) and _is_same(more[own], self._unsaved[own]):
            own += 1
        state, calls, unsaved = self._guard.new_state(), CallIds(), self._unsaved[own:]
        self._state = None

        def take_in() -> None:
            for stored in events:
                _apply(state, calls, stored.seq, stored.kind, stored.content)
            # Of messages that were kept unread some may be known.
            unsaved[:] = [own for own in unsaved if own.body.get("ref") not in state.refs]
            for event in unsaved:
                _apply(state, calls, state.seq + 1, event.kind, event.body)

        await begun(take_in, bodies, [each.body for each in unsaved])
        self.calls, self._state, self._unsaved = calls, state, unsaved
        self._stored = events[-1].seq if events else 0
        return len(more) - own

    async def _written(self, event: NewEvent | None, keep: bool) -> None:
        """Write down what waits, and a new event that was taken in already."""
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
        """Take in how the last write ended, once it has, and return its error."""
        write = self._write
        assert write is not None
        error = await write.ended()
        self._write = None
        if error is None:
            self._stored += write.count
            self._unsaved.clear()
            return None
        if isinstance(error, StoreConflict) and write.keep:
            self._unsaved = [own for own in self._unsaved if own is not write.newest]
        if isinstance(error, StoreConflict) or not write.keep:
            self._state = None
        return error

    async def _only_own_came_before(self) -> bool:
        """Return whether all that came before the last write is an earlier one of this conversation's own."""
        try:
            return await self._read() == 0
        except StoreError:
            return False  # The conflict is told, and the conversation is read when it is used next.


def _apply(state: ConversationState, calls: CallIds, seq: int, kind: str, body: Mapping[str, Any]) -> None:
    calls.take_in(kind, body, had_effect=state.apply(seq, kind, body))


def _is_same(stored: StoredEvent, own: NewEvent) -> bool:
    return (stored.kind, stored.at, stored.body) == (own.kind, own.at, written(own.body))
