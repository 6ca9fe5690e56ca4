"""An answer that never comes out leaves nothing behind: a call that was allowed in it is known not to be made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from openai import AsyncOpenAI

from holdtrue.errors import StoreConflict, StoreError
from holdtrue.guard.store.event import NewEvent, StoredEvent
from holdtrue.guard.store.memory import MemoryStore
from tests.guard.clients.served import Calls, serving
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, RIGHT, USER, ask, chat_client
from tests.guard.conversation.shop import guard, policy

ONCE = policy(limits=[{"id": "once", "on": "Table.Reserve", "most": 1}])
BOTH: Calls = [*RIGHT, ("Table.Find", {"day": FRIDAY})]


class Failing(MemoryStore):
    """A store in which one event of a kind fails, or conflicts with another writer."""

    def __init__(self, kind: str, number: int, how: str) -> None:
        super().__init__()
        self.kind, self.left, self.how = kind, number, how
        self.is_slow = asyncio.Event()

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        self.left -= events[-1].kind == self.kind
        if self.left == 0:
            self.left = -1
            if self.how == "fails":
                raise StoreError("the disk is full")
            if self.how == "conflict":
                body = {"at": "2026-03-02T09:00:00", "assistant": "Hello.", "promises": []}
                await super().append(tenant, conversation, after, [NewEvent("heard", body, "2026-03-02T09:00:00Z")])
            if self.how == "slow":
                self.is_slow.set()
                await asyncio.sleep(0.05)
        return await super().append(tenant, conversation, after, events)


@pytest.mark.parametrize(("kind", "number", "said"), [("decided", 2, BOTH), ("heard", 2, "both")])
def test_what_was_allowed_before_a_conflict_was_not_made(kind: str, number: int, said: Any) -> None:
    own = guard(ASKED, policy=ONCE, store=Failing(kind, number, "conflict"))
    with serving([said, RIGHT]) as served:
        client = chat_client(own, served.url)
        with pytest.raises(StoreConflict):
            ask(client, USER)
        assert own.run(own.conversation("c").pending()) == ()
        assert ask(client, USER).choices[0].message.tool_calls is not None
    own.close()


def test_a_decision_that_cannot_be_kept_lets_nothing_out() -> None:
    own = guard(ASKED, policy=ONCE, store=Failing("decided", 2, "fails"))
    with serving([BOTH, "No."]) as served:
        assert ask(chat_client(own, served.url), USER).choices[0].message.tool_calls is None
    assert own.run(own.conversation("c").pending()) == ()
    own.close()


@pytest.mark.parametrize("number", [1, 2])
async def test_a_request_that_is_cancelled_while_it_is_decided_on(number: int) -> None:
    store = Failing("decided", number, "slow")
    own = guard(ASKED, policy=ONCE, store=store)
    with serving([BOTH]) as served:
        client: Any = own.wrap(AsyncOpenAI(api_key="none", base_url=served.url, max_retries=0), conversation="c")
        talk = own.conversation("c")
        task = asyncio.ensure_future(client.chat.completions.create(model="m", messages=[USER]))
        await store.is_slow.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await talk.pending() == ()
    await own.aclose()


async def test_a_call_that_is_under_way_stays_pending_when_one_like_it_is_cancelled() -> None:
    store = Failing("decided", 2, "slow")
    own = guard(ASKED, store=store)
    with serving([RIGHT, RIGHT]) as served:
        client: Any = own.wrap(AsyncOpenAI(api_key="none", base_url=served.url, max_retries=0), conversation="c")
        talk = own.conversation("c")
        await client.chat.completions.create(model="m", messages=[USER])
        (before,) = await talk.pending()
        task = asyncio.ensure_future(client.chat.completions.create(model="m", messages=[USER]))
        await store.is_slow.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await talk.pending() == (before,)
    await own.aclose()
