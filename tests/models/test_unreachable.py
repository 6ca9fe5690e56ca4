"""A server that is not there is told soon, and one that was there is waited for."""

from __future__ import annotations

import logging

import pytest

from holdtrue.errors import ModelError, ModelUnreachable, SettingsError
from holdtrue.models.chat import Request, user
from holdtrue.models.openai_compatible import OpenAIModel
from tests.models.fake_modes import completion, error, http, unless
from tests.models.fake_server import KEY, Turn, serving
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

    async def once(turn: Turn) -> None:
        await turn.send(http(completion(), headers={"Connection": "close"}))

    with serving(once) as fake:
        model = OpenAIModel("m", base_url=fake.url, retries=4)
        await model.complete(REQUEST)
    with caplog.at_level(logging.WARNING), pytest.raises(ModelUnreachable, match="no connection"):
        await model.complete(REQUEST)
    assert caplog.text.count("trying again in") == 4
    await model.aclose()


async def test_the_whole_call_is_bounded() -> None:
    async def never(turn: Turn) -> None:
        await turn.send(error(503, "busy", {"Retry-After": "2"}))

    with serving(never) as fake:
        model = OpenAIModel("m", base_url=fake.url, retries=1000, total_s=1.0)
        with pytest.raises(ModelUnreachable, match="the limit for a whole call is 1 s"):
            await model.complete(REQUEST)
        await model.aclose()
    assert len(fake.bodies) == 1


async def test_what_was_turned_down_is_remembered_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    no = error(400, "Unsupported value: 'temperature' does not support 0 with this model.", param="temperature")
    with serving(unless("temperature", no)) as fake, caplog.at_level(logging.WARNING):
        model = OpenAIModel("m", base_url=fake.url)
        replies = [await model.complete(REQUEST) for _ in range(3)]
        await model.aclose()
    assert ["temperature" in body for body in fake.bodies] == [True, False, False, False]
    assert {reply.note for reply in replies} == {"sent without temperature: the model takes only its default"}
    assert caplog.text.count("turns temperature down") == 1


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
    async def elsewhere(turn: Turn) -> None:
        await turn.send(http("", 307, {"Location": other.url}))

    async def listens(turn: Turn) -> None:
        await turn.send(http(completion()))

    with serving(listens) as other, serving(elsewhere) as fake:
        model = OpenAIModel("m", base_url=fake.url, api_key=KEY)
        with pytest.raises(ModelError, match="as the base URL"):
            await model.complete(REQUEST)
        await model.aclose()
    assert f"Bearer {KEY}" in fake.heads[0]
    assert other.heads == []


async def test_a_password_in_the_address_is_sent_and_a_query_kept() -> None:
    async def listens(turn: Turn) -> None:
        await turn.send(http(completion()))

    with serving(listens) as fake:
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
