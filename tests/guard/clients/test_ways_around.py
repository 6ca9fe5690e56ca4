"""Every way by which a call could leave a wrapped client is guarded or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from holdtrue.errors import InputError
from holdtrue.guard.clients.client_shapes import OPENAI
from holdtrue.guard.clients.guarded_client import Face
from tests.guard.clients.served import Raw, Say, serving
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, SATURDAY, USER, WRONG, ask, chat_client
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, guard, policy

TOOL = "Table.Reserve"
ARGUMENTS = json.dumps({"day": SATURDAY, "guests": 4})
IN_CHAT: dict[str, dict[str, Any]] = {
    "a call of the old form": {"function_call": {"name": TOOL, "arguments": ARGUMENTS}},
    "a custom tool": {"tool_calls": [{"id": "c", "type": "custom", "custom": {"name": TOOL, "input": ARGUMENTS}}]},
    "an unknown kind": {"tool_calls": [{"id": "c", "type": "magic", "spell": {"name": TOOL}}]},
    "two kinds at once": {
        "tool_calls": [
            {
                "id": "c",
                "type": "custom",
                "custom": {"name": TOOL, "input": ARGUMENTS},
                "function": {"name": "Table.Find", "arguments": json.dumps({"day": FRIDAY})},
            }
        ]
    },
}
IN_RESPONSES: dict[str, dict[str, Any]] = {
    "a custom tool": {"type": "custom_tool_call", "call_id": "c", "name": TOOL, "input": ARGUMENTS},
    "a shell": {"type": "local_shell_call", "call_id": "c", "id": "l", "status": "completed", "action": {}},
    "a server": {"type": "mcp_call", "id": "m", "name": TOOL, "arguments": ARGUMENTS, "server_label": "s"},
    "an unknown kind": {"type": "magic_call", "call_id": "c", "name": TOOL, "arguments": ARGUMENTS},
}


@pytest.mark.parametrize("kind", IN_CHAT)
@pytest.mark.parametrize("stream", [False, True])
def test_every_kind_of_call_in_chat_is_decided_on(kind: str, stream: bool) -> None:
    own = guard(ASKED)
    with serving([Raw([IN_CHAT[kind]]), "As you like."]) as served:
        answer = ask(chat_client(own, served.url), USER, stream=stream)
        said = [part.choices[0].delta for part in answer] if stream else [answer.choices[0].message]
    assert all(part.tool_calls is None and part.function_call is None for part in said)
    assert len(served.bodies) == 2
    told = served.bodies[1]["messages"][-1]
    assert told["role"] in ("tool", "function") and "was not called" in told["content"]
    own.close()


@pytest.mark.parametrize("kind", IN_RESPONSES)
def test_every_kind_of_call_in_responses_is_decided_on(kind: str) -> None:
    own = guard(ASKED)
    with serving([Raw([IN_RESPONSES[kind]]), "As you like."]) as served:
        answer = chat_client(own, served.url).responses.create(model="scripted", input="for 4 on friday")
    assert [item.type for item in answer.output] == ["message"]
    assert "was not called" in json.dumps(served.bodies[1]["input"][-1])
    own.close()


def test_an_allowed_call_of_any_kind_comes_out_also_in_streams() -> None:
    own = guard({})
    with serving([Raw([part]) for part in (IN_CHAT["a call of the old form"], IN_CHAT["a custom tool"])]) as served:
        client = chat_client(own, served.url)
        legacy, custom = (next(iter(ask(client, USER, stream=True))).choices[0].delta for _ in range(2))
    assert legacy.function_call.arguments == ARGUMENTS
    assert custom.tool_calls[0].custom["input"] == ARGUMENTS
    own.close()
    own = guard({})
    with serving([Raw([IN_RESPONSES["a custom tool"]])]) as served:
        client = chat_client(own, served.url)
        events = [*client.responses.create(model="scripted", input="hi", stream=True)]
    assert events[-1].response.output[0].input == ARGUMENTS
    own.close()


def test_mending_any_kind_of_call() -> None:
    for kind in ("a call of the old form", "a custom tool"):
        own = guard(policy=policy(rules=FOUR_ON_FRIDAY))
        with serving([Raw([IN_CHAT[kind]])]) as served:
            message = ask(chat_client(own, served.url, on_block="mend"), USER).choices[0].message
        made = message.function_call.arguments if message.function_call else message.tool_calls[0].custom.input
        assert json.loads(made) == {"day": FRIDAY, "guests": 4}
        own.close()
    own = guard(ASKED)
    with serving([Raw([IN_RESPONSES["a server"]]), "As you like."]) as served:
        answer = chat_client(own, served.url, on_block="mend").responses.create(model="m", input="for 4 on friday")
    assert answer.output_text == "As you like."  # nobody knows where such a call has its arguments
    own.close()


WAYS: dict[str, Callable[[Any], Any]] = {
    "raw responses": lambda client: client.with_raw_response,
    "streamed responses": lambda client: client.with_streaming_response,
    "raw chats": lambda client: client.chat.with_raw_response,
    "raw completions": lambda client: client.chat.completions.with_raw_response,
    "parsed": lambda client: client.chat.completions.parse,
    "helper of streams": lambda client: client.chat.completions.stream,
    "stored": lambda client: client.chat.completions.retrieve,
    "beta parsed": lambda client: client.beta.chat.completions.parse,
    "assistants": lambda client: client.beta.assistants,
    "threads": lambda client: client.beta.threads,
    "realtime": lambda client: client.realtime,
    "batches": lambda client: client.batches,
    "any path": lambda client: client.post,
    "retrieved": lambda client: client.responses.retrieve,
    "connected": lambda client: client.responses.connect,
    "parsed response": lambda client: client.responses.parse,
    "items": lambda client: client.conversations.items,
    "legacy completions": lambda client: client.completions,
    "contents of files": lambda client: client.files.content,
    "raw parts of what is harmless": lambda client: client.fine_tuning.jobs.with_raw_response,
    "a server that nobody has to ask": lambda client: client.responses.create(
        model="m", input="hi", tools=[{"type": "mcp", "server_label": "s"}]
    ),
    "a server in a choice": lambda client: client.responses.create(
        model="m",
        input="hi",
        tool_choice={"type": "allowed_tools", "tools": [{"type": "mcp", "server_url": "http://127.0.0.1:9"}]},
    ),
    "plugins": lambda client: client.responses.create(model="m", input="hi", extra_body={"plugins": [{"id": "web"}]}),
    "a server by another spelling": lambda client: client.responses.create(
        model="m", input="hi", extra_body={"MCPServers": {}}
    ),
    "a copy": lambda client: client.copy().chat.completions.parse,
    "other options": lambda client: client.with_options(timeout=3).responses.retrieve,
    "in the background": lambda client: client.responses.create(model="m", input="hi", background=True),
    "hidden": lambda client: client.responses.create(model="m", input="hi", extra_body={"background": True}),
    "a server": lambda client: client.responses.create(
        model="m", input="hi", tools=[{"type": "mcp", "server_label": "s", "require_approval": "never"}]
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_around_the_guard_are_refused(way: str) -> None:
    own = guard()
    client = own.wrap(OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1"), conversation="c")
    with pytest.raises(InputError, match="refused on a guarded client"):
        WAYS[way](client)
    own.close()


@pytest.mark.parametrize(
    "given", [{"tools": [[{"type": "web_search"}]]}, {"extra_body": {"tools": '[{"type": "mcp"}]'}}, {"messages": 7}]
)
def test_what_a_request_lists_has_to_be_objects(given: dict[str, Any]) -> None:
    own = guard()
    client = own.wrap(OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1"), conversation="c")
    with pytest.raises(InputError, match=r"\[0\]: it has to be an object"):
        client.chat.completions.create(**{"model": "m", "messages": [USER], **given})
    own.close()


@pytest.mark.parametrize(
    "message",
    [
        {"role": "User", "content": "Hi"},
        {"role": "user", "content": {"text": "Hi"}},
        {"role": "user", "content": [{"type": "text", "text": ["Hi"]}]},
        {"role": "user", "content": iter([{"type": "tool_result", "content": "Hi"}])},
    ],
)
def test_words_in_a_form_that_nobody_reads_are_refused(message: dict[str, Any]) -> None:
    own = guard()
    client: Any = own.wrap(OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1"), conversation="c")
    with pytest.raises(InputError, match="of another protocol"):
        client.chat.completions.create(model="m", messages=[message])
    own.close()


def test_whatever_is_not_known_to_be_harmless_is_refused_by_default() -> None:
    own = guard()
    inner = OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1")
    client: Any = own.wrap(inner, conversation="c")
    guarded = {"with_options", "copy"}
    for name in (each for each in dir(inner) if not each.startswith("_")):
        try:
            found = getattr(client, name)
        except InputError:
            continue
        assert name in OPENAI.harmless[""] | guarded or isinstance(found, Face), name
    assert client.models.list == inner.models.list and client.base_url == inner.base_url
    assert not hasattr(client, "_client")
    own.close()


def test_a_raw_answer_that_headers_ask_for_does_not_come_out() -> None:
    own = guard(ASKED)
    with serving([WRONG]) as served, pytest.raises(InputError, match="the guard can see no calls"):
        ask(chat_client(own, served.url), USER, extra_headers={"X-Stainless-Raw-Response": "true"})
    own.close()


def test_a_guarded_client_stands_in_a_with_block_and_in_beta() -> None:
    own = guard(ASKED)
    says: list[Say] = [WRONG, "Hello."]
    with serving(says) as served, chat_client(own, served.url) as client:
        answer = client.beta.chat.completions.create(model="scripted", messages=[USER])
    assert answer.choices[0].message.content == "Hello."
    own.close()


async def test_an_asynchronous_one_as_well_and_one_of_a_class_of_the_apps_own() -> None:
    class Mine(AsyncOpenAI):
        pass

    own = guard(ASKED, policy=policy())
    with serving([WRONG, "Hello."]) as served:
        wrapped: Any = own.wrap(Mine(api_key="none", base_url=served.url, max_retries=0), conversation="c")
        async with wrapped as client:
            answer = await client.chat.completions.create(model="scripted", messages=[USER])
    assert answer.choices[0].message.content == "Hello."
    await own.aclose()
