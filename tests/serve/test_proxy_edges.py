"""Edges of the proxy: redirects, other tenants' stored things, odd parameters, streams that break, and slow readers."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the extra serve is not installed")

from httpx2 import post
from openai import OpenAI

from holdtrue.errors import StoreConflict
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.serve import exchange
from holdtrue.serve.api_keys import read_keys
from tests.guard.clients.test_stream_matrix import POLICY
from tests.guard.conversation.shop import guard
from tests.serve.messages import add_key
from tests.serve.servers import proxy_app, served
from tests.serve.test_proxy import ASKED, BROKEN, HELD, TEXT, asked_for, proxied
from tests.serve.upstream import Fake, Reply

TOLD = {"location": "http://127.0.0.1:9/v1/chat/completions", "set-cookie": "a=b", "holdtrue-rules": "forged"}


async def test_a_redirect_leads_nobody_around_the_guard() -> None:
    async with proxied(Fake([Reply(status=307, headers=TOLD)])) as client:
        found = await client.post("/v1/chat/completions", json=ASKED)
    assert found.status_code == 502 and "location" not in found.headers and "--upstream" in found.text


async def test_headers_of_one_connection_and_of_this_server_stay_here() -> None:
    fake = Fake([Reply([("text", "Hi.")], headers={**TOLD, "connection": "x-hop", "x-hop": "1"})])
    async with proxied(fake, conversation_header="X-Talk") as client:
        headers = {"X-Talk": "c", "Connection": "x-mine", "X-Mine": "1", "Holdtrue-Key": ""}
        found = await client.post("/v1/chat/completions", json=ASKED, headers=headers)
    assert not {"set-cookie", "holdtrue-rules", "x-hop"} & {*found.headers}
    assert not {"x-talk", "x-mine", "holdtrue-key"} & {*fake.headers[0]}


@pytest.mark.parametrize(
    "more",
    [
        {"previous_response_id": "resp_acme"},
        {"conversation": "conv_acme"},
        {"input": [{"type": "item_reference", "id": "msg_acme"}]},
    ],
)
async def test_nothing_that_the_upstream_keeps_for_another_tenant_is_used(more: Any, tmp_path: Path) -> None:
    keys = {own: add_key(tmp_path / "keys", own) for own in ("acme", "bolt")}
    fake = Fake([TEXT] * 2)
    known = read_keys(tmp_path / "keys")
    with served(fake.app()) as up, served(proxy_app(guard({}, policy=POLICY), up, known, "sk-up")) as url:
        headers = {"Holdtrue-Conversation": "c", "Authorization": f"Bearer {keys['bolt']}"}
        found = post(f"{url}/v1/responses", json=asked_for("x") | more, headers=headers)
    assert found.status_code == 400 and not fake.bodies


@pytest.mark.parametrize("name", ["plugins", "mcp_tools", "search_parameters", "extra_body"])
async def test_parameters_that_may_bring_tools_of_the_upstream_are_refused(name: str) -> None:
    async with proxied(fake := Fake([TEXT])) as client:
        found = await client.post("/v1/chat/completions", json={**ASKED, name: {"tools": [{"type": "x"}]}})
    assert found.status_code == 422 and name in found.text and not fake.bodies


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages"])
async def test_the_error_of_a_stream_arrives_as_it_came(path: str) -> None:
    event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "odd": 1}
    fake = Fake([Reply(raw=f"event: error\ndata: {json.dumps(event)}\n\n".encode())])
    async with proxied(fake) as client:
        body = {**ASKED, "stream": True} if "responses" not in path else asked_for("x", stream=True)
        found = await client.post(path, json=body)
    assert found.status_code == 200 and found.headers["content-type"].startswith("text/event-stream")
    assert json.loads(found.text.partition("data: ")[2].partition("\n")[0]) == event


async def test_a_stream_without_a_choice_is_no_answer_and_numbers_keep_their_form() -> None:
    first = json.dumps({"id": "x", "choices": [], "created": 1, "model": "m", "object": "chat.completion.chunk"})
    fake = Fake([Reply(raw=f"data: {first}\n\ndata: [DONE]\n\n".encode()), TEXT])
    async with proxied(fake) as client:
        found = await client.post("/v1/chat/completions", json={**ASKED, "stream": True})
        assert found.status_code == 502
        text = (await client.post("/v1/responses", json=asked_for("x", stream=True))).text
    assert '"created_at":1,' in text and '"created_at":1.0' not in text


async def test_each_attempt_asks_the_model_though_its_request_is_the_same() -> None:
    shell = {
        "type": "local_shell_call",
        "id": "s",
        "call_id": "s",
        "action": {"command": ["ls"]},
        "status": "completed",
    }
    fake = Fake([Reply(more={"output": [shell]})] * 3)
    async with proxied(fake) as client:
        found = (await client.post("/v1/responses", json=asked_for("x", conversation="conv"))).json()
    assert found["holdtrue"]["attempts"] == len(fake.bodies) == 3


class NotingStore(MemoryStore):
    """A store that fails once when a response is noted."""

    error: Exception | None = StoreConflict("another process was first")

    async def append(self, tenant: Any, conversation: Any, after: Any, events: Any) -> Any:
        if self.error is not None and any(own.kind == "answered" for own in events):
            error, self.error = self.error, None
            raise error
        return await super().append(tenant, conversation, after, events)


async def test_a_response_that_cannot_be_noted_at_once_is_decided_on_anew_and_paid_for_once() -> None:
    own = guard({}, policy=POLICY, store=NotingStore())
    async with proxied(fake := Fake([HELD]), own) as client:
        found = (await client.post("/v1/responses", json=asked_for("x"))).json()
    assert found["holdtrue"]["verdict"] == "passed" and len(fake.bodies) == 1
    assert len(await own.conversation("c").pending()) == 1


async def test_an_answer_that_is_no_json_passes_in_observe() -> None:
    async with proxied(Fake([Reply(raw=b"no json")]), guard({}, policy=POLICY, mode="observe")) as client:
        found = await client.post("/v1/chat/completions", json=ASKED)
    assert (found.status_code, found.content) == (200, b"no json")


def test_a_caller_that_does_not_read_keeps_its_place_and_loses_it_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "READ_S", 0.5)
    fake = Fake([Reply([("text", "x" * 20_000_000)]), TEXT])
    with served(fake.app()) as upstream, served(proxy_app(guard({}, policy=POLICY), upstream, most_requests=1)) as url:
        body = json.dumps(ASKED).encode()
        head = "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        head += f"Holdtrue-Conversation: c\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as caller:
            caller.sendall(head.encode() + body)
            assert caller.recv(9) == b"HTTP/1.1 "
            headers = {"Holdtrue-Conversation": "d"}
            assert post(f"{url}/v1/chat/completions", json=ASKED, headers=headers).status_code == 429
            client = OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=8, default_headers=headers)
            assert client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}]).choices


@pytest.mark.parametrize("words", ['Say "reserve table" for it.', "Table.Reserve", '"Table.Reserve"'])
async def test_a_tools_name_in_words_is_no_call(words: str) -> None:
    part = {"type": "output_text", "text": words, "annotations": [{"type": "url_citation", "title": words}]}
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
    thought = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": words}]}
    more = {"output": [thought, message], "metadata": {"topic": "Table.Reserve"}}
    async with proxied(Fake([Reply(more=more), Reply(more=more), BROKEN])) as client:
        found = (await client.post("/v1/responses", json=asked_for("x"))).json()["holdtrue"]
        assert (found["verdict"], found["calls"]) == ("passed", [])
