"""A conversation that was kept in a form that is no longer read is refused in words, and nothing is added to it."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import StoreError
from holdtrue.guard.store.event import NewEvent
from holdtrue.guard.store.memory import MemoryStore
from tests.guard.conversation.shop import NOW, guard

OLD: list[tuple[str, dict[str, Any]]] = [
    ("heard", {"at": NOW, "user": "for 4", "taken": [{"slot": "Table.guests", "value": 4}]}),
    ("heard", {"at": NOW, "user": "yes", "taken": [], "agrees": True}),
    ("reheard", {"turn": 1, "taken": [{"slot": "Table.guests", "value": 4}]}),
    ("committed", {"entry": {"slot": "Table.guests", "value": 4}}),
]


@pytest.mark.parametrize(("kind", "body"), OLD)
async def test_a_store_of_slots_is_refused_in_words(kind: str, body: dict[str, Any]) -> None:
    store = MemoryStore()
    await store.append("", "c", 0, (NewEvent(kind, body, NOW),))
    talk = guard(store=store).conversation("c")
    decision = await talk.check("Table.Reserve", {"day": "2026-03-06", "guests": 4})
    assert decision.kind == "ask" and "not by requests" in decision.for_model.replace("and not", "not")
    with pytest.raises(StoreError, match="begin another one"):
        await talk.requests()
    assert len(await store.read("", "c")) == 1
