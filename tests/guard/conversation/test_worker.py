"""Large values are processed outside of the event loop, with the same results in the same order."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from holdtrue.guard import json_values
from holdtrue.guard.conversation import guarded_conversation
from holdtrue.guard.decision import Decision
from holdtrue.guard.guard import Guard
from holdtrue.guard.store.event import chain_fault
from tests.guard.conversation.shop import guard

FRIDAY = "2026-03-06"
ASKED = {"make it 5": {"guests": 5}}


async def told_by(own: Guard) -> list[tuple[str, str]]:
    """Return the stored events of a conversation in which many methods run at once."""
    talk = own.conversation("c")
    four = {"day": FRIDAY, "guests": 4}
    decisions = await asyncio.gather(
        talk.check("Table.Reserve", four, call="a"),
        talk.saw("Table.Reserve", four, {"ok": True}, call="a"),
        talk.heard(user="make it 5"),
        talk.check("Table.Reserve", four, call="b"),
        talk.saw("Table.Reserve", four, {"ok": True}, call="b"),
        talk.check("Table.Find", {"day": FRIDAY, "guests": 5}),
    )
    four["guests"] = 20  # It is changed too late to count.
    assert [own.kind for own in decisions if isinstance(own, Decision)] == ["allow", "block", "allow"]
    return [(own.kind, own.body) for own in await own.store.read("", "c")]


async def test_the_same_happens_in_the_same_order_whether_all_is_large_or_nothing_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = await told_by(guard(ASKED))
    monkeypatch.setattr(json_values, "_MANY_VALUES", -1)
    assert await told_by(guard(ASKED)) == small
    assert [kind for kind, _ in small] == ["decided", "saw", "heard", "decided", "saw stopped", "decided"]


async def test_large_values_are_copied_compared_and_kept_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, recorded = set[threading.Thread](), json_values.recorded

    def recording(value: Any, **more: Any) -> Any:
        threads.add(threading.current_thread())
        return recorded(value, **more)

    monkeypatch.setattr(guarded_conversation, "recorded", recording)
    own = guard()
    many = {f"k{number}": number for number in range(2_100)}
    for large in (many, {"day": "x" * 120_000}, json.dumps([many] * 5)):
        await own.conversation("c").check("Table.Find", large)
        await own.conversation("c").saw("Table.Find", large, large)
    assert threading.current_thread() not in threads
    assert chain_fault(await own.store.read("", "c")) is None


async def test_who_stops_waiting_leaves_no_half_of_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "_MANY_VALUES", -1)
    own = guard(ASKED)
    for number in range(40):
        talk = own.conversation(f"c{number}")
        task = asyncio.ensure_future(talk.heard(user="make it 5"))
        for _ in range(number):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        decision = await talk.check("Table.Reserve", {"day": FRIDAY, "guests": 4})
        events = [each.kind for each in await own.store.read("", f"c{number}")]
        assert decision.kind == ("block" if "heard" in events else "allow"), number
        assert events in (["decided"], ["heard", "decided"])
