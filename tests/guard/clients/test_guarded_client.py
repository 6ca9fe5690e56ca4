"""OpenAI's clients behind a guard, with a local server: no stopped call comes out, and nothing is lost or doubled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from openai import OpenAI

from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.clients.blocking import CallStopped
from holdtrue.guard.guard import Guard
from holdtrue.language.requests.operation import Act, Claim, RequestContext
from holdtrue.record import CallRecord
from tests.guard.clients.served import Calls, Say, serving
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, ScriptedReader, guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
ASKED: Mapping[str, Mapping[str, Any]] = {"for 4 on friday": {"day": FRIDAY, "guests": 4}, "5": {"guests": 5}}
USER = {"role": "user", "content": "for 4 on friday"}
WRONG: Calls = [("Table.Reserve", {"day": SATURDAY, "guests": 4})]
RIGHT: Calls = [("Table.Reserve", {"day": FRIDAY, "guests": 4})]


def chat_client(own: Guard, url: str, **settings: Any) -> Any:
    return own.wrap(OpenAI(api_key="none", base_url=url, max_retries=0), conversation="c", **settings)


def ask(client: Any, *messages: Any, **more: Any) -> Any:
    return client.chat.completions.create(model="scripted", messages=list(messages), **more)


def test_a_stopped_call_is_told_to_the_model_and_only_the_allowed_one_comes_out() -> None:
    own = guard(ASKED)
    with serving([WRONG, RIGHT]) as served:
        answer = ask(chat_client(own, served.url), USER)
    (call,) = answer.choices[0].message.tool_calls
    assert json.loads(call.function.arguments) == {"day": FRIDAY, "guests": 4}
    assert answer.usage.model_dump(exclude_none=True) == {
        "prompt_tokens": 20,
        "completion_tokens": 10,
        "total_tokens": 30,
    }
    first, second = served.bodies
    assert first["messages"] == [USER]
    assert [each["role"] for each in second["messages"]] == ["user", "assistant", "tool"]
    assert "in turn 1: 'for 4 on friday'" in second["messages"][2]["content"]
    own.close()


def test_attempts_are_capped_and_then_the_user_hears_why() -> None:
    own = guard(ASKED)
    with serving([WRONG, WRONG, RIGHT]) as served:
        answer = ask(chat_client(own, served.url, attempts=2), USER)
    assert answer.choices[0].message.tool_calls is None
    assert answer.choices[0].finish_reason == "stop"
    assert answer.choices[0].message.content.startswith("This cannot be done: The user said that day is 2026-03-06")
    assert len(served.bodies) == 2
    own.close()


def test_refusing_mending_and_raising() -> None:
    for way in ("refuse", "mend", "raise"):
        own = guard(policy=policy(rules=FOUR_ON_FRIDAY)) if way == "mend" else guard(ASKED)
        with serving([WRONG]) as served:
            client = chat_client(own, served.url, on_block=way)
            if way == "raise":
                with pytest.raises(CallStopped, match="breaks the policy") as caught:
                    ask(client, USER)
                assert caught.value.decisions[0].disputed == ("day",)
            else:
                message = ask(client, USER).choices[0].message
                if way == "mend":
                    assert json.loads(message.tool_calls[0].function.arguments) == {"day": FRIDAY, "guests": 4}
                else:
                    assert message.tool_calls is None and "cannot be done" in message.content
        assert len(served.bodies) == 1
        own.close()


def test_each_message_and_result_is_heard_once_however_often_it_is_sent() -> None:
    own = guard(ASKED)
    reader = own.reader
    with serving([RIGHT, "It is reserved.", "You are welcome."]) as served:
        client = chat_client(own, served.url)
        first = ask(client, USER).choices[0].message
        call = first.tool_calls[0]
        history = [USER, first, {"role": "tool", "tool_call_id": call.id, "content": '{"booking": "B1"}'}]
        second = ask(client, *history).choices[0].message
        history += [{"role": "assistant", "content": second.content}, {"role": "user", "content": "thanks"}]
        ask(client, *history)
        history += [{"role": "assistant", "content": "You are welcome."}, {"role": "user", "content": "thanks"}]
    assert reader.asked == ["for 4 on friday", "thanks"]  # type: ignore[union-attr]
    state = own.run(own.conversation("c")._opened())
    assert state.facts.done["Table.Reserve"] != ()
    assert not state.pending
    assert [each.text for each in state.words.all if each.who == "assistant"] == ["It is reserved.", "You are welcome."]
    own.close()


def test_a_history_that_was_cut_is_not_heard_again() -> None:
    own = guard(ASKED)
    with serving(["On Friday.", "Five.", "Good."]) as served:
        client = chat_client(own, served.url)
        ask(client, USER)
        second = [USER, {"role": "assistant", "content": "On Friday."}, {"role": "user", "content": "5"}]
        ask(client, *second)
        ask(client, *second[1:], {"role": "assistant", "content": "Five."}, {"role": "user", "content": "ok"})
    assert own.reader.asked == ["for 4 on friday", "5", "ok"]  # type: ignore[union-attr]
    own.close()


def test_an_allowed_call_beside_a_stopped_one_is_not_made_either() -> None:
    limit = [{"id": "once", "on": "Table.SendConfirmation", "most": 1}]
    own = guard(ASKED, policy=policy(limits=limit))
    mail = ("Table.SendConfirmation", {"email": "a@example.org"})
    with serving([[mail, *WRONG], [mail, *RIGHT]]) as served:
        answer = ask(chat_client(own, served.url), USER)
    assert [call.function.name for call in answer.choices[0].message.tool_calls] == [
        "Table.SendConfirmation",
        "Table.Reserve",
    ]
    told = [each["content"] for each in served.bodies[1]["messages"] if each["role"] == "tool"]
    assert "It was not called, because another call" in told[0]
    own.close()


def test_the_conversation_is_never_guessed() -> None:
    own = guard(ASKED)
    client = own.wrap(OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1", max_retries=0))
    with pytest.raises(InputError, match="which conversation this is, nobody said"):
        ask(client, USER)
    with serving(["Hello.", "Hello."]) as served:
        client = own.wrap(OpenAI(api_key="none", base_url=served.url, max_retries=0))
        with own.inside("a", "one"):
            ask(client, USER)
        ask(client, USER, metadata={"conversation": "a", "tenant": "two"})
    assert own.reader.asked == ["for 4 on friday"] * 2  # type: ignore[union-attr]
    own.close()


def test_what_cannot_be_wrapped_is_told() -> None:
    own = guard()
    inner = OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match="an OpenAI or AsyncOpenAI client"):
        own.wrap(object())
    with pytest.raises(SettingsError, match="on_block is one of"):
        own.wrap(inner, on_block="ignore")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="attempts"):
        own.wrap(inner, attempts=0)


def test_responses_are_guarded_and_earlier_turns_stay_in_the_ledger() -> None:
    own = guard(ASKED)
    with serving(["In whose name?", WRONG, RIGHT, "Reserved."]) as served:
        client = chat_client(own, served.url)
        asked = client.responses.create(model="scripted", input="for 4 on friday")
        assert asked.output_text == "In whose name?"
        first = client.responses.create(model="scripted", input="Ann", previous_response_id=asked.id)
        (call,) = first.output
        assert json.loads(call.arguments) == {"day": FRIDAY, "guests": 4}
        assert first.usage is not None and first.usage.total_tokens == 30
        assert first.usage.output_tokens_details.reasoning_tokens == 4
        result = {"type": "function_call_output", "call_id": call.call_id, "output": '{"booking": 1}'}
        second = client.responses.create(model="scripted", input=[result], previous_response_id=first.id)
        assert second.output_text == "Reserved."
    assert [each["type"] for each in served.bodies[2]["input"][1:]] == ["function_call", "function_call_output"]
    assert "in turn 1: 'for 4 on friday'" in served.bodies[2]["input"][2]["output"]
    state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending
    own.close()


def test_a_stream_of_a_response_ends_with_the_whole_of_it() -> None:
    own = guard(ASKED)
    with serving([WRONG, RIGHT, "Hello."]) as served:
        client = chat_client(own, served.url)
        events = list(client.responses.create(model="scripted", input="for 4 on friday", stream=True))
        said = list(client.responses.create(model="scripted", input="hi", stream=True))
    assert [each.type for each in events] == [
        "response.created",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert events[-1].response.usage.total_tokens == 30
    assert [each.delta for each in said if each.type == "response.output_text.delta"] == ["Hello."]
    own.close()


ASKS = {"role": "user", "content": "Is it done?"}
DONE, HONEST = "Your table for 5 is booked.", "No, your table is not booked yet."


class ClaimReader(ScriptedReader):
    """A reader that takes one sentence for a claim of work."""

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        return (Claim("Table.Reserve", {"guests": 5}, message),) if message == DONE else ()


@pytest.mark.parametrize("is_response", [False, True])
@pytest.mark.parametrize(
    ("answers", "said", "asked"),
    [([DONE, HONEST], HONEST, 2), ([HONEST], HONEST, 1), ([DONE, DONE], "no call that took effect shows it", 2)],
)
def test_a_false_claim_does_not_come_out(answers: list[Say], said: str, asked: int, is_response: bool) -> None:
    own = Guard(policy(), reader=ClaimReader({}))
    with serving(answers) as served:
        plain: Any = OpenAI(api_key="none", base_url=served.url, max_retries=0)
        client = own.wrap(plain, conversation="c", attempts=2, hold_claims=True)
        if is_response:
            text = client.responses.create(model="scripted", input=[ASKS]).output_text
        else:
            text = client.chat.completions.create(model="scripted", messages=[ASKS]).choices[0].message.content
    assert said in text and len(served.bodies) == asked
    if asked == 2:
        assert "no call that took effect shows it" in str(served.bodies[1])
    own.close()
