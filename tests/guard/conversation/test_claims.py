"""A claim of the assistant needs a call that took effect with the claimed values."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.guard.guard import Guard
from holdtrue.language.requests.operation import Claim
from tests.guard.conversation.shop import ScriptedReader, policy

T, CALL = "Table.Reserve", {"day": "2026-03-06", "guests": 4, "name": "Ann Lee"}
CLAIMED = "I have reserved a table for 4 on Friday."


class ClaimingReader(ScriptedReader):
    """A reader that reads one claim in what an assistant says of a reservation."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__({})
        self.arguments, self.read = arguments, 0
        self.fails: Exception | None = None

    async def read_claims(self, acts: Any, message: str, context: Any, calls: list[Any]) -> tuple[Claim, ...]:
        self.read += 1
        if self.fails is not None:
            raise self.fails
        return (Claim(T, self.arguments, message),) if "reserved" in message else ()


def talking(reader: ClaimingReader) -> Any:
    return Guard(policy(), reader=reader).conversation("c")


@pytest.mark.parametrize(
    ("result", "claimed", "why"),
    [
        (None, {"guests": 4}, "no call that took effect shows it"),
        ({"error": "full"}, {"guests": 4}, "no call that took effect shows it"),
        ({"ok": True}, {"guests": 5}, "no call that took effect shows it"),
        ({"ok": True}, {"time": "19:00"}, "no call that took effect shows it"),
        ({"ok": True}, {"day": "2026-03-06", "guests": 4}, ""),
        ({"ok": True}, {"name": "ann lee"}, ""),
        ({"ok": True}, {}, ""),
    ],
)
async def test_a_claim_is_shown_by_a_call_that_took_effect_with_its_values(
    result: Any, claimed: dict[str, Any], why: str
) -> None:
    talk = talking(ClaimingReader(**claimed))
    if result is not None:
        await talk.check(T, CALL, call="a")
        await talk.saw(T, CALL, result, call="a")
    found = await talk.check_reply(CLAIMED)
    assert [own.tool for own in found] == ([T] if why else [])
    assert all(why in own.say and CLAIMED in own.say and own.arguments == claimed for own in found)
    assert (await talk.heard(assistant=CLAIMED)).claims == found


async def test_a_claim_of_a_call_whose_result_has_not_come_says_so() -> None:
    talk = talking(ClaimingReader(guests=4))
    await talk.check(T, CALL)
    (own,) = await talk.check_reply(CLAIMED)
    assert own.say.endswith("its result has not come.")


@pytest.mark.parametrize("fault", [TimeoutError(), ValueError("a bug")])
async def test_a_reply_is_read_once_and_nothing_is_stopped_where_nobody_can_read_it(fault: Exception) -> None:
    reader = ClaimingReader(guests=4)
    talk = talking(reader)
    assert await talk.check_reply(CLAIMED) == await talk.check_reply(CLAIMED)
    assert reader.read == 1 and await talk.check_reply("Hello!") == ()
    reader.fails = fault
    assert (await talk.heard(assistant="It is reserved.")).claims == ()
    with pytest.raises(type(fault)):
        await talk.check_reply("It is reserved now.")


async def test_without_a_reader_of_claims_none_is_found() -> None:
    assert await Guard(policy()).conversation("c").check_reply(CLAIMED) == ()


async def test_a_call_whose_arguments_cannot_be_read_may_show_any_claim_of_its_tool() -> None:
    talk = talking(ClaimingReader(guests=4))
    await talk.saw(T, {"day": "someday", "guests": "four"}, {"ok": True})
    assert await talk.check_reply(CLAIMED) == ()
