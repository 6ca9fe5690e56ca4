"""The proxy holds unchanged clients to a policy: first on each part by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the extra serve is not installed")

from httpx2 import AsyncClient

from holdtrue.guard import Guard
from tests.guard.clients.test_stream_matrix import GOOD, MANY, POLICY, RESERVE
from tests.guard.conversation.shop import guard
from tests.serve.servers import proxy_app, served
from tests.serve.upstream import Fake, Reply, whole

HELD, BROKEN = Reply([("text", "So."), ("call", (RESERVE, GOOD))]), Reply([("call", (RESERVE, MANY))])
ASKED = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "odd": {"x": 1.50, "y": [None]}}


@asynccontextmanager
async def proxied(fake: Fake, own: Guard | None = None, **given: Any) -> AsyncIterator[AsyncClient]:
    with served(fake.app()) as upstream, served(proxy_app(own or guard({}, policy=POLICY), upstream, **given)) as url:
        async with AsyncClient(base_url=url, headers={"Holdtrue-Conversation": "c"}, timeout=60) as client:
            yield client


async def test_bytes_pass_unchanged_in_both_directions_but_for_the_verdict() -> None:
    fake = Fake([HELD])
    async with proxied(fake) as client:
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        message = {"role": "user", "content": [{"type": "text", "text": "hi"}, image]}
        sent = json.dumps({**ASKED, "messages": [message]}, indent=1).encode()
        headers = {"Content-Type": "application/json", "Authorization": "Bearer sk-1", "X-Odd": "ö"}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        found = await client.post("/v1/chat/completions", content=sent, headers=raw)
    assert found.status_code == 200 and fake.bodies == [sent]
    told = json.dumps(whole("chat", HELD, 1)).encode()
    assert found.content.startswith(told[:-1] + b',"holdtrue":{')
    assert found.headers["x-request-id"] == "req-7" and found.headers["holdtrue-verdict"] == "passed"
    assert fake.headers[0]["authorization"] == "Bearer sk-1" and "holdtrue-conversation" not in fake.headers[0]
    assert fake.headers[0]["x-odd"].encode("latin-1").decode() == "ö"
    verdict = found.json()["holdtrue"]
    assert (verdict["verdict"], verdict["attempts"], verdict["conversation"]) == ("passed", 1, "c")
    assert [own["decision"] for own in verdict["calls"]] == ["allow"] and verdict["coverage"]["rules"] > 0


def asked_for(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "input": text, **more}


BLOCKED = Reply([("text", "I do it."), ("call", (RESERVE, {**GOOD, "guests": 17}))])
TEXT = Reply([("text", "Done.")])


async def test_a_response_is_continued_by_its_id_within_its_tenant() -> None:
    fake = Fake([TEXT, TEXT, TEXT])
    async with proxied(fake) as client:
        first = (await client.post("/v1/responses", json=asked_for("one"))).json()
        del client.headers["holdtrue-conversation"]
        more = asked_for("two", previous_response_id=first["id"])
        second = await client.post("/v1/responses", json=more)
        assert second.json()["holdtrue"]["conversation"] == "c"
        for headers in ({"Holdtrue-Tenant": "other"}, {"Holdtrue-Conversation": "another"}):
            found = await client.post("/v1/responses", json=more, headers=headers)
            assert found.status_code == 400 and "previous_response_id" in found.json()["error"]["message"]
        unnamed = await client.post("/v1/responses", json=asked_for("three"))
        assert unnamed.status_code == 400 and "nobody said which conversation" in unnamed.json()["error"]["message"]
        assert (await client.post("/v1/responses", json=asked_for("x", conversation="conv_1"))).status_code == 200
    assert len(fake.bodies) == 3


async def test_what_was_refused_is_not_continued_in_the_upstreams_copy() -> None:
    """The upstream keeps the stopped call without a result, so it gets the items since the last unchanged answer."""
    fake = Fake([TEXT, BLOCKED, TEXT, TEXT])
    own = guard({}, policy=POLICY)
    async with proxied(fake, own, on_block="refuse") as client:
        first = (await client.post("/v1/responses", json=asked_for("one"))).json()
        refused = (await client.post("/v1/responses", json=asked_for("two", previous_response_id=first["id"]))).json()
        assert refused["holdtrue"]["verdict"] == "refused" and refused["id"].startswith("resp_holdtrue_")
        third = await client.post("/v1/responses", json=asked_for("three", previous_response_id=refused["id"]))
        assert third.json()["holdtrue"]["verdict"] == "passed"
        asked = json.loads(fake.bodies[2])
        assert asked["previous_response_id"] == first["id"]
        assert [own["role"] for own in asked["input"]] == ["user", "assistant", "user"]
        assert "Four at most" in asked["input"][1]["content"] and asked["input"][2]["content"] == "three"
    heard = [each.content for each in await own.store.read("", "c") if each.kind == "heard"]
    said = [each["user"] for each in heard if each.get("user")]
    assert said == ["one", "two", "three"], "each message is heard once"


async def test_a_mended_response_is_continued_with_the_mended_call() -> None:
    fake = Fake([BLOCKED, TEXT])
    async with proxied(fake, on_block="mend") as client:
        mended = (await client.post("/v1/responses", json=asked_for("one"))).json()
        (call,) = [own for own in mended["output"] if own["type"] == "function_call"]
        assert mended["holdtrue"]["verdict"] == "mended" and json.loads(call["arguments"])["guests"] == 4
        output = {"type": "function_call_output", "call_id": call["call_id"], "output": "ok"}
        await client.post("/v1/responses", json={"model": "m", "input": [output], "previous_response_id": mended["id"]})
    asked = json.loads(fake.bodies[1])
    assert "previous_response_id" not in asked
    assert [own.get("type", own.get("role")) for own in asked["input"]][0::3] == ["user", "function_call_output"]
    assert call["arguments"] in [own.get("arguments") for own in asked["input"]]


async def test_a_stop_is_a_status_if_that_is_wanted() -> None:
    async with proxied(Fake([BROKEN]), on_block="status") as client:
        found = await client.post("/v1/chat/completions", json=ASKED)
    body = found.json()
    assert found.status_code == 422 and body["error"]["code"] == "call_stopped"
    assert "Four at most" in body["error"]["message"] and found.headers["holdtrue-rules"] == "few"
    assert body["holdtrue"]["calls"][0]["decision"] == "block"


async def test_in_observe_everything_passes_as_it_came_and_is_told() -> None:
    own = Guard(POLICY, reads=False, mode="observe")
    odd = {**ASKED, "tools": [{"type": "web_search"}]}
    async with proxied(Fake([BROKEN, BROKEN]), own) as client:
        found = await client.post("/v1/chat/completions", json=ASKED)
        unseen = await client.post("/v1/chat/completions", json=odd)
    told = json.dumps(whole("chat", BROKEN, 1)).encode()
    assert found.content.startswith(told[:-1]) and found.json()["holdtrue"]["calls"][0]["decision"] == "block"
    assert unseen.status_code == 200 and unseen.headers["holdtrue-verdict"] == "undecided"
    async with proxied(Fake([BROKEN])) as client:
        refused = await client.post("/v1/chat/completions", json=odd)
    assert refused.status_code == 422 and "runs the tool 'web_search' itself" in refused.json()["error"]["message"]


async def test_a_waiting_stream_gets_comments_and_late_errors_as_events() -> None:
    slow = [Reply(TEXT.parts, wait_s=0.01), Reply(BROKEN.parts), Reply(status=500)]
    own = guard({}, policy=POLICY)
    talk = type(own.conversation("c"))
    check = talk.check

    async def late(*args: Any, **given: Any) -> Any:
        await asyncio.sleep(0.5)
        return await check(*args, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(talk, "check", late)
        async with proxied(Fake(slow), own, keep_alive_s=0.1) as client:
            quick = await client.post("/v1/chat/completions", json={**ASKED, "stream": True})
            assert b": the guard" not in quick.content and quick.headers["holdtrue-verdict"] == "passed"
            found = await client.post("/v1/chat/completions", json={**ASKED, "stream": True})
    assert found.status_code == 200 and found.content.count(b": the guard reads the answer\n\n") >= 3
    last = json.loads(found.content.rstrip().rpartition(b"data: ")[2])
    assert "upstream" in last["error"]["message"] and b"guests" not in found.content


async def test_limits_turn_requests_away_and_nothing_else() -> None:
    async with proxied(Fake([Reply(TEXT.parts, wait_s=1.0), TEXT]), most_requests=1, most_bytes=3_000) as client:
        busy = asyncio.create_task(client.post("/v1/chat/completions", json=ASKED))
        await asyncio.sleep(0.3)
        full = await client.post("/v1/chat/completions", json=ASKED)
        assert (full.status_code, full.headers["retry-after"]) == (429, "1")
        assert (await busy).status_code == 200
        assert (await client.post("/v1/chat/completions", json={**ASKED, "x": "y" * 4_000})).status_code == 413
        assert (await client.post("/v1/chat/completions", content=b"{}")).status_code == 415
        for body, place in ((b"{", "no JSON"), (b"[]", "an object"), (b'{"stream": 1}', "body.stream")):
            bad = await client.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
            assert bad.status_code == 400 and place in bad.json()["error"]["message"].replace("a JSON ", "an "), (
                bad.text
            )
        assert (await client.post("/v1/chat/completions", json=ASKED)).status_code == 200


async def test_other_paths_are_refused_and_the_list_of_models_passes() -> None:
    fake = Fake()
    async with proxied(fake) as client:
        assert (await client.get("/v1/models")).json()["data"] == [{"id": "m"}]
        for path in ("/v1/responses/resp_1", "/v1/completions", "/v1/threads", "/v1/chat/completions/x/messages"):
            assert (await client.get(path)).status_code == 404, path
        for path in (
            "..%2fresponses%2fr",
            "%2e%2e/responses/r",
            "..%5cx",
            "a%2f..%2f..%2fthreads",
            "a%252e",
            "a;b",
            "ä",
        ):
            assert (await client.get(f"/v1/models/{path}")).status_code == 404, path
        assert len(fake.headers) == 1 and (await client.get("/v1/models/org/m-1.5:free")).status_code == 404
        assert len(fake.headers) == 1, "the upstream itself does not know it"
        text = (await client.get("/metrics")).text
        assert "holdtrue_requests_under_way 0" in text
        assert (await client.get("/openapi.json")).json()["openapi"] == "3.1.0"


async def test_an_upstream_that_is_not_there_or_too_slow_is_told() -> None:
    async with proxied(Fake([Reply(TEXT.parts, wait_s=5)]), upstream_timeout_s=0.2) as client:
        assert (await client.post("/v1/chat/completions", json=ASKED)).status_code == 504
    with served(proxy_app(guard({}, policy=POLICY), "http://127.0.0.1:9")) as url:
        async with AsyncClient(base_url=url, headers={"Holdtrue-Conversation": "c"}) as client:
            found = await client.post("/v1/messages", json=ASKED)
    assert found.status_code == 502 and found.json()["error"]["type"] == "api_error"
