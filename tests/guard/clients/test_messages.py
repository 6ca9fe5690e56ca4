"""Anthropic's clients behind a guard: histories, retries, mends, the helper of streams, and the ways around."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.clients.client_shapes import ANTHROPIC
from holdtrue.guard.clients.guarded_client import Face
from holdtrue.guard.guard import Guard
from tests.guard.clients.served import Calls, Raw, Say, Served, Told, message, serving
from tests.guard.clients.stream_forms import message_stream
from tests.guard.clients.test_guarded_client import (
    ASKED,
    ASKS,
    DONE,
    FRIDAY,
    HONEST,
    RIGHT,
    SATURDAY,
    USER,
    WRONG,
    ClaimReader,
)
from tests.guard.clients.test_streams import HIDDEN, objects_in
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, guard, policy
from tests.test_docs_examples import blocks, printed

anthropic = pytest.importorskip("anthropic")
DAY = {"day": SATURDAY, "guests": 4}


def inner(url: str = "http://127.0.0.1:9", is_async: bool = False) -> Any:
    name = f"Default{'Async' if is_async else ''}HttpxClient"
    made = anthropic.AsyncAnthropic if is_async else anthropic.Anthropic
    return made(api_key="none", base_url=url, max_retries=0, http_client=getattr(anthropic, name)(verify=False))


def wrapped(own: Guard, url: str = "http://127.0.0.1:9", **settings: Any) -> Any:
    return own.wrap(inner(url), conversation="c", **settings)


def ask(client: Any, *messages: Any, **more: Any) -> Any:
    return client.messages.create(**{"model": "m", "max_tokens": 9, "messages": [*messages], **more})


@contextmanager
def playing(says: list[Say], own: Guard | None = None, **settings: Any) -> Iterator[tuple[Any, Served, Guard]]:
    made = own or guard(ASKED)
    with serving(says) as served:
        yield wrapped(made, served.url, **settings), served, made
    made.close()


def test_a_stopped_call_is_told_to_the_model_and_only_the_allowed_one_comes_out() -> None:
    thought: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": ""},
    ]
    twice = [{"type": "tool_use", "id": "t", "name": "Table.Reserve", "input": DAY}] * 2
    odd = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    seen = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    with playing([Raw([*thought, *twice, odd, seen]), RIGHT]) as (client, served, _):
        answer = ask(client, USER, metadata={"user_id": "u", "tenant": ""})
    (call,) = answer.content
    assert call.input == {"day": FRIDAY, "guests": 4}
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (20, 10)
    assert [own.get("metadata") for own in served.bodies] == [{"user_id": "u"}] * 2
    first, said, told = served.bodies[1]["messages"]
    assert (first, said["role"], told["role"]) == (USER, "assistant", "user")
    assert said["content"][0] == thought[0] and [own["type"] for own in said["content"]] == [
        "thinking",
        *["tool_use"] * 2,
    ]
    ids = [own["id"] for own in said["content"][1:]]
    assert [own.get("tool_use_id") for own in told["content"]] == [*ids, None] and len({*ids}) == 2
    assert told["content"][0]["is_error"] and "in turn 1: 'for 4 on friday'" in told["content"][0]["content"]
    assert "web_search" in told["content"][2]["text"]


@pytest.mark.parametrize("last", [USER, {"role": "assistant", "content": "So"}])
def test_roles_alternate_after_a_rejected_answer_of_any_form(last: dict[str, Any]) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "for 4 on friday"}]}]
    messages += [last] if last["role"] == "assistant" else []
    with playing([Raw([{"type": "magic_use", "id": "m", "spell": {"name": "Table.Reserve"}}]), "Yes."]) as (
        client,
        served,
        _,
    ):
        answer = ask(client, *messages)
    roles = [own["role"] for own in served.bodies[1]["messages"]]
    assert answer.content[0].text == "Yes." and all(one != other for one, other in pairwise(roles))
    assert "magic_use" in str(served.bodies[1]["messages"][-1]["content"])


@pytest.mark.parametrize("is_beta", [False, True])
def test_each_message_and_result_is_heard_once_in_every_form(is_beta: bool) -> None:
    with playing([RIGHT, "It is reserved.", "Welcome."]) as (client, _, own):
        messages = client.beta.messages if is_beta else client.messages
        request: dict[str, Any] = {"model": "m", "max_tokens": 9}
        history: list[Any] = [USER]
        first = messages.create(messages=history, **request)
        call = first.content[0]
        part = {"type": "text", "text": '{"booking": "B1"}'}
        result = {"type": "tool_result", "tool_use_id": call.id, "content": iter([part])}
        history += [{"role": "assistant", "content": first.content}, {"role": "user", "content": (result,)}]
        second = messages.create(messages=history, **request)
        history[-1] = {"role": "user", "content": [{**result, "content": [part]}]}
        history += [{"role": "assistant", "content": second.content}, {"role": "user", "content": "thanks"}]
        messages.create(messages=history, **request)
        assert own.reader.asked == ["for 4 on friday", "thanks"]  # type: ignore[union-attr]
        state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending
    assert [each.text for each in state.words.all if each.who == "assistant"] == ["It is reserved.", "Welcome."]


def test_the_example_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_, example = [
        own for own in blocks("docs/guard-clients.md", "python") if "guard = " in own or "anthropic" in own
    ]
    says: list[Say] = [RIGHT, [("Table.Reserve", {"day": FRIDAY, "guests": 2})], "It is reserved."]
    with serving(says) as served:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", served.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        assert printed(f"{first}\n{example}") == "It is reserved.\n"
    assert "guests" in str(served.bodies[1]["messages"][-1]) and "B-1" in str(served.bodies[2]["messages"][-1])


def test_a_failed_result_is_no_booking() -> None:
    with playing([RIGHT, "Sorry."]) as (client, _, own):
        call = ask(client, USER).content[0]
        result = {"type": "tool_result", "tool_use_id": call.id, "content": "no table", "is_error": True}
        ask(client, USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]})
        state = own.run(own.conversation("c")._opened())
    assert not state.facts.done.get("Table.Reserve") and not state.pending


def test_a_streamed_call_is_known_by_its_values_again() -> None:
    told = message_stream([("call", ("Table.Reserve", '{ "guests": 4,  "day":"2026-03-06"}'))], "tool_use", 3)
    with playing([Told(told), "Done."]) as (client, _, own):
        with client.messages.stream(model="m", max_tokens=9, messages=[USER]) as stream:
            call = stream.get_final_message().content[0]
        result = {"type": "tool_result", "tool_use_id": call.id, "content": '{"booking": "B1"}'}
        ask(client, USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]})
        state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending


@pytest.mark.parametrize("resource", ["messages", "beta.messages"])
def test_the_helper_of_streams_gives_what_the_bare_one_gives(resource: str) -> None:
    told = message_stream(
        [("think", "Hm."), ("text", "So, 🦊."), ("call", ("Table.Reserve", RIGHT[0][1]))], "tool_use", 3
    )
    request: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [USER]}

    def of(client: Any) -> Any:
        for name in resource.split("."):
            client = getattr(client, name)
        return client.stream(**request)

    async def play(client: Any) -> Any:
        async with of(client) as stream:
            return "".join([own async for own in stream.text_stream]), await stream.get_final_message()

    own = guard(ASKED)
    with serving([Told(told)] * 4) as served:
        with of(inner(served.url)) as bare, of(wrapped(own, served.url)) as stream:
            assert "".join(stream.text_stream) == "So, 🦊." == bare.get_final_text()
            assert stream.get_final_message() == bare.get_final_message() and stream.request_id is None
        one, other = (
            asyncio.run(play(each))
            for each in (inner(served.url, True), own.wrap(inner(served.url, True), conversation="d"))
        )
        assert one == other
    own.close()


def test_refusing_and_mending() -> None:
    with playing([WRONG], on_block="refuse") as (client, _, _):
        answer = ask(client, USER)
        assert answer.stop_reason == "end_turn" and "cannot be done" in answer.content[0].text
    own = guard(policy=policy(rules=FOUR_ON_FRIDAY))
    with playing([WRONG], own, on_block="mend") as (client, _, _):
        assert ask(client, USER).content[0].input == {"day": FRIDAY, "guests": 4}


PLAN = {"type": "object", "properties": {"price": {"type": "integer"}}, "required": ["price"]}
CHEAP = [{"id": "cheap", "on": "plan", "hold": "answer.price <= 50", "say": "A plan costs 50 at most."}]


def test_structured_answers_are_decided_on_and_identified_by_their_titles() -> None:
    def asking(schema: dict[str, Any]) -> Any:
        return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}

    plan, other = ({"schema": PLAN}, {"schema": {**PLAN, "title": "other"}})
    block = {"type": "text", "text": '{"price": 90}'}
    own = guard(ASKED, policy=policy(answers={"plan": plan, "other": other}, rules=CHEAP))
    says: list[Say] = [
        Raw([{"type": "text", "text": "See:"}, block]),
        '{"price": 40}',
        '{"price": 90}',
        '{"price": 90}',
    ]
    with playing(says, own) as (client, served, _):
        assert ask(client, USER, **asking({**PLAN, "title": "plan"})).content[0].text == '{"price": 40}'
        assert "50 at most" in served.bodies[1]["messages"][-1]["content"][0]["text"]
        mending = wrapped(own, served.url, on_block="mend")
        assert ask(mending, USER, **asking({**PLAN, "title": "plan"})).content[0].text == '{"price": 50}'
        assert ask(client, USER, **asking({**PLAN, "title": "other"})).content[0].text == '{"price": 90}'
        with pytest.raises(InputError, match="without the name of its shape"):
            ask(client, USER, **asking(PLAN))


@pytest.mark.parametrize("said", ["Hello.", RIGHT])
def test_what_looks_like_a_call_comes_out_nowhere(said: str | Calls) -> None:
    found = [{"type": "web_search_result", "title": "t", "url": "u"}]
    more = [
        {"type": "web_search_tool_result", "tool_use_id": "x", "content": found},
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "Hm."},
    ]
    body = message(said, 1)
    whole = json.dumps({**body, "content": [*body["content"], *more]})
    extra: list[dict[str, Any]] = [{key: own} for key, own in HIDDEN.items()]
    extra += [{"name": "mail", own: {"to": "secret"}} for own in ("input", "arguments")]
    bodies: list[Say] = []
    for place in range(len(objects_in(json.loads(whole)))):
        for own in extra:
            bodies.append(json.loads(whole))
            objects_in(bodies[-1])[place].update(own)
    with playing(bodies, guard(policy=policy()), on_block="refuse") as (client, served, _):
        for sent in bodies:
            assert "secret" not in str(ask(client, USER)), sent
    assert len(served.bodies) == len(bodies)


WAYS: dict[str, Callable[[Any], Any]] = {
    "raw": lambda client: client.messages.with_raw_response,
    "parsed": lambda client: client.messages.parse,
    "batches": lambda client: client.messages.batches,
    "beta batches": lambda client: client.beta.messages.batches,
    "runner": lambda client: client.beta.messages.tool_runner,
    "thread": lambda client: client.beta.messages.thread,
    "agents": lambda client: client.beta.agents,
    "sessions": lambda client: client.beta.sessions,
    "any path": lambda client: client.post,
    "middleware": lambda client: client.with_middleware,
    "contents of files": lambda client: client.files.download,
    "a copy": lambda client: client.copy().messages.batches,
    "a shape as a type": lambda client: client.messages.stream(
        model="m", max_tokens=1, messages=[USER], output_format=dict
    ),
    "a server": lambda client: ask(
        client, USER, extra_body={"mcp_servers": [{"type": "url", "name": "s", "url": "u"}]}
    ),
    "a tool of the provider": lambda client: ask(
        client, USER, tools=[{"type": "web_search_20260318", "name": "web_search"}]
    ),
    "a server of the beta": lambda client: client.beta.messages.create(
        model="m", max_tokens=1, messages=[USER], mcp_servers=[{"type": "url", "name": "s", "url": "u"}]
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_around_the_guard_are_refused(way: str) -> None:
    own = guard()
    with pytest.raises(InputError, match=r"refused on a guarded client"):
        WAYS[way](wrapped(own))
    own.close()


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "assistant", "content": "", "tool_calls": [{"id": "c"}]}],
        [{"role": "tool", "content": "x"}],
        [{"role": "system", "content": [{"type": "tool_addition", "tool": {}}]}],
        [{"role": "user", "content": {"text": "hi"}}],
    ],
)
def test_what_nobody_would_read_is_refused(messages: list[Any]) -> None:
    own = guard()
    with pytest.raises(InputError, match="of another protocol"):
        ask(wrapped(own), *messages)
    own.close()


def test_tools_of_the_app_pass_and_the_provider_runs_what_only_reads() -> None:
    hosted = ("web_search", "tool_search_tool_bm25")
    listed = [{"name": own, "parameters": {"type": "object", "properties": {}}} for own in hosted]
    ran: list[dict[str, Any]] = [{"type": "server_tool_use", "id": own, "name": own, "input": {}} for own in hosted]
    found = {
        "type": "tool_search_tool_search_result",
        "tool_references": [{"type": "tool_reference", "tool_name": hosted[0]}],
    }
    ran += [
        {"type": "web_search_tool_result", "tool_use_id": hosted[0], "content": []},
        {"type": "tool_search_tool_result", "tool_use_id": hosted[1], "content": found},
        {"type": "text", "text": "Found."},
    ]
    tools: list[Any] = [{"type": f"{own}_20250124", "name": own} for own in ("bash", "computer", "memory")]
    tools += [{"type": f"{own}_20260318", "name": own} for own in hosted]
    tools.append({"name": "mine", "input_schema": {}})
    own = guard(policy=policy(tools={"definitions": listed, "reads": [*hosted], "writes": []}))
    with playing([Raw(ran)], own) as (client, _, _):
        answer = ask(client, USER, tools=tools, tool_choice={"type": "auto"})
    assert [each.type for each in answer.content] == [each["type"] for each in ran]


def test_a_thread_that_the_provider_keeps_goes_on_in_the_ledger() -> None:
    with playing([RIGHT, "Done."]) as (client, served, own):
        request: dict[str, Any] = {"model": "m", "max_tokens": 9}
        first = client.beta.messages.create(messages=[USER], thread={"type": "create"}, **request)
        result = {"type": "tool_result", "tool_use_id": first.content[0].id, "content": '{"booking": "B1"}'}
        thread = {"type": "continue", "previous_message_id": first.id}
        client.beta.messages.create(messages=[{"role": "user", "content": [result]}], thread=thread, **request)
        state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending and len(served.bodies) == 2


def test_a_false_claim_in_any_of_several_texts_does_not_come_out() -> None:
    class Reader(ClaimReader):
        async def read_claims(self, acts: Any, message: str, context: Any, calls: Any) -> Any:
            return await super().read_claims(acts, message.splitlines()[-1], context, calls)

    says: list[Say] = [Raw([{"type": "text", "text": own} for own in (begin, DONE)]) for begin in ("See.", "{}")]
    own = Guard(policy(), reader=Reader({}))
    with playing([*says, HONEST], own, hold_claims=True) as (client, served, _):
        assert ask(client, ASKS).content[0].text == HONEST and len(served.bodies) == 3


def test_whatever_is_not_known_to_be_harmless_is_refused_by_default() -> None:
    own = guard()
    bare, client = inner(), wrapped(own)
    for path in ("", "beta", "messages", "beta.messages"):
        part, face = bare, client
        for name in filter(None, path.split(".")):
            part, face = getattr(part, name), getattr(face, name)
        free = ANTHROPIC.harmless.get(path, frozenset()) | {"with_options", "copy", "create", "stream"}
        for name in (each for each in dir(part) if not each.startswith("_")):
            try:
                found = getattr(face, name)
            except InputError:
                continue
            assert name in free or isinstance(found, Face), (path, name)
    assert client.base_url == bare.base_url and callable(client.messages.count_tokens) and callable(client.models.list)
    own.close()
