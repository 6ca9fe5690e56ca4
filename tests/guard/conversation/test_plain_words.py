"""Without a model, unambiguous words of the user ask about a call and block nothing."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.guard.guard import Guard
from tests.guard.conversation.shop import policy

CALL = {"day": "2026-03-06", "guests": 4}


async def decided(*messages: str, **more: Any) -> tuple[str, tuple[str, ...]]:
    talk = Guard(policy()).conversation("c")
    for message in messages:
        await (talk.heard(assistant=message) if message.startswith("So ") else talk.heard(user=message))
    decision = await talk.check("Table.Reserve", {**CALL, **more}, mend=False)
    return decision.kind, decision.disputed


@pytest.mark.parametrize(
    ("messages", "more", "disputed"),
    [
        (["A table for 5 on Friday"], {}, ("guests",)),
        (["A table for 4 on Saturday, 7 March"], {}, ("day",)),
        (["on the terrace, please"], {"area": "inside"}, ("area",)),
        (["at 19:00"], {"time": "20:00"}, ("time",)),
        (["for 4 on Friday", "make it 5"], {}, ("guests",)),
    ],
)
async def test_other_words_for_the_only_argument_of_their_type_are_asked_about(
    messages: list[str], more: dict[str, Any], disputed: tuple[str, ...]
) -> None:
    assert await decided(*messages, **more) == ("ask", disputed)


@pytest.mark.parametrize(
    "messages",
    [
        ["A table for 4 on Friday"],
        ["a few of us, some day"],
        ["not for 5"],
        ["for 5?"],
        ["4 or 5 of us"],
        ["in Room 9"],
        ["on 6 and 7 March"],
        ["on 6 or 7 March"],
        ["March 7 or 6"],
        ["for 5", "So a table for 4 then."],
    ],
)
async def test_what_may_mean_something_else_asks_nothing(messages: list[str]) -> None:
    assert await decided(*messages) == ("allow", ())
