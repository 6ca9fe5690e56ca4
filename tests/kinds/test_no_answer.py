"""Refusals, filtered replies, tool calls and cut drafts never count as an answer of any kind."""

from __future__ import annotations

import asyncio
import json

import pytest

from holdtrue.budget import SearchBudget
from holdtrue.conversation import Session
from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.kinds.assignment.method import PRESETS, Feedback, Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.kinds.labels.method import find_label_method
from holdtrue.kinds.labels.record import LabelOutcome, label_outcome
from holdtrue.kinds.search.record import CandidateOutcome, candidate_outcome, search_outcome
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.chat import Reply, Request
from holdtrue.record import AnswerStatus, ReplyKind, Trigger, TurnOutcome, Usage
from holdtrue.world.seating import SEATING
from tests.claims.kind import world
from tests.kinds.search.searches import ASKING, SOLVED, WRONG, said, search
from tests.lab.kinds.claims.baselines.lightened import light
from tests.lab.kinds.labels.labelled import SEATED
from tests.recorder import Recorder

PEOPLE = ["Ann", "Bob", "Cy", "Dee"]
GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
BAD = json.dumps({"solution": {"Ann": 2, "Bob": 1, "Cy": 3, "Dee": 4}})
NO_ANSWERS = [kind for kind in ReplyKind if kind is not ReplyKind.ANSWER]
DECLINED = (ReplyKind.REFUSED, ReplyKind.FILTERED)
QUESTIONS = [Question(query.id, query.text, query.formula) for query in SEATED.queries]
LABELS = json.dumps({"answers": {query.id: query.label.value for query in SEATED.queries}})


def reply(text: str, kind: ReplyKind = ReplyKind.REFUSED) -> Reply:
    return Reply(text, Usage(1, 10, 5), kind)


def status_of(kind: ReplyKind) -> AnswerStatus:
    return AnswerStatus.REFUSED if kind in DECLINED else AnswerStatus.UNPARSED


def ask(method: str | Method, *said: str | Reply) -> tuple[AssignmentRecord, Recorder, Session]:
    """Play one turn. The last reply is repeated as often as the model is asked."""
    left = list(said)
    model = Recorder(lambda request: left.pop(0) if len(left) > 1 else left[0])
    session = Session(SEATING, PEOPLE, model=model, method=method, extractor=TemplateExtractor())
    return asyncio.run(session.turn("Ann must sit at position 1.")), model, session


@pytest.mark.parametrize("kind", NO_ANSWERS)
@pytest.mark.parametrize("method", [name for name, each in PRESETS.items() if each.answerer == "model"])
def test_no_method_takes_a_right_assignment_out_of_what_is_no_answer(method: str, kind: ReplyKind) -> None:
    record, _, session = ask(method, reply(GOOD, kind))
    assert all(attempt.answer is None for attempt in record.attempts if attempt.kind != "fallback")
    if record.final.kind != "fallback":
        assert record.final.verdict.answer is status_of(kind)
        assert record.outcome.value == status_of(kind).value
        assert record.final.verdict.reason
        assert record.final.verdict.reason in session.explain(record)[0]


@pytest.mark.parametrize("kind", DECLINED)
@pytest.mark.parametrize("method", ["direct", "mus_repair", "drift_repair", "project", "drift_repair_project"])
def test_who_refuses_is_asked_once_and_nothing_takes_the_refusal_s_place(method: str, kind: ReplyKind) -> None:
    record, model, _ = ask(method, reply("I will not.", kind))
    assert [attempt.kind for attempt in record.attempts] == ["answer"]
    assert (len(model.requests), record.delivered, record.detail.projected) == (1, "I will not.", False)
    assert record.final.verdict.triggers == (Trigger.ANSWER_REFUSED,)


def test_a_method_that_names_the_trigger_asks_again() -> None:
    method = Method(
        "insists", repairs=1, feedback=Feedback(violated=True), triggers=frozenset({Trigger.ANSWER_REFUSED})
    )
    record, model, _ = ask(method, reply(""), GOOD)
    assert [attempt.kind for attempt in record.attempts] == ["answer", "repair"]
    assert record.outcome is TurnOutcome.CONSISTENT
    assert "answer_refused: the previous reply declined to answer" in model.prompts[1]
    assert "Your previous answer" not in model.prompts[1], "there was none"


def test_a_draft_is_asked_for_more_briefly_and_never_made_an_answer_by_its_format() -> None:
    record, _, _ = ask("direct", reply(GOOD, ReplyKind.CUT))
    assert [attempt.kind for attempt in record.attempts] == ["answer", "truncation", "truncation"]
    assert record.final.verdict.reason == "the reply was cut at the limit of 2,048 tokens"
    record, _, _ = ask("direct", reply(BAD, ReplyKind.CUT), GOOD)
    assert [attempt.kind for attempt in record.attempts] == ["answer", "truncation"]
    assert record.outcome is TurnOutcome.CONSISTENT


def test_samples_that_answered_are_voted_on_and_all_refused_is_a_refusal() -> None:
    record, _, _ = ask("self_consistency", reply("No."), reply("No."), reply("No."), GOOD, GOOD)
    assert (record.final.kind, record.final.text, record.outcome) == ("vote", GOOD, TurnOutcome.CONSISTENT)
    record, _, _ = ask("self_consistency", reply("No."))
    assert (record.final.kind, record.outcome) == ("vote", TurnOutcome.REFUSED)


def test_a_critique_that_is_refused_leaves_the_answer_and_its_cost_is_counted() -> None:
    record, model, _ = ask("self_refine", GOOD, reply("I do not judge."))
    assert [attempt.kind for attempt in record.attempts] == ["answer"]
    assert [request.purpose for request in model.requests] == ["answer", "critique"]
    assert record.usage.calls == 2 and record.outcome is TurnOutcome.CONSISTENT
    record, model, _ = ask("self_refine", reply("No."))
    assert len(model.requests) == 1 and record.outcome is TurnOutcome.REFUSED


def test_a_published_reader_sees_nothing_of_what_is_no_answer() -> None:
    asked: list[Request] = []

    def answer(request: Request) -> str | Reply:
        asked.append(request)
        return '{"constraints": []}' if request.purpose == "extract" else reply("SECRET DRAFT", ReplyKind.FILTERED)

    session = Session(SEATING, PEOPLE, model=Recorder(answer), method="direct", protocol="upstream")
    assert asyncio.run(session.turn("Ann must sit at position 1.")).outcome is TurnOutcome.REFUSED
    (extraction,) = [request for request in asked if request.purpose == "extract"]
    assert "SECRET" not in extraction.messages[-1].content


@pytest.mark.parametrize("kind", NO_ANSWERS)
def test_a_reading_that_is_no_answer_is_rejected_with_its_reason(kind: ReplyKind) -> None:
    no_answer = reply('{"constraints": [{"type": "at_position", "args": ["Ann", 1]}]}', kind)

    def answer(request: Request) -> str | Reply:
        return GOOD if request.purpose == "answer" else no_answer

    session = Session(SEATING, PEOPLE, method="direct", model=Recorder(answer))
    record = asyncio.run(session.turn("Ann must sit at position 1."))
    assert not record.holds and record.readings
    assert all(reading.status == "rejected" and reading.reason for reading in record.readings)
    assert session.explain(record)[0].startswith('Nothing was read: "Ann must sit at position 1')


@pytest.mark.parametrize("kind", NO_ANSWERS)
@pytest.mark.parametrize("method", ["direct", "self_consistency", "check_repair", "maxsat_repair"])
def test_no_label_is_taken_out_of_what_is_no_answer(method: str, kind: ReplyKind) -> None:
    model = Recorder(lambda request: reply(LABELS, kind))
    session = QuerySession(SEATED, model=model, method=find_label_method(method))
    record = asyncio.run(session.turn(QUESTIONS))
    verdict = record.final.verdict
    assert (record.detail.labels, record.holds, record.final.answer) == ({}, (), None)
    assert verdict.answer is status_of(kind) and verdict.reason
    expected = LabelOutcome.REFUSED if kind in DECLINED else LabelOutcome.UNPARSED
    assert label_outcome(verdict) is expected
    assert not any(attempt.kind == "format" for attempt in record.attempts)


@pytest.mark.parametrize("kind", NO_ANSWERS)
def test_no_candidate_is_taken_out_of_what_is_no_answer_and_the_search_goes_on(kind: ReplyKind) -> None:
    limits = SearchBudget(k=1, rounds=3)
    refused = CandidateOutcome.REFUSED if kind in DECLINED else CandidateOutcome.FAILED_SCHEMA
    for name in (name for name in ASKING if name != "one_shot"):
        played = search(name, [reply(said(SOLVED), kind), said(SOLVED)], limits=limits)
        outcomes = [candidate_outcome(attempt) for attempt in played.record.attempts]
        assert outcomes == [refused, CandidateOutcome.CERTIFIED_SAT]
    played = search("cd_vgs", [said(WRONG), reply("No.", kind), reply("No.", kind)], limits=limits)
    assert search_outcome(played.record) is refused and played.record.delivered is None


RIGHT = world.said("B", "Rex is a dog", "All dogs bark", "Rex barks")
WEAK = world.said("B", "Tom barks", "Tom sleeps", "Rex barks")


def claims(*replies: str | Reply) -> Recorder:
    """A model that answers in this order, the last one again and again, and knows all formulas."""
    left, knows = list(replies), world.known

    def answer(request: Request) -> str | Reply:
        if request.purpose == "answer":
            return left.pop(0) if len(left) > 1 else left[0]
        return reply("No.") if request.purpose in ("critique", "thought", "rate") else knows(request)

    return Recorder(answer)


@pytest.mark.parametrize("kind", NO_ANSWERS)
@pytest.mark.parametrize("method", ["direct", "cot", "self_consistency", "self_refine", "tree_of_thought", "verge"])
async def test_no_claim_is_taken_out_of_what_is_no_answer(method: str, kind: ReplyKind) -> None:
    played = await world.play(light(method), claims(reply(RIGHT, kind)))
    last = played.attempts[-1]
    assert (last.answer, last.check, last.verdict.answer) == (None, None, status_of(kind))
    assert last.verdict.reason and played.delivered == RIGHT, "a person sees what came"


async def test_verge_gives_its_best_answer_where_the_model_refuses_to_go_on() -> None:
    played = await world.play(world.light("verge", converge=None), claims(WEAK, reply("No more.")))
    assert [attempt.kind for attempt in played.attempts] == ["answer", "repair", "best"]
    assert played.attempts[-1].text == WEAK and played.attempts[-1].check is not None


@pytest.mark.parametrize("temperature", [0.0, 0.5])
async def test_verge_asks_again_after_a_reply_that_was_cut(temperature: float) -> None:
    model = claims(reply(RIGHT, ReplyKind.CUT), RIGHT)
    played = await world.play(world.light("verge", temperature=temperature), model)
    assert [attempt.verdict.answer for attempt in played.attempts] == [AnswerStatus.UNPARSED, AnswerStatus.RESPECTING]
    one, other = (request for request in model.requests if request.purpose == "answer")
    assert one.messages == other.messages
    # At temperature 0 the number of a draw changes nothing, so it is the same request.
    assert (one.sample != other.sample) == (temperature > 0)


async def test_claim_votes_are_for_answers() -> None:
    played = await world.play(light("self_consistency"), claims(reply("No."), RIGHT))
    assert played.attempts[-1].answer == {"option": "B"}
