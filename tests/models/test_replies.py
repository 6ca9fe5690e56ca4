"""What comes of every way in which a server can answer: a reply of the right kind, or a typed error, in time."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from dataclasses import dataclass

import pytest

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, user
from holdtrue.models.openai_compatible import OpenAIModel
from tests.models.fake_modes import modes
from tests.models.fake_server import KEY, Fake, serving

QUERY_SECRET, PASSWORD = "q-secret-81c0", "p4ss-word-77"
REQUEST = Request((user("Say hello."),), "answer", schema={"type": "object"}, max_tokens=50)

Outcome = str | type[HoldtrueError]


@dataclass(slots=True)
class Result:
    """What came of one call: a reply or an error, after how long, the longest block of the loop, and how much of
    the processor this process used in any one of them, which other processes do not lengthen."""

    reply: Reply | None
    error: HoldtrueError | None
    elapsed_s: float
    blocked_s: float
    busy_s: float


async def ask(model: OpenAIModel, request: Request = REQUEST) -> Result:
    """The reply or the error, while a second task watches how long the loop lets it wait."""
    blocked = busy = 0.0

    async def watch() -> None:
        nonlocal blocked, busy
        while True:
            before, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(0.005)
            blocked = max(blocked, time.perf_counter() - before - 0.005)
            busy = max(busy, time.process_time() - worked)

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0)
    start = time.perf_counter()
    reply, error = None, None
    try:
        reply = await model.complete(request)
    except HoldtrueError as raised:
        error = raised
    elapsed_s = time.perf_counter() - start
    await asyncio.sleep(0.01)
    watching.cancel()
    return Result(reply, error, elapsed_s, blocked, busy)


async def play(mode: str, fake: Fake) -> Result:
    url = fake.url.replace("http://", f"http://ann:{PASSWORD}@") + f"?key={QUERY_SECRET}"
    # With a password in the address no key is sent; the other half of the modes is asked with a key.
    base = url if len(mode) % 2 else fake.url
    limit_s = 0.5 if mode in ENDLESS else 30.0
    model = OpenAIModel("m", base_url=base, api_key=KEY, retries=1, timeout_s=limit_s, total_s=max(2.0, limit_s))
    try:
        return await ask(model)
    finally:
        await model.aclose()


ENDLESS = (*("a byte at a time", "slow headers", "slow status", "informed for ever", "keep-alive comments", "silence"),)

# A kind of reply, or an error with some of its words.
EXPECTED: dict[str, Outcome | tuple[Outcome, str]] = {
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("stop", "STOP", "eos", "end_turn", "COMPLETE")], "answer"),
    **dict.fromkeys(["finish_reason 'stop_sequence'", "finish_reason {'type': 'stop'}"], "answer"),
    **dict.fromkeys([f"finish_reason {r!r}" for r in (None, "")], ("answer", "does not say why")),
    "finish_reason missing": ("answer", "does not say why"),
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("banana", 7)], ("answer", "unknown reason")),
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("length", "max_tokens", "MAX_TOKENS")], "cut"),
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("model_context_window_exceeded", "max_output_tokens")], "cut"),
    "finish_reason {'type': 'length'}": "cut",
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("content_filter", "safety", "RECITATION")], "filtered"),
    **dict.fromkeys(["finish_reason 'content_filter: SAFETY'", "finish_reason 'guardrail_intervened'"], "filtered"),
    "finish_reason 'ERROR_TOXIC'": "filtered",
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("tool_calls", "function_call", "tool_use")], "tool_call"),
    "finish_reason 'refusal'": "refused",
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("error", "abort", "cancelled")], RequestRefused),
    **dict.fromkeys([f"finish_reason {r!r}" for r in ("network_error", "MALFORMED_FUNCTION_CALL")], RequestRefused),
    "finish_reason 'insufficient_system_resource'": RequestRefused,
    "native safety": "filtered",
    "native stop": "answer",
    "finish_details": "cut",
    "refusal": "refused",
    "refusal and content": ("refused", "content beside the refusal"),
    "refusal part": "refused",
    "refusal of another type": "refused",
    "refusal null": "answer",
    "parts": "answer",
    "azure filtered": "filtered",
    "azure not filtered": "answer",
    "azure filter failed": "answer",
    "azure prompt filtered": ("filtered", "the prompt was filtered"),
    "choice error": (ModelUnreachable, "the provider died"),
    "tool call": ("tool_call", "'book'"),
    "tool call that stops": ("tool_call", "'book'"),
    "function call": ("tool_call", "'book'"),
    "tool part": ("tool_call", "'book'"),
    "content null": (RequestRefused, "the reply is empty"),
    "content blank": (RequestRefused, "the reply is empty"),
    "content number": (RequestRefused, "neither text nor parts"),
    "reasoning, then stop": (RequestRefused, "thought and wrote no answer"),
    "reasoning, then length": ("cut", "thinking"),
    "reasoning and answer": "answer",
    "error under 200": (ModelUnreachable, "no provider"),
    "error text under 200": (RequestRefused, "something broke"),
    "error beside choices": (ModelUnreachable, "it broke"),
    "invalid request under 200": RequestRefused,
    "no such model under 200": ModelRefused,
    "choices empty": (RequestRefused, "no choices"),
    "choices null": (RequestRefused, "no choices"),
    "choices text": (RequestRefused, "no message"),
    "message text": (RequestRefused, "no message"),
    "streamed choice": (RequestRefused, "no message"),
    **dict.fromkeys(["usage wrong", "usage huge", "usage nested", "usage text"], "answer"),
    "html": (ModelRefused, "no JSON"),
    "no json by type": "answer",
    "empty": (ModelRefused, "empty"),
    "status 204": (ModelRefused, "empty"),
    "list": (ModelRefused, "no chat completion"),
    "null": (ModelRefused, "no chat completion"),
    "two documents": (ModelRefused, "no JSON"),
    "truncated json": (ModelRefused, "no JSON"),
    "not utf-8": ("answer", "U+FFFD"),
    "utf-16": "answer",
    "byte order mark": "answer",
    "nan usage": "answer",
    "deep nesting": (ModelRefused, "nested too deeply"),
    "deep object": (ModelRefused, "nested too deeply"),
    "brackets as body": (ModelRefused, "no JSON"),
    "brackets as content": "answer",
    "escapes as content": "answer",
    "10 MB of brackets": (RequestRefused, "larger than 8 MB"),
    "200 MB": (RequestRefused, "larger than 8 MB"),
    "200 MB in chunks": (RequestRefused, "larger than 8 MB"),
    "chunks for ever": (RequestRefused, "larger than 8 MB"),
    "gzip": "answer",
    "gzip cut": (ModelRefused, "no JSON"),
    "gzip that is none": (ModelRefused, "cannot be unpacked"),
    "gzip bomb": (RequestRefused, "larger than 8 MB"),
    "another packing": (ModelRefused, "'br'"),
    "stream": (ModelRefused, "streams its answer"),
    **dict.fromkeys(ENDLESS, (ModelUnreachable, "timed out")),
    **dict.fromkeys(["closed at once", "closed in headers", "closed in the body", "length too long"], ModelUnreachable),
    "closed, then fine": "answer",
    "no http": ModelUnreachable,
    "huge headers": ModelUnreachable,
    "redirect to another host": (ModelRefused, "the server redirects"),
    "401 with the key": (ModelRefused, "Incorrect API key"),
    "401 with a masked key": (ModelRefused, "Incorrect API key"),
    "401 in html": (ModelRefused, "401"),
    "403 moderation": ("filtered", "flagged"),
    "404": (ModelRefused, "no model m"),
    "400": RequestRefused,
    "400 prompt filtered": ("filtered", "the prompt was filtered"),
    "400 context length": (RequestRefused, "4096"),
    "400 temperature": ("answer", "sent without temperature"),
    "400 temperature and seed": ("answer", "sent without a seed"),
    "400 max_tokens": "answer",
    "422 seed": ("answer", "sent without a seed"),
    "400 schema": ("answer", "sent without the schema"),
    "400 for all": (RequestRefused, "does not support 0"),
    "413": RequestRefused,
    "429 hour": (ModelUnreachable, "the server asks to wait 3600 s; the limit is 60 s"),
    "429 date": (ModelUnreachable, "the server asks to wait 3"),
    "429 year 9999": (ModelUnreachable, "the server asks to wait 2"),
    **dict.fromkeys(["429 garbage", "429 negative", "429 infinite", "429 past", "429 soon"], "answer"),
    "500, then fine": "answer",
    "503 for ever": (ModelUnreachable, "overloaded"),
    "500 without a word": (ModelUnreachable, "500"),
    "500 of 200 MB": (RequestRefused, "larger than 8 MB"),
    "502 in html": "answer",
    "empty, then fine": ("answer", "tokens of 1 tries"),
    "error, then fine": "answer",
}


def test_every_mode_has_an_expectation() -> None:
    assert modes().keys() == EXPECTED.keys()


@pytest.mark.parametrize("mode", EXPECTED)
async def test_every_answer_is_told(
    mode: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.01)
    expected = EXPECTED[mode]
    outcome, words = expected if isinstance(expected, tuple) else (expected, "")
    with serving(modes()[mode]) as fake, caplog.at_level(logging.INFO):
        result = await play(mode, fake)
    if isinstance(outcome, str):
        assert result.reply is not None, result.error
        assert result.reply.kind == outcome
        assert words in (result.reply.note or "")
        counts = (result.reply.usage.prompt_tokens, result.reply.usage.completion_tokens)
        assert all(type(count) is int and 0 <= count <= 10**9 for count in counts)
    else:
        assert type(result.error) is outcome, result.reply
        assert words in str(result.error)
    shown = (
        [*traceback.format_exception(result.error)]
        if result.error
        else [result.reply.note or "" if result.reply else ""]
    )
    for secret in (KEY, "6Hs3", PASSWORD, QUERY_SECRET):
        assert secret not in "".join(shown) + caplog.text
