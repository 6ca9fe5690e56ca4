"""The loop: answer, retry, check, feed back, fall back, and mend in wide ranges."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from holdtrue import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.budget import Budget
from holdtrue.conversation import Session
from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Feedback, Method, find_method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.chat import Reply, Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, ReplyKind, TurnOutcome, Usage
from holdtrue.verification.logged_turn import check_logged_turn, read_logged_turn
from holdtrue.world.registry import BUILTIN
from holdtrue.world.seating import SEATING
from holdtrue_lab.kinds.assignment import KIND
from tests.recorder import Recorder
from tests.solving.wide import measure

PEOPLE = ["Ann", "Bob", "Cy", "Dee"]
GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
BAD = json.dumps({"solution": {"Ann": 2, "Bob": 1, "Cy": 3, "Dee": 4}})


def replies(*texts: str | Reply) -> Callable[[Request], str | Reply]:
    left: Iterator[str | Reply] = iter(texts)
    return lambda request: next(left)


def session(method: str | Method, *texts: str | Reply) -> tuple[Session, Recorder]:
    model = Recorder(replies(*texts))
    return Session(SEATING, PEOPLE, model=model, method=method, extractor=TemplateExtractor()), model


async def test_under_upstream_the_solver_alone_answers_what_was_said_in_this_turn_too() -> None:
    extraction = json.dumps({"constraints": [{"type": "at_position", "args": ["Ann", 3]}]})
    model = Recorder(replies(extraction))
    conversation = Session(SEATING, PEOPLE, model=model, method="solver_only", extractor="llm", protocol="upstream")
    record = await conversation.turn("Ann must sit at position 3.")
    assert record.delivered is not None and json.loads(record.delivered)["solution"]["Ann"] == 3
    assert len(record.attempts) == len(model.requests) == len(record.extraction) == 1
    assert [reading.status for reading in record.final.readings] == ["accepted"]


async def test_a_repair_shows_the_failed_answer_and_what_it_breaks_and_stops_when_it_is_mended() -> None:
    conversation, model = session("drift_repair", BAD, GOOD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert [attempt.kind for attempt in record.attempts] == ["answer", "repair"]
    assert record.outcome is TurnOutcome.CONSISTENT and record.delivered == GOOD
    prompt = model.prompts[1]
    assert '- C001: "Ann must sit at position 1" (turn 1)' in prompt
    assert 'Your previous answer: {"Ann.seat": 2' in prompt


async def test_the_published_repair_names_no_constraint_and_hides_the_failed_answer() -> None:
    conversation, model = session("mus_repair", BAD, BAD, BAD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert [attempt.kind for attempt in record.attempts] == ["answer", "repair", "repair"]
    assert "answer_ledger_conflict" in model.prompts[1] and "previous answer:" not in model.prompts[1]
    assert "C001" not in model.prompts[1]


async def test_project_delivers_the_nearest_valid_answer_without_asking_again() -> None:
    conversation, model = session("project", BAD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert len(model.requests) == 1 and record.detail.projected
    assert json.loads(record.delivered or "") == json.loads(GOOD)
    assert [attempt.kind for attempt in record.attempts] == ["answer", "fallback"]
    assert record.usage.calls == 1


async def test_project_from_nothing_readable_starts_from_the_last_delivered_answer() -> None:
    kept = json.dumps({"solution": {"Ann": 1, "Bob": 4, "Cy": 3, "Dee": 2}})
    conversation, _ = session("project", kept, "no idea", "no idea")
    await conversation.turn("Ann must sit at position 1.")
    record = await conversation.turn("Bob must sit next to Ann.")
    assert record.delivered is not None and json.loads(record.delivered) == json.loads(kept)
    first, _ = session("project", "no idea", "no idea")
    assert json.loads((await first.turn("Cy must sit at position 1.")).delivered or "") == {
        "solution": {"Ann": 2, "Bob": 3, "Cy": 1, "Dee": 4}
    }


async def test_project_on_a_contradiction_keeps_the_newest_and_lists_what_it_set_aside() -> None:
    conversation, model = session("project", GOOD, GOOD)
    record = await conversation.turn("Ann must sit at position 1. Also, Bob must sit at position 1.")
    assert record.outcome is TurnOutcome.CONTRADICTION
    assert record.detail.set_aside == ("C001",) and json.loads(record.delivered or "")["solution"]["Bob"] == 1
    assert list(conversation.ledger.active) == ["C001", "C002"], "nothing is dropped behind the user's back"
    await conversation.turn("Cy must sit next to Dee.")
    assert '(Not kept, because not all can be: C001: "Ann must sit at position 1" (turn 1).)' in model.prompts[1]


async def test_abstain_delivers_nothing_and_says_why_in_the_history() -> None:
    method = Method("careful", repairs=0, fallback="abstain")
    conversation, model = session(method, GOOD, GOOD)
    record = await conversation.turn("Ann must sit at position 1. Also, Bob must sit at position 1.")
    assert record.delivered is None
    await conversation.turn("Cy must sit next to Dee.")
    assert "No answer was given. It would have to keep: C001" in model.prompts[1]
    conversation.withdraw("C002")
    assert list(conversation.ledger.active) == ["C001", "C003"]


async def test_a_clipped_answer_is_asked_for_again_twice_and_an_unreadable_one_once() -> None:
    clipped = Reply("{", Usage(1, 1, 1), ReplyKind.CUT)
    conversation, model = session("direct", clipped, clipped, GOOD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert [attempt.kind for attempt in record.attempts] == ["answer", "truncation", "truncation", "format"]
    assert record.outcome is TurnOutcome.CONSISTENT and record.usage.calls == 4
    assert "clipped by token limit" in model.prompts[1]
    # At temperature 0 the second of them is the same request, which the reply to the first one answers.
    assert len(model.requests) == 3
    assert record.attempts[2].calls[0].key == record.attempts[1].calls[0].key
    assert "sent before" in (record.attempts[2].calls[0].note or "")


async def test_above_temperature_0_a_clipped_answer_is_drawn_anew() -> None:
    clipped = Reply("{", Usage(1, 1, 1), ReplyKind.CUT)
    conversation, model = session(Method("warm", temperature=0.5), clipped, clipped, clipped, GOOD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert record.outcome is TurnOutcome.CONSISTENT and [each.sample for each in model.requests] == [0, 1, 2, 3]


async def test_ablations_are_settings() -> None:
    generic = Method("generic", frame="repair", repairs=1, feedback=Feedback(triggers=False))
    conversation, model = session(generic, BAD, BAD)
    await conversation.turn("Ann must sit at position 1.")
    assert "check_failed" in model.prompts[1] and "answer_ledger_conflict" not in model.prompts[1]


async def test_the_user_s_own_changes_are_in_the_next_record() -> None:
    conversation, _ = session("direct", GOOD, GOOD)
    first = await conversation.turn("Ann must sit at position 2.")
    conversation.amend("C001", "at_position", "Ann", 1)
    conversation.add("at_position", "Bob", 2)
    conversation.withdraw("C003")
    record = await conversation.turn("Cy must sit at position 3.")
    kinds = [(event.kind, event.id) for event in record.events]
    assert kinds == [
        ("amended", "C001"),
        ("added", "C002"),
        ("added", "C003"),
        ("withdrawn", "C003"),
        ("added", "C004"),
    ]
    assert record.outcome is TurnOutcome.CONSISTENT and record.holds == ("C002", "C004")
    assert conversation.explain(first) == ['The answer breaks C001: "Ann must sit at position 2" (turn 1).']


async def test_a_model_that_was_handed_in_stays_open() -> None:
    class Closing(Recorder):
        closed = False

        async def aclose(self) -> None:
            self.closed = True

    model = Closing(lambda request: GOOD)
    conversation = Session(SEATING, PEOPLE, model=model, method="direct", extractor="templates")
    await conversation.aclose()
    assert not model.closed


async def test_the_library_and_the_check_agree_on_the_same_turn() -> None:
    """An impossible wish is a contradiction by every door."""
    conversation, _ = session("direct", GOOD)
    record = await conversation.turn("Ann and Bob must have at least 2 seats between them.")
    logged = {
        "domain": "seating",
        "entities": PEOPLE,
        "constraints": [{"id": "C001", "type": "separated_by", "args": ["Ann", "Bob", 2]}],
        "answer": GOOD,
    }
    checked = check_logged_turn(read_logged_turn(logged, BUILTIN, None), Budget())
    assert record.final.verdict == checked.verdict
    assert record.outcome is TurnOutcome.CONTRADICTION and record.final.verdict.mus == ("C001",)


async def test_cot_may_reason_in_prose_before_its_json() -> None:
    conversation, model = session("cot", f"- Ann goes first\n- the others follow\n{GOOD}")
    record = await conversation.turn("Ann must sit at position 1.")
    assert record.outcome is TurnOutcome.CONSISTENT and len(record.attempts) == 1
    assert model.requests[0].schema is None
    assert "Output at most 3 short bullets" in model.requests[0].messages[0].content


async def test_ledger_shows_what_was_agreed_before_and_never_repairs() -> None:
    conversation, model = session("ledger", GOOD, BAD)
    await conversation.turn("Ann must sit at position 1.")
    record = await conversation.turn("Bob must sit next to Cy.")
    assert [attempt.kind for attempt in record.attempts] == ["answer"]
    assert 'Current ledger:\n- C001: "Ann must sit at position 1" (turn 1)\nNew' in model.prompts[1]
    assert "explicit ledger" in model.requests[1].messages[0].content
    assert model.requests[1].schema is not None


async def test_the_sample_given_most_often_stands_and_all_are_paid_for() -> None:
    conversation, model = session("self_consistency", BAD, GOOD, "no idea", "{}", BAD, f"- think\n{GOOD}", GOOD)
    record = await conversation.turn("Ann must sit at position 1.")
    # The third sample could not be read, and its one format retry ("{}") neither.
    assert [attempt.kind for attempt in record.attempts] == [*["sample"] * 3, "format", *["sample"] * 2, "vote"]
    assert record.delivered == BAD, "two votes each: the earlier stands"
    assert record.usage.calls == 6 and record.final.calls == ()
    drawn = [request for request in model.requests if request.purpose == "sample"]
    assert [request.sample for request in drawn] == [0, 1, 2, 3, 4]
    assert {(request.temperature, request.schema) for request in drawn} == {(0.7, None)}


async def test_a_model_mends_what_it_finds_wrong_itself_until_it_finds_nothing() -> None:
    found = '{"ok": false, "problems": ["Ann is not at 1"]}'
    conversation, model = session("self_refine", BAD, found, GOOD, '{"ok": true, "problems": []}')
    record = await conversation.turn("Ann must sit at position 1.")
    assert [attempt.kind for attempt in record.attempts] == ["answer", "refine"]
    assert record.delivered == GOOD and record.outcome is TurnOutcome.CONSISTENT
    assert [[c.purpose for c in attempt.calls] for attempt in record.attempts] == [
        ["answer"],
        ["critique", "refine", "critique"],
    ]
    assert record.usage.calls == 4 == len(model.requests)
    refine = model.requests[2].messages
    assert refine[-2].content == BAD and "- Ann is not at 1" in refine[-1].content
    assert "C001" not in model.prompts[2] and "answer_ledger_conflict" not in model.prompts[2]


@pytest.mark.parametrize("critique", ['{"ok": false, "problems": []}', "hmm", '{"problems": [1, null]}', ""])
async def test_only_a_clear_yes_ends_the_mending(critique: str) -> None:
    conversation, _ = session("self_refine", GOOD, critique, GOOD, critique, GOOD)
    record = await conversation.turn("Ann must sit at position 1.")
    assert [attempt.kind for attempt in record.attempts] == ["answer", "refine", "refine"]


@pytest.mark.parametrize(
    "wrong", [{"samples": 0}, {"repairs": -1}, {"frame": "poem"}, {"temperature": -0.1}, {"ledger_tokens": -1}]
)
def test_settings_that_do_not_fit_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match="method 'odd'"):
        Method("odd", **wrong)  # type: ignore[arg-type]


async def test_a_control_bears_any_message() -> None:
    conversation, _ = session("random_legal")
    assert (await conversation.turn("lone surrogate: \ud800")).delivered


def test_unknown_methods_are_told_what_there_is() -> None:
    with pytest.raises(SettingsError, match="direct, cot, ledger, ledger_relevant"):
        find_method("magic")
    assert all(name == method.name for name, method in PRESETS.items())


def test_whatever_a_model_can_be_asked_with_is_let_through() -> None:
    sampling = Sampling(temperature=2, seed=-1, max_tokens=1, structured=False)
    assert (sampling.temperature, sampling.seed, sampling.max_tokens) == (2, -1, 1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"temperature": float("nan")}, "temperature must be a number of at least 0, not nan"),
        ({"temperature": -1}, "temperature must be a number of at least 0, not -1"),
        ({"temperature": "0"}, "temperature must be a number of at least 0, not '0'"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"max_tokens": "100"}, "max_tokens must be a whole number of at least 1, not '100'"),
        ({"max_tokens": 0}, "max_tokens must be a whole number of at least 1, not 0"),
        ({"structured": "yes"}, "structured must be True or False, not 'yes'"),
    ],
)
def test_what_no_model_can_be_asked_with_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=f"^{words}"):
        Sampling(**given)


K = 10**12
BILL = Domain(
    "bill",
    attributes=[Attribute("cents", low=0, high=K)],
    constraint_types=[
        ConstraintType("less", (Entity(), Entity()), "{0} costs less than {1}", lambda w, a, b: a.cents < b.cents),
        ConstraintType("over", (Entity(), Integer(0, K)), "{0} costs over {1}", lambda w, a, k: a.cents > k),
    ],
)
BROKEN = '{"solution": {"tea": 700000000, "cake": 300000000}}'


def ask(method: Method | str, budget: Budget, *messages: str, answer: str = BROKEN) -> AssignmentRecord:
    model = ScriptModel([answer] * len(messages))
    with Session(BILL, ["tea", "cake"], model=model, method=method, extractor="templates", budget=budget) as session:
        return [session.ask(message) for message in messages][-1]


def test_a_wide_range_is_mended_in_little_memory() -> None:
    ask("project", Budget(), "tea costs less than cake.")  # the solver is loaded once
    record, mib = measure(lambda: ask("project", Budget(), "tea costs less than cake."))
    assert record.delivered == '{"solution": {"tea": 700000000, "cake": 700000001}}'
    assert (record.detail.projected, record.detail.nearest, record.withheld) == (True, True, None)
    assert mib < 150


def test_a_method_may_mend_by_the_least_difference() -> None:
    method = KIND.playing().declare_method({"name": "gently", "base": "project", "distance": "difference"})
    said = ("cake costs over 400000000.", "tea costs less than cake.")
    by_changes = ask("project", Budget(), *said, answer='{"solution": {"tea": 5, "cake": 5}}')
    by_difference = ask(method, Budget(), *said, answer='{"solution": {"tea": 400000009, "cake": 400000009}}')
    assert by_changes.delivered == '{"solution": {"tea": 5, "cake": 400000001}}'
    assert by_difference.delivered == '{"solution": {"tea": 400000009, "cake": 400000010}}'
    assert by_difference.final.verdict.answer is AnswerStatus.RESPECTING


@pytest.mark.parametrize("method", ["project", "drift_repair_project"])
def test_an_answer_that_is_known_to_be_broken_is_not_delivered_where_time_is_up(method: str) -> None:
    """Evaluation shows that the answer is broken; the solver has no time to find another."""
    answers = [BROKEN, BROKEN, BROKEN, BROKEN]
    with Session(
        BILL, ["tea", "cake"], model=ScriptModel(answers), method=method, extractor="templates", budget=Budget(0.0)
    ) as session:
        session.add("less", "tea", "cake")
        record = session.ask("What will it be?")
    assert record.final.verdict.answer is AnswerStatus.VIOLATING
    assert record.delivered is None
    assert record.withheld is not None and "the time budget ran out" in record.withheld
    assert not record.detail.projected and record.detail.nearest is None


def test_solver_only_without_time_delivers_nothing_and_says_why() -> None:
    record = ask("solver_only", Budget(0.0), "tea costs less than cake.")
    assert record.delivered is None
    assert record.withheld is not None and "the time budget ran out" in record.withheld
