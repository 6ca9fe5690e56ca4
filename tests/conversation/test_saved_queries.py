"""Conversations about labels in files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.labels.method import LABEL_PRESETS, find_label_method
from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.models.chat import Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import Label
from tests.conversation.saved_files import (
    Change,
    goes_on_where_loaded,
    play_steps,
    refused_where_changed,
)
from tests.language.rota import ROTA, WEEK, made

PREMISES = (
    Premise("Bob works on day 2.", WEEK.formula(made("on_day", "Bob", 2))),
    Premise("There are five days.", setting=True),
    Premise("Ann works before Bob or so.", WEEK.formula(made("before", "Ann", "Cy"))),
    Premise("Dee works when she likes."),
)
CASE = Case.of(WEEK, PREMISES)
OPEN = Case.of(WEEK, PREMISES[:1])
"""A case in which everything is read, so that labels are judged."""
CLASHING = Case.of(WEEK, [*PREMISES[:1], Premise("Bob works on day 3.", WEEK.formula(made("on_day", "Bob", 3)))])
STATEMENTS = (
    made("on_day", "Ann", 1),
    made("on_day", "Ann", 2),
    made("before", "Cy", "Bob"),
    made("off_day", "Dee", 3),
    made("before", "Cy", "Ann"),
    made("apart", "Ann", "Dee", 2),
)
SAID = (*STATEMENTS, made("on_day", "Bob", 2))


def question(number: int, *, read: bool = True) -> Question:
    """A question about one of the statements; every few numbers one says the same as an earlier one."""
    said = STATEMENTS[number % len(STATEMENTS)]
    return Question(f"q{number}", f"{WEEK.sentence(said)}.", WEEK.formula(said) if read else None)


def answer(request: Request) -> str:
    """Read sentences if asked to. Otherwise give labels that depend on the whole request, at times too few or none."""
    if request.purpose != "answer":
        said = request.messages[-1].content.rpartition("Sentence: ")[2].strip(" .")
        read = [one for one in SAID if WEEK.sentence(one) == said]
        return json.dumps({"constraints": [{"type": one.type, "args": list(one.args)} for one in read]})
    dice = int(request.key("script"), 16)
    ids = [f"q{number}" for number in range(60) if f"q{number}:" in request.messages[-1].content]
    labels = {
        id: {"label": list(Label)[(dice >> place) % 3], "confidence": (dice >> place) % 11 / 10}
        for place, id in enumerate(ids)
    }
    if dice % 13 == 0 and labels:
        labels.popitem()
    return "no idea" if dice % 17 == 0 else json.dumps({"answers": labels})


def model() -> ScriptModel:
    return ScriptModel(answer)


def unmeasured(record: LabelsRecord) -> LabelsRecord:
    """Return the record without measurements, since a new solver may ask more or fewer questions."""
    return replace(record, elapsed_s=0.0, solver_s=0.0, solver_calls=0)


async def do(session: QuerySession, step: str) -> list[object]:
    """Return the results of one step."""
    stated = {} if session._state is None else session._state.statements
    number = len(stated)
    match step:
        case "ask" | "unread":
            record = await session.turn([question(number, read=step == "ask")])
            return [unmeasured(record), session.explain(record), session.policies_differ]
        case "several":
            return [unmeasured(await session.turn([question(number + each) for each in range(3)]))]
        case "add":
            return [session.add(question(number), list(Label)[number % 3])]
        case "amend":
            return [session.amend(f"q{number // 2}", question(number), Label.ENTAILED)]
        case "withdraw":
            return [session.withdraw(f"q{number // 2}")]
        case "check":
            return [session.check({id: Label.ENTAILED for id in stated})]
    raise ValueError(step)


async def play(session: QuerySession, steps: Sequence[str]) -> list[object]:
    return await play_steps(steps, lambda step: do(session, step), lambda: session.labels)


STEPS = ("ask", "ask", "several", "unread", "add", "amend", "withdraw", "check")


@given(
    st.lists(st.sampled_from(STEPS), max_size=6),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=3),
    st.sampled_from(sorted(LABEL_PRESETS)),
    st.sampled_from(["one", "bundle"]),
    st.sampled_from(["gold", "llm"]),
    st.sampled_from([CASE, OPEN, OPEN, CLASHING]),
)
@settings(deadline=None, max_examples=60)
async def test_a_conversation_that_was_saved_goes_on_as_one_that_was_not(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[str],
    after: list[str],
    method: str,
    way_of_asking: Any,
    formal: Any,
    case: Case,
) -> None:
    file = tmp_path_factory.mktemp("saved") / "queries.json"
    kept = QuerySession(
        case, model=model(), method=method, way_of_asking=way_of_asking, formal=formal, sampling=Sampling(seed=3)
    )
    await goes_on_where_loaded(file, kept, lambda: load(file, case), play, before, after)


def saved(tmp_path: Path, **own: Any) -> Path:
    """The file of four turns, in which every kind of event was, and changes since."""
    file = tmp_path / "session.json"
    labels = iter(("ENTAILED", "CONTRADICTED", "ENTAILED", "ENTAILED", "UNKNOWN"))
    scripted = ScriptModel(lambda request: said_of(request, labels))
    session = QuerySession(CASE, model=scripted, method=find_label_method("recency"), way_of_asking="one", **own)
    for number, about in enumerate((0, 2, 1, 1)):  # Ann on day 1, Cy before Bob, Ann on day 2, the same once more
        asyncio.run(session.turn([replace(question(about), id=f"q{number}")]))
    session.withdraw("q2")
    session.add(replace(question(3), id="mine"), Label.CONTRADICTED)
    session.save(file)
    return file


def said_of(request: Request, labels: Any) -> str:
    (id,) = [f"q{number}" for number in range(9) if f"q{number}:" in request.messages[-1].content]
    return json.dumps({"answers": {id: {"label": next(labels), "confidence": 0.9}}})


def load(file: Path, case: Case = CASE, **own: Any) -> QuerySession:
    return QuerySession.load(file, case, model=model(), **own)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d["case"].update(id="other"), r"case\.id: the session is about another case"),
        (
            lambda d: d["case"]["premises"][0].update(text="No."),
            r"case\.premises\.0\.text: the session is about another",
        ),
        (lambda d: d.update(rules={"P1": True}), "rules: no model read P1"),
        (lambda d: d["statements"].update(q0=["==", "Eve.day", 1]), r"statements\.q0: there is no variable 'Eve.day'"),
        (lambda d: d["statements"].update(q0=None), r"event 1 \(added q0\): this is no belief by the label"),
        (lambda d: d["statements"].update(q3=["==", "Ann.day", 3]), r"event 5 .*: no active belief says the same"),
        (lambda d: d["statements"].pop("q1"), "statements: these are not the queries of all turns"),
        (lambda d: d["given"].update(q0="CONTRADICTED"), r"turns\.0: these are not the labels that were given"),
        (lambda d: d["given"].update(mine="ENTAILED"), r"event 8 \(added mine\): this is no belief by the label"),
        (lambda d: d["events"].pop(0), "event 3 .set_aside q0.: this is not as the events before left it"),
        (lambda d: d["events"][0].update(confidence=1.5), "event 1 .*: a confidence of 1.5 is not in 0..1"),
        (lambda d: d["events"][3].update(sentence="x"), "event 4 .*: this is not as the events before left it"),
        (lambda d: d["events"][4].update(because=["q0"]), "event 5 .*: no active belief says the same"),
        (lambda d: d["events"][3].update(because=["q7"]), "event 4: there is no commitment 'q7'"),
        (lambda d: d["events"][6].update(kind="lost"), "event 7 .*: 'lost' is not a valid EventKind"),
        (lambda d: d["events"][7].update(turn=1), "event 8 .*: turn 1 comes after turn 4"),
        (lambda d: d["events"][7].update(turn=9), "history: 4 turns, and events of turn 9"),
        (lambda d: d.update(turns=[]), "statements: these are not the queries"),
        (lambda d: d["turns"][1].update(unread=-1), r"turns\.1: these are not"),
        (lambda d: d.update(recorded=-1), "recorded: -1 of 8 events"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_its_place(tmp_path: Path, change: Change, says: str) -> None:
    file = saved(tmp_path)
    refused_where_changed(file, change, lambda: load(file), says)


@pytest.mark.parametrize("depth", [150, 700])
def test_what_is_nested_too_deep_is_refused(tmp_path: Path, depth: int) -> None:
    file = saved(tmp_path)
    text = file.read_text(encoding="utf-8")
    deep = '["not",' * depth + "true" + "]" * depth
    file.write_text(text.replace('"rules": {}', f'"rules": {{"P1": {deep}}}'), encoding="utf-8")
    with pytest.raises(RecordError, match=r"session\.json: "):
        load(file)
    file.write_text(text.replace('"mine": [', f'"more": {deep}, "mine": ['), encoding="utf-8")
    with pytest.raises(RecordError, match=r"session\.json: "):
        load(file)


def test_the_case_is_the_same_one_and_the_method_too(tmp_path: Path) -> None:
    file = saved(tmp_path)
    with pytest.raises(RecordError, match=r"case\.premises: the session is about another case"):
        load(file, OPEN)
    wider = Case.of(ROTA.instance(["Ann", "Bob", "Cy", "Dee", "Eve"]), PREMISES)
    with pytest.raises(RecordError, match=r"case\.variables: the session is about another case"):
        load(file, wider)
    with pytest.raises(SettingsError, match="the session's method is 'recency', not 'none'; see allow_changes"):
        load(file, method="none")
    assert load(file, method="none", allow_changes=True).method.name == "none"


def test_what_a_model_read_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    kept = QuerySession(CASE, model=model(), formal="llm")
    asyncio.run(kept.turn([question(0)]))
    kept.save(file)
    rules: Mapping[str, object] = json.loads(file.read_text(encoding="utf-8"))["rules"]
    assert list(rules) == ["P1"], "of the others nothing could be read"
    record = asyncio.run(load(file).turn([question(3)]))
    assert [reading.sentence for reading in record.readings] == ["Dee does not work on day 3"]
