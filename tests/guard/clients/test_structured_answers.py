"""Structured answers: every one that an app may take is looked at, and a refusal is none."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from holdtrue.guard.clients.blocking import CallStopped
from holdtrue.guard.clients.forms import as_text
from tests.guard.clients.served import Raw, Say, serving, tool_call
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, SATURDAY, USER, ask, chat_client
from tests.guard.conversation.shop import guard, policy

PLAN = {"type": "object", "properties": {"price": {"type": "integer"}}, "required": ["price"]}
CHEAP = policy(
    answers={"plan": {"schema": PLAN}},
    rules=[{"id": "cheap", "on": "plan", "hold": "answer.price <= 50", "say": "A plan costs 50 at most."}],
)
SHAPE = {"type": "json_schema", "json_schema": {"name": "plan", "schema": {}}}
FORMAT = {"format": {"type": "json_schema", "name": "plan", "schema": {}}}
DEAR, FAIR = {"content": '{"price": 90}'}, {"content": '{"price": 40}'}
FIND = tool_call("Table.Find", {"day": FRIDAY, "guests": 4})


def contents(answer: Any) -> list[str | None]:
    return [choice.message.content for choice in answer.choices]


@pytest.mark.parametrize("parts", [[FAIR, DEAR], [DEAR, FAIR], [{**DEAR, "tool_calls": [FIND]}]])
def test_every_answer_is_looked_at(parts: list[dict[str, Any]]) -> None:
    says: list[Say] = [Raw(parts), Raw([FAIR])]
    own = guard(ASKED, policy=CHEAP)
    with serving(says) as served:
        answer = ask(chat_client(own, served.url), USER, response_format=SHAPE)
    assert contents(answer) == ['{"price": 40}']
    told = served.bodies[1]["messages"]
    assert told[-1]["role"] == "system" and "50 at most" in told[-1]["content"]
    assert '{"price": 90}' in [each["content"] for each in told]
    with serving(says) as served:
        mended = ask(chat_client(own, served.url, on_block="mend"), USER, response_format=SHAPE)
    assert all(json.loads(own or "")["price"] <= 50 for own in contents(mended))
    assert len(served.bodies) == 1
    with serving(says) as served, pytest.raises(CallStopped, match="50 at most"):
        ask(chat_client(own, served.url, on_block="raise"), USER, response_format=SHAPE)
    own.close()


def test_words_beside_a_call_are_no_answer() -> None:
    own = guard(ASKED, policy=CHEAP)
    with serving([Raw([{"content": "Let me see.", "tool_calls": [FIND]}])]) as served:
        answer = ask(chat_client(own, served.url), USER, response_format=SHAPE)
    assert contents(answer) == ["Let me see."] and len(answer.choices[0].message.tool_calls) == 1
    own.close()


def test_a_refusal_of_the_model_comes_out_and_is_heard() -> None:
    own = guard(ASKED, policy=CHEAP)
    refusal = "I cannot do that."
    item = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
    with serving(
        [Raw([{"refusal": refusal}]), "ok", Raw([{**item, "content": [{"type": "refusal", "refusal": refusal}]}])]
    ) as served:
        client = chat_client(own, served.url)
        said = ask(client, USER, response_format=SHAPE).choices[0].message
        assert (said.content, said.refusal) == (None, refusal)
        ask(client, USER, said, {"role": "user", "content": "why"})
        response = client.responses.create(model="m", input="please", text=FORMAT)
    assert response.output[0].content[0].refusal == refusal
    assert len(served.bodies) == 3
    state = own.run(own.conversation("c")._opened())
    assert [each.text for each in state.words.all if each.who == "assistant"] == [refusal, "ok", refusal]
    own.close()


@pytest.mark.parametrize("more", [[], [{"type": "function_call", "call_id": "c", **FIND["function"]}]])
def test_responses_as_well(more: list[dict[str, Any]]) -> None:
    own = guard(ASKED, policy=CHEAP)
    content = [{"type": "output_text", "text": '{"price": 90}', "annotations": []}]
    item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
    with serving([Raw([item, *more]), '{"price": 40}', Raw([item, *more])]) as served:
        client = chat_client(own, served.url)
        assert client.responses.create(model="m", input="hi", text=FORMAT).output_text == '{"price": 40}'
        mending = chat_client(own, served.url, on_block="mend")
        assert mending.responses.create(model="m", input="so", text=FORMAT).output_text == '{"price": 50}'
    own.close()


def test_a_stopped_call_of_any_choice_is_told_to_the_model() -> None:
    own = guard(ASKED)
    wrong = {"tool_calls": [tool_call("Table.Reserve", {"day": SATURDAY, "guests": 4}, "call_7")]}
    with serving([Raw([{"content": "Hello."}, wrong]), "Hello."]) as served:
        ask(chat_client(own, served.url), USER, n=2)
    _, said, told = served.bodies[1]["messages"]
    assert [each["id"] for each in said["tool_calls"]] == [told["tool_call_id"]] == ["call_7"]
    assert "in turn 1" in told["content"]
    own.close()


@pytest.mark.parametrize("number", ["0.1", "0.1000000000000000000001", "12345678901234567890.5"])
def test_a_mended_number_comes_out_as_just_that_number(number: str) -> None:
    assert json.loads(as_text({"price": Decimal(number)}), parse_float=Decimal) == {"price": Decimal(number)}
