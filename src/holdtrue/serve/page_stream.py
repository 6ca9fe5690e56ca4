"""The live part of the page: one stream of server-sent events for each open page, which polls the store.

The store is polled because another process may write to it. A stream ends after a while, and the browser opens the next
one where it ended. So a server that is stopped waits for no page.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from holdtrue.errors import HoldtrueError
from holdtrue.guard.store.event import Kept
from holdtrue.serve.callers import BadRequest
from holdtrue.serve.page_conversations import PageConversations, list_view
from holdtrue.serve.page_people import Person
from holdtrue.serve.page_views import event_view

MOST_STREAMS = 64
_POLL_S = 0.6
_HEARTBEAT_S = 10.0
_LONGEST_S = 20.0
_AGAIN_MS = 500
_REST = 4
"""The store rests this many times as long as it needed for a list."""


class PageStreams:
    """`PageStreams` are the streams of all open pages. Their number is bounded."""

    def __init__(self, conversations: PageConversations) -> None:
        self._conversations = conversations
        self.open = 0
        self._lists: dict[tuple[str, str | None, str], tuple[float, tuple[Kept, ...]]] = {}
        """The lists that were read last, each with the moment until which it counts."""

    async def _recent(self, person: Person, tenant: str | None, containing: str) -> tuple[Kept, ...]:
        """Return the list for a person. Pages with the same list share it, and a slow store is asked less often."""
        key = person.tenant, tenant, containing
        found = self._lists.get(key)
        began = time.monotonic()
        if found is None or found[0] < began:
            kept = await self._conversations.recent(person, tenant, containing, None)
            now = time.monotonic()
            self._lists = {each: own for each, own in self._lists.items() if own[0] > now - _HEARTBEAT_S}
            self._lists[key] = found = now + max(_POLL_S / 2, _REST * (now - began)), kept
        return found[1]

    def check_room(self) -> None:
        """Raise `BadRequest` if no further stream may be opened."""
        if self.open >= MOST_STREAMS:
            raise BadRequest(503, "too many pages are open")

    async def follow(
        self,
        person: Person,
        shown: tuple[str, str] | None,
        after: int,
        listed: tuple[str | None, str],
        *,
        is_valid: Callable[[], bool],
    ) -> AsyncIterator[str]:
        """Yield new events of the `shown` conversation, and the list whenever it changes, while `is_valid`.

        `listed` has the tenant of the list, or None, and a part of the ids in the list.
        """
        self.open += 1
        try:
            yield f"retry: {_AGAIN_MS}\n\n"
            ends, beat = time.monotonic() + _LONGEST_S, time.monotonic()
            told: tuple[Kept, ...] | None = None
            while is_valid() and time.monotonic() < ends:
                new = await self._conversations.events(person, *shown, after) if shown else ()
                kept = await self._recent(person, *listed)
                if new:
                    after = new[-1].seq
                    yield f"id: {after}\n{_message('events', [event_view(own) for own in new])}"
                if kept != told:
                    told = kept
                    yield _message("list", list_view(kept))
                if new or time.monotonic() > beat + _HEARTBEAT_S:
                    beat = time.monotonic()
                    yield ": \n\n"
                await asyncio.sleep(_POLL_S)
        except HoldtrueError as error:
            yield _message("fault", str(error))
        finally:
            self.open -= 1


def _message(kind: str, content: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(content)}\n\n"
