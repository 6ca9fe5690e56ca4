"""Replaying a log gives the same replies under the same name, and a clear error for other requests."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from holdtrue.errors import ModelRefused, RecordError
from holdtrue.models.cache import CallLog, LoggedModel
from holdtrue.models.chat import Message, Reply, Request, assistant, gives_likelihoods, system, user
from holdtrue.models.model_registry import open_model
from holdtrue.models.replay import open_replay
from tests.recorder import Recorder

FIRST = Request((system("Rules."), user("Ann sits at 1."), assistant("Yes."), user("Bob sits at 2.")), "answer")
OTHER = Request((system("Other rules."),), "extract", schema={"type": "object"})


async def logged(path: Path, *names: str) -> None:
    """A log with both requests, paid to each of the named models."""
    log = CallLog(path)
    for name in names:
        model = LoggedModel(Recorder(lambda request: f"reply to {len(request.messages)}", name=name), log)
        await model.complete(FIRST)
        await model.complete(OTHER)
    log.close()


async def test_a_replay_has_the_name_and_the_replies_of_the_logged_model(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    await logged(path, "openai/m")
    with path.open("a") as file:
        file.write('{"key":"torn')
    before = path.read_bytes()
    model = open_model(f"replay/{path}")
    assert model.name == "openai/m"
    assert (await model.complete(FIRST)).text == "reply to 4"
    assert (await model.complete(OTHER)).text == "reply to 1"
    await model.aclose()
    await model.aclose()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("asked", "difference"),
    [
        (
            dataclasses.replace(FIRST, messages=(*FIRST.messages[:3], user("Bob sits at 3."))),
            "message 4 differs: logged 'Bob sits at 2.', asked 'Bob sits at 3.'",
        ),
        (dataclasses.replace(FIRST, messages=FIRST.messages[:3]), "the nearest call has 4 messages, this one 3"),
        (dataclasses.replace(FIRST, seed=1, sample=2), "seed was 42 and is 1; sample was 0 and is 2"),
        (dataclasses.replace(OTHER, schema=None), "schema was "),
        (dataclasses.replace(OTHER, messages=(Message("user", "Other rules."),)), "message 1 differs"),
    ],
)
async def test_an_unknown_request_is_refused_and_says_what_differs(
    tmp_path: Path, asked: Request, difference: str
) -> None:
    path = tmp_path / "calls.jsonl"
    await logged(path, "openai/m")
    model = open_replay(path)
    with pytest.raises(ModelRefused, match="no reply of openai/m") as caught:
        await model.complete(asked)
    assert difference in str(caught.value)
    await model.aclose()


async def test_a_log_with_a_damaged_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    await logged(path, "openai/m")
    path.write_bytes(path.read_bytes().replace(b'"openai/m"', b'"openai\\m"'))
    with pytest.raises(RecordError, match="is no name of a model"):
        open_replay(path)


async def test_a_replay_is_of_one_model(tmp_path: Path) -> None:
    await logged(tmp_path / "two.jsonl", "openai/a", "openai/b")
    with pytest.raises(RecordError, match="openai/a, openai/b"):
        open_replay(tmp_path / "two.jsonl")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(RecordError, match="no model"):
        open_replay(tmp_path / "empty.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        open_replay(tmp_path / "missing.jsonl")


async def test_probabilities_are_logged_and_replayed(tmp_path: Path) -> None:
    class Channel(Recorder):
        gives_likelihoods = True

        async def complete(self, request: Request) -> Reply:
            return dataclasses.replace(await super().complete(request), logprob=-12.5)

    path = tmp_path / "calls.jsonl"
    log = CallLog(path)
    model = LoggedModel(Channel(lambda request: "reply", name="openai/m"), log)
    scored = dataclasses.replace(FIRST, likelihood=True)
    assert gives_likelihoods(model) and (await model.complete(scored)).logprob == -12.5
    log.close()
    replay = open_replay(path)
    assert gives_likelihoods(replay) and (await replay.complete(scored)).logprob == -12.5
    await replay.aclose()
    await logged(tmp_path / "others.jsonl", "openai/m")
    others = open_replay(tmp_path / "others.jsonl")
    assert not gives_likelihoods(others)
    await others.aclose()
