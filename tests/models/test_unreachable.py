"""A missing server is reported soon, a known one is waited for, and no secret is shown."""

from __future__ import annotations

import json
import logging
import string
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import ModelError, ModelUnreachable, SettingsError
from holdtrue.models.chat import Request, user
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.models.redaction import LONGEST_SHOWN, REDACTED, redact
from holdtrue.models.retry_policy import LONGEST_BACKOFF_S, backoff_s, retry_after_s
from tests.models.fake_modes import always, completion, error, http, unless
from tests.models.fake_server import KEY, serving
from tests.models.web import refused_address

REQUEST = Request((user("Say hello."),), "answer", max_tokens=50)


@pytest.mark.parametrize("host", ["refuses", "unknown"])
async def test_a_server_that_is_not_there_is_told_before_all_tries(host: str, caplog: pytest.LogCaptureFixture) -> None:
    url = refused_address() if host == "refuses" else "http://no-such-host.invalid/v1"
    model = OpenAIModel("m", base_url=url.replace("http://", "http://ann:p4ssword@"), api_key=KEY)
    with caplog.at_level(logging.WARNING), pytest.raises(ModelUnreachable) as caught:
        await model.complete(REQUEST)
    await model.aclose()
    assert url in str(caught.value)
    assert "check that the server runs" in str(caught.value)
    assert 1 <= caplog.text.count("trying again in") < 5, "five seconds are not enough for all the waits"
    assert "p4ssword" not in str(caught.value) + caplog.text


async def test_a_server_that_goes_away_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.001)
    with serving(always(http(completion(), headers={"Connection": "close"}))) as fake:
        model = OpenAIModel("m", base_url=fake.url, retries=4)
        await model.complete(REQUEST)
    with caplog.at_level(logging.WARNING), pytest.raises(ModelUnreachable, match="no connection"):
        await model.complete(REQUEST)
    assert caplog.text.count("trying again in") == 4
    await model.aclose()


async def test_the_whole_call_is_bounded() -> None:
    with serving(always(error(503, "busy", {"Retry-After": "2"}))) as fake:
        model = OpenAIModel("m", base_url=fake.url, retries=1000, total_s=1.0)
        with pytest.raises(ModelUnreachable, match="the limit for a whole call is 1 s"):
            await model.complete(REQUEST)
        await model.aclose()
    assert len(fake.bodies) == 1


async def test_a_word_in_a_complaint_that_is_not_its_cause_changes_nothing() -> None:
    with serving(unless("model", error(400, "The answer about the temperature is forbidden."))) as fake:
        model = OpenAIModel("m", base_url=fake.url)
        with pytest.raises(Exception, match="forbidden"):
            await model.complete(REQUEST)
        with pytest.raises(Exception, match="forbidden"):
            await model.complete(REQUEST)
        await model.aclose()
    assert ["temperature" in body for body in fake.bodies] == [True, False, True, False]


async def test_a_redirect_to_another_server_brings_it_nothing() -> None:
    listens = always(http(completion()))
    with serving(listens) as other, serving(always(http("", 307, {"Location": other.url}))) as fake:
        model = OpenAIModel("m", base_url=fake.url, api_key=KEY)
        with pytest.raises(ModelError, match="as the base URL"):
            await model.complete(REQUEST)
        await model.aclose()
    assert f"Bearer {KEY}" in fake.heads[0]
    assert other.heads == []


async def test_a_password_in_the_address_is_sent_and_a_query_kept() -> None:
    with serving(always(http(completion()))) as fake:
        model = OpenAIModel("m", base_url=fake.url.replace("://", "://ann:p%40ss@") + "?api-version=1")
        await model.complete(REQUEST)
        await model.aclose()
    assert fake.heads[0].startswith("POST /v1/chat/completions?api-version=1 ")
    assert "Basic YW5uOnBAc3M=" in fake.heads[0]
    with pytest.raises(ModelError, match="is closed"):
        await model.complete(REQUEST)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://h/v1", "http://", "http://h:99999/v1", "http://[::1/v1"])
def test_a_base_url_that_is_none_is_told_without_its_secrets(url: str) -> None:
    with pytest.raises(SettingsError, match="the base URL"):
        OpenAIModel("m", base_url=url)


def test_a_key_that_cannot_be_sent_is_told_without_it() -> None:
    with pytest.raises(SettingsError, match="stray line break") as caught:
        OpenAIModel("m", base_url="http://127.0.0.1:9", api_key="sk-abc\nsecret-x")
    assert "secret-x" not in str(caught.value)


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "-5", "inf", "nan", "1e9", "٣", "5 s", "Fri, 99 Xyz 2026", "9" * 99])
def test_garbage_is_no_wait(text: str) -> None:
    assert retry_after_s({"retry-after": text}) is None


def test_seconds_and_milliseconds() -> None:
    assert retry_after_s({"retry-after": " 3600 "}) == 3600
    assert retry_after_s({"retry-after": "9", "retry-after-ms": "250"}) == 0.25


@given(st.integers(-(10**6), 10**7))
@settings(deadline=None, max_examples=50)
def test_a_date_is_told_by_the_server_s_clock(seconds: int) -> None:
    until = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after_s({"retry-after": until, "date": format_datetime(NOW, usegmt=True)}) == max(0, seconds)


@given(st.text(max_size=70))
@settings(deadline=None, max_examples=100)
def test_no_text_is_an_exception(text: str) -> None:
    wait_s = retry_after_s({"retry-after": text, "date": text})
    assert wait_s is None or wait_s >= 0


def test_waits_grow_up_to_a_limit() -> None:
    assert 0.375 <= backoff_s(1) <= 0.5
    assert 0.75 * LONGEST_BACKOFF_S <= backoff_s(50) <= LONGEST_BACKOFF_S


KEYS = st.text(string.ascii_letters + string.digits + "-_.~+/=!#$%&*\\\"'", min_size=12, max_size=80)
AROUND = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@settings(max_examples=200, deadline=None)
@given(key=KEYS, before=AROUND, after=AROUND, times=st.integers(1, 3))
def test_a_known_key_is_never_shown(key: str, before: str, after: str, times: int) -> None:
    for written in (key, json.dumps(key), repr(key), f"Bearer {key}"):
        shown = redact((before + written) * times + after, [key])
        assert key not in shown
        assert len(shown) <= LONGEST_SHOWN
        assert "\n" not in shown


@settings(max_examples=100, deadline=None)
@given(
    key=st.text(string.ascii_letters + string.digits, min_size=30, max_size=60).filter(
        lambda key: any(map(str.isdigit, key)) and any(map(str.isalpha, key))
    ),
    mark=st.sampled_from(["", "sk-", "sk-proj-", "Bearer ", "token=", "x-api-key: ", "https://h/?key=", "https://a:"]),
)
def test_what_looks_like_a_key_is_not_shown(key: str, mark: str) -> None:
    end = "@host" if mark == "https://a:" else ""
    assert key not in redact(f"No: {mark}{key}{end} is wrong")


@pytest.mark.parametrize(
    "text",
    [
        "the model gpt-4o-mini-2024-07-18 does not support temperature",
        "model meta-llama/Llama-3.1-8B-Instruct was not found at http://127.0.0.1:8000/v1/chat/completions",
        "maximum context length is 4096 tokens: you asked for 5000",
        "body.messages.0.content: Field required",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert redact(text) == text


def test_a_masked_key_and_addresses_lose_what_is_left_of_the_secret() -> None:
    assert redact("Incorrect API key: sk-ab**********wxyz.") == f"Incorrect API key: {REDACTED}"
    assert redact("http://ann:pw@host/v1?a=1&key=2") == f"http://host/v1?a={REDACTED}&key={REDACTED}"


def test_a_secret_at_the_place_where_the_text_is_cut_is_gone_whole() -> None:
    key = "Zq9vL2mWx7Tn4Rb8"
    for place in range(4070, 4100):
        assert not any(key[:length] in redact("sk-" + "a" * (place - 3) + key, [key]) for length in range(4, 17))


def test_a_terminal_is_not_written_to() -> None:
    assert redact("\x1b[31mred\x1b[0m\r\nline") == "[31mred [0m line"


@pytest.mark.parametrize("key", ["EMPTY", "lm-studio", "not-needed", "ollama"])
def test_a_key_that_is_a_word_takes_no_other_words_with_it(key: str) -> None:
    said = "The content is empty; LM Studio is not needed by Ollama."
    assert redact(said, [key]) == said
