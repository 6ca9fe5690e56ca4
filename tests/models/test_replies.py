"""Every possible answer of a server becomes a reply of the right kind or a typed error."""

from __future__ import annotations

import gzip
import json
import logging
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, user
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.models.reply_kinds import ServerReply, classify_body
from holdtrue.models.retry_policy import Fault
from holdtrue.record import ReplyKind
from tests.models.fake_modes import always, broken, completion, error, first, http, slowly, unless
from tests.models.fake_server import KEY, Fake, Mode, serving

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


class Case(NamedTuple):
    """A mode of the server, and its outcome: a kind of reply, or an error, with some of its words."""

    mode: Mode
    outcome: Outcome
    words: str = ""


def sends(body: object, outcome: Outcome, words: str = "", status: int = 200, **headers: str) -> Case:
    """Always this answer. Headers have `_` for `-`."""
    return Case(
        always(http(body, status, {name.replace("_", "-"): value for name, value in headers.items()})), outcome, words
    )


def denies(status: int, message: str, outcome: Outcome, words: str = "", wait: str = "", **more: object) -> Case:
    """Always an error, which may ask to wait."""
    return Case(always(error(status, message, {"Retry-After": wait} if wait else None, **more)), outcome, words)


def waits(wait: str) -> Case:
    """An error that asks to wait before the good reply."""
    return Case(first(error(429, "slow down", {"Retry-After": wait})), "answer")


def ended(outcome: Outcome, *reasons: object, words: str = "") -> dict[str, Case]:
    """Replies that end for these reasons."""
    return {f"finish_reason {reason!r}": sends(completion("Hello.", reason), outcome, words) for reason in reasons}


def timed_out(mode: Mode) -> Case:
    return Case(mode, ModelUnreachable, "timed out")


def too_large(mode: Mode) -> Case:
    return Case(mode, RequestRefused, "larger than 8 MB")


def bomb() -> bytes:
    """500 MB of blanks in half a megabyte."""
    return http(b"".join([gzip.compress(b" " * 10_000_000, 1)] * 50), headers={"Content-Encoding": "gzip"})


def in_an_hour() -> bytes:
    late = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    return error(429, "slow down", {"Retry-After": late})


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
STREAMED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
GOOD = json.dumps(completion())
SOON = {"Retry-After-Ms": "5"}
HATE = {"hate": {"filtered": True, "severity": "high"}}
TOOL = {"id": "1", "type": "function", "function": {"name": "book", "arguments": "{}"}}
NO = "Unsupported value: '{0}' does not support 0 with this model. Only the default (1) value is supported."
CONTEXT = "This model's maximum context length is 4096 tokens; reduce max_tokens."
EXTRA = {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}

# Answers of the protocol, and of servers that resemble it.
KINDS = {
    **ended("answer", "stop", "STOP", "eos", "end_turn", "stop_sequence", "COMPLETE", {"type": "stop"}),
    **ended("answer", None, "", words="does not say why"),
    **ended("answer", "banana", 7, words="unknown reason"),
    **ended("cut", "length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "max_output_tokens"),
    **ended("cut", {"type": "length"}),
    **ended("filtered", "content_filter", "safety", "RECITATION", "content_filter: SAFETY", "guardrail_intervened"),
    **ended("filtered", "ERROR_TOXIC"),
    **ended("tool_call", "tool_calls", "function_call", "tool_use"),
    **ended("refused", "refusal"),
    **ended(RequestRefused, "error", "abort", "cancelled", "network_error", "insufficient_system_resource"),
    **ended(RequestRefused, "MALFORMED_FUNCTION_CALL"),
    "finish_reason missing": sends({"choices": [{"message": {"content": "Hello."}}]}, "answer", "does not say why"),
    "native safety": sends(completion(choice={"native_finish_reason": "SAFETY"}), "filtered"),
    "native stop": sends(completion(reason=None, choice={"native_finish_reason": "STOP"}), "answer"),
    "finish_details": sends(completion(reason=None, choice={"finish_details": {"type": "max_tokens"}}), "cut"),
    "refusal": sends(completion(None, message={"refusal": "I cannot."}), "refused"),
    "refusal and content": sends(
        completion("Well.", message={"refusal": "I cannot."}), "refused", "content beside the refusal"
    ),
    "refusal part": sends(completion([{"type": "refusal", "refusal": "I cannot."}]), "refused"),
    "refusal of another type": sends(completion("I cannot.", message={"refusal": True}), "refused"),
    "refusal null": sends(completion(message={"refusal": None, "tool_calls": [], "function_call": None}), "answer"),
    "azure filtered": sends(completion("Hel", choice={"content_filter_results": HATE}), "filtered"),
    "azure not filtered": sends(completion(choice={"content_filter_results": {"hate": {"filtered": False}}}), "answer"),
    "azure filter failed": sends(
        completion(choice={"content_filter_results": {"error": {"code": "failed"}}}), "answer"
    ),
    "azure prompt filtered": sends(
        {"choices": [], "prompt_filter_results": [{"content_filter_results": HATE}]},
        "filtered",
        "the prompt was filtered",
    ),
    "choice error": sends(
        completion("Hel", choice={"error": {"message": "the provider died", "code": 502}}),
        ModelUnreachable,
        "the provider died",
    ),
    "tool call": sends(completion(None, "tool_calls", message={"tool_calls": [TOOL]}), "tool_call", "'book'"),
    "tool call that stops": sends(completion("", message={"tool_calls": [TOOL]}), "tool_call", "'book'"),
    "function call": sends(
        completion(None, message={"function_call": {"name": "book", "arguments": "{}"}}), "tool_call", "'book'"
    ),
    "tool part": sends(completion([{"type": "tool_use", "name": "book", "input": {}}], "stop"), "tool_call", "'book'"),
    "content null": sends(completion(None), RequestRefused, "the reply is empty"),
    "content blank": sends(completion(" \n"), RequestRefused, "the reply is empty"),
    "content number": sends(completion(12), RequestRefused, "neither text nor parts"),
    "reasoning, then stop": sends(
        completion("", message={"reasoning_content": "Hm."}), RequestRefused, "thought and wrote no answer"
    ),
    "reasoning, then length": sends(completion("", "length", message={"reasoning_content": "Hm."}), "cut", "thinking"),
    "reasoning and answer": sends(completion(message={"reasoning_content": "Hm."}), "answer"),
    "error under 200": sends({"error": {"message": "no provider", "code": 503}}, ModelUnreachable, "no provider"),
    "error text under 200": sends({"error": "something broke"}, RequestRefused, "something broke"),
    "error beside choices": sends(completion(error={"message": "it broke", "code": 500}), ModelUnreachable, "it broke"),
    "invalid request under 200": sends({"error": {"message": "bad", "code": 400}}, RequestRefused),
    "no such model under 200": sends({"object": "error", "message": "no such model", "code": 404}, ModelRefused),
    "choices empty": sends(completion(choices=[]), RequestRefused, "no choices"),
    "choices null": sends(completion(choices=None), RequestRefused, "no choices"),
    "choices text": sends(completion(choices=["Hello."]), RequestRefused, "no message"),
    "message text": sends(
        completion(choices=[{"message": "Hello.", "finish_reason": "stop"}]), RequestRefused, "no message"
    ),
    "streamed choice": sends(completion(choices=[{"delta": {"content": "Hello."}}]), RequestRefused, "no message"),
}
# Bodies that are no chat completion, or hardly one.
BODIES = {
    "html": sends(f"<html>Welcome, {KEY}</html>", ModelRefused, "no JSON", Content_Type="text/html"),
    "no json by type": sends(GOOD, "answer", Content_Type="text/plain"),
    "empty": sends("", ModelRefused, "empty"),
    "status 204": Case(always(b"HTTP/1.1 204 No Content\r\n\r\n"), ModelRefused, "empty"),
    "list": sends("[1]", ModelRefused, "no chat completion"),
    "null": sends("null", ModelRefused, "no chat completion"),
    "two documents": sends(GOOD + GOOD, ModelRefused, "no JSON"),
    "truncated json": sends(GOOD[:-20], ModelRefused, "no JSON"),
    "not utf-8": sends(GOOD.encode().replace(b"Hello", b"Hell\xff"), "answer", "U+FFFD"),
    "utf-16": sends(GOOD.encode("utf-16"), "answer"),
    "byte order mark": sends(b"\xef\xbb\xbf" + GOOD.encode(), "answer"),
    "nan usage": sends(GOOD.replace("11", "NaN").replace(": 3", ": Infinity"), "answer"),
    "deep nesting": sends("[" * 200_000, ModelRefused, "nested too deeply"),
    "deep object": sends('{"choices":' * 50_000, ModelRefused, "nested too deeply"),
    "brackets as body": Case(always(lambda: http("[]," * 2_000_000)), ModelRefused, "no JSON"),
    "brackets as content": Case(always(lambda: http(completion("[" * (7 * 2**20)))), "answer"),
    "escapes as content": Case(always(lambda: http(completion("\u00e9\n" * 600_000))), "answer"),
    "10 MB of brackets": too_large(always(lambda: http(completion("[" * (10 * 2**20))))),
    "200 MB": too_large(slowly(HEAD + b"Content-Length: 209715200\r\n\r\n", b"x" * 2**20, 0.0, 200)),
    "200 MB in chunks": too_large(slowly(CHUNKED, b"100000\r\n" + b"x" * 2**20 + b"\r\n", 0.0, 200)),
    "chunks for ever": too_large(slowly(CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n", 0.0)),
    "gzip": sends(gzip.compress(GOOD.encode()), "answer", Content_Encoding="gzip"),
    "gzip cut": sends(gzip.compress(GOOD.encode())[:-12], ModelRefused, "no JSON", Content_Encoding="gzip"),
    "gzip that is none": sends(GOOD, ModelRefused, "cannot be unpacked", Content_Encoding="gzip"),
    "gzip bomb": too_large(always(bomb)),
    "another packing": sends(GOOD, ModelRefused, "'br'", Content_Encoding="br"),
    "stream": sends(b'data: {"choices": []}\n\n', ModelRefused, "streams its answer", Content_Type="text/event-stream"),
}
# Connections that stall, break off or lead elsewhere.
CONNECTIONS = {
    "a byte at a time": timed_out(slowly(HEAD + b"Content-Length: 1000000\r\n\r\n", b" ")),
    "slow headers": timed_out(slowly(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n")),
    "slow status": timed_out(slowly(b"", b"H", 10.0)),
    "informed for ever": timed_out(slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.01)),
    "keep-alive comments": timed_out(slowly(STREAMED, b"d\r\n: keep-alive\n\r\n")),
    "silence": timed_out(slowly(b"", b"", 10.0)),
    "closed at once": Case(broken(b""), ModelUnreachable),
    "closed in headers": Case(broken(b"HTTP/1.1 200 OK\r\nContent-"), ModelUnreachable),
    "closed in the body": Case(broken(http(GOOD)[:-30]), ModelUnreachable),
    "length too long": Case(broken(http(GOOD, length=100_000)), ModelUnreachable),
    "closed, then fine": Case(first(None), "answer"),
    "no http": Case(broken(b"220 mail.example ready " + KEY.encode() + b"\r\n"), ModelUnreachable),
    "huge headers": Case(broken(b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 2_000_000 + b"\r\n\r\n"), ModelUnreachable),
    "redirect to another host": sends(
        "", ModelRefused, "the server redirects", 307, Location=f"http://localhost:9/?key={KEY}"
    ),
}
# Answers that say no.
STATUSES = {
    "401 with the key": denies(
        401, f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}", ModelRefused, "Incorrect API key"
    ),
    "401 with a masked key": denies(
        401, "Incorrect API key provided: sk-test-****************6Hs3.", ModelRefused, "Incorrect API key"
    ),
    "401 in html": sends(f"<html>{KEY}</html>", ModelRefused, "401", 401, Content_Type="text/html"),
    "403 moderation": denies(
        403, "flagged", "filtered", "flagged", code=403, metadata={"reasons": ["violence"], "flagged_input": "..."}
    ),
    "404": denies(404, "no model m", ModelRefused, "no model m"),
    "400": denies(400, "no", RequestRefused),
    "400 prompt filtered": denies(
        400, "The response was filtered", "filtered", "the prompt was filtered", code="content_filter"
    ),
    "400 context length": denies(
        400, CONTEXT, RequestRefused, "4096", code="context_length_exceeded", param="messages"
    ),
    "400 temperature": Case(
        unless("temperature", error(400, NO.format("temperature"), param="temperature")),
        "answer",
        "sent without temperature",
    ),
    "400 temperature and seed": Case(
        unless("temperature seed", error(400, "unknown fields: temperature, seed")), "answer", "sent without a seed"
    ),
    "422 seed": Case(unless("seed", http(EXTRA, 422)), "answer", "sent without a seed"),
    "400 schema": Case(
        unless("response_format", error(400, "response_format is not supported")), "answer", "sent without the schema"
    ),
    "400 for all": denies(400, NO.format("temperature"), RequestRefused, "does not support 0", param="temperature"),
    "413": denies(413, "too large", RequestRefused),
    "429 hour": denies(429, "slow down", ModelUnreachable, "the server asks to wait 3600 s; the limit is 60 s", "3600"),
    "429 date": Case(always(in_an_hour), ModelUnreachable, "the server asks to wait 3"),
    "429 year 9999": denies(
        429, "slow down", ModelUnreachable, "the server asks to wait 2", "Fri, 31 Dec 9999 23:59:59 GMT"
    ),
    "429 garbage": waits("soon, -1, nan"),
    "429 negative": waits("-5"),
    "429 infinite": waits("inf"),
    "429 past": waits("Fri, 31 Dec 1999 23:59:59 GMT"),
    "429 soon": Case(first(error(429, "slow down", SOON)), "answer"),
    "500, then fine": Case(first(error(500, "oops", SOON)), "answer"),
    "503 for ever": Case(always(error(503, f"overloaded {KEY}", SOON)), ModelUnreachable, "overloaded"),
    "500 without a word": Case(
        always(b"HTTP/1.1 500 X\r\nContent-Length: 0\r\nRetry-After-Ms: 5\r\n\r\n"), ModelUnreachable, "500"
    ),
    "500 of 200 MB": too_large(slowly(b"HTTP/1.1 500 X\r\nContent-Length: 209715200\r\n\r\n", b"x" * 2**20, 0.0, 200)),
    "502 in html": Case(first(http("<html>Bad Gateway</html>", 502, {"Content-Type": "text/html", **SOON})), "answer"),
    "empty, then fine": Case(first(http(completion(""))), "answer", "tokens of 1 tries"),
    "error, then fine": Case(first(http({"error": {"message": "no", "code": 500}})), "answer"),
}
CASES = {**KINDS, **BODIES, **CONNECTIONS, **STATUSES}


@pytest.mark.parametrize("mode", CASES)
async def test_every_answer_is_told(
    mode: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.01)
    case, outcome, words = CASES[mode]
    with serving(case) as fake, caplog.at_level(logging.INFO):
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
        assert outcome is not ModelRefused or len(fake.bodies) == 1, "it would refuse every request"
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
ANSWERS = some(
    "error", "errors", "detail", "object", "usage", "prompt_filter_results", choices=st.lists(CHOICES | ODD) | ODD
)


@given(ANSWERS | ODD)
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
