"""A plain yes is a consent. A message with more than that is none, and ends each earlier yes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard.guard import Guard
from holdtrue.language.requests.spans import LONGEST_TEXT, LONGEST_WORDS
from holdtrue.language.yes_words import answer_of
from tests.data import read_jsonl
from tests.guard.conversation.shop import guard, policy
from tests.patience import counted

FRIDAY = "2026-03-06"
CALL = {"day": FRIDAY, "guests": 4}
LISTING = "Friday, 6 March, for 4 guests. Shall I reserve it?"
ASKED = {"for 4 on friday": {"day": FRIDAY, "guests": 4}}

ANSWERS = read_jsonl(Path(__file__).parent / "data" / "answers.jsonl")


@pytest.mark.parametrize(("said", "answer"), [(own["said"], own["answer"]) for own in ANSWERS])
def test_a_plain_yes_consents_other_talk_does_not_and_a_refusal_says_more_than_a_courtesy(
    said: str, answer: str
) -> None:
    found = answer_of(said, {"reserve"})
    assert found != "yes" if answer == "no yes" else found == answer


@pytest.mark.parametrize("word", ["no ", "yes ", "don't ", "please ", "so so very ", "let me know ", "a", "-"])
def test_long_messages_are_judged_with_little_work(word: str) -> None:
    with counted() as calls:
        assert answer_of(word * 20_000) == "more"
    assert calls.made < 200_000


@pytest.fixture
def talk() -> Any:
    return guard(ASKED, policy=policy(tools={"consent": ["Table.Reserve"]})).conversation("c")


@pytest.mark.parametrize("message", ["Are you sure?", "ok?", "Let me confirm with my boss", "yes, but make it 5", "no"])
async def test_what_is_no_clear_yes_lets_nothing_through(talk: Any, message: str) -> None:
    await talk.heard(user="for 4 on friday")
    heard = await talk.heard(assistant=LISTING, user=message)
    assert not heard.yes
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


@pytest.mark.parametrize("message", ["No, sorry, I have to decline.", "Please do not book anything.", "no"])
async def test_a_no_after_a_yes_takes_it_back(talk: Any, message: str) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="yes")
    await talk.heard(user=message)
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


async def test_a_listing_that_was_refused_is_not_agreed_to_by_a_yes_to_something_else(talk: Any) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="No.")
    await talk.heard(assistant="OK. May I tell you about our wine list?", user="yes")
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


@pytest.mark.parametrize(("later", "kind"), [("Thank you!", "allow"), ("No, that's all, thanks", "confirm")])
async def test_a_courtesy_leaves_a_yes_as_it_is_and_all_else_ends_it(talk: Any, later: str, kind: str) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="yes")
    await talk.heard(assistant="Is there anything else?", user=later)
    assert (await talk.check("Table.Reserve", CALL)).kind == kind


CHAT = "the weather was nice and we had fun. "


async def test_what_stands_at_the_end_of_a_long_message_is_heard() -> None:
    talk = Guard(policy()).conversation("c")
    heard = await talk.heard(user=CHAT * 100 + "A table for 5 on Friday please.")
    assert not heard.unheard
    assert (await talk.check("Table.Reserve", CALL)).disputed == ("guests",)


@pytest.mark.parametrize("chat", [CHAT * (LONGEST_TEXT // len(CHAT) + 1), "5 " * LONGEST_TEXT])
async def test_a_message_that_is_not_read_whole_is_unheard_and_asked_about(chat: str) -> None:
    talk = Guard(policy()).conversation("c")
    heard = await talk.heard(user=chat + " A table for 5 guests on Friday please.")
    assert "it is too long" in heard.unheard and not heard.yes
    for _ in range(2):  # it stays unheard, and is not read again each time
        decision = await talk.check("Table.Reserve", CALL)
        assert decision.kind in ("ask", "block") and decision.stops


@pytest.mark.parametrize("chat", ["so " * LONGEST_WORDS, "5 " * 500])
async def test_what_a_reader_cannot_be_told_all_values_of_is_unheard(chat: str) -> None:
    talk = guard().conversation("c")
    heard = await talk.heard(user=chat + " A table for 5 guests on Friday please.")
    assert "it is too long" in heard.unheard
    assert (await talk.check("Table.Reserve", CALL)).kind == "ask"
