"""What requests show is heard once, however an app sends its history, and a yes counts for one call only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from openai import AsyncOpenAI

from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.guard import Guard
from holdtrue.guard.result_forms import read_result
from tests.guard.clients.served import Calls, Raw, serving
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, RIGHT, USER, ask, chat_client
from tests.guard.conversation.shop import ScriptedReader, guard, policy

NUMBERS = {"for 4 on friday": ASKED["for 4 on friday"], "4": {"guests": 4}, "5": {"guests": 5}}
CONSENT = policy(tools={"consent": ["Table.Reserve"]})
LISTING = "Please say yes to this before it is done: reserve (day: 2026-03-06; guests: 4)."
Message = dict[str, Any]
FOUR: Calls = [("Table.Reserve", {"day": FRIDAY, "guests": 4})]


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


def system(text: str) -> Message:
    return {"role": "system", "content": text}


def noted(messages: Sequence[Message], turn: int) -> list[Message]:
    """Return messages with notes of the app between them, which are others in each request."""
    noted = [system(f"It is {turn} o'clock.")]
    for message in messages:
        noted += [message, {"role": "developer", "content": f"note {turn}"}]
    return noted


VIEWS: dict[str, Callable[[list[Message], int], list[Message]]] = {
    "the whole": lambda history, turn: history,
    "the whole, with notes": noted,
    "the last message": lambda history, turn: history[-1:],
    "a window of two": lambda history, turn: history[-2:],
    "a window of two, with notes": lambda history, turn: noted(history[-2:], turn),
    "a window of three": lambda history, turn: history[-3:],
    "only the user's": lambda history, turn: [each for each in history if each["role"] == "user"],
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_change_of_mind_is_heard_however_the_history_is_sent(view: str) -> None:
    own = guard(NUMBERS)
    said = ["for 4 on friday", "5", "4", "5"]
    with serving([*["ok"] * 3, FOUR, "As you like."]) as served:
        client, history = chat_client(own, served.url), list[Message]()
        for turn, text in enumerate(said):
            history.append(user(text))
            answer = ask(client, *VIEWS[view](history, turn)).choices[0].message
            history.append(assistant(answer.content))
    assert own.reader.asked == said  # type: ignore[union-attr]
    assert history[-1]["content"] == "As you like."
    own.close()


def test_a_stored_conversation_hears_each_message() -> None:
    own = guard(NUMBERS)
    with serving([*["ok"] * 2, FOUR, "As you like."]) as served:
        client = chat_client(own, served.url)
        for text in ("5", "4", "5"):
            answer = client.responses.create(model="m", input=text, conversation="conv_1")
    assert own.reader.asked == ["5", "4", "5"]  # type: ignore[union-attr]
    assert answer.output_text == "As you like."
    # The provider has the call already, so that only its result is sent.
    assert [each["type"] for each in served.bodies[-1]["input"]] == ["function_call_output"]
    own.close()


def test_an_edited_message_is_heard_and_what_followed_it_is_not_heard_again() -> None:
    own = guard(NUMBERS)
    with serving(["Good.", "ok", FOUR, "As you like."]) as served:
        client = chat_client(own, served.url)
        ask(client, user("4"))
        ask(client, user("4"), assistant("Good."), user("thanks"))
        answer = ask(client, user("5"), assistant("Good."), user("thanks"))
    assert own.reader.asked == ["4", "thanks", "5"]  # type: ignore[union-attr]
    assert answer.choices[0].message.content == "As you like."
    own.close()


@pytest.mark.parametrize("view", ["the whole", "the whole, with notes", "a window of two, with notes"])
def test_a_yes_counts_for_one_call_however_often_it_is_sent(view: str) -> None:
    own = guard({}, policy=CONSENT)
    history = [user("a table"), assistant(LISTING), user("yes")]
    with serving([RIGHT, LISTING, RIGHT, RIGHT, "It is reserved already."]) as served:
        client = chat_client(own, served.url)
        ask(client, *VIEWS[view](history[:1], 0))
        said = ask(client, *VIEWS[view](history, 1)).choices[0].message
        result = {"role": "tool", "tool_call_id": said.tool_calls[0].id, "content": '{"booking": 1}'}
        again = ask(client, *VIEWS[view](history, 2), said, result).choices[0].message
    assert again.tool_calls is None
    assert own.reader.asked == ["a table", "yes"]  # type: ignore[union-attr]
    own.close()


@pytest.mark.parametrize(
    ("flags", "done"), [({}, 1), ({"isError": True}, 0), ({"is_error": True}, 0), ({"status": "error"}, 0)]
)
@pytest.mark.parametrize("alone", [False, True])
def test_a_result_that_is_sent_alone_finds_its_call_and_a_flagged_one_is_that_of_no_call(
    alone: bool, flags: Message, done: int
) -> None:
    rule = {
        "id": "once",
        "on": "Table.SendConfirmation",
        "hold": f"size(done['Table.Reserve']) == {done}",
        "say": "No.",
    }
    own = guard({}, policy=policy(rules=[rule]))
    with serving([RIGHT, "It is done."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, user("a table")).choices[0].message
        result = {"role": "tool", "tool_call_id": said.tool_calls[0].id, "content": "Good.", **flags}
        ask(client, *([] if alone else [user("a table"), said]), result)
    talk = own.conversation("c")
    assert not own.run(talk.pending())
    assert "once" not in own.run(talk.check("Table.SendConfirmation", {"email": "a@b.c"})).rules
    own.close()


def test_a_flagged_output_is_a_failure_of_its_call() -> None:
    call = {"name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "Good."}
    made: Message = {"type": "function_call", "call_id": "c", **call}
    for flags in ({"status": "error"}, {"isError": True}):
        _, told = ResponsesForm().history({"input": [made, {**output, **flags}]})
        assert read_result((), told.text).failed and told.call is not None and told.call.id == "c"


def test_a_request_that_is_sent_again_gives_no_second_yes() -> None:
    own = guard({}, policy=CONSENT)
    with serving([RIGHT, LISTING, RIGHT, RIGHT, "No."]) as served:
        client = chat_client(own, served.url)
        ask(client, user("a table"))
        calls = [ask(client, user("yes")).choices[0].message.tool_calls for _ in range(2)]
    assert calls[0] is not None and calls[1] is None
    own.close()


async def test_two_requests_at_once_hear_their_history_once() -> None:
    class Slow(ScriptedReader):
        async def read_requests(self, *args: Any) -> Any:
            await asyncio.sleep(0.01)
            return await super().read_requests(*args)

    own = Guard(CONSENT, reader=Slow({}))
    await own.conversation("c").check(*RIGHT[0])
    with serving([RIGHT, RIGHT, "No.", "No.", "No.", "No."]) as served:
        client: Any = own.wrap(AsyncOpenAI(api_key="none", base_url=served.url, max_retries=0), conversation="c")
        history = [assistant(LISTING), user("yes")]
        create = client.chat.completions.create
        answers = await asyncio.gather(*(create(model="m", messages=history) for _ in range(3)))
    assert sum(answer.choices[0].message.tool_calls is not None for answer in answers) == 1
    assert own.reader.asked == ["yes"]  # type: ignore[union-attr]
    await own.aclose()


def test_messages_that_can_be_read_once_are_sent_and_heard() -> None:
    own = guard(NUMBERS)
    with serving(["ok", "ok"]) as served:
        client = chat_client(own, served.url)
        client.chat.completions.create(model="m", messages=iter([USER]))
        client.responses.create(model="m", input=iter([user("5")]))
    assert [body.get("messages") or body.get("input") for body in served.bodies] == [[USER], [user("5")]]
    assert own.reader.asked == ["for 4 on friday", "5"]  # type: ignore[union-attr]
    own.close()


@pytest.mark.parametrize("part", [{"type": "custom", "custom": {"name": "q", "input": "x"}}, {"type": "magic"}, {}])
def test_calls_of_any_kind_in_a_history_are_no_fault(part: Message) -> None:
    own = guard(NUMBERS)
    said = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **part}]}
    with serving(["Hello."]) as served:
        answer = ask(chat_client(own, served.url), USER, said, {"role": "tool", "tool_call_id": "c1", "content": "ok"})
    assert answer.choices[0].message.content == "Hello."
    own.close()


def test_a_result_in_the_old_form_is_seen() -> None:
    own = guard(NUMBERS)
    old = {"function_call": {"name": "Table.Reserve", "arguments": f'{{"day": "{FRIDAY}", "guests": 4}}'}}
    with serving([Raw([old]), "Reserved."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, USER).choices[0].message
        ask(client, USER, said, {"role": "function", "name": "Table.Reserve", "content": '{"booking": 1}'})
    state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending
    own.close()


def test_an_id_of_a_conversation_is_one_of_the_tenant_that_code_runs_for() -> None:
    own = guard(NUMBERS)
    with serving(["ok", "ok"]) as served:
        client = chat_client(own, served.url)
        with own.inside("a", "one"):
            ask(client, USER, metadata={"conversation": "b"})
            ask(client, USER, metadata={"conversation": "b", "tenant": "two"})
    assert {(each.tenant, each.conversation) for each in own.run(own.store.conversations())} == {
        ("one", "b"),
        ("two", "b"),
    }
    own.close()
