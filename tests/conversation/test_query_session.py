from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.errors import InputError, ModelRefused, SettingsError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.labels.method import find_label_method
from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import Satisfiability
from holdtrue.verification.coverage import coverage_of
from holdtrue_lab.suites.belief.generate import generate_dialogues
from tests.kinds.labels.test_loop import GOLD, QUESTIONS, ask, said
from tests.lab.kinds.labels.labelled import SEATED, A, C, E, U, case
from tests.language.rota import WEEK, made
from tests.recorder import Recorder


def test_labels_follow_beliefs_although_the_premises_were_undecided_at_first() -> None:
    session = QuerySession(
        SEATED,
        model=ScriptModel([said({"q3": E}), said({"q4": E}), said({"q5": E})]),
        method=find_label_method("recency"),
        way_of_asking="one",
        budget=Budget(timeout_s=0.0),
    )
    record = ask(session, [QUESTIONS[3]])
    assert [event.kind for event in record.events] == ["rejected"]
    assert (record.detail.labels, record.detail.committed, record.detail.entailed) == ({"q3": U}, {}, {})
    assert session.policies_differ is None, "undecided"
    session.budget = Budget()
    assert ask(session, [QUESTIONS[4]]).detail.labels == {"q3": U, "q4": E}
    assert ask(session, [QUESTIONS[5]]).detail.labels == {"q3": U, "q4": E, "q5": U}, "the premises refute q5"


def test_a_turn_that_is_played_again_counts_what_is_asked_for_explanations() -> None:
    """The solver that explains was made in the turn that failed, and serves the next one."""
    first, right = QUESTIONS[:1], {question.id: GOLD[question.id] for question in QUESTIONS[1:]}
    wrong = {**right, QUESTIONS[1].id: C if right[QUESTIONS[1].id] == E else E}

    def calls(*, failing: bool) -> int:
        replies = [said({first[0].id: GOLD[first[0].id]}), said(wrong)]
        session = QuerySession(SEATED, model=ScriptModel(replies), method=find_label_method("check_repair"))
        ask(session, first)
        if failing:
            with pytest.raises(ModelRefused):
                ask(session, QUESTIONS[1:])
        session.model = ScriptModel([said(wrong), said(right)])
        return ask(session, QUESTIONS[1:]).solver_calls

    assert calls(failing=True) == calls(failing=False)


def test_a_query_is_asked_once_under_its_id() -> None:
    session = QuerySession(SEATED, model=ScriptModel([said(GOLD)]), method=find_label_method("direct"))
    with pytest.raises(InputError, match="needs a query"):
        ask(session, [])
    ask(session, QUESTIONS)
    with pytest.raises(InputError, match="'q0' was asked before"):
        ask(session, [QUESTIONS[0]])


def test_impossible_premises_are_said_to_be_so_and_settle_nothing() -> None:
    mad = case([A.eq(1), A.eq(2)], [A.eq(1), A.eq(2)])
    session = QuerySession(mad, model=ScriptModel([said({"q0": E, "q1": U})]))
    record = ask(session, [Question(query.id, query.text, query.formula) for query in mad.queries])
    verdict = record.final.verdict
    assert verdict.basis is Satisfiability.UNSAT
    assert verdict.mus == ("P1", "P2")
    assert record.detail.labels == {"q0": E, "q1": U}, "nothing is withdrawn for premises that cannot hold"
    assert record.events == ()


def test_a_case_without_a_world_cannot_be_formalized() -> None:
    with pytest.raises(SettingsError, match="what its world is made of"):
        QuerySession(SEATED, model=ScriptModel([]), formal="llm")


async def test_questions_are_formalized_like_statements() -> None:
    """A model that formalizes also reads the statement of a question."""
    [case] = generate_dialogues(7, 1)
    model = Recorder(lambda request: "{}" if request.purpose.startswith("extract") else said({"q0": U}))
    session = QuerySession(case, model=model, way_of_asking="one", formal="llm", words="yes_no")
    question = case.queries[0]
    assert question.text.endswith("?")
    await session.turn([Question(question.id, question.text, question.formula)])
    assert any(f"Sentence: {question.text[:-1]}" in prompt for prompt in model.prompts)


def open_rota(*premises: Premise, replies: Sequence[str]) -> QuerySession:
    return QuerySession(Case.of(WEEK, premises), model=ScriptModel(list(replies)))


ANN_LATE = Premise("Ann works on day 5.", WEEK.formula(made("on_day", "Ann", 5)))
ANN_EARLY = Question("q0", "Ann works on day 1.", WEEK.formula(made("on_day", "Ann", 1)))


def test_a_premise_without_a_formula_leaves_all_that_fits_undecided_in_every_turn() -> None:
    session = open_rota(Premise("Ann works on day 5."), replies=[said({"q0": E}), said({"q1": U})])
    first = ask(session, [ANN_EARLY])
    assert (first.outcome, first.detail.labels) == (LabelOutcome.UNDECIDED, {"q0": E})
    assert first.final.verdict.reason == "premise P1 was not read"
    coverage = coverage_of(first)
    assert [each.sentence for each in coverage.unread] == ["Ann works on day 5."]
    assert coverage.gaps() == ['not read: "Ann works on day 5." (no formula was given with it)']
    second = ask(session, [Question("q1", "Bob works on day 2.", WEEK.formula(made("on_day", "Bob", 2)))])
    assert (second.outcome, second.final.verdict.reason) == (LabelOutcome.UNDECIDED, "premise P1 was not read")
    assert (second.readings, second.unread_before) == ((), 1)


def test_what_clashes_does_so_whatever_was_not_read() -> None:
    session = open_rota(ANN_LATE, Premise("Bob is kind."), replies=[said({"q0": E})])
    record = ask(session, [ANN_EARLY])
    assert (record.outcome, record.final.verdict.refuted) == (LabelOutcome.CONTRADICTS_PREMISES, ("q0",))
    assert record.detail.labels == {"q0": U}


def test_premises_that_tell_the_setting_need_no_formula() -> None:
    session = open_rota(ANN_LATE, Premise("There are five days.", setting=True), replies=[said({"q0": C})])
    record = ask(session, [ANN_EARLY])
    assert (record.outcome, record.readings) == (LabelOutcome.CONSISTENT, ())


def test_what_a_model_cannot_read_leaves_the_turn_undecided_too() -> None:
    model = Recorder(lambda request: "{}" if request.purpose.startswith("extract") else said({"q0": E}))
    session = QuerySession(Case.of(WEEK, [ANN_LATE]), model=model, formal="llm")
    record = ask(session, [ANN_EARLY])
    assert (record.outcome, record.final.verdict.reason) == (
        LabelOutcome.UNDECIDED,
        "premise P1 and query q0 were not read",
    )
    assert [each.sentence for each in coverage_of(record).unread] == ["Ann works on day 5", "Ann works on day 1"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (QUESTIONS[3], r"a turn takes a list of queries, \[Question\(...\)\], not an object of the class .*Question"),
        ("Is Ann first?", "a turn takes a list of queries, .*, not 'Is Ann first"),
        (None, "a turn takes a list of queries, .*, not None"),
        (["Is Ann first?"], "each query of a turn is 'Is Ann first"),
        (
            [Question("q", "Is x 1?", Variable("x", IntSort(0, 1)).eq(1))],
            "the query 'q' is about 'x', which is not declared",
        ),
    ],
)
def test_what_is_no_list_of_queries_is_refused_and_nothing_is_asked(given: Any, words: str) -> None:
    with QuerySession(SEATED, model=ScriptModel([said({"q3": E})])) as session:
        with pytest.raises(InputError, match=words):
            session.ask(given)
        assert session.ask(one for one in [QUESTIONS[3]]).detail.labels == {"q3": E}  # type: ignore[arg-type]


def test_a_query_is_text() -> None:
    with pytest.raises(InputError, match="the id of a query is a text, not 1"):
        Question(1, "Is Ann first?")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the text of the query 'q' is a text, not None"):
        Question("q", None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the statement of the query 'q' is a text, not 5"):
        Question("q", "Is Ann first?", None, 5)  # type: ignore[arg-type]


def test_an_explanation_says_what_was_given_up_and_for_what() -> None:
    session = QuerySession(
        SEATED,
        model=ScriptModel([said({"q3": E}), said({"q4": E})]),
        method=find_label_method("recency"),
        way_of_asking="one",
    )
    first, second = ask(session, [QUESTIONS[3]]), ask(session, [QUESTIONS[4]])
    assert session.explain(first) == ["These labels can all be right together."]
    *_, last = session.explain(second)
    assert last.startswith("q3 “statement 3” as ENTAILED was given up: it cannot hold together with ")
    assert "q4" in last and last.endswith(".")


def test_an_explanation_says_which_labels_changed_when_the_model_was_asked_again() -> None:
    changed = [said({"q3": E, "q4": E}), said({"q3": E, "q4": C})]
    session = QuerySession(SEATED, model=ScriptModel(changed), method=find_label_method("check_repair"))
    told = session.explain(ask(session, [QUESTIONS[3], QUESTIONS[4]]))
    assert told == [
        "These labels can all be right together.",
        "Asked again, the model changed q4 from ENTAILED to CONTRADICTED.",
    ]
    stubborn = QuerySession(
        SEATED, model=ScriptModel([said({"q3": E, "q4": E})] * 3), method=find_label_method("check_repair")
    )
    told = stubborn.explain(ask(stubborn, [QUESTIONS[3], QUESTIONS[4]]))
    assert "Asked again, the model changed no label." in told
