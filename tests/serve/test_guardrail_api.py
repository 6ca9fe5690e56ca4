"""The guardrail API decides as the guard by hand, keeps conversations apart, and lets nothing pass on an error."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the extra serve is not installed")

from httpx2 import ASGITransport, AsyncClient, Response, post

from holdtrue.errors import SettingsError
from holdtrue.guard import read_policy
from holdtrue.guard.guard import Guard
from holdtrue.serve.api_keys import read_keys
from holdtrue.serve.guardrail_api import ROUTE, is_decidable
from holdtrue.serve.guardrail_request import GuardrailSettings
from tests.adapters.desk import ALLOWED, FOLDER, RESULTS, STOPPED, Tools, desk, turns
from tests.serve.messages import add_key, message_of
from tests.serve.servers import guardrail_app

LOOK_UP = {"role": "call", "tool": "get_booking", "arguments": {"booking": "HN4T8R"}}
REFUND = {"role": "call", "tool": "refund", "arguments": {"booking": "HN4T8R", "amount": 260.0, "method": "card"}}
USER = {"role": "user", "content": turns()[0].user}


def client(guard: Guard | None = None, **given: Any) -> AsyncClient:
    app = guardrail_app(guard or desk(), given.pop("keys", None), GuardrailSettings(**given))
    return AsyncClient(transport=ASGITransport(app), base_url="http://guard")


def asked(history: list[Any]) -> dict[str, Any]:
    return {"input_type": "request", "texts": ["..."], "structured_messages": history, "request_data": {}}


def answered(*steps: dict[str, Any], first: int = 1, **more: Any) -> dict[str, Any]:
    calls = [message_of(own, f"c{first + place}")["tool_calls"][0] for place, own in enumerate(steps)]
    return {"input_type": "response", "texts": [], "tool_calls": calls, "request_data": {}, **more}


async def sent(to: AsyncClient, body: Any, id: str = "talk", **headers: str) -> dict[str, Any]:
    answer = await to.post(ROUTE, json=body, headers={"Holdtrue-Conversation": id, **headers})
    found: dict[str, Any] = answer.json()
    return found


def looked_up(id: str = "c1") -> list[dict[str, Any]]:
    result = RESULTS[json.dumps(["get_booking", LOOK_UP["arguments"]])]
    return [USER, message_of(LOOK_UP, id), {"role": "tool", "tool_call_id": id, "content": json.dumps(result)}]


async def test_the_desk_is_held_to_its_policy_as_by_hand() -> None:
    tools, stopped, number, to = Tools(), list[tuple[str, Any]](), 0, client()
    history: list[dict[str, Any]] = []
    for turn in turns():
        history.append({"role": "user", "content": turn.user})
        for step in turn.steps:
            number += 1
            assert await sent(to, asked(history)) == {"action": "NONE"}
            message = message_of(step, f"c{number}")
            if step["role"] == "assistant":
                history.append(message)
                continue
            answer = await sent(to, answered(step, first=number))
            if answer["action"] == "BLOCKED":
                assert answer["blocked_reason"].startswith("[holdtrue: stopped block] ")
                stopped.append((step["tool"], step["arguments"]))
            else:
                result = tools.run(step["tool"], step["arguments"])
                history += [message, {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)}]
    assert tools.made == ALLOWED and stopped == STOPPED


async def test_two_hundred_interleaved_conversations_of_two_tenants_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    keys = {tenant: add_key(path, tenant) for tenant in ("acme", "moss")}
    to, drawn = client(keys=read_keys(path)), random.Random(5)
    seen = {(tenant, str(number)): drawn.random() < 0.5 for tenant in keys for number in range(100)}

    async def play(tenant: str, id: str) -> bool:
        key = {"x-api-key": keys[tenant]}
        for history in ([USER], looked_up() if seen[tenant, id] else [USER]):
            await asyncio.sleep(drawn.random() / 50)
            assert await sent(to, asked(history), id, **key) == {"action": "NONE"}
            if seen[tenant, id] and history == [USER]:
                await sent(to, answered(LOOK_UP), id, **key)
        answer = await sent(to, answered(REFUND, first=2), id, **key)
        return bool(answer["action"] == "NONE")

    order = drawn.sample([*seen], len(seen))
    found = dict(zip(order, await asyncio.gather(*(play(*own) for own in order)), strict=True))
    assert found == seen and set(seen.values()) == {True, False}


async def test_the_calls_of_an_answer_are_decided_on_together_and_a_repeated_request_gets_the_same_answer() -> None:
    to = client()
    await sent(to, asked([USER]))
    both = answered(LOOK_UP, REFUND)
    answer = await sent(to, both)  # The refund needs the result of the look-up.
    assert answer["action"] == "BLOCKED" and "No other call of this answer is made either" in answer["blocked_reason"]
    first = answered(LOOK_UP, litellm_call_id="a")
    assert await sent(to, first) == await sent(to, first) != await sent(to, first, "another")
    await sent(to, asked(looked_up()))
    refund = answered(REFUND, first=2, litellm_call_id="b")
    assert (await sent(to, refund))["action"] == "NONE" == (await sent(to, refund))["action"]
    assert (await sent(to, answered(REFUND, first=3, litellm_call_id="c")))["decisions"][0]["rules"] == ["R5"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b'{"input_type": ', 400, "body: no JSON"),
        (b'{"a": 1, "a": 2}', 400, "'a' stands twice"),
        (b"[" * 100_000, 400, "no JSON"),
        (b"[]", 422, "body."),
        (b'{"input_type": "reply"}', 422, "body.input_type"),
        (b'{"input_type": "request", "texts": [1]}', 422, "body.texts.0"),
        (b'{"input_type": "request", "replies": []}', 422, "body.replies"),
        (b" " * 5000, 413, "more than 4,000 bytes"),
    ],
)
async def test_an_unreadable_body_is_an_error_with_its_place(body: bytes, status: int, says: str) -> None:
    headers = {"content-type": "application/json", "Holdtrue-Conversation": "talk"}
    answer = await client(most_bytes=4000 if b"   " in body else 10**6).post(ROUTE, content=body, headers=headers)
    assert answer.status_code == status and says in answer.json()["error"]


def _named(**more: Any) -> dict[str, Any]:
    return {**asked([USER]), **more}


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        (_named(), {"holdtrue-conversation": "a"}, None),
        (_named(request_headers={"holdtrue-conversation": "a"}), {}, None),
        (_named(request_data={"metadata": {"conversation": "a"}}), {}, None),
        (_named(request_headers={"holdtrue-conversation": "[present]"}), {}, "name it in extra_headers"),
        (_named(litellm_trace_id="a"), {}, "nobody said which conversation this is"),
        (_named(structured_messages=None), {"holdtrue-conversation": "a"}, "nobody knows who said the texts"),
        (_named(structured_messages=[{"role": "judge"}]), {"holdtrue-conversation": "a"}, "messages[0]"),
        (_named(tools=[{"type": "web_search"}]), {"holdtrue-conversation": "a"}, "the provider runs the tool"),
    ],
)
async def test_a_conversation_is_named_and_never_guessed(
    body: dict[str, Any], headers: dict[str, str], said: str | None
) -> None:
    async def answer_of(to: AsyncClient) -> Response:
        return await to.post(ROUTE, json=body, headers=headers)

    answer = await answer_of(client())
    assert answer.status_code == 200 and answer.json()["action"] == ("NONE" if said is None else "BLOCKED")
    if said is not None:
        assert said in answer.json()["blocked_reason"]
        refused = await answer_of(client(errors="status"))
        assert refused.status_code == 422 and said in refused.json()["error"]
        observed = (await answer_of(client(desk(mode="observe")))).json()
        assert observed["action"] == "NONE" and said in observed["refused"]
    assert (await answer_of(client(trust_trace_id=True))).json()["action"] == (
        "NONE" if "litellm_trace_id" in body else answer.json()["action"]
    )


async def test_a_key_is_known_and_speaks_for_its_tenant_only(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    own, every = add_key(path, "acme"), add_key(path, "*")
    to = client(keys=read_keys(path))
    assert own not in path.read_text()
    assert (await to.post(ROUTE, json=asked([USER]))).status_code == 401
    assert (await to.post(ROUTE, content=b"{}", headers={"x-api-key": own})).status_code == 415
    for headers, action in (
        ({"x-api-key": own}, "NONE"),
        ({"Authorization": f"Bearer {own}", "Holdtrue-Tenant": "acme"}, "NONE"),
        ({"x-api-key": own, "Holdtrue-Tenant": "moss"}, "BLOCKED"),
        ({"x-api-key": every, "Holdtrue-Tenant": "moss"}, "NONE"),
        ({"x-api-key": every}, "BLOCKED"),
    ):
        assert (await sent(to, asked([USER]), **headers))["action"] == action
    field = client(tenant_field="user_api_key_team_id")
    assert (await sent(field, asked([USER])))["action"] == "BLOCKED"
    assert (await sent(field, _named(request_data={"user_api_key_team_id": "t"})))["action"] == "NONE"
    path.write_text("sha256:0 acme")
    with pytest.raises(SettingsError, match=":1: a line is"):
        read_keys(path)


async def test_nothing_passes_on_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure, a decision that takes too long, and too many requests at a time."""
    guard = desk()
    talk = guard.conversation("talk")
    monkeypatch.setattr(type(talk), "take_in", lambda *_: 1 / 0)
    assert "the guard failed" in (await sent(client(guard), asked([USER])))["blocked_reason"]
    monkeypatch.setattr(type(talk), "take_in", lambda *_: asyncio.sleep(9))
    slow = client(guard, timeout_s=0.2, most_requests=1, errors="status")
    both = [slow.post(ROUTE, json=asked([USER]), headers={"Holdtrue-Conversation": "a"}) for _ in range(2)]
    assert sorted([own.status_code for own in await asyncio.gather(*both)]) == [429, 500]
    assert (await slow.get("/health")).json()["status"] == "ok"
    assert is_decidable(guard.policy) and not is_decidable(read_policy(ANSWERS))


ANSWERS = "policy: shaped\nanswers: {summary: {stars: whole}}"
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(max_size=5), own, max_size=3),
    max_leaves=6,
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "judge"]), "content": JSON},
    optional={"tool_calls": JSON, "tool_call_id": JSON},
)
FUNCTION = st.fixed_dictionaries({"name": st.sampled_from(["refund", "x"]) | JSON, "arguments": JSON})
CALLS = st.lists(st.fixed_dictionaries({"id": JSON, "function": FUNCTION}), max_size=2)
BODIES = st.fixed_dictionaries(
    {"input_type": st.sampled_from(["request", "response"]) | JSON},
    optional={
        "structured_messages": st.lists(MESSAGE, max_size=3) | JSON,
        "tool_calls": CALLS | JSON,
        **{name: JSON for name in ("texts", "tools", "request_data", "request_headers", "litellm_call_id", "odd")},
    },
)


@settings(max_examples=500)
@given(body=BODIES | JSON)
def test_random_bodies_get_an_answer_and_no_failure(body: Any) -> None:
    async def answer() -> Response:
        content = json.dumps(body).encode()
        headers = {"content-type": "application/json", "Holdtrue-Conversation": "talk"}
        return await client(errors="status").post(ROUTE, content=content, headers=headers)

    found = asyncio.run(answer())
    assert found.status_code in (200, 400, 422), found.text
    if isinstance(body, dict) and body.get("tool_calls") and found.status_code == 200:
        assert body["input_type"] == "request" or found.json()["action"] == "BLOCKED"


def _started(folder: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "holdtrue", "serve-guardrail", "--policy", str(FOLDER / "policy.yaml"), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    assert process.stdout is not None
    with process.stdout as out:
        return process, out.readline().strip()


def test_the_command_serves_and_a_stop_loses_nothing(tmp_path: Path) -> None:
    def play(*bodies: Callable[[], dict[str, Any]], store: str = "talks.db") -> list[str]:
        process, url = _started(tmp_path, "--store", store)
        headers = {"Holdtrue-Conversation": "talk"}
        found = [post(url + ROUTE, json=own(), headers=headers, timeout=60).json()["action"] for own in bodies]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)
        return found

    assert play(lambda: asked([USER]), lambda: answered(LOOK_UP), lambda: asked(looked_up())) == ["NONE"] * 3
    assert play(lambda: answered(REFUND, first=2)) == ["NONE"]
    assert play(lambda: answered(REFUND, first=3)) == ["BLOCKED"]
    process, url = _started(tmp_path, "--host", "0.0.0.0")
    assert process.wait(30) == 2 and url == ""
