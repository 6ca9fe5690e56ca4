"""The user withdraws and changes commitments in words, and the reader may be another model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from holdtrue.conversation import Session
from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.language.asking_back import AskBack
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import Protocol, TemplateExtractor
from holdtrue.language.reading import Reading
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import CallRecord, Trigger, TurnOutcome
from holdtrue.solving.recheck import Confirmed
from holdtrue.world.declaration import Attribute
from holdtrue.world.instance import Constraint, Instance
from tests.language.rota import ROTA, WEEK, made
from tests.recorder import Recorder

GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
BROKEN = json.dumps({"solution": {"Ann": 2, "Bob": 1, "Cy": 3, "Dee": 4}})


def conversation(method: str = "direct", protocol: Protocol = "stated") -> tuple[Session, Recorder]:
    model = Recorder(lambda request: GOOD)
    return Session(WEEK, model=model, method=method, extractor="templates", protocol=protocol), model


async def test_a_withdrawal_in_words_is_an_event_with_the_words_as_its_reason() -> None:
    session, _ = conversation()
    await session.turn("Ann works on day 2.")
    record = await session.turn("Forget that.")
    assert [(e.kind, e.id, e.turn, e.reason) for e in record.events] == [("withdrawn", "C001", 2, "Forget that")]
    assert [(r.act, r.status, r.type, r.args) for r in record.readings] == [
        ("withdraws", "accepted", "on_day", ("Ann", 2))
    ]
    assert record.holds == () and record.outcome is TurnOutcome.CONSISTENT
    assert Trigger.CONSTRAINT_EXTRACTION_FAILED not in record.final.verdict.triggers


class Unhedged(TemplateExtractor):
    """A reader that passes over a 'maybe', as models do; the words of the sentence make its reading doubtful."""

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        readings = await super().read_sentence(instance, sentence.removeprefix("Maybe "), calls, among)
        return [replace(reading, sentence=sentence) for reading in readings]


def asking(*, ask_back: AskBack | bool = True) -> Session:
    model = Recorder(lambda request: GOOD)
    return Session(WEEK, model=model, method="direct", extractor=Unhedged(), ask_back=ask_back)


async def test_a_doubtful_reading_is_asked_about_and_waits_for_the_user_s_yes() -> None:
    session = asking()
    record = await session.turn("Ann works on day 2. Maybe Bob works on day 3.")
    assert record.holds == ("C001",)
    assert [(one.id, one.text) for one in record.questions] == [
        ("q1.1", 'By "Maybe Bob works on day 3", did you mean: Bob works on day 3?')
    ]
    record = await session.turn("Yes. Cy works on day 4.")
    assert record.questions == () and session.questions == ()
    assert [commitment.sentence for commitment in session.ledger.active.values()] == [
        "Ann works on day 2",
        "Bob works on day 3",
        "Cy works on day 4",
    ]
    assert not any(commitment.doubtful for commitment in session.ledger.active.values())


async def test_no_commits_to_nothing_and_what_is_not_answered_stays_visible() -> None:
    session = asking()
    await session.turn("Maybe Bob works on day 3.")
    assert [one.id for one in (await session.turn("Ann works on day 2.")).questions] == ["q1.1"]
    # A bare yes answers the questions of the turn before, and there were none.
    assert [one.id for one in (await session.turn("Yes.")).questions] == ["q1.1"]
    assert session.answer("q1.1", yes=False) == () and session.questions == ()
    await session.turn("Maybe Dee works on day 1.")
    record = await session.turn("No, Dee works on day 5.")
    assert record.questions == () and [own.sentence for own in session.ledger.active.values()] == [
        "Ann works on day 2",
        "Dee works on day 5",
    ]


async def test_a_question_is_answered_by_call_and_kept_in_a_file(tmp_path: Path) -> None:
    session = asking()
    await session.turn("Maybe Bob works on day 3.")
    session.save(tmp_path / "saved.json")
    again = Session.load(tmp_path / "saved.json", ROTA, model=Recorder(lambda request: GOOD))
    assert again.questions == session.questions and again.ask_back
    with pytest.raises(SettingsError, match=r"no question 'q9' is open; open are q1\.1"):
        again.answer("q9", yes=True)
    assert [event.kind for event in again.answer("q1.1", yes=True)] == ["added"]
    assert again.questions == ()


async def test_a_question_in_a_damaged_file_is_refused_with_its_place(tmp_path: Path) -> None:
    session = asking()
    await session.turn("Maybe Bob works on day 3.")
    session.save(tmp_path / "saved.json")
    text = (tmp_path / "saved.json").read_text(encoding="utf-8")
    (tmp_path / "saved.json").write_text(text.replace('"on_day"', '"no_day"'), encoding="utf-8")
    with pytest.raises(RecordError, match=r"questions: 'q1\.1'.*no_day"):
        Session.load(tmp_path / "saved.json", ROTA, model=Recorder(lambda request: GOOD))


async def test_without_asking_back_a_doubtful_reading_is_kept_as_what_gives_way() -> None:
    session = asking(ask_back=False)
    record = await session.turn("Maybe Bob works on day 3.")
    assert record.questions == () and [own.doubtful for own in session.ledger.active.values()] == [True]


async def test_asking_alone_gives_no_answer_before_the_user_s_and_keeps_what_was_certain(tmp_path: Path) -> None:
    session = asking(ask_back="alone")
    model = cast(Recorder, session.model)
    record = await session.turn("Ann works on day 2. Maybe Bob works on day 3. Maybe Cy works on day 1.")
    questions = (
        'By "Maybe Bob works on day 3", did you mean: Bob works on day 3?\n'
        'By "Maybe Cy works on day 1", did you mean: Cy works on day 1?'
    )
    assert (record.delivered, record.final.kind, record.final.text) == (questions, "question", questions)
    assert record.outcome is TurnOutcome.UNDECIDED and record.final.verdict.triggers == ()
    assert model.requests == [] and record.holds == ("C001",) and record.withheld is None
    session.save(tmp_path / "saved.json")
    session = Session.load(tmp_path / "saved.json", ROTA, model=model, extractor=Unhedged(), allow_changes=True)
    assert session.ask_back == "alone"
    record = await session.turn("The first yes, the second no.")
    assert record.delivered == GOOD and record.holds == ("C001", "C002")
    assert model.prompts == ["\n".join(message.content for message in model.requests[0].messages)]
    assert questions in model.prompts[0], "the model is told what was asked"


async def test_a_question_that_is_not_answered_is_not_asked_alone_again() -> None:
    session = asking(ask_back="alone")
    await session.turn("Maybe Bob works on day 3.")
    record = await session.turn("Ann works on day 2.")
    assert record.delivered == GOOD and [one.id for one in record.questions] == ["q1.1"]


async def test_a_question_alone_tells_that_the_ledger_clashes() -> None:
    session = asking(ask_back="alone")
    record = await session.turn("Ann works before Bob. Bob works before Ann. Maybe Cy works on day 3.")
    assert record.outcome is TurnOutcome.CONTRADICTION and record.final.verdict.mus == ("C001", "C002")
    assert session.explain(record)[1].startswith("Whether the answer keeps the commitments is undecided: no answer is")


def test_another_way_to_ask_back_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"ask_back is 'later'; there are False, 'beside' \(or True\) and 'alone'"):
        Session(WEEK, model=Recorder(lambda request: GOOD), ask_back="later")  # type: ignore[arg-type]


def test_asking_back_needs_readings_of_messages() -> None:
    with pytest.raises(SettingsError, match="ask_back needs protocol 'stated'"):
        Session(WEEK, model=Recorder(lambda request: GOOD), protocol="upstream", ask_back=True)


@pytest.mark.parametrize("method", ["ledger", "drift_repair_project"])
async def test_what_is_taken_back_stays_in_the_history_and_leaves_the_shown_ledger_at_once(method: str) -> None:
    session, model = conversation(method)
    await session.turn("Ann works on day 1.")
    await session.turn("Bob works on day 2.")
    await session.turn("Forget what I said about Ann.")
    prompt = model.prompts[-1]
    shown = prompt[prompt.rindex("Current ledger:") : prompt.rindex("New constraints")]
    assert "Bob works on day 2" in shown and "Ann" not in shown
    assert "Ann works on day 1." in prompt[: prompt.rindex("Current ledger:")]


@pytest.mark.parametrize("method", sorted(PRESETS))
async def test_every_method_checks_against_what_is_left(method: str) -> None:
    session, _ = conversation(method)
    await session.turn("Ann works on day 2.")
    record = await session.turn("Forget that. Ann works before Bob.")
    assert record.holds == ("C002",)


async def test_under_upstream_nothing_is_taken_back() -> None:
    session, _ = conversation(protocol="upstream")
    first = await session.turn("Ann works on day 2.")
    record = await session.turn("Forget what I said about Ann.")
    assert first.holds == record.holds == ("C001",)
    assert all(reading.act == "states" for reading in record.final.readings)


async def test_calls_for_a_withdrawal_are_extraction_calls() -> None:
    def answer(request: Request) -> str:
        if not request.purpose.startswith("extract"):
            return GOOD
        return json.dumps({"constraints": [{"type": "before", "args": ["Ann", "Bob"]}]})

    session = Session(WEEK, model=Recorder(answer), method="project", extractor="llm")
    session.add("before", "Ann", "Bob")
    session.add("apart", "Ann", "Bob", 1)
    record = await session.turn("Forget the idea that Ann comes first and Bob second")
    assert [event.kind for event in record.events] == ["added", "added", "withdrawn"]
    assert record.extraction and {call.purpose for call in record.extraction} == {"extract"}
    assert session.ledger.find(made("before", "Ann", "Bob")) is None


async def test_by_word_and_by_call_are_the_same() -> None:
    by_word, _ = conversation()
    by_call, _ = conversation()
    await by_word.turn("Ann works on day 2. Bob works on day 3.")
    await by_call.turn("Ann works on day 2. Bob works on day 3.")
    await by_word.turn("Ann works on day 1 instead. Drop C002.")
    by_call.amend("C001", "on_day", "Ann", 1)
    by_call.withdraw("C002")
    assert by_word.ledger.soft == by_call.ledger.soft
    assert [e.kind for e in by_word.ledger.events] == [e.kind for e in by_call.ledger.events]


async def test_what_was_agreed_is_explained_at_any_time() -> None:
    session, _ = conversation()
    await session.turn("Ann works on day 2.")
    assert "Ann: day 2 (settled)" in session.explain_ledger().sentences
    session.add("on_day", "Ann", 3)
    found = session.explain_ledger(every_conflict=True)
    assert [one.ids for one in found.conflicts] == [("C001", "C002")] and found.every_conflict
    assert found.correction is not None and found.correction.take_back == ("C001",)
    assert session.recheck() == Confirmed("z3")
    session.withdraw("C001")
    assert "Ann: day 3 (settled)" in session.explain_ledger().sentences


@pytest.mark.parametrize(
    ("method", "answers", "endings"),
    [
        ("drift_repair_project", [BROKEN, GOOD], ["it was repaired"]),
        ("drift_repair_project", [BROKEN, BROKEN], ["the solver put an answer that keeps everything in its place"]),
        ("project", [BROKEN], ["the solver put an answer that keeps everything in its place"]),
        ("drift_repair", [BROKEN, "I would rather not.", "No.", "No."], ["it was not delivered"]),
        ("project", [GOOD], []),
        ("direct", [BROKEN], []),
        ("self_consistency", [BROKEN, GOOD, GOOD, GOOD, GOOD], []),
    ],
)
async def test_what_the_first_answer_broke_is_explained_last(
    method: str, answers: list[str], endings: list[str]
) -> None:
    model = ScriptModel([*answers, *[answers[-1]] * 9])
    session = Session(WEEK, model=model, method=method, extractor="templates")
    record = await session.turn("Ann works before Bob.")
    broke = [line for line in session.explain(record) if line.startswith("The model's")]
    broken = 'The model\'s first answer broke C001: "Ann works before Bob" (turn 1); '
    assert broke == [f"{broken}{became}." for became in endings]


async def test_a_broken_law_is_told_of_the_first_answer_too() -> None:
    domain = replace(WEEK.domain, attributes=[Attribute("day", low=1, high=5, distinct=True)])
    same = json.dumps({"solution": {"Ann": 1, "Bob": 1}})
    session = Session(domain, ["Ann", "Bob"], model=ScriptModel([same]), method="project", extractor="templates")
    record = await session.turn("Hello!")
    assert session.explain(record)[-1] == (
        "The model's first answer broke a law of the domain (no two share the same day); "
        "the solver put an answer that keeps everything in its place."
    )


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
