"""Real clients through the proxy, in every protocol: kinds of answers, and all that can become of them."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the extra serve is not installed")

import anthropic
import openai

from holdtrue.guard import Guard, MemoryStore
from holdtrue.language.requests.operation import Act, Claim, RequestContext, RequestReading
from tests.guard.clients.test_stream_matrix import BAD, GOOD, PLAN, PROTOCOLS, RESERVE, RULES, TOOLS, given
from tests.guard.conversation.shop import policy
from tests.serve.servers import proxy_app, served
from tests.serve.upstream import LIMITS, Fake, Reply, error

NAMES = ("chat", "responses", "messages")
KINDS = ("text", "structured", "call", "n=2")
ENDS = ("held", "mended", "blocked", "undecided", "4xx", "5xx", "cut", "slow")
RIGHT: dict[str, list[Any]] = {
    "text": [("text", "Good evening, “Zoë” 🦊.")],
    "structured": [("text", '{"price": 40}')],
    "call": [("text", "One moment."), ("call", (RESERVE, GOOD))],
    "n=2": [("text", "Hello."), ("choice", 1), ("text", "Hi."), ("call", (RESERVE, GOOD))],
}
WRONG: dict[str, list[Any]] = {
    "text": [("text", "Done, Mallory's table is booked.")],
    "structured": [("text", '{"price": 90, "x": "Mallory"}')],
    "call": [("text", "One moment."), ("call", (RESERVE, BAD))],
    "n=2": [("text", "Hello."), ("choice", 1), ("call", (RESERVE, BAD))],
}
UNDECIDED: dict[str, list[Any]] = {name: [("call", ("Wire.Money", {"to": "Mallory"}))] for name in ("call", "n=2")}
UNDECIDED["structured"] = [("text", '{"price": 45, "x": "Mallory"}')]
SAID = {"id": "said", "on": "plan", "when": "answer.price == 45", "hold": "said.agreed == true", "say": "As agreed."}
POLICY = policy(
    answers={"plan": {"schema": PLAN}},
    rules=[*RULES, SAID],
    tools=TOOLS,
    said={"agreed": {"type": "bool", "ask": "Is 45 agreed?"}},
)
PLANS = {
    "held": lambda kind: [Reply(RIGHT[kind])],
    "slow": lambda kind: [Reply(RIGHT[kind], wait_s=0.3)],
    "mended": lambda kind: [Reply(WRONG[kind]), Reply(RIGHT[kind])],
    "blocked": lambda kind: [Reply(WRONG[kind])] * 3,
    "undecided": lambda kind: [Reply(UNDECIDED[kind])] * 3,
    "4xx": lambda kind: [Reply(RIGHT[kind], status=404)],
    "5xx": lambda kind: [Reply(RIGHT[kind], status=529)],
    "cut": lambda kind: [Reply(RIGHT[kind], is_cut=True)],
}


class Reader:
    """A reader that reads nothing of users, and in an answer a claim of each booking."""

    name = "script"

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        return RequestReading(())

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: Sequence[Any]
    ) -> tuple[Claim, ...]:
        return (Claim(RESERVE, {}, "is booked"),) if "is booked" in message else ()


@dataclass(frozen=True)
class World:
    fake: Fake
    guard: Guard
    url: str
    upstream: str


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    fake, own = Fake(), Guard(POLICY, reader=Reader(), store=MemoryStore())
    app = partial(proxy_app, own, keep_alive_s=0.1, hold_claims=True)
    with served(fake.app()) as upstream, served(app(upstream)) as url:
        yield World(fake, own, url, upstream)


def play(world: World, name: str, url: str, model: str, is_stream: bool, kind: str) -> Any:
    """Return the answer that a real client gives: the events of a stream, or a body."""
    protocol = PROTOCOLS[name]
    client = protocol.client(url if name == "messages" else f"{url}/v1", is_async=False)
    client = client.with_options(default_headers={"Holdtrue-Conversation": model}, timeout=30)
    request = {**protocol.request, "model": model, "stream": is_stream}
    if not is_stream:
        request.pop("stream_options", None)
    request |= protocol.shape if kind == "structured" else {}
    request |= {"n": 2} if kind == "n=2" else {}
    with client:
        found = protocol.create(client)(**request)
        return [own.to_dict() for own in found] if is_stream else found.to_dict()


def bare(told: Any) -> Any:
    """Return an answer without the verdict, and with the calls' ids left out, which count the requests."""
    if isinstance(told, list):
        return [bare(own) for own in told]
    if not isinstance(told, dict):
        return told
    return {key: bare(own) for key, own in told.items() if key not in ("holdtrue", "id", "call_id", "item_id", "usage")}


def verdict_in(told: Any) -> dict[str, Any]:
    for own in reversed(told if isinstance(told, list) else [told]):
        inner = own.get("response") if isinstance(own.get("response"), dict) else own
        if "holdtrue" in inner:
            found: dict[str, Any] = inner["holdtrue"]
            return found
    raise AssertionError("there is no verdict")


CASES = [
    pytest.param(name, is_stream, kind, end, id=f"{name}-{'stream' if is_stream else 'whole'}-{kind}-{end}")
    for name, is_stream, kind, end in itertools.product(NAMES, (True, False), KINDS, ENDS)
    if not (kind == "n=2" and name != "chat")  # Only chat completions have several choices.
    and not (kind == "text" and end == "undecided")  # A claim is shown by a call, or it is not.
]


@pytest.mark.parametrize(("name", "is_stream", "kind", "end"), CASES)
def test_each_answer_comes_out_as_its_verdict_says(
    world: World, name: str, is_stream: bool, kind: str, end: str
) -> None:
    model = f"{name} {is_stream} {kind} {end}"
    world.fake.plans[model] = PLANS[end](kind)
    if end in ("4xx", "5xx", "cut"):
        library: Any = anthropic if name == "messages" else openai
        with pytest.raises(library.APIStatusError) as caught:
            play(world, name, world.url, model, is_stream, kind)
        status = {"4xx": 404, "5xx": 529, "cut": 502}[end]
        assert caught.value.status_code == status and len(world.fake.asked(model)) == 1
        if end != "cut":
            assert caught.value.response.content == error(status)
            assert LIMITS.items() <= dict(caught.value.response.headers).items()
        assert _log(world, model) == ([], [])
        return
    told = play(world, name, world.url, model, is_stream, kind)
    verdict, asked = verdict_in(told), world.fake.asked(model)
    assert "Mallory" not in str(bare(told))
    decided, allowed = _log(world, model)
    assert [own["id"] for own in verdict["calls"]] == decided, "nothing passes that is not in the log"
    if end in ("blocked", "undecided"):
        assert (verdict["verdict"], verdict["attempts"], len(asked)) == ("refused", 3, 3) and not allowed
        assert _refusal(name, told), told
        return
    attempts = 2 if end == "mended" else 1
    assert (verdict["verdict"], verdict["attempts"], len(asked)) == ("passed", attempts, attempts)
    world.fake.plans[model] = [Reply(RIGHT[kind])]
    right = play(world, name, world.upstream, model, is_stream, kind)
    said = PROTOCOLS[name].said
    one, other = (given(said(own)) if is_stream else given(bare(own)) for own in (told, right))
    assert bare(one) == bare(other)
    calls = [own for own in RIGHT[kind] if own[0] == "call"]
    assert len(allowed) == len(calls)
    if attempts == 2 and not is_stream:
        usage, once = told["usage"], right["usage"]
        assert all(usage[key] == 2 * once[key] for key in once if isinstance(once[key], int)), "usage is summed"


def _log(world: World, id: str) -> tuple[list[str], list[str]]:
    """Return the ids of all decisions of a conversation, and those that allowed a call that was not taken back."""
    events = asyncio.run(world.guard.store.read("", id))
    decided = [own.content for own in events if own.kind == "decided"]
    gone = [own.content for own in events if own.kind == "saw" and own.content.get("outcome") == "failed"]
    allowed = [own["decision"] for own in decided if own["kind"] == "allow" and own["tool"] != "plan"]
    return [own["decision"] for own in decided], allowed[len(gone) :]


def _refusal(name: str, told: Any) -> bool:
    text = json.dumps(told)
    needed = {
        "chat": ('"finish_reason": "content_filter"', '"refusal": "'),
        "responses": ('"type": "refusal"',),
        "messages": ('"stop_reason": "refusal"',),
    }
    return all(own in text for own in needed[name])


def test_the_verdict_reaches_a_client_in_headers_too(world: World) -> None:
    world.fake.plans["headers"] = [Reply(WRONG["call"])] * 3
    client = PROTOCOLS["chat"].client(f"{world.url}/v1", is_async=False)
    client = client.with_options(default_headers={"Holdtrue-Conversation": "headers"})
    with client:
        create = client.chat.completions.with_raw_response.create
        raw = create(model="headers", messages=[{"role": "user", "content": "hi"}])
    assert raw.headers["holdtrue-verdict"] == "refused" and raw.headers["holdtrue-rules"] == "who"
    assert raw.headers["holdtrue-attempts"] == "3" and PLAN["type"] == "object"
