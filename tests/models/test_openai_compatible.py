"""The client of OpenAI-compatible servers, against a real server on this machine."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, system, user
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.record import ReplyKind, Usage
from tests.models.fake_modes import always, completion, error, first, http, unless
from tests.models.fake_server import Mode, serving

REQUEST = Request((system("Be brief."), user("Say hello.")), "answer", seed=7, sample=2, max_tokens=50)
WITH_SCHEMA = Request((user("JSON."),), "extract", schema={"type": "object", "properties": {}})
# The client waits as long as the server says, so tests need not wait for half a second and more.
SOON = {"Retry-After-Ms": "5"}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.005)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


async def ask(mode: Mode, request: Request = REQUEST, retries: int = 2) -> tuple[Reply, list[dict[str, Any]]]:
    """Return the reply, and the bodies that the server was sent."""
    with serving(mode) as fake:
        model = OpenAIModel("m", base_url=fake.url, retries=retries)
        try:
            return await model.complete(request), fake.bodies
        finally:
            await model.aclose()


async def test_a_reply_carries_the_server_s_own_counts() -> None:
    reply, bodies = await ask(always(http(completion())))
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
    _, [body] = await ask(always(http(completion())), THINKING)
    assert (body["top_p"], body["max_tokens"]) == (0.99, 4050)
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 4000}


@pytest.mark.parametrize(("says", "left", "limit"), [("top_p", "thinking", 4050), ("'thinking'", "top_p", 50)])
async def test_what_a_server_turns_down_is_left_out_and_told(says: str, left: str, limit: int) -> None:
    reply, [_, body] = await ask(first(error(400, f"unknown field: {says}")), THINKING)
    assert ({"top_p", "thinking"} & set(body), body["max_tokens"]) == ({left}, limit)
    assert reply.note is not None and "the model does not take it" in reply.note


async def test_only_a_fault_that_may_pass_is_tried_again() -> None:
    for status, kind, times in ((500, ModelUnreachable, 3), (422, RequestRefused, 1), (403, ModelRefused, 1)):
        with serving(always(error(status, "not today", SOON))) as fake:
            model = OpenAIModel("m", base_url=fake.url, retries=2)
            with pytest.raises(kind, match="not today"):
                await model.complete(REQUEST)
            await model.aclose()
        assert len(fake.bodies) == times


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
    reply, _ = await ask(always(http(completion(content))))
    assert reply.text == text


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (0, 0)),
        ("many", (0, 0)),
        ({"prompt_tokens": {"a": [1]}, "completion_tokens": None}, (0, 0)),
        ({"prompt_tokens": 10**30, "completion_tokens": True}, (0, 0)),
        ({"prompt_tokens": 7.0, "completion_tokens": 3.9}, (7, 3)),
        ({"prompt_tokens": -1, "completion_tokens": "3"}, (0, 0)),
        ({"prompt_tokens": float("nan"), "completion_tokens": float("inf")}, (0, 0)),
    ],
)
async def test_token_counts_are_whole_numbers_whatever_the_server_sends(usage: object, counts: tuple[int, int]) -> None:
    reply, _ = await ask(always(http(completion(usage=usage))))
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == counts
    assert all(type(count) is int for count in (reply.usage.prompt_tokens, reply.usage.completion_tokens))


async def test_lone_surrogates_never_reach_the_server() -> None:
    schema = {"enum": ["Ann\udcff", "B\U0001f600b"]}
    request = Request((user("I am \ud800Ann\udcff, \U0001f600"),), "extract", schema=schema)
    reply, bodies = await ask(always(http(completion())), request)
    assert reply.text == "Hello."
    assert bodies[0]["messages"] == [{"role": "user", "content": "I am \ufffdAnn\ufffd, \U0001f600"}]
    assert bodies[0]["response_format"]["json_schema"]["schema"] == {"enum": ["Ann\ufffd", "B\U0001f600b"]}


async def test_a_schema_is_sent_as_response_format() -> None:
    _, bodies = await ask(always(http(completion("{}"))), WITH_SCHEMA)
    schema = {"name": "reply", "schema": {"type": "object", "properties": {}}, "strict": True}
    assert bodies[0]["response_format"] == {"type": "json_schema", "json_schema": schema}


async def test_a_refused_schema_is_not_sent_again_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    other = Request((user("JSON."),), "extract", schema={"type": "array"})
    refuses = unless("response_format", error(400, "response_format: unknown"))
    with serving(refuses) as fake, caplog.at_level(logging.WARNING):
        model = OpenAIModel("m", base_url=fake.url)
        notes = {(await model.complete(request)).note for request in (WITH_SCHEMA, WITH_SCHEMA, other, other)}
        await model.aclose()
    sent = ["response_format" in body for body in fake.bodies]
    assert sent == [True, False, False, True, False, False]
    assert notes == {"sent without the schema: the server does not take it"}
    assert len(caplog.records) == 1
    assert "response_format: unknown" in caplog.text


@pytest.mark.parametrize("refused", ["prefixItems", "JSON, please"])
async def test_a_refused_request_does_not_change_how_others_are_asked(refused: str) -> None:
    """The same request ends in the same body, independent of earlier ones."""
    request = Request((user("JSON, please."),), "extract", schema={"type": "array", "prefixItems": []})
    with serving(unless(refused, error(400, f"{refused} is not permitted"))) as fake:
        model = OpenAIModel("m", base_url=fake.url)
        await model.complete(WITH_SCHEMA)
        with nullcontext() if refused == "prefixItems" else pytest.raises(RequestRefused, match="not permitted"):
            await model.complete(request)
        await model.complete(WITH_SCHEMA)
        await model.aclose()
    assert fake.bodies[0] == fake.bodies[-1]
    assert "response_format" in fake.bodies[-1]


async def test_the_newer_name_of_the_token_limit_is_learnt() -> None:
    complaint = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    _, bodies = await ask(unless("max_tokens", error(400, complaint)))
    assert bodies[-1]["max_completion_tokens"] == 50


async def test_a_key_is_needed_only_where_no_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelRefused, match="OPENAI_API_KEY"):
        OpenAIModel("m")
    with serving(always(http(completion()))) as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        model = OpenAIModel("m")
        await model.complete(REQUEST)
        await model.aclose()
    assert "Authorization: Bearer secret" in fake.heads[0]
