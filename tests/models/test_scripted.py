"""Scripted replies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import ModelRefused, RecordError, SettingsError
from holdtrue.models.chat import Request, assistant, system, user
from holdtrue.models.model_registry import open_model
from holdtrue.models.scripted import ScriptedReply, ScriptModel, load_script
from holdtrue.record import ReplyKind


def said(text: str) -> Request:
    return Request((system("Be brief."), user("before"), assistant("yes"), user(text)), "answer")


async def test_replies_come_in_order_and_then_the_script_is_at_its_end() -> None:
    model = ScriptModel(["one", "two words"])
    assert (await model.complete(said("a"))).text == "one"
    reply = await model.complete(said("b"))
    assert reply.text == "two words"
    assert (reply.usage.calls, reply.usage.prompt_tokens, reply.usage.completion_tokens) == (1, 5, 2)
    with pytest.raises(ModelRefused, match=r"no reply left \(2 used\) for 'c'"):
        await model.complete(said("c"))
    await model.aclose()


async def test_a_match_answers_the_last_user_message_as_often_as_it_comes() -> None:
    model = ScriptModel([ScriptedReply("hello Ann", match="Ann"), "in order"])
    texts = [(await model.complete(said(text))).text for text in ("I am Ann", "I am Bob", "Ann again")]
    assert texts == ["hello Ann", "in order", "hello Ann"]
    with pytest.raises(ModelRefused):
        await model.complete(Request((user("Ann"), assistant("hello"), user("Bob")), "answer"))


async def test_a_function_answers_by_the_request() -> None:
    model = ScriptModel(lambda request: request.purpose.upper(), name="script/echo")
    assert model.name == "script/echo"
    assert (await model.complete(said("a"))).text == "ANSWER"


@pytest.mark.parametrize(
    "text",
    ['"one"\n\n{"match": "Ann", "text": "hello"}\n"two"\n', '["one", {"match": "Ann", "text": "hello"}, "two"]'],
)
async def test_a_script_is_read_from_a_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "talk.jsonl").write_text(text)
    model = open_model(f"script/{tmp_path / 'talk.jsonl'}")
    assert model.name == "script/talk.jsonl"
    texts = [(await model.complete(said(asked))).text for asked in ("x", "Ann", "y")]
    assert texts == ["one", "hello", "two"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not json", "neither a JSON list"),
        ('["one", 2]', "entry 2"),
        ("[" * 100_000, "recursion"),
        ('["caf\xe9"]', "no UTF-8: .* at byte 5"),
        ('{"match": "Ann"}', "entry 1"),
        ('{"match": 1, "text": "x"}', "entry 1"),
    ],
)
def test_a_broken_script_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "talk.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RecordError, match=complaint) as caught:
        open_model(f"script/{path}")
    assert str(path) in str(caught.value)
    with pytest.raises(RecordError, match="cannot be read"):
        open_model(f"script/{tmp_path / 'missing'}")


async def test_a_reply_can_be_of_any_kind(tmp_path: Path) -> None:
    refusal = ScriptedReply("No.", kind=ReplyKind.REFUSED, note="policy")
    for model in (ScriptModel([refusal]), ScriptModel(lambda _: refusal)):
        reply = await model.complete(said("a"))
        assert (reply.text, reply.kind, reply.note) == ("No.", ReplyKind.REFUSED, "policy")
    file = tmp_path / "script.json"
    file.write_text('["plain", {"text": "half", "kind": "cut"}]')
    script = load_script(file)
    kinds = [(await script.complete(said("a"))).kind for _ in range(2)]
    assert kinds == [ReplyKind.ANSWER, ReplyKind.CUT]
    file.write_text('[{"text": "half", "kind": "halved"}]')
    with pytest.raises(RecordError, match=r"entry 1: there is no kind 'halved', only answer, cut, refused"):
        load_script(file)


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([None], r"reply 1 must be a text or a ScriptedReply\(text\), not None"),
        (["one", {"text": "two"}], "reply 2 must be a text or .*, not {'text': 'two'}"),
        ([ScriptedReply(None)], "reply 1 must be a text or"),  # type: ignore[arg-type]
        ("one", "a script is a list of replies, or a function that gives one, not 'one'"),
        (None, "a script is a list of replies, .*, not None"),
    ],
)
def test_what_is_no_script_is_refused_when_it_is_made(replies: Any, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        ScriptModel(replies)


async def test_a_function_that_gives_no_reply_is_told_in_words() -> None:
    model = ScriptModel(lambda request: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(SettingsError, match=r"the function's reply must be a text or .*, not None"):
        await model.complete(said("a"))
