"""The client of OpenAI-compatible servers, against a real server on this machine."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import HoldtrueError, InfrastructureError, ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, system, user
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.record import ReplyKind, Usage
from tests.models.web import Answer, Asked, refused_address, serve

REQUEST = Request((system("Be brief."), user("Say hello.")), "answer", seed=7, sample=2, max_tokens=50)
WITH_SCHEMA = Request((user("JSON."),), "extract", schema={"type": "object", "properties": {}})
# The client waits as long as the server says, so tests need not wait for its own half second and more.
SOON = {"retry-after-ms": "5"}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.005)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def completion(text: object = "Hello.", finish_reason: str = "stop", **changed: object) -> Answer:
    """A completion; `changed` replaces whole members of it."""
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }
    return Answer(json.dumps(body | changed).encode(), headers={"Content-Type": "application/json"})


def refusal(status: int, message: str = "no") -> Answer:
    body = json.dumps({"error": {"message": message, "type": "x", "param": None, "code": None}}).encode()
    return Answer(body, status, {"Content-Type": "application/json", **SOON})


def in_turn(*answers: Answer) -> Callable[[Asked], Answer]:
    """Each answer once, then the last one for ever."""
    left = list(answers)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


async def ask(
    answer: Callable[[Asked], Answer], request: Request = REQUEST, retries: int = 2
) -> tuple[Reply, list[dict[str, Any]]]:
    """The reply, and the bodies that the server was sent."""
    with serve(answer) as web:
        model = OpenAIModel("m", base_url=web.url, retries=retries)
        try:
            reply = await model.complete(request)
        finally:
            await model.aclose()
        return reply, [json.loads(asked.body) for asked in web.asked]


async def test_a_reply_carries_the_server_s_own_counts() -> None:
    reply, bodies = await ask(in_turn(completion()))
    assert reply.text == "Hello."
    assert reply.kind is ReplyKind.ANSWER
    assert reply.usage == Usage(1, 11, 3, reply.usage.latency_s)
    assert reply.usage.latency_s > 0
    assert bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}],
            "temperature": 0.0,
            "seed": 9,
            "max_tokens": 50,
        }
    ]


THINKING = replace(REQUEST, top_p=0.99, thinking_tokens=4000)


async def test_thinking_has_its_tokens_beside_those_of_the_reply() -> None:
    _, [body] = await ask(in_turn(completion()), THINKING)
    assert (body["top_p"], body["max_tokens"]) == (0.99, 4050)
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 4000}


@pytest.mark.parametrize(("says", "left", "limit"), [("top_p", "thinking", 4050), ("'thinking'", "top_p", 50)])
async def test_what_a_server_turns_down_is_left_out_and_told(says: str, left: str, limit: int) -> None:
    reply, [_, body] = await ask(in_turn(refusal(400, f"unknown field: {says}"), completion()), THINKING)
    assert ({"top_p", "thinking"} & set(body), body["max_tokens"]) == ({left}, limit)
    assert reply.note is not None and "the model does not take it" in reply.note


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_passing_fault_is_tried_again(status: int) -> None:
    reply, bodies = await ask(in_turn(refusal(status), refusal(status), completion()))
    assert reply.text == "Hello."
    assert len(bodies) == 3


@pytest.mark.parametrize("status", [429, 500])
async def test_a_lasting_fault_is_unreachable_with_the_server_s_words(status: int) -> None:
    asked: list[Asked] = []

    def answer(one: Asked) -> Answer:
        asked.append(one)
        return refusal(status, "overloaded today")

    with pytest.raises(ModelUnreachable, match="overloaded today"):
        await ask(answer, retries=2)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RequestRefused),
        (413, RequestRefused),
        (422, RequestRefused),
        (401, ModelRefused),
        (403, ModelRefused),
        (404, ModelRefused),
    ],
)
async def test_a_refusal_is_of_one_request_or_of_all_and_not_tried_again(
    status: int, kind: type[HoldtrueError]
) -> None:
    asked: list[Asked] = []

    def answer(one: Asked) -> Answer:
        asked.append(one)
        return refusal(status, "the model m is not here")

    with pytest.raises(kind, match="the model m is not here") as caught:
        await ask(answer)
    assert isinstance(caught.value, InfrastructureError) == (kind is ModelRefused)
    assert len(asked) == 1


async def test_no_server_is_unreachable() -> None:
    model = OpenAIModel("m", base_url=refused_address(), retries=0)
    with pytest.raises(ModelUnreachable, match=r"openai/m at http://127\.0\.0\.1"):
        await model.complete(REQUEST)
    await model.aclose()
    await model.aclose()


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (Answer(b'{"object": "list"}', headers={"Content-Type": "application/json"}), "no choices"),
        (completion(choices=None, error="cut \ud83d"), "cut \ufffd"),
        (completion(choices=[{"index": 0, "finish_reason": "stop", "message": None}]), "no message"),
    ],
)
async def test_a_completion_without_a_message_is_the_fault_of_one_request(answer: Answer, complaint: str) -> None:
    with pytest.raises(RequestRefused, match=complaint):
        await ask(in_turn(answer))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "Hello, "}, {"type": "text", "text": "Ann."}], "Hello, Ann."),
        ([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Yes."}, {"type": "text"}, None], "Yes."),
        ("cut \ud83d", "cut \ufffd"),
        ("whole \U0001f600", "whole \U0001f600"),
        ([{"type": "text", "text": "\udc00"}], "\ufffd"),
    ],
)
async def test_content_of_any_shape_becomes_text_that_can_be_written(content: object, text: str) -> None:
    reply, _ = await ask(in_turn(completion(content)))
    assert reply.text == text


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (0, 0)),
        ([], (0, 0)),
        ({}, (0, 0)),
        ({"prompt_tokens": None, "completion_tokens": None}, (0, 0)),
        ({"prompt_tokens": 7.0, "completion_tokens": 3.9}, (7, 3)),
        ({"prompt_tokens": -1, "completion_tokens": "3"}, (0, 0)),
        ({"prompt_tokens": float("nan"), "completion_tokens": float("inf")}, (0, 0)),
    ],
)
async def test_token_counts_are_whole_numbers_whatever_the_server_sends(usage: object, counts: tuple[int, int]) -> None:
    reply, _ = await ask(in_turn(completion(usage=usage)))
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == counts
    assert all(type(count) is int for count in (reply.usage.prompt_tokens, reply.usage.completion_tokens))


async def test_lone_surrogates_never_reach_the_server() -> None:
    schema = {"enum": ["Ann\udcff", "B\U0001f600b"]}
    request = Request((user("I am \ud800Ann\udcff, \U0001f600"),), "extract", schema=schema)
    reply, bodies = await ask(in_turn(completion()), request)
    assert reply.text == "Hello."
    assert bodies[0]["messages"] == [{"role": "user", "content": "I am \ufffdAnn\ufffd, \U0001f600"}]
    assert bodies[0]["response_format"]["json_schema"]["schema"] == {"enum": ["Ann\ufffd", "B\U0001f600b"]}


async def test_a_schema_is_sent_as_response_format() -> None:
    _, bodies = await ask(in_turn(completion("{}")), WITH_SCHEMA)
    schema = {"name": "reply", "schema": {"type": "object", "properties": {}}, "strict": True}
    assert bodies[0]["response_format"] == {"type": "json_schema", "json_schema": schema}


async def test_a_refused_schema_is_not_sent_again_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    def answer(asked: Asked) -> Answer:
        return refusal(400, "response_format: unknown") if b"response_format" in asked.body else completion("{}")

    other = Request((user("JSON."),), "extract", schema={"type": "array"})
    with serve(answer) as web, caplog.at_level(logging.WARNING):
        model = OpenAIModel("m", base_url=web.url)
        for request in (WITH_SCHEMA, WITH_SCHEMA, other, other):
            assert (await model.complete(request)).text == "{}"
        await model.aclose()
    sent = ["response_format" in json.loads(asked.body) for asked in web.asked]
    assert sent == [True, False, False, True, False, False]
    assert len(caplog.records) == 1
    assert "response_format: unknown" in caplog.text


async def test_one_refused_schema_does_not_change_how_others_are_asked() -> None:
    """The same request ends in the same body, whatever was asked before it."""

    def answer(asked: Asked) -> Answer:
        return refusal(400, "prefixItems is not permitted") if b"prefixItems" in asked.body else completion("{}")

    refused = Request((user("JSON."),), "extract", schema={"type": "array", "prefixItems": []})
    with serve(answer) as web:
        model = OpenAIModel("m", base_url=web.url)
        for request in (WITH_SCHEMA, refused, WITH_SCHEMA):
            await model.complete(request)
        await model.aclose()
    assert web.asked[0].body == web.asked[-1].body
    assert "response_format" in json.loads(web.asked[-1].body)


async def test_a_bad_request_for_another_reason_does_not_give_schemas_up() -> None:
    def answer(asked: Asked) -> Answer:
        return refusal(400, "prompt too long") if b"JSON, please" in asked.body else completion("{}")

    with serve(answer) as web:
        model = OpenAIModel("m", base_url=web.url)
        with pytest.raises(RequestRefused, match="prompt too long"):
            await model.complete(Request((user("JSON, please."),), "extract", schema={"type": "object"}))
        await model.complete(WITH_SCHEMA)
        await model.aclose()
    assert "response_format" in json.loads(web.asked[-1].body)


async def test_the_newer_name_of_the_token_limit_is_learnt() -> None:
    def answer(asked: Asked) -> Answer:
        if b'"max_tokens"' in asked.body:
            return refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return completion()

    reply, bodies = await ask(answer)
    assert reply.text == "Hello."
    assert bodies[-1]["max_completion_tokens"] == 50


async def test_a_key_is_needed_only_where_no_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelRefused, match="OPENAI_API_KEY"):
        OpenAIModel("m")
    with serve(in_turn(completion())) as web:
        monkeypatch.setenv("OPENAI_BASE_URL", web.url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        model = OpenAIModel("m")
        await model.complete(REQUEST)
        await model.aclose()
    assert web.asked[0].headers["authorization"] == "Bearer secret"
