"""Test how the prompts and samples of retries differ."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue import QuerySession, Session
from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method, find_method
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod
from holdtrue.kinds.search.method import SEARCH_PRESETS, SearchMethod
from holdtrue.language.retries import (
    DIFFERENCES,
    Retries,
    RetryDifference,
    check_retries,
    same_answer,
    say,
    times_given,
)
from holdtrue.models.chat import system, user
from holdtrue.models.sampling import Sampling
from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, VerdictRecord
from holdtrue.world.seating import SEATING
from holdtrue_claims import ClaimSession
from holdtrue_claims.kind.method import CLAIM_PRESETS, ClaimMethod
from tests.lab.kinds.labels.labelled import SEATED
from tests.recorder import Recorder

METHODS = (Method, LabelMethod, SearchMethod, ClaimMethod)
PUBLISHED = ("mus_repair", "check_repair", "self_refine", "verge", "multi_unsat_core_feedback", "cd_vgs_core_rank")


def attempt(text: str, answer: dict[str, str | int] | None = None, kind: str = "answer") -> AttemptRecord:
    return AttemptRecord(1, kind, text, answer, VerdictRecord(Satisfiability.SAT, AnswerStatus.VIOLATING))


@given(st.sampled_from(("number", "quote")), st.data())
def test_no_two_retries_of_a_turn_say_the_same(difference: RetryDifference, data: Any) -> None:
    """A retry differs by its number, or by the quoted answer with its count."""
    answers = data.draw(st.lists(st.sampled_from("abc"), max_size=12))
    told = []
    for number in range(1, len(answers) + 1):
        failed = answers[number - 1]
        given_so_far = answers[:number].count(failed)
        sentence = Retries(difference, 0.0).sentence(number + 1, given_so_far)
        told.append((failed if difference == "quote" else "", sentence))
    assert len(set(told)) == len(told)


@given(st.sampled_from(DIFFERENCES), st.integers(1, 99), st.integers(0, 9))
def test_draws_have_numbers_of_their_own_above_temperature_0(difference: RetryDifference, n: int, other: int) -> None:
    assert Retries(difference, 0.5).draw(n, other) == n
    assert Retries(difference, 0.0).draw(n, other) == other


def test_a_sentence_stands_at_the_end_of_the_last_message() -> None:
    prompt = (system("Rules."), user("Question?"))
    assert say(prompt, "") == prompt
    assert say(prompt, "This is attempt 2.") == (system("Rules."), user("Question?\n\nThis is attempt 2."))


def test_answers_are_the_same_by_their_values_and_else_by_their_texts() -> None:
    assert same_answer(attempt("a", {"x": 1}), attempt("b", {"x": 1}))
    assert not same_answer(attempt("a", {"x": 1}), attempt("a", {"x": 2}))
    assert same_answer(attempt("a"), attempt("a")) and not same_answer(attempt("a"), attempt("b"))
    assert not same_answer(attempt("It is so.", {"option": "A"}), attempt("It is not.", {"option": "A"}))
    given_ = [attempt("a", {"x": 1}, "sample"), attempt("b", {"x": 1}, "sample"), attempt("a", {"x": 1}, "vote")]
    assert times_given(given_, given_[-1]) == 2, "a vote is no answer of its own"


@pytest.mark.parametrize("kind", METHODS)
def test_a_setting_that_cannot_be_is_refused_in_words(kind: Any) -> None:
    with pytest.raises(SettingsError, match="retry_difference is one of none, number, quote, sample, not 'loud'"):
        kind("mine", retry_difference="loud")
    with pytest.raises(SettingsError, match=r"method 'mine': retry_difference sample .* temperature above 0"):
        kind("mine", retry_difference="sample", temperature=0.0)
    warm = kind("mine", retry_difference="sample", temperature=0.4)
    check_retries(warm, Sampling())
    with pytest.raises(SettingsError, match="temperature above 0"):
        check_retries(kind("mine", retry_difference="sample"), Sampling())
    check_retries(kind("mine", retry_difference="sample"), Sampling(temperature=1.0))


def test_conversations_refuse_draws_at_temperature_0_before_a_model_is_asked() -> None:
    model = Recorder(lambda request: "{}")
    with pytest.raises(SettingsError, match="retry_difference sample"):
        Session(SEATING, ["Ann", "Bob"], model=model, method=Method("mine", retry_difference="sample"))
    with pytest.raises(SettingsError, match="retry_difference sample"):
        QuerySession(SEATED, model=model, method=LabelMethod("mine", retry_difference="sample"))
    with pytest.raises(SettingsError, match="retry_difference sample"):
        ClaimSession("It rains.", model=model, method=ClaimMethod("mine", retry_difference="sample"))
    assert not model.requests


def test_what_is_published_stays_as_published_and_ours_quotes() -> None:
    presets: dict[str, Any] = {**CLAIM_PRESETS, **SEARCH_PRESETS, **LABEL_PRESETS, **PRESETS}
    assert {presets[name].retry_difference for name in PUBLISHED} == {"none"}
    differing = {name for name, method in presets.items() if method.retry_difference != "none"}
    assert differing == {"drift_repair", "drift_repair_project", "conflict_repair"}
    assert find_method("drift_repair").retry_difference == "quote"
