"""A conversation in which one model reads messages and another one answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.conversation import Session
from holdtrue.errors import SettingsError
from holdtrue.language.extract import LlmExtractor
from holdtrue.models.scripted import ScriptModel
from tests.language.rota import ROTA, WEEK
from tests.recorder import Recorder

GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
HEARD = json.dumps({"meaning": "Bob works on day 2", "constraints": [{"type": "on_day", "args": ["Bob", 2]}]})


def answers() -> Recorder:
    return Recorder(lambda request: GOOD, "script/large")


def reads() -> Recorder:
    return Recorder(lambda request: HEARD, "script/small")


@pytest.mark.parametrize("protocol", ["stated", "upstream"])
async def test_the_reader_reads_and_the_model_answers_and_both_are_counted(protocol: Any) -> None:
    model, reader = answers(), reads()
    session = Session(WEEK, model=model, reader=reader, protocol=protocol)
    record = await session.turn("Let Bob have the second day.")
    assert record.holds == ("C001",)
    assert {request.purpose for request in model.requests} == {"answer"}
    assert reader.requests and all(request.purpose.startswith("extract") for request in reader.requests)
    assert [call.model for call in record.final.calls] == ["script/large"]
    assert {call.model for call in record.extraction} == {"script/small"}
    assert record.usage.calls == len(model.requests) + len(reader.requests)
    assert (record.model, record.reader) == ("script/large", "llm+script/small")


async def test_without_a_reader_the_model_does_both() -> None:
    model = Recorder(lambda request: GOOD if request.purpose == "answer" else HEARD)
    session = Session(WEEK, model=model)
    record = await session.turn("Let Bob have the second day.")
    assert record.holds == ("C001",) and record.reader == "llm" and session.reader is model


@pytest.mark.parametrize(
    ("extractor", "says"),
    [
        ("templates", "extractor 'templates' asks no model; leave reader out, or take extractor 'llm'"),
        (LlmExtractor(ScriptModel([])), r"extractor 'llm' is an object.*as in LlmExtractor\(model\)"),
    ],
)
def test_a_reader_for_an_extractor_that_would_not_ask_it_is_refused(extractor: Any, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Session(WEEK, model=answers(), reader=reads(), extractor=extractor)


@pytest.mark.parametrize(("reader", "says"), [("magic", "no model 'magic'"), (3, "reader is 3, without")])
def test_a_reader_that_is_no_model_is_refused_before_the_model_is_opened(reader: Any, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Session(WEEK, model="local/smollm2-135m", reader=reader)


def script(path: Path, *replies: str) -> str:
    path.write_text("".join(f"{json.dumps({'text': reply})}\n" for reply in replies), encoding="utf-8")
    return f"script/{path}"


async def test_a_reader_by_name_is_opened_again_and_one_by_object_is_given_again(tmp_path: Path) -> None:
    file, named = tmp_path / "saved.json", script(tmp_path / "reader.jsonl", HEARD, HEARD, HEARD, HEARD)
    async with Session(WEEK, model=answers(), reader=named) as session:
        await session.turn("Let Bob have the second day.")
        session.save(file)
    assert json.loads(file.read_text(encoding="utf-8"))["reader"] == named
    async with Session.load(file, ROTA, model=answers()) as again:
        assert again.reader.name.startswith("script/") and again.reader is not again.model
    own = Recorder(lambda request: HEARD, "mine")
    Session(WEEK, model=answers(), reader=own).save(file)
    with pytest.raises(SettingsError, match="the reader 'mine' is no preset: give it again, as reader="):
        Session.load(file, ROTA, model=answers())
    assert Session.load(file, ROTA, model=answers(), reader=own).reader is own
    with pytest.raises(SettingsError, match="the session's reader is 'mine', not 'script/small'"):
        Session.load(file, ROTA, model=answers(), reader=reads())
    assert Session.load(file, ROTA, model=answers(), reader=reads(), allow_changes=True).reader.name == "script/small"
    templates = Session.load(file, ROTA, model=answers(), extractor="templates", allow_changes=True)
    assert templates.reader is templates.model


async def test_a_reader_where_there_was_none_is_a_change(tmp_path: Path) -> None:
    Session(WEEK, model=answers()).save(tmp_path / "saved.json")
    with pytest.raises(SettingsError, match="the session's model reads messages itself"):
        Session.load(tmp_path / "saved.json", ROTA, model=answers(), reader=reads())
    own = reads()
    session = Session.load(tmp_path / "saved.json", ROTA, model=answers(), reader=own, allow_changes=True)
    assert session.reader is own
