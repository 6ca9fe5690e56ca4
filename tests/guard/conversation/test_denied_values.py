"""What the user spoke against is not called, though no reader has told of which argument the words are."""

from __future__ import annotations

from datetime import datetime

import pytest

from holdtrue.guard.conversation.said import Said
from holdtrue.guard.guard import Guard
from tests.guard.conversation.shop import NOW, guard, policy
from tests.patience import count_calls

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


@pytest.mark.parametrize(
    "later",
    [
        ("Understood, no Dana. Shall I book with Olga?", "Yes please."),
        (None, "Did you take Dana out?"),
        (None, "I hate Dana."),
        (None, "I repeat: I do not want to see Dana at all!"),
    ],
)
async def test_a_name_that_is_only_named_again_stays_denied(later: tuple[str | None, str]) -> None:
    talk = guard().conversation("c")
    await talk.heard(user="Not Dana please.")
    assistant, user = later
    await talk.heard(user=user, assistant=assistant)
    assert (await talk.check(T, call(name="Dana"))).kind == "block"


async def test_an_offer_that_is_accepted_lifts_a_denial() -> None:
    talk = guard().conversation("c")
    await talk.heard(user="Not Dana please.")
    await talk.heard(assistant="Only Dana is there. Shall I book with Dana?", user="Yes please.")
    assert (await talk.check(T, call(name="Dana"))).kind == "allow"


@pytest.mark.parametrize("name", ["Dana", "Halloran"])
async def test_neither_denies_both(name: str) -> None:
    assert (await decided("Neither Dana nor Halloran please.", name=name))[0] == "block"


@pytest.mark.parametrize(
    "message",
    [
        "Not on a Friday. Any day will do otherwise.",
        "I can't do Fridays but otherwise any day works.",
        "Any day works, just no Fridays.",
    ],
)
async def test_a_denial_stays_beside_a_freeing(message: str) -> None:
    talk = Guard(policy()).conversation("c")
    await talk.heard(user=message, at=NOW)
    assert (await talk.check(T, call())).kind == "block"


async def test_both_ends_of_a_span_of_time_hold() -> None:
    talk = Guard(policy()).conversation("c")
    await talk.heard(user="A table for 2 on March 6, not before 7 pm and no later than 9 pm please.", at=NOW)
    for hour, is_allowed in (("18:30", False), ("21:30", False), ("20:00", True)):
        assert ((await talk.check(T, call(time=hour), mend=False)).kind == "allow") is is_allowed


async def test_a_denied_day_may_be_wanted_later() -> None:
    assert (await decided("No Fridays please.", "Ok, a Friday is fine after all."))[0] == "allow"
    assert (await decided("Nothing before 7 pm.", "Ok, 6:30 pm is fine.", time="18:30"))[0] == "allow"


async def test_a_call_is_not_mended_to_a_denied_day() -> None:
    late = {"id": "late", "on": T, "say": "Not so soon.", "hold": "call.day > date('2026-03-08')"}
    talk = guard(policy=policy(rules=[late])).conversation("c")
    await talk.heard(user="No Mondays please.")
    decision = await talk.check(T, call(day="2026-03-05"))
    assert decision.kind == "block" and decision.mend is not None
    assert decision.mend.arguments["day"] == "2026-03-10"


async def test_a_number_of_something_is_no_hour() -> None:
    assert (await decided("It should be no more than 2 miles away.", time="19:00"))[0] == "allow"


async def test_what_is_denied_of_numbers_and_days_is_heard() -> None:
    assert (await decided("Not on March 6.")) == ("block", ("day",))
    assert (await decided("Not 7 pm please.", time="19:00")) == ("block", ("time",))


def test_a_long_message_is_looked_through_with_little_work() -> None:
    said = Said("no Mondays " * 5_000, datetime(2026, 3, 2), "en-US")
    assert count_calls(said.denied_days) < 20_000
