"""Logged chats, played again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.cli.logged_input import chats_in
from holdtrue.conversation import Session
from holdtrue.conversation.logged_chat import CheckedChatTurn, LoggedExchange, check_chat
from holdtrue.errors import RecordError
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import TurnOutcome
from tests.language.rota import WEEK

GOOD, BAD = ({"solution": {"Ann": day, "Bob": 2, "Cy": 3, "Dee": 4}} for day in (1, 5))


def say(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def read_chat(text: str, where: str) -> list[LoggedExchange]:
    [(_, found)] = chats_in(text.encode("utf-8", "surrogatepass"), where, "chat").items()
    return found


def lines(*messages: object) -> str:
    return "\n".join(json.dumps(message) for message in messages)


def exchanges(*messages: object) -> list[LoggedExchange]:
    return read_chat(lines(*messages), "chat")


async def checked(*pairs: tuple[str, object]) -> list[CheckedChatTurn]:
    said = [LoggedExchange(message, text if isinstance(text, str) else json.dumps(text)) for message, text in pairs]
    return [turn async for turn in check_chat(said, WEEK, TemplateExtractor(), name="chat", budget=Budget())]


CHAT = [say("system", "Plan."), say("user", "Ann works on day 1."), say("assistant", "{}")]


@pytest.mark.parametrize(
    "text",
    [
        lines(*CHAT),
        "\n\n" + lines(*CHAT) + "\n",
        json.dumps(CHAT),
        json.dumps({"messages": CHAT, "model": "m"}, indent=1),
    ],
)
def test_all_forms_of_a_chat_are_the_same(text: str) -> None:
    assert read_chat(text, "chat") == [LoggedExchange("Ann works on day 1.", "{}")]


@pytest.mark.parametrize(
    ("messages", "pairs"),
    [
        ([say("user", "A"), say("user", "B"), say("assistant", "x")], [("A\nB", "x")]),
        ([say("assistant", "Hi"), say("user", "A"), say("assistant", "x")], [("", "Hi"), ("A", "x")]),
        ([say("user", "A"), say("assistant", "x"), say("assistant", "y")], [("A", "x"), ("", "y")]),
        ([say("user", "A"), say("assistant", "x"), say("user", "late")], [("A", "x")]),
        (
            [say("user", "A"), say("assistant", None, tool_calls=[]), say("tool", "7"), say("assistant", "x")],
            [("A", "x")],
        ),
        ([say("developer", {"any": 1}), say("function", None), say("user", "A"), say("assistant", "x")], [("A", "x")]),
        ([say("user", "A"), say("assistant", " \n"), say("assistant", "x")], [("A", "x")]),
        (
            [say("user", [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]), say("assistant", "x")],
            [("A\nB", "x")],
        ),
    ],
)
def test_messages_are_paired_up(messages: list[Any], pairs: list[tuple[str, str]]) -> None:
    assert exchanges(*messages) == [LoggedExchange(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no conversation is in it"),
        ("[]", "no conversation is in it"),
        (lines(say("user", "A")), "no message of an assistant"),
        (lines(say("user", "A"), say("assistant", "")), "no message of an assistant"),
        ("{", "line 1: no JSON object"),
        (lines(say("user", "A")) + "\n{", "line 2: no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ("3", "document: no object"),
        (lines(say("user", "A"), 3), "messages is missing; there is role, content"),
        ('{"messages": 3}', "messages: a list is needed"),
        (lines(say("narrator", "A")), "the role 'narrator' is neither user nor assistant"),
        ('[{"content": "A"}]', "messages is missing; there is content; known formats are otel"),
        (lines(say("user", None)), "content: a text, or a list of parts"),
        (lines(say("assistant", 3)), "content: a text, or a list of parts"),
        (lines(say("user", [{"type": "image_url"}])), "content: part 1 is no text"),
        (lines(say("user", [["A"]])), "content: part 1 is no text"),
    ],
)
def test_what_is_no_chat_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(RecordError, match=rf"^chat\.jsonl: .*{says}"):
        read_chat(text, "chat.jsonl")


@given(st.recursive(st.none() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))
@settings(deadline=None, max_examples=80)
def test_whatever_is_logged_is_a_chat_or_a_clear_error(value: object) -> None:
    for text in (json.dumps(value), json.dumps([say("user", value), say("assistant", "x")])):
        try:
            assert read_chat(text, "chat")
        except RecordError as error:
            assert str(error).startswith("chat: ")


async def test_each_answer_is_verified_against_the_ledger_as_it_then_is() -> None:
    turns = await checked(
        ("Ann works on day 1.", BAD),
        ("Forget that.", BAD),
        ("Ann works on day 1. Bob works before Cy.", GOOD),
        ("Bob works on day 4 instead.", GOOD),
    )
    assert [turn.checked.verdict.outcome for turn in turns] == [
        TurnOutcome.DRIFT,
        TurnOutcome.CONSISTENT,
        TurnOutcome.CONSISTENT,
        TurnOutcome.DRIFT,
    ]
    assert [turn.checked.id for turn in turns] == ["chat/1", "chat/2", "chat/3", "chat/4"]
    assert turns[0].checked.nearest == {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}
    assert turns[1].checked.nearest is None
    assert turns[1].sentences == [
        'Taken back: C001, "Ann works on day 1".',
        "Nothing was agreed so far that could be broken.",
    ]


async def test_json_has_the_fields_of_a_logged_turn_and_what_the_message_came_to() -> None:
    (turn,) = await checked(("Ann works on day 1. How nice!", BAD))
    record = turn.to_json()
    assert turn.checked.to_json().items() <= record.items()
    assert (record["turn"], record["violated"], record["correct"]) == (1, ["C001"], None)
    assert record["events"] == [{"kind": "added", "id": "C001", "sentence": "Ann works on day 1", "reason": None}]
    assert record["unread"] == [{"sentence": "How nice!", "reason": "no known wording fits this sentence"}]
    assert json.loads(json.dumps(record)) == record


async def test_a_chat_comes_to_what_the_same_conversation_came_to() -> None:
    """The door for logged chats and the library agree."""
    said = ["Ann works on day 1.", "Bob works before Ann.", "Forget that.", "Ann works on day 5 instead."]
    answers = [json.dumps(one) for one in (GOOD, GOOD, BAD, BAD)]
    live = Session(WEEK, model=ScriptModel(answers), method="direct", extractor="templates")
    records = [await live.turn(message) for message in said]
    turns = await checked(*zip(said, answers, strict=True))
    assert [turn.checked.verdict for turn in turns] == [record.final.verdict for record in records]
    assert [turn.events for turn in turns] == [record.events for record in records]
