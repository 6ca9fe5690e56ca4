"""Conversations about assignments in files, and the rules for all such files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.errors import InfrastructureError, RecordError, SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.readers import GoldExtractor
from holdtrue.models.chat import Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import Instance
from holdtrue.world.seating import SEATING
from tests.conversation.saved_files import (
    Change,
    goes_on_where_loaded,
    kept_where_the_disk_is_full,
    refused_where_changed,
    refused_where_cut,
)
from tests.language.rota import ROTA, WEEK

SAID = [
    "Ann works on day 2.",
    "Ann works before Bob. Also, Bob works before Cy.",
    "Bob works before Ann.",
    "Forget that.",
    "Forget C001.",
    "Ann works on day 3 instead.",
    "Ann and Dee work at least 2 days apart.",
    "Dee does not work on day 5. Forget everything I said about Ann.",
    "Thanks, Ren\u00e9!",
]
ANSWERS = [
    json.dumps({"solution": {"Ann": 2, "Bob": 3, "Cy": 4, "Dee": 4}}),
    json.dumps({"solution": {"Ann": 1, "Bob": 1, "Dee": 9}}),
    "no idea",
]


def answer(request: Request) -> str:
    """A model with an answer that depends on the whole request."""
    return ANSWERS[int(request.key("script"), 16) % len(ANSWERS)]


def model() -> ScriptModel:
    return ScriptModel(answer)


def timeless(record: AssignmentRecord) -> AssignmentRecord:
    # The number of questions depends on the solver's memory, which no file has.
    return replace(record, elapsed_s=0.0, solver_s=0.0, solver_calls=0)


async def play(session: Session, steps: Sequence[str]) -> list[AssignmentRecord]:
    """Return the records of messages. The record after a change by call has its events."""
    records = []
    for step in steps:
        if step == "by call":
            session.add("off_day", "Cy", 1)
        else:
            records.append(timeless(await session.turn(step)))
    return records


@given(
    st.lists(st.sampled_from([*SAID, "by call"]), max_size=6),
    st.lists(st.sampled_from([*SAID, "by call"]), min_size=1, max_size=3),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([Sampling(), Sampling(temperature=0.5, seed=7)]),
)
@settings(deadline=None, max_examples=25)
async def test_a_session_that_was_saved_goes_on_as_one_that_was_not(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], method: str, sampling: Sampling
) -> None:
    file = tmp_path_factory.mktemp("saved") / "session.json"
    kept = Session(WEEK, model=model(), method=method, extractor="templates", sampling=sampling)
    await goes_on_where_loaded(file, kept, lambda: load(file), play, before, after)


def saved(tmp_path: Path, **settings: Any) -> Path:
    """The file of a session of two turns."""
    given: dict[str, Any] = {"method": "project", "extractor": "templates", **settings}
    file = tmp_path / "session.json"
    with Session(WEEK, model=ScriptModel(lambda request: ANSWERS[0]), **given) as session:
        session.ask("Ann works on day 2.")
        session.ask("Ann works before Bob.")
        session.save(file)
    return file


def load(file: Path, world: Domain | Instance = ROTA, **own: Any) -> Session:
    return Session.load(file, world, model=model(), **own)


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    data = json.loads(saved(tmp_path).read_text(encoding="utf-8"))
    assert list(data) == [
        "kind", "version", "face", "answers", "domain", "entities", "context", "method", "extractor", "reader",
        "protocol", "sampling", "history", "events", "last", "recorded", "unread", "ask_back", "questions",
        "strangers", "again",
    ]  # fmt: skip
    assert (data["kind"], data["version"], data["answers"]) == ("holdtrue session", 7, "assignments")
    assert data["domain"] == "rota"
    assert data["history"][0]["message"] == "Ann works on day 2."
    assert data["events"][0]["entry"]["sentence"] == "Ann works on day 2"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.update(kind="journal"), "this is no saved session"),
        (lambda d: d.update(version=3), "version: 3; this version of holdtrue reads 7"),
        (
            lambda d: d.update(answers="labels", face="QuerySession"),
            "a conversation about labels; use QuerySession.load",
        ),
        (lambda d: d.update(face=None), "a conversation about assignments; use None.load"),
        (lambda d: d.update(domain="seating"), "domain: the session is about 'seating', not 'rota'"),
        (lambda d: d.pop("history"), "history: Field required"),
        (lambda d: d.update(unread=-1), "unread: -1 sentences"),
        (lambda d: d.update(extra=1), "extra: this is not what a saved session holds"),
        (lambda d: d["sampling"].update(temprature=1), "sampling.temprature: this is not"),
        (lambda d: d["history"][0].update(message=3), "history.0.message: Input should be a valid string"),
        (lambda d: d["history"].pop(), "history: 1 turns, and events of turn 2"),
        (lambda d: d.update(entities=["Ann", "ann"]), "entities, context: rota: the entity 'Ann' is named twice"),
        (lambda d: d.update(entities=["Bob", "Cy"]), r"event 1 \(added C001\): .*'Ann' is none of Bob, Cy"),
        (lambda d: d["events"][0]["entry"]["constraint"].update(type="near"), "unknown constraint type 'near'"),
        (lambda d: d["events"][0]["entry"]["constraint"].update(args=["Ann", 7]), "7 is not in 1..5"),
        (lambda d: d["events"][0]["entry"]["constraint"].update(args=["Ann", True]), r"args.1: this is not"),
        (lambda d: d["events"][0].update(kind="lost"), "events.0.kind: Input should be 'added'"),
        (lambda d: d["events"][1].update(kind="withdrawn"), r"event 2 \(withdrawn C002\): no earlier event"),
        (lambda d: d["events"].pop(0), "would be C001"),
        (lambda d: d["last"].update({"Zoe.day": 1}), "last: there is no variable 'Zoe.day'"),
        (lambda d: d["last"].update({"Ann.day": "2"}), "last.Ann.day: this is not"),
        (lambda d: d.update(recorded=9), "recorded: 9 of 2 events"),
        (lambda d: d.update(protocol="secret"), "protocol: Input should be 'stated', 'upstream' or 'appendix'"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_its_place(tmp_path: Path, change: Change, says: str) -> None:
    file = saved(tmp_path)
    refused_where_changed(file, change, lambda: load(file), says)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000, '{"kind": "holdtrue session"'])
def test_what_is_no_session_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "session.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"session\.json: (not JSON|this is no saved session)"):
        load(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="cannot be read"):
        load(file)
    with pytest.raises(RecordError, match="cannot be read"):
        load(tmp_path / "none.json")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_cut_or_changed_file_is_half_loaded(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    file = saved(tmp_path_factory.mktemp("cut"))
    refused_where_cut(data, file, lambda: load(file))


async def test_any_text_survives(tmp_path: Path) -> None:
    """Also half a character, which UTF-8 cannot hold."""
    session = Session(WEEK, model=model(), method="direct", extractor="templates")
    await session.turn('Ann works on day 2. \ud83d "quoted" \\ud83d Ren\u00e9\n')
    session.save(tmp_path / "s.json")
    assert "Ren\u00e9" in (tmp_path / "s.json").read_text(encoding="utf-8")
    assert load(tmp_path / "s.json", WEEK).history == session.history


def test_a_method_and_a_reader_of_one_s_own_are_given_again(tmp_path: Path) -> None:
    own = Method("careful", fallback="abstain")
    file = saved(tmp_path, method=own, extractor=GoldExtractor({}))
    with pytest.raises(SettingsError, match="the method 'careful' is no preset: give it again, as method="):
        load(file)
    with pytest.raises(SettingsError, match="the extractor 'gold' is no preset: give it again, as extractor="):
        load(file, method=own)
    loaded = load(file, method=own, extractor=GoldExtractor({}))
    assert loaded.method is own and loaded.extractor.name == "gold"


def test_another_method_or_reader_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    file = saved(tmp_path)
    with pytest.raises(SettingsError, match="the session's method is 'project', not 'direct'"):
        load(file, method="direct")
    with pytest.raises(SettingsError, match="the session's extractor is 'templates', not 'llm'"):
        load(file, extractor="llm")
    loaded = load(file, method="direct", extractor="llm", allow_changes=True)
    assert (loaded.method.name, loaded.extractor.name) == ("direct", "llm")


def test_an_instance_must_be_the_same_one(tmp_path: Path) -> None:
    file = saved(tmp_path)
    assert load(file, WEEK).instance is WEEK
    with pytest.raises(RecordError, match="another instance"):
        load(file, ROTA.instance(["Ann", "Bob"]))


def test_the_setting_is_kept_as_it_was_given(tmp_path: Path) -> None:
    """A completed setting may have values that cannot be given."""
    table = SEATING.instance(["Ann", "Bob"], {"table_shape": "rectangular"})
    Session(table, model=model(), method="direct", extractor="templates").save(tmp_path / "s.json")
    assert json.loads((tmp_path / "s.json").read_text())["context"] == {"table_shape": "rectangular"}
    loaded = Session.load(tmp_path / "s.json", "seating", model=model()).instance
    assert isinstance(loaded, Instance)
    assert loaded.context == table.context


@pytest.mark.parametrize("value", [{1: 2}, {"a": {2}}, [float("nan")], object()])
def test_a_setting_that_json_cannot_hold_is_refused_and_the_old_file_stays(tmp_path: Path, value: object) -> None:
    odd = Domain("odd", attributes=[Attribute("day", low=1, high=2)], constraint_types=[])
    session = Session(odd, ["Ann"], {"x": value}, model=model(), method="direct", extractor="templates")
    file = tmp_path / "session.json"
    file.write_text("old", encoding="utf-8")
    with pytest.raises(RecordError, match=r"context\.x.*cannot be written as JSON"):
        session.save(file)
    assert file.read_text(encoding="utf-8") == "old" and [one.name for one in tmp_path.iterdir()] == ["session.json"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    file = saved(tmp_path)
    kept_where_the_disk_is_full(file, load(file))


def test_saving_from_several_threads_leaves_a_whole_file(tmp_path: Path) -> None:
    file = saved(tmp_path)
    sessions = [load(file) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(session.save, file) for session in sessions for _ in range(15)]:
            done.result()
    assert load(file).history == sessions[0].history
    assert [one.name for one in tmp_path.iterdir()] == ["session.json"]


def test_a_disk_that_refuses_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    session = Session(WEEK, model=model(), method="direct", extractor="templates")
    with pytest.raises(InfrastructureError, match="cannot be saved"):
        session.save(tmp_path / "none" / "session.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InfrastructureError, match="cannot be saved"):
        session.save(tmp_path / "folder")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]
