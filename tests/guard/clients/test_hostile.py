"""Random servers and random apps: nothing comes out that was not decided on, and a clean answer comes out as it is."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState

from holdtrue.errors import InputError
from holdtrue.guard.guard import Guard
from tests.guard.clients.served import Raw, chat, response
from tests.guard.conversation.shop import guard, policy
from tests.slow import first_of

PLAN = {"type": "object", "properties": {"price": {"type": "integer"}}, "required": ["price"]}
RULES = [
    {
        "id": "mallory",
        "on": "Table.Reserve",
        "hold": "!has(call.name) || call.name != 'Mallory'",
        "say": "Not that guest.",
    },
    {"id": "cheap", "on": "plan", "hold": "answer.price <= 50", "say": "A plan costs 50 at most."},
]
POLICY = policy(answers={"plan": {"schema": PLAN}}, rules=RULES)
FORBIDDEN = ("Mallory", '"price": 90', "90}")
"""Texts that occur only in calls and answers against the policy."""
FORMATS: dict[bool, list[dict[str, Any]]] = {
    True: [{"response_format": {"type": "json_schema", "json_schema": {"name": "plan", "schema": PLAN}}}],
    False: [{"text": {"format": {"type": "json_schema", "name": "plan", "schema": PLAN}}}],
}
FORMATS[True] += [{"response_format": {"type": "json_object"}}, {"guided_json": PLAN}]
USAGES: list[Any] = [
    None,
    {},
    {"prompt_tokens": 3, "completion_tokens": None, "total_tokens": 3},
    {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 1}, "output_tokens_details": None, "cost": 0.5},
    {"total_tokens": "many", "details": [1, {"a": None}]},
    5,
]
STRANGE: list[Any] = ["Mallory", [5], {"0": {"name": "Mallory"}}, [{"function": "Mallory"}], [None, ["Mallory"]]]
HOSTED: list[dict[str, Any]] = [
    {"type": "mcp", "server_label": "s", "require_approval": "never"},
    {"type": "web_search"},
    {"type": "code_interpreter", "container": {"type": "auto"}},
    {"type": "shell", "environment": {"type": "container_auto"}},
    {"type": "namespace", "name": "n", "tools": [{"type": "image_generation"}]},
    {"google_search": {}},
    {"type": ["web_search"]},
]


def part(draw: Random, is_chat: bool, is_clean: bool) -> dict[str, Any]:
    """Return a message of a choice, or an item of an output."""
    name = "Ann" if is_clean else draw.choice(["Ann", "Mallory"])
    price = 40 if is_clean else draw.choice([40, 90])
    plan, call = json.dumps({"price": price}), json.dumps({"day": "2026-03-06", "guests": 2, "name": name})
    kinds = ["call", "plan", "words"]
    kind = draw.choice(kinds if is_clean else [*kinds, "both", "refused", "odd", "old"])
    function = {"name": "Table.Reserve", "arguments": call}
    called = {"tool_calls": [{"id": f"c{draw.random()}", "type": "function", "function": function}]}
    content = plan if kind in ("plan", "both", "refused") else "Hello." if kind == "words" else None
    said: dict[str, Any] = {"content": content}
    if is_chat:
        said |= called if kind in ("call", "both") else {}
        said |= {"refusal": "No."} if kind == "refused" else {"function_call": function} if kind == "old" else {}
        odd = [{"tool_calls": draw.choice(STRANGE)}, {"content": [{"type": "tool_use", "input": "Mallory"}]}]
        two = {"id": "x", "type": "custom", "custom": function, "function": {**function, "name": "Mallory"}}
        odd.append({"tool_calls": [two]})
        odd.append({"raw_tool_calls": json.dumps([{"id": "x", "function": {**function, "name": "Mallory"}}])})
        odd.append(
            {"tool_calls": [{"id": "x", "type": "function", "function": {**function, "input": {"a": "Mallory"}}}]}
        )
        return {**said, "note": 1, **(draw.choice(odd) if kind == "odd" else {})}
    if kind in ("call", "old"):
        return {"type": "function_call", "id": "f", "call_id": f"c{draw.random()}", **function}
    if kind == "odd":
        odd = [{"type": "magic", "say": "Mallory"}, {"type": ["message"], "x": "Mallory"}]
        odd.append({"type": "custom_tool_call", "input": "Mallory"})
        odd.append({"type": "function_call", "call_id": "x", **function, "parameters": {"a": "Mallory"}})
        return draw.choice([*odd, {"type": "message", "content": [{"type": "tool_use", "name": "Mallory"}]}])
    text: dict[str, Any] = {"type": "output_text", "text": said["content"] or "Hello.", "annotations": []}
    more = [{"type": "refusal", "refusal": "No."}] if kind == "refused" else []
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text, *more]}


class Server:
    """A server that answers at random: `first` to the first request, and then something clean."""

    def __init__(self, draw: Random, is_chat: bool, shaped: bool, is_clean: bool) -> None:
        parts = [part(draw, is_chat, is_clean) for _ in range(1 if is_clean else draw.choice([1, 1, 2]))]
        if shaped and is_clean:
            parts = [self.plan(is_chat)]
        make = chat if is_chat else response
        usage = {"usage": draw.choice(USAGES)}
        self.first = {**make(Raw(parts), 1), **usage, "extra": {"a": [1]}}
        if not is_clean and draw.random() < 0.1:
            self.first["choices" if is_chat else "output"] = draw.choice([None, 5, ["Mallory"], {"a": "Mallory"}])
        self.then = {**make(Raw([self.plan(is_chat)]), 2), "usage": draw.choice(USAGES)}
        self.bodies: list[dict[str, Any]] = []

    @staticmethod
    def plan(is_chat: bool) -> dict[str, Any]:
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
        text = {"type": "output_text", "text": '{"price": 40}', "annotations": []}
        return {"content": '{"price": 40}'} if is_chat else {**item, "content": [text]}

    def answer(self, request: Any) -> httpx2.Response:
        self.bodies.append(json.loads(request.content))
        return httpx2.Response(200, json=self.first if len(self.bodies) == 1 else self.then)


async def played(client: Any, is_chat: bool, request: dict[str, Any], with_block: bool) -> tuple[Any, list[Any]]:
    """Return the answer of a client, and the events if it is a stream."""
    create = (client.chat.completions if is_chat else client.responses).create
    found = create(**request)
    if asyncio.iscoroutine(found):
        found = await found
        if hasattr(found, "__aiter__"):
            async with found as stream:
                return None, [own async for own in stream]
        return found, []
    if not hasattr(found, "__next__"):
        return found, []
    if with_block:
        with found as stream:
            return None, [*stream]
    return None, [*found]


def request_of(draw: Random, is_chat: bool, shaped: bool, stream: bool) -> dict[str, Any]:
    words = [{"role": "user", "content": "hi"}]
    shown = iter(words) if draw.random() < 0.3 else words
    request: dict[str, Any] = {"model": "m", "messages" if is_chat else "input": shown}
    more = {**(draw.choice(FORMATS[is_chat]) if shaped else {}), **({"stream": True} if stream else {})}
    hidden = {name: own for name, own in more.items() if name == "guided_json" or draw.random() < 0.5}
    request |= {name: own for name, own in more.items() if name not in hidden}
    return {**request, "extra_body": {"top_k": 3, **hidden}} if hidden or draw.random() < 0.5 else request


def test_nothing_comes_out_that_breaks_the_policy_and_clean_answers_come_out_unchanged() -> None:
    trials(range(150))


@pytest.mark.slow
def test_three_thousand_servers() -> None:
    trials(range(150, 3150))


def trials(seeds: range) -> None:
    own = guard({}, policy=POLICY)
    clean = 0
    for seed in seeds:
        clean += trial(own, seed)
    assert clean > len(seeds) // 4
    own.close()


def trial(own: Guard, seed: int) -> bool:
    draw = Random(f"hostile {seed}")
    is_chat, shaped, stream, is_clean = (draw.random() < 0.5 for _ in range(4))
    server = Server(draw, is_chat, shaped, is_clean)
    settings: Any = {"api_key": "none", "base_url": "http://server/v1", "max_retries": 0}
    transport = httpx2.MockTransport(server.answer)
    if is_async := draw.random() < 0.3:
        inner: Any = AsyncOpenAI(http_client=DefaultAsyncHttpxClient(transport=transport), **settings)
    else:
        inner = OpenAI(http_client=DefaultHttpxClient(transport=transport), **settings)
    way: Any = draw.choice(["tell_model", "refuse", "mend"])
    client = own.wrap(inner, conversation=f"c{seed}", on_block=way)
    request, with_block = request_of(draw, is_chat, shaped, stream), draw.random() < 0.5
    try:
        work = played(client, is_chat, request, with_block)
        answer, events = asyncio.run(work) if is_async else run(work)
    except InputError as error:
        assert not is_clean, (seed, error)
        return False
    out = json.dumps([each.model_dump(warnings=False) for each in (answer, *events) if each is not None])
    assert not any(word in out.replace("\\", "") for word in FORBIDDEN[: 3 if shaped else 1]), (seed, out)
    assert bool(events) is stream
    if is_clean:
        again = httpx2.MockTransport(lambda _: httpx2.Response(200, json=server.first))
        raw: Any = OpenAI(http_client=DefaultHttpxClient(transport=again), **settings)
        resource, words = (raw.chat.completions, "messages") if is_chat else (raw.responses, "input")
        wanted = resource.create(model="m", **{words: []})
        assert len(server.bodies) == 1 and server.bodies[0].get("extra_body") is None
        same(is_chat, wanted, answer, events, seed)
    return is_clean


def same(is_chat: bool, wanted: Any, answer: Any, events: list[Any], seed: int) -> None:
    """Check that an answer, or the sum of its stream, is the server's."""
    if not events:
        assert answer.to_dict(warnings=False) == wanted.to_dict(warnings=False), seed
    elif not is_chat:
        assert events[-1].response.to_dict(warnings=False) == wanted.to_dict(warnings=False), seed
        done = [each.item for each in events if each.type == "response.output_item.done"]
        assert [each.to_dict(warnings=False) for each in done] == [
            each.to_dict(warnings=False) for each in wanted.output
        ], seed
        text = "".join(each.delta for each in events if each.type == "response.output_text.delta")
        assert text == wanted.output_text, seed
    else:
        state = ChatCompletionStreamState()
        for each in events:
            state.handle_chunk(each)
        (choice,), (own,) = state.current_completion_snapshot.choices, wanted.choices
        got, given = choice.message.to_dict(warnings=False), own.message.to_dict(warnings=False)
        for call in got.get("tool_calls") or ():  # type: ignore[attr-defined]
            call.pop("index", None)
            call["function"].pop("parsed_arguments", None)
        assert {name: got.get(name) for name in given if given[name] is not None} == {
            name: each for name, each in given.items() if each is not None
        }, seed
        assert choice.finish_reason == own.finish_reason


def run(work: Any) -> Any:
    """Run a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


@pytest.mark.parametrize("place", ["tools", "item", "extra_body"])
@pytest.mark.parametrize("tool", first_of(HOSTED, 5))
def test_tools_that_the_provider_runs_are_refused_wherever_they_stand(place: str, tool: dict[str, Any]) -> None:
    own = guard({}, policy=POLICY)
    client: Any = own.wrap(OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1"), conversation="c")
    item: dict[str, Any] = {"type": "additional_tools", "role": "developer", "tools": [tool]}
    request: dict[str, Any] = {"tools": {"tools": iter([tool])}, "item": {"input": [item]}}
    request["extra_body"] = {"extra_body": {"tools": [tool]}}
    with pytest.raises(InputError, match="provider"):
        client.responses.create(model="m", **{"input": "hi", **request[place]})
    with pytest.raises(InputError, match="of another protocol"):
        item = {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True}
        client.responses.create(model="m", input=[item])
    refused: list[dict[str, Any]] = [{"prompt": {"id": "p"}}, {"extra_query": {"tools": "x"}}]
    for more in (*refused, {"extra_body": {"messages": []}}):
        with pytest.raises(InputError, match="refused on a guarded client"):
            client.responses.create(model="m", input="hi", **more)
    own.close()
