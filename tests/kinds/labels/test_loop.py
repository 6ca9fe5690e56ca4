"""Label methods, played through a session with a scripted model: three seats, a before b, c not in the first."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.errors import DomainError, FormulaMistake, SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod, find_label_method
from holdtrue.kinds.labels.record import LabelOutcome, LabelsRecord, label_outcome
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Label
from holdtrue.world.registry import find_domain
from tests.lab.kinds.labels.labelled import SEATED, C, E, U

QUESTIONS = [Question(query.id, query.text, query.formula) for query in SEATED.queries]
GOLD = {query.id: query.label.value for query in SEATED.queries}


def said(labels: Mapping[str, str], confidence: Mapping[str, float] | None = None) -> str:
    """A reply in the shape that prompts ask for."""
    sure = confidence or {}
    return json.dumps(
        {"answers": {id: {"label": label, "confidence": sure.get(id, 0.9)} for id, label in labels.items()}}
    )


def ask(session: QuerySession, questions: Sequence[Question] = QUESTIONS) -> LabelsRecord:
    return asyncio.run(session.turn(questions))


def play(method: str | LabelMethod, *replies: str, questions: Sequence[Question] = QUESTIONS) -> LabelsRecord:
    chosen = find_label_method(method) if isinstance(method, str) else method
    return ask(QuerySession(SEATED, model=ScriptModel(list(replies)), method=chosen), questions)


def test_a_method_without_formulas_spends_no_solver_calls() -> None:
    record = play("direct", said({**GOLD, "q0": C}))
    assert record.detail.labels["q0"] == C, "nothing is revised"
    assert record.solver_calls == 0
    assert label_outcome(record.final.verdict) is LabelOutcome.CONTRADICTS_PREMISES


def test_labels_that_the_premises_refute_are_given_back_by_name() -> None:
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return said({**GOLD, "q0": C} if len(asked) == 1 else GOLD)

    session = QuerySession(SEATED, model=ScriptModel(reply), method=find_label_method("check_repair"))
    record = ask(session)
    assert [attempt.kind for attempt in record.attempts] == ["answer", "repair"]
    first = record.attempts[0].verdict
    assert (first.answer, first.refuted, first.blame) == (AnswerStatus.VIOLATING, ("q0",), ("q0",))
    assert first.mus == ("P2", "q0")
    prompt = asked[1].messages[-1].content
    assert "q0 (CONTRADICTED)" in prompt
    assert "q1 (" not in prompt
    assert "cannot all be true together" not in prompt, "check_repair tells names only"
    assert record.detail.labels == GOLD


def test_a_conflict_between_answers_is_told_in_sentences() -> None:
    clash = {**GOLD, "q3": E, "q4": E}  # b in the second seat and in the third
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return said(clash if len(asked) == 1 else GOLD)

    session = QuerySession(SEATED, model=ScriptModel(reply), method=find_label_method("conflict_repair"))
    record = ask(session)
    assert record.attempts[0].verdict.refuted == ()
    assert set(record.attempts[0].verdict.blame) == {"q3", "q4"}
    assert label_outcome(record.attempts[0].verdict) is LabelOutcome.CONTRADICTS_BELIEFS
    prompt = asked[1].messages[-1].content
    assert "- statement 3 (your answer)" in prompt
    assert "- statement 4 (your answer)" in prompt
    assert record.detail.labels == GOLD


def test_repairs_are_capped() -> None:
    wrong = said({**GOLD, "q0": C})
    record = play("check_repair", wrong, wrong, wrong)
    assert [attempt.kind for attempt in record.attempts] == ["answer", "repair", "repair"]
    assert record.detail.labels["q0"] == C


def test_maxsat_gives_up_what_is_least_sure() -> None:
    clash = {**GOLD, "q3": E, "q4": E}
    for sure, lost in (({"q3": 0.4}, "q3"), ({"q4": 0.4}, "q4")):
        record = play("maxsat_repair", said(clash, sure))
        assert record.detail.labels == {**clash, lost: U}
        assert record.detail.set_aside == (lost,)
        (event,) = [event for event in record.events if event.kind == "set_aside"]
        assert (event.id, event.type, event.args) == (lost, E, (lost,))
        assert set(event.because) >= {"q3", "q4"} - {lost}
        assert record.usage.calls == 1


def test_votes_share_their_confidence() -> None:
    method = LabelMethod("three", frame="direct", samples=3, temperature=0.7, policy="min_change")
    draws = [said({**GOLD, "q3": E}), said({**GOLD, "q3": E}), said({**GOLD, "q3": C})]
    record = play(method, *draws)
    assert [attempt.kind for attempt in record.attempts] == ["sample", "sample", "sample", "vote"]
    assert record.final.confidence["q3"] == pytest.approx(2 / 3)
    assert record.detail.labels["q3"] == E


def test_one_model_commits_to_a_single_situation() -> None:
    record = play("one_model")
    assert set(record.detail.labels.values()) <= {E, C}
    assert all(record.detail.labels[id] == label for id, label in GOLD.items() if label != U)
    assert label_outcome(record.final.verdict) is LabelOutcome.CONSISTENT


@pytest.mark.parametrize(
    "settings", [{"samples": 0}, {"repairs": -1}, {"frame": "sonnet"}, {"temperature": 3.0}, {"format_retries": -1}]
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match="mine"):
        LabelMethod("mine", **settings)  # type: ignore[arg-type]


def test_presets_have_their_own_names() -> None:
    assert all(method.name == name for name, method in LABEL_PRESETS.items())
    with pytest.raises(SettingsError, match=r"direct.*min_change"):
        find_label_method("nonsense")
    assert LABEL_PRESETS.keys() >= {"direct", "none", "greedy_printed", "cot_min_change", "always_unknown"}


SEATING = find_domain("seating")
ROW = SEATING.instance(["Ann", "Bob", "Cy"])
OTHER = Variable("Dee.seat", IntSort(1, 3))
ONE = Case.of(ROW, [Premise("Three people sit in a row.")])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((SEATING, []), r"case 'own': it is about an instance, domain.instance\(\[...\]\), not Domain"),
        (("seating", []), "case 'own': it is about an instance, .* not 'seating'"),
        ((ROW, "Ann is first."), r"the premises are a list of Premise\(text, formula\), not 'Ann is first.'"),
        ((ROW, Premise("Ann is first.")), "the premises are a list of Premise"),
        ((ROW, ["Ann is first."]), r"premise 1 must be a Premise\(text, formula\), not 'Ann is first.'"),
        ((ROW, [Premise("Dee is first.", OTHER.eq(1))]), "premise 1 is about 'Dee.seat', which is not declared"),
    ],
)
def test_what_cannot_be_a_case_is_refused_where_it_is_made(given: tuple[Any, Any], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Case.of(*given)


def test_a_premise_and_a_query_say_something() -> None:
    with pytest.raises(DomainError, match="a premise is a sentence, a text, not None"):
        Premise(None)  # type: ignore[arg-type]
    with pytest.raises(FormulaMistake, match="query 'q0': a formula was expected and True came"):
        Query("q0", "Is Ann first?", Label.ENTAILED, "kind", True)  # type: ignore[arg-type]


def test_queries_and_variables_are_told_apart() -> None:
    asked = Query("q0", "Is Ann first?", Label.UNKNOWN, "kind")
    assert replace(ONE, queries=(asked, replace(asked, id="q1"))).queries[1].id == "q1"
    with pytest.raises(DomainError, match="case 'own': query 1 and query 2 have the same id 'q0'"):
        replace(ONE, queries=(asked, asked))
    with pytest.raises(DomainError, match=r"query 1 must be a Query\(id, text, label, type\), not 'Is Ann first"):
        replace(ONE, queries=("Is Ann first?",))  # type: ignore[arg-type]
    with pytest.raises(DomainError, match=r"case 'own': the variable 'Ann\..*' is declared twice"):
        replace(ONE, variables=(*ONE.variables, ONE.variables[0]))


def test_laws_are_about_the_case_s_own_variables() -> None:
    with pytest.raises(DomainError, match=r"case 'own': law 1 is about 'Dee.seat', which is not declared"):
        replace(ONE, laws=(OTHER.eq(1),))
    with pytest.raises(FormulaMistake, match="case 'own': law 1: a formula was expected and None came"):
        replace(ONE, laws=(None,))  # type: ignore[arg-type]
