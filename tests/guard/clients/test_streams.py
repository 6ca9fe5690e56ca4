"""Streams behind a guard: a clean one says the same as it came, and no call in one comes out undecided."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import httpx2
import pytest
from openai import APIError, AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import CallStopped, OnBlock
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.responses_form import ResponsesForm
from tests.guard.clients.served import Raw, chat, response, tool_call
from tests.guard.conversation.shop import guard, policy

RULES = [{"id": "few", "on": "Table.Reserve", "hold": "call.guests <= 4", "say": "Four at most."}]
FEW, MANY = ({"day": "2026-03-06", "guests": own} for own in (4, 17))
ASK: dict[bool, dict[str, Any]] = {True: {"messages": [{"role": "user", "content": "hi"}]}, False: {"input": "hi"}}
ITEM = {"type": "function_call", "id": "f", "call_id": "c", "name": "Table.Reserve"}


def pieces(draw: Random, text: str) -> list[str]:
    cuts = sorted(draw.sample(range(1, len(text)), min(3, len(text) - 1)))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def chunks(draw: Random, arguments: Any) -> list[Any]:
    """Return a stream of chat as servers give it: some repeat roles, names and ids, or have one index for all calls."""
    repeats, one_index = draw.random() < 0.5, draw.random() < 0.3
    deltas: list[dict[str, Any]] = [{"content": own} for own in pieces(draw, "One moment.")]
    for place, own in enumerate([FEW, arguments]):
        function: dict[str, Any] = tool_call("Table.Reserve", own)["function"]
        head = {"index": 0 if one_index else place, "id": f"c{place}", "type": "function"}
        for number, text in enumerate(pieces(draw, function["arguments"])):
            names = {"name": function["name"]} if number == 0 or (repeats and not one_index) else {}
            call = {**(head if names else {"index": head["index"]}), "function": {**names, "arguments": text}}
            deltas.append({"tool_calls": [call]})
    frame = {"id": "s", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    told = [{**own, **({"role": "assistant"} if repeats or at == 0 else {})} for at, own in enumerate(deltas)]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": own, "finish_reason": None} for own in told]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    return [*({**frame, "odd": 1, "choices": [own]} for own in choices), {**frame, "choices": [], "usage": usage}]


def events(draw: Random, arguments: Any) -> list[Any]:
    """Return a stream of a response, with an event that nobody knows; some servers end it without the output."""
    items = [{**ITEM, "call_id": str(at), "arguments": json.dumps(own)} for at, own in enumerate([FEW, arguments])]
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": response(Raw([]), 1)},
        {"type": "odd", "a": "b"},
    ]
    for at, own in enumerate(items):
        found.append({"type": "response.output_item.added", "output_index": at, "item": {**own, "arguments": ""}})
        kind = {
            "type": "response.function_call_arguments.delta",
            "output_index": at,
            "item_id": "f",
            "obfuscation": "x",
        }
        found += [{**kind, "delta": text} for text in pieces(draw, own["arguments"])]
        found.append({"type": "response.output_item.done", "output_index": at, "item": own})
    found.append({"type": "response.completed", "response": response(Raw(draw.choice([items, []])), 1)})
    return [{**own, "sequence_number": number} for number, own in enumerate(found)]


def asked(
    told: Any, is_chat: bool, is_async: bool = False, way: OnBlock = "raise", **wrapped: Any
) -> tuple[list[Any], list[Any], Any]:
    """Return the events that come out of a wrapped client, those of a bare one, and the request that was sent."""
    sent: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        if not isinstance(told, list):
            return httpx2.Response(200, json=told)
        body = "".join(f"data: {json.dumps(own)}\n\n" for own in told)
        return httpx2.Response(200, text=body, headers={"content-type": "text/event-stream"})

    transport, settings = httpx2.MockTransport(answer), {"api_key": "none", "base_url": "http://s/v1", "max_retries": 0}
    inner: Any = OpenAI(http_client=DefaultHttpxClient(transport=transport), **settings)  # type: ignore[arg-type]
    request = {"model": "m", "stream": True, "stream_options": {"include_usage": True}, **ASK[is_chat]}
    bare = [*(inner.chat.completions if is_chat else inner.responses).create(**request)] if sent == [] else []
    own = guard({}, policy=policy(rules=RULES), **wrapped)
    client: Any = inner
    if is_async:
        client = AsyncOpenAI(http_client=DefaultAsyncHttpxClient(transport=transport), **settings)  # type: ignore[arg-type]
    client = own.wrap(client, conversation="c", on_block=way)
    create = (client.chat.completions if is_chat else client.responses).create

    async def play() -> list[Any]:
        async with await create(**request) as stream:
            return [each async for each in stream]

    try:
        found = asyncio.run(play()) if is_async else [*create(**request)]
    finally:
        own.close()
    return found, bare, sent[-1]


def said_in(events: list[Any], is_chat: bool) -> tuple[Any, ...]:
    """Return the calls, the text and the usage that a stream tells."""
    form: Any = ChatForm() if is_chat else ResponsesForm()
    answer = form.whole(form.body_of(events))
    return form.calls(answer), form.text(answer), answer.to_dict().get("usage")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_chat", [True, False])
def test_a_clean_stream_says_the_same_as_it_came_and_no_other(is_chat: bool, seed: int) -> None:
    draw = Random(seed)
    make = chunks if is_chat else events
    found, bare, sent = asked(make(draw, FEW), is_chat, is_async=seed % 2 == 0)
    assert said_in(found, is_chat) == said_in(bare, is_chat) and len(said_in(bare, is_chat)[0]) == 2
    assert sent["stream"] is True and sent["stream_options"] == {"include_usage": True}
    if is_chat:
        calls = [call for each in found for choice in each.choices for call in choice.delta.tool_calls or ()]
        assert [call.index for call in calls] == [0, 1], "an app joins calls with one index"
    with pytest.raises(CallStopped, match="Four at most"):
        asked(make(draw, MANY), is_chat, is_async=seed % 2 == 0)
    observed, bare, _ = asked(make(draw, MANY), is_chat, mode="observe")
    assert said_in(observed, is_chat) == said_in(bare, is_chat)


@pytest.mark.parametrize("is_chat", [True, False])
def test_a_server_may_answer_as_a_whole(is_chat: bool) -> None:
    make: Any = chat if is_chat else response
    found, _, _ = asked(make([("Table.Reserve", FEW)], 1), is_chat)
    assert "2026-03-06" in str(found)
    with pytest.raises(CallStopped):
        asked(make([("Table.Reserve", MANY)], 1), is_chat)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return an object and all objects in it, the outer ones first."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    inner = [each for own in parts for each in objects_in(own)]
    return [value, *inner] if isinstance(value, dict) else inner


HIDDEN: dict[str, Any] = {
    "x": {"name": "mail", "args": "secret"},
    "toolCalls": ["secret"],
    "metadata": [{"deep": {"function_call": "secret"}}],
    "y": {"name": "mail", "args": "secret", "parameters": {"properties": {}}},
    "mcp_calls": ['{"tool": "mail", "tool_input": "secret"}'],
    "pendingActions": {"mail": "secret"},
    "parsed_arguments": {"guests": "secret"},
    "output_parsed": {"price": "secret"},
    "parsed_output": {"secret": 90},
    "x_calls": json.dumps(json.dumps(["secret"])),
    "z": {"function": {"day": "2026-03-06"}, "arguments": {"guests": "secret"}},
}


@pytest.mark.parametrize("way", ["raise", "refuse", "tell_model"])
@pytest.mark.parametrize("is_chat", [True, False])
def test_what_looks_like_a_call_comes_out_nowhere(is_chat: bool, way: OnBlock) -> None:
    make: Any = chat if is_chat else response
    for said in ([("Table.Reserve", FEW)], "Hello."):
        for place in range(len(objects_in(make(said, 1)))):
            for key, hidden in HIDDEN.items():
                body = make(said, 1)
                objects_in(body)[place][key] = hidden
                if way == "raise":
                    with pytest.raises(CallStopped):
                        asked(body, is_chat)
                else:
                    assert "secret" not in str(asked(body, is_chat, way=way)[0]), (body, key)
    empty = {**make("Hello.", 1), "choices": [], "output": [], "toolCalls": ["secret"]}
    assert way == "raise" or "secret" not in str(asked(empty, is_chat, way=way)[0])


CALL = json.dumps(MANY)
SAID: list[dict[str, Any]] = [
    {"type": "response.output_item.added", "output_index": 0, "item": {**ITEM, "arguments": CALL}},
    {"type": "response.output_item.done", "output_index": 7, "item": {**ITEM, "arguments": CALL}},
    {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "f", "delta": CALL},
    {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "f", "arguments": CALL},
    {"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": CALL},
    {"type": "response.content_part.done", "output_index": 0, "part": {"type": "tool_use", "input": CALL}},
    {"type": "response.reasoning.done", "output_index": 0, "item": {**ITEM, "arguments": CALL}},
    {"type": "response.in_progress", "response": response(Raw([{**ITEM, "arguments": CALL}]), 1)},
    {"type": "magic", "deep": [{"toolCalls": [CALL]}]},
    {"type": "magic", "pending_actions": CALL},
    {"type": "response.in_progress", "response": [CALL]},
    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": {**ITEM, "arguments": CALL}},
    {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "f", "name": "other"},
    {"type": "response.web_search_call.searching", "output_index": 0, "item_id": {"tool_calls": [CALL]}},
]


@pytest.mark.parametrize("said", SAID)
def test_what_stands_in_an_event_alone_does_not_come_out(said: dict[str, Any]) -> None:
    told = events(Random(1), FEW)
    try:
        found, _, _ = asked([*told[:3], said, *told[3:]], is_chat=False)
    except (CallStopped, InputError):
        return  # It became a part of the answer, or the answer cannot be read.
    assert "17" not in str([own.to_dict() for own in found])


@pytest.mark.parametrize("is_chat", [True, False])
def test_a_call_in_what_a_later_event_replaces_does_not_come_out(is_chat: bool) -> None:
    told = (chunks if is_chat else events)(Random(1), FEW)
    for name in ("id", "model", "odd"):
        hidden = {name: {"tool_calls": [CALL]}}
        body = {**told[0], **hidden} if is_chat else {**told[0], "response": {**told[0]["response"], **hidden}}
        found, _, _ = asked([body, *told[1:]], is_chat)
        assert "17" not in str([own.to_dict() for own in found])


@pytest.mark.parametrize("is_chat", [True, False])
def test_a_stream_that_is_cut_or_wrong_is_refused(is_chat: bool) -> None:
    told = (chunks if is_chat else events)(Random(1), FEW)
    for wrong in (told[:4], told[: -2 if is_chat else -1], [], [5], [{"choices": 5, "response": 5}]):
        with pytest.raises((InputError, APIError, AttributeError, TypeError)):
            asked(wrong, is_chat)
    with pytest.raises(APIError, match="overloaded"):
        asked([*told[:3], {"error": {"message": "overloaded"}}], is_chat)
