"""Moments that are local to a place, where clocks change: elapsed time, freshness, calls, records and replays."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard import Facts, Guard, Policy, PolicyError, make_policy
from holdtrue.guard.conversation.input_checks import check_time

TEXT = {"type": "string"}


def policy(place: str = "Europe/Berlin") -> Policy:
    """Return a policy that lets orders be moved by a day at most, for moments local to a place."""
    tools: dict[str, Any] = {
        "definitions": [
            {"name": name, "parameters": {"type": "object", "properties": dict.fromkeys(own, TEXT), "required": own}}
            for name, own in (("move", ["id", "to"]), ("get", ["id"]))
        ],
        "writes": ["move"],
        "reads": ["get"],
        "types": {"*": {"id": "id of order"}, "move": {"to": f"moment {place}"}},
    }
    order: dict[str, Any] = {"key": {"id": "id of order"}, "record": {"placed": f"moment {place}"}, "fresh": "1h"}
    order["from"] = [{"tool": "get", "key": {"id": "call.id"}}]
    hold = "call.to - facts.order(call.id).placed <= duration('24h')"
    rule = {"id": "day", "on": "move", "hold": hold, "say": "By a day at most."}
    return make_policy("orders", zone=place, tools=tools, facts={"order": order}, rules=[rule])


def seen(own: Policy, placed: Any, at: str) -> Facts:
    return own.saw(Facts.none(), "get", {"id": "a"}, {"placed": placed}, at=at)


NEAR = st.integers(-100_000, 100_000).map(lambda own: timedelta(seconds=own))
CHANGES = {
    datetime(2026, 10, 25, 1, tzinfo=UTC): "Europe/Berlin",
    datetime(2026, 3, 29, 1, tzinfo=UTC): "Europe/Berlin",
    datetime(2026, 4, 4, 15, tzinfo=UTC): "Australia/Lord_Howe",
    datetime(2011, 12, 30, 10, tzinfo=UTC): "Pacific/Apia",
    datetime(2026, 2, 15, 2, tzinfo=UTC): "Africa/Casablanca",
}


@settings(deadline=None)
@given(st.sampled_from(list(CHANGES)), NEAR, NEAR, NEAR, NEAR)
def test_what_is_fresh_and_what_has_passed_is_real_time(
    start: datetime, placed: timedelta, at: timedelta, now: timedelta, to: timedelta
) -> None:
    own, zone = policy(CHANGES[start]), ZoneInfo(CHANGES[start])
    written = [(start + each).astimezone(zone).isoformat() for each in (placed, to)]
    facts = seen(own, written[0], (start + at).isoformat())
    decision = own.check("move", {"id": "a", "to": written[1]}, facts, now=(start + now).isoformat())
    fresh = timedelta() <= now - at <= timedelta(hours=1)
    assert decision.kind == ("ask" if not fresh else "allow" if to - placed <= timedelta(hours=24) else "block")
    replayed = own.replay(json.loads(json.dumps(decision.to_json())))
    assert (replayed.kind, replayed.why) == (decision.kind, decision.why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "2026-10-25T02:30:00",
            "was twice in Europe/Berlin, as clocks were put back: write it with its offset, +02:00 or",
        ),
        ("2026-03-29T02:30:00", "never was in Europe/Berlin: clocks were put forward past it"),
        ("٢٠٢٦-03-01T10:00:00", "it has to be a moment such as"),
    ],
)
def test_a_reading_that_is_no_single_moment_is_told_and_decides_nothing(text: str, why: str) -> None:
    own = policy()
    facts = seen(own, text, "2026-10-25T12:00:00")
    assert why in facts.notes[0]
    assert own.check("move", {"id": "a", "to": "2026-10-25T12:00:00"}, facts, now="2026-10-25T12:30:00").kind == "ask"
    decision = own.check("move", {"id": "a", "to": text}, facts, now="2026-10-25T12:30:00")
    assert decision.kind == "block" and why in decision.why
    with pytest.raises(PolicyError, match="'Europe/Berln' is no place of the time zone database"):
        policy("Europe/Berln")


async def test_a_conversation_has_the_clocks_of_its_policy() -> None:
    guard = Guard(policy(), clock=lambda: datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    assert guard.now() == "2026-10-25T02:30:00+02:00"
    assert Guard(policy(), clock=lambda: datetime(2026, 10, 25, 2, 30, fold=1)).now() == "2026-10-25T02:30:00+01:00"
    talk = guard.conversation("a")
    assert check_time("at", "2026-10-24T23:30:00Z", guard.policy.moment) == "2026-10-25T01:30:00"
    await talk.saw("get", {"id": "a"}, {"placed": "2026-10-25T02:30:00+01:00"})
    decision = await talk.check("move", {"id": "a", "to": "2026-10-26T02:31:00"}, now="2026-10-25T02:45:00+02:00")
    assert decision.kind == "block" and decision.mend is not None
    assert decision.mend.arguments["to"] == "2026-10-26T02:30:00"
