"""What the user spoke against is not called, though no reader has told of which argument the words are."""

from __future__ import annotations

import pytest

from tests.guard.conversation.shop import guard

T = "Table.Reserve"


def call(**more: object) -> dict[str, object]:
    return {"day": "2026-03-06", "guests": 2, **more}


async def decided(*messages: str, **more: object) -> tuple[str, tuple[str, ...]]:
    talk = guard().conversation("c")
    for own in messages:
        await talk.heard(user=own)
    decision = await talk.check(T, call(**more))
    return decision.kind, decision.disputed


@pytest.mark.parametrize("message", ["Not Dana please.", "anything but Dana", "Please avoid Dana"])
async def test_a_name_that_was_denied_is_blocked(message: str) -> None:
    assert await decided(message, name="Dana") == ("block", ("name",))


async def test_a_name_that_was_wanted_later_is_not() -> None:
    assert (await decided("Not Dana.", "Ok, Dana then.", name="Dana"))[0] == "allow"
    assert (await decided("Not Dana.", name="Halloran"))[0] == "allow"


@pytest.mark.parametrize("message", ["Just not on a Friday please.", "Any day but Friday.", "no Fridays please"])
async def test_a_day_of_the_week_that_was_denied_is_blocked(message: str) -> None:
    assert await decided(message) == ("block", ("day",))
    assert (await decided(message, day="2026-03-07"))[0] == "allow"


@pytest.mark.parametrize(
    ("message", "hour", "kind"),
    [
        ("Nothing before 7 pm.", "18:30", "block"),
        ("Nothing before 7 pm.", "19:00", "allow"),
        ("no later than 8 pm please", "20:30", "block"),
        ("We have 2 kids at most.", "20:30", "allow"),
    ],
)
async def test_a_limit_that_no_reader_took_up_holds(message: str, hour: str, kind: str) -> None:
    assert (await decided(message, time=hour))[0] == kind


async def test_a_reading_of_the_argument_stands_before_it() -> None:
    talk = guard({"Not Dana. Dana is fine after all.": {"name": "Dana"}}).conversation("c")
    await talk.heard(user="Not Dana. Dana is fine after all.")
    assert (await talk.check(T, call(name="Dana"))).kind == "allow"
