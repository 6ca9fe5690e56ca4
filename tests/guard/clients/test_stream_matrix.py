"""Forms of streams through real clients, from a server on loopback, in every protocol: nothing comes out unchecked, and
clean streams come out with the same content.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import openai
import pytest

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import CallStopped, OnBlock
from tests.guard.clients.served import Served, Told, serving
from tests.guard.clients.stream_forms import (
    Part,
    chat_stream,
    message_stream,
    response_stream,
    said_in_chat,
    said_in_message,
    said_in_response,
)
from tests.guard.conversation.shop import guard, policy

PLAN = {"type": "object", "properties": {"price": {"type": "integer"}}, "required": ["price"]}
RULES = [
    {"id": "who", "on": "Table.Reserve", "hold": "!has(call.name) || call.name != 'Mallory'", "say": "Not that guest."},
    {"id": "few", "on": "Table.Reserve", "hold": "call.guests <= 4", "say": "Four at most."},
    {"id": "cheap", "on": "plan", "hold": "answer.price <= 50", "say": "A plan costs 50 at most."},
]
TYPES = {"day": {"type": "string", "format": "date"}, "guests": {"type": "integer"}, "name": {"type": "string"}}
TOOLS = {
    "definitions": [
        {"name": "Table.Reserve", "parameters": {"type": "object", "properties": TYPES, "required": ["day", "guests"]}},
        {"name": "Table.List", "parameters": {"type": "object", "properties": {}}},
    ],
    "reads": ["Table.List"],
    "writes": ["Table.Reserve"],
}
POLICY = policy(answers={"plan": {"schema": PLAN}}, rules=RULES, tools=TOOLS)
RESERVE = "Table.Reserve"
GOOD, OTHER = {"day": "2026-03-06", "guests": 2, "name": "Zoë 🦊"}, {"day": "2026-03-07", "guests": 3}
BAD, MANY = {**GOOD, "name": "Mallory"}, {"day": "2026-03-06", "guests": 17}
HIDDEN = {"name": RESERVE, "arguments": BAD, "input": BAD, "id": "x"}
ERROR = {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
FORMAT = {"type": "json_schema", "schema": PLAN}


@dataclass(frozen=True)
class Protocol:
    """A protocol: its client's resource, its way to write and read streams, and its requests."""

    path: str
    write: Callable[[list[Part], str, int], list[dict[str, Any]]]
    said: Callable[[list[dict[str, Any]]], Any]
    request: dict[str, Any]
    shape: dict[str, Any]

    def create(self, client: Any) -> Any:
        for name in self.path.split("."):
            client = getattr(client, name)
        return client.create

    def client(self, url: str, is_async: bool) -> Any:
        library = pytest.importorskip("anthropic") if "messages" in self.path else openai
        name = "Anthropic" if "messages" in self.path else "OpenAI"
        # Reading certificates takes most of the time of a test.
        http = getattr(library, f"Default{'Async' if is_async else ''}HttpxClient")(verify=False)
        made = getattr(library, f"{'Async' if is_async else ''}{name}")
        return made(api_key="none", base_url=url, max_retries=0, http_client=http)


USER = [{"role": "user", "content": "hi"}]
ASK: dict[str, Any] = {"model": "m", "stream": True}
MESSAGES = {**ASK, "messages": USER, "max_tokens": 50}
JSON = {"output_config": {"format": FORMAT}}
PROTOCOLS = {
    "chat": Protocol(
        "chat.completions",
        chat_stream,
        said_in_chat,
        {**ASK, "messages": USER, "stream_options": {"include_usage": True}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "plan", "schema": PLAN}}},
    ),
    "responses": Protocol(
        "responses",
        response_stream,
        said_in_response,
        {**ASK, "input": "hi"},
        {"text": {"format": FORMAT | {"name": "plan"}}},
    ),
    "messages": Protocol("messages", message_stream, said_in_message, MESSAGES, JSON),
    "beta messages": Protocol("beta.messages", message_stream, said_in_message, MESSAGES, JSON),
}
BOTH = pytest.mark.parametrize("is_async", [False, True])
EACH = pytest.mark.parametrize("name", PROTOCOLS)


def asked(
    name: str, streams: list[Any], is_async: bool = False, way: OnBlock | None = "raise", is_json: bool = False
) -> tuple[list[dict[str, Any]], Served]:
    """Return the events that a client gives, which is wrapped unless `way` is None, and the server."""
    protocol, own = PROTOCOLS[name], guard({}, policy=POLICY)
    with serving([Told(each) for each in streams]) as served:
        client = protocol.client(served.url, is_async)
        client = client if way is None else own.wrap(client, conversation="c", on_block=way)
        request = protocol.request | (protocol.shape if is_json else {})

        async def play() -> list[Any]:
            async with await protocol.create(client)(**request) as stream:
                return [each async for each in stream]

        try:
            found = asyncio.run(play()) if is_async else [*protocol.create(client)(**request)]
        finally:
            own.close()
    return [each.to_dict() for each in found], served


def written(name: str, parts: list[Part], reason: str = "", size: int = 7) -> list[dict[str, Any]]:
    has_call = any(kind in ("call", "odd") for kind, _ in parts)
    reasons = {"chat": ("stop", "tool_calls", "length"), "responses": ("", "", "cut")}
    usual, called, cut = reasons.get(name, ("end_turn", "tool_use", "max_tokens"))
    return PROTOCOLS[name].write(parts, cut if reason else called if has_call else usual, size)


CLEAN: dict[str, list[Part]] = {
    "text": [("text", "Good evening, “Zoë” 🦊.\nTwo lines.")],
    "one character": [("text", "…")],
    "call": [("call", (RESERVE, GOOD))],
    "call without arguments": [("call", ("Table.List", ""))],
    "parallel calls": [("call", (RESERVE, GOOD)), ("call", (RESERVE, OTHER)), ("call", (RESERVE, GOOD))],
    "text and call": [("text", "One moment."), ("call", (RESERVE, GOOD))],
    "reasoning and text": [("think", "Hm, “two”."), ("text", "Yes.")],
    "reasoning, text and calls": [
        ("think", "Hm."),
        ("text", "So."),
        ("call", (RESERVE, GOOD)),
        ("call", (RESERVE, OTHER)),
    ],
    "refusal": [("refuse", "I cannot do that.")],
    "structured": [("text", '{"price": 40}')],
    "two choices": [("text", "Hello."), ("choice", 1), ("text", "Hi."), ("call", (RESERVE, GOOD))],
}


@BOTH
@EACH
@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("form", [*CLEAN, "cut by its length", "unknown events"])
def test_a_clean_stream_arrives_unchanged(form: str, size: int, name: str, is_async: bool) -> None:
    if form == "two choices" and name != "chat":
        pytest.skip("only chat completions have several choices")
    told = written(name, CLEAN.get(form, CLEAN["text and call"]), "cut" if form.startswith("cut") else "", size)
    if form == "unknown events":
        odd = {"type": "odd", "a": "b", "choices": []} if name == "chat" else {"type": "odd", "a": "b"}
        told = [told[0], odd, *told[1:-1], odd, told[-1]]
    bare, _ = asked(name, [told], is_async, None)
    found, served = asked(name, [told], is_async, "raise", is_json=form == "structured")
    said = PROTOCOLS[name].said
    assert said(found) == said([own for own in bare if own.get("type") != "odd"])
    assert served.bodies[0]["stream"] is True and len(served.bodies) == 1


STOPPED: dict[str, list[Part]] = {
    "call": [("call", (RESERVE, BAD))],
    "first of two calls": [("call", (RESERVE, BAD)), ("call", (RESERVE, GOOD))],
    "second of two calls": [("call", (RESERVE, GOOD)), ("call", (RESERVE, BAD))],
    "text and call": [("text", "One moment."), ("call", (RESERVE, BAD))],
    "reasoning and call": [("think", "Hm."), ("call", (RESERVE, BAD))],
    "unknown kind": [("text", "So."), ("odd", HIDDEN)],
    "structured": [("text", '{"price": 90, "x": "Mallory"}')],
    "structured and call": [("text", '{"price": 90, "x": "Mallory"}'), ("call", (RESERVE, GOOD))],
    "broken arguments": [("call", (RESERVE, '{"day": "2026-03-06", "name": "Mallory"'))],
    "arguments with a key twice": [("call", (RESERVE, json.dumps(BAD)[:-1] + ', "name": "Ann"}'))],
    "unknown tool": [("call", ("Wire.Money", {"to": "Mallory"}))],
    "second choice": [("text", "Hello."), ("choice", 1), ("call", (RESERVE, BAD))],
}


@EACH
@pytest.mark.parametrize("form", STOPPED)
def test_a_stopped_call_comes_out_in_no_way(form: str, name: str) -> None:
    if form == "second choice" and name != "chat":
        pytest.skip("only chat completions have several choices")
    is_json = form.startswith("structured")
    told, right = written(name, STOPPED[form]), written(name, CLEAN["structured" if is_json else "call"])
    with pytest.raises(CallStopped):
        asked(name, [told], is_json=is_json)
    refused, _ = asked(name, [told], True, "refuse", is_json)
    assert "Mallory" not in str(refused) and ("cannot be done" in str(refused) or "to be called?" in str(refused))
    found, served = asked(name, [told, right], False, "tell_model", is_json)
    assert "Mallory" not in str(found) and len(served.bodies) == 2 and served.bodies[1]["stream"] is True
    said, bare = PROTOCOLS[name].said, asked(name, [right], way=None)[0]
    assert given(said(found)) == given(said(bare)), "but for the usage, which is that of both attempts"


def given(value: Any) -> Any:
    """Return what was said without fields that have no value, and without the usage."""
    if isinstance(value, list):
        return [given(own) for own in value]
    if not isinstance(value, dict):
        return value
    return {name: given(own) for name, own in value.items() if own is not None and name != "usage"}


@BOTH
@EACH
def test_a_mended_call_comes_out_in_place_of_the_stopped_one(name: str, is_async: bool) -> None:
    told = written(name, [("text", "So."), ("call", (RESERVE, MANY)), ("call", (RESERVE, OTHER))])
    found, served = asked(name, [told], is_async, "mend")
    said = PROTOCOLS[name].said
    mended = written(name, [("text", "So."), ("call", (RESERVE, {**MANY, "guests": 4})), ("call", (RESERVE, OTHER))])
    assert given(said(found)) == given(said(asked(name, [mended], way=None)[0])) and len(served.bodies) == 1


@BOTH
@EACH
def test_a_call_in_an_event_alone_does_not_come_out(name: str, is_async: bool) -> None:
    told = written(name, CLEAN["text and call"])
    base: dict[str, Any] = {"choices": []} if name == "chat" else {"type": "odd"}
    for hidden in (
        {"tool_calls": [HIDDEN]},
        {"item": HIDDEN, "output_index": 0},
        {"content_block": {"type": "tool_use", **HIDDEN}},
        {"delta": HIDDEN, "index": 0},
    ):
        for place in (1, len(told) // 2, len(told) - 1):
            try:
                found, _ = asked(name, [[*told[:place], {**base, **hidden}, *told[place:]]], is_async)
            except (CallStopped, InputError):
                continue
            assert "Mallory" not in str(found), (place, hidden)


@BOTH
@EACH
def test_a_stream_that_fails_is_an_error_and_gives_no_event(name: str, is_async: bool) -> None:
    told = written(name, CLEAN["text and call"])
    # A stream of chat completions may end with its finish reason, without the usage.
    for cut in range(len(told) - (name == "chat")):
        with pytest.raises(InputError, match="ended before"):
            asked(name, [told[:cut]], is_async)
    for place in (1, 5, len(told) - 1):
        with pytest.raises(Exception, match="overloaded") as caught:
            asked(name, [[*told[:place], ERROR, *told[place:]]], is_async)
        assert not isinstance(caught.value, AssertionError)
