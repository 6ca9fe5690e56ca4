"""What comes of every way in which a server can answer: a reply of the right kind, or a typed error."""

from __future__ import annotations

import logging
import traceback
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, user
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.models.reply_kinds import ServerReply, classify_body
from holdtrue.models.retry_policy import Fault
from holdtrue.record import ReplyKind
from tests.models.fake_modes import modes
from tests.models.fake_server import KEY, Fake, serving

QUERY_SECRET, PASSWORD = "q-secret-81c0", "p4ss-word-77"
REQUEST = Request((user("Say hello."),), "answer", schema={"type": "object"}, max_tokens=50)

Outcome = str | type[HoldtrueError]


async def play(mode: str, fake: Fake) -> Reply | HoldtrueError:
    """Return the reply to a request of a model at this server, or the error."""
    url = fake.url.replace("http://", f"http://ann:{PASSWORD}@") + f"?key={QUERY_SECRET}"
    # With a password in the address no key is sent; the other half of the modes is asked with a key.
    base = url if len(mode) % 2 else fake.url
    limit_s = 0.5 if mode in ENDLESS else 30.0
    model = OpenAIModel("m", base_url=base, api_key=KEY, retries=1, timeout_s=limit_s, total_s=max(2.0, limit_s))
    try:
        return await model.complete(REQUEST)
    except HoldtrueError as error:
        return error
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
        found = await play(mode, fake)
    if isinstance(outcome, str):
        assert isinstance(found, Reply), found
        assert found.kind == outcome
        assert words in (found.note or "")
        counts = (found.usage.prompt_tokens, found.usage.completion_tokens)
        assert all(type(count) is int and 0 <= count <= 10**9 for count in counts)
    else:
        assert type(found) is outcome, found
        assert words in str(found)
    shown = found.note or "" if isinstance(found, Reply) else "".join(traceback.format_exception(found))
    for secret in (KEY, "6Hs3", PASSWORD, QUERY_SECRET):
        assert secret not in shown + caplog.text


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("stop") | st.just("text"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "code", "message", "filtered", "name", "loc"]), inner)
    ),
    max_leaves=6,
)


def some(*names: str, **given: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object with some of these members, each of any value or as given."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, ODD) | given)


MESSAGES = some("content", "refusal", "tool_calls", "function_call", "reasoning_content", "content_filter_results")
CHOICES = some(
    *("finish_reason", "native_finish_reason", "finish_details", "content_filter_results", "error"),
    message=MESSAGES | ODD,
)
BODIES = some(
    "error", "errors", "detail", "object", "usage", "prompt_filter_results", choices=st.lists(CHOICES | ODD) | ODD
)


@given(BODIES | ODD)
@settings(max_examples=400, deadline=None)
def test_every_value_is_a_reply_or_a_fault(body: object) -> None:
    try:
        reply = classify_body(body)
    except Fault as fault:
        assert fault.words
        return
    assert isinstance(reply, ServerReply)
    assert reply.kind is not ReplyKind.ANSWER or reply.text.strip()
    reply.text.encode()
    assert all(0 <= count <= 10**9 for count in reply.tokens)
