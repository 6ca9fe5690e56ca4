"""Retries of a turn differ if the method says so, in every kind of answer. Otherwise, equal requests are sent once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.kinds.assignment.method import Feedback, Method
from holdtrue.kinds.labels.method import LabelMethod
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.retries import RetryDifference
from holdtrue.models.chat import Reply, Request
from holdtrue.models.sampling import Sampling
from holdtrue.record import AttemptRecord, ReplyKind, Usage
from holdtrue.world.seating import SEATING
from tests.claims.kind import world
from tests.kinds.search.searches import search
from tests.lab.kinds.labels.labelled import SEATED, C, E
from tests.recorder import Recorder

MESSAGE = "Ann must sit at position 1."
SEATS = [json.dumps({"solution": {"Ann": a, "Bob": b}}) for a, b in ((2, 1), (2, 2))]
CLIPPED = Reply('{"solution": {', Usage(1, 1, 1), ReplyKind.CUT)
QUESTIONS = [Question(query.id, query.text, query.formula) for query in SEATED.queries]
LABELS = [json.dumps({"answers": {query.id: {"label": label} for query in SEATED.queries}}) for label in (E, C)]


def seats(replies: Sequence[str | Reply], difference: RetryDifference, violated: bool, warm: bool) -> Any:
    method = Method(
        "tried", repairs=4, refinements=1, retry_difference=difference, feedback=Feedback(violated=violated)
    )
    model = _model(replies)
    session = Session(
        SEATING, ["Ann", "Bob"], model=model, method=method, extractor=TemplateExtractor(), sampling=_sampling(warm)
    )
    return asyncio.run(session.turn(MESSAGE)), model


def labels(replies: Sequence[str | Reply], difference: RetryDifference, conflict: bool, warm: bool) -> Any:
    feedback: Any = "conflict" if conflict else "names"
    method = LabelMethod("tried", repairs=4, retry_difference=difference, feedback=feedback)
    model = _model(replies)
    session = QuerySession(SEATED, model=model, method=method, sampling=_sampling(warm))
    return asyncio.run(session.turn(QUESTIONS)), model


def _sampling(warm: bool) -> Sampling:
    return Sampling(temperature=0.7 if warm else 0.0)


def _model(replies: Sequence[str | Reply]) -> Recorder:
    """A model that gives these replies, and then the last one again and again."""
    left = iter(replies)
    return Recorder(lambda request: next(left, replies[-1]))


KINDS: dict[str, tuple[Callable[..., Any], Sequence[str | Reply]]] = {
    "assignment": (seats, [*SEATS, "I do not know.", CLIPPED]),
    "labels": (labels, [*LABELS, "I do not know.", CLIPPED]),
}


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.sampled_from(("number", "quote")), st.booleans(), st.booleans())
def test_no_request_of_a_turn_is_sent_twice(
    kind: str, data: Any, difference: RetryDifference, full: bool, warm: bool
) -> None:
    play, replies = KINDS[kind]
    record, model = play(data.draw(st.lists(st.sampled_from(replies), min_size=1, max_size=9)), difference, full, warm)
    asked = [_told(request) for request in model.requests if request.purpose != "critique"]
    assert len(set(asked)) == len(asked), "all prompts differ"
    assert record.usage.calls == len(model.requests), "so that all are sent"


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.booleans(), st.booleans())
def test_without_a_difference_a_repeated_request_is_counted_and_sent_once(
    kind: str, data: Any, full: bool, warm: bool
) -> None:
    play, replies = KINDS[kind]
    record, model = play(data.draw(st.lists(st.sampled_from(replies), min_size=1, max_size=9)), "none", full, warm)
    keys = [_key(attempt) for attempt in record.attempts]
    assert record.usage.calls == len(keys) + sum(len(attempt.calls) - 1 for attempt in record.attempts)
    if warm:
        assert len(set(keys)) == len(keys), "every retry is a draw of its own"
    sent = [request.key(model.name) for request in model.requests if request.purpose != "critique"]
    assert sorted(set(keys)) == sorted(sent), "each is sent once"


def test_claims_say_which_attempt_it_is_and_how_often_an_answer_was_given() -> None:
    weak = world.said("B", "Tom barks", "Tom sleeps", "Rex barks")
    for difference, told in (("number", "This is attempt 3."), ("quote", "You have given this very answer 2 times")):
        model = world.scripted(lambda request: weak)
        asyncio.run(world.play(world.light("verge", retry_difference=difference, converge=None), model))
        prompts = [prompt for prompt, request in zip(model.prompts, model.requests, strict=True) if _asks(request)]
        assert [told in prompt for prompt in prompts] == [False, False, True]


def test_searches_say_it_from_the_second_round_on() -> None:
    wrong = '{"status": "sat", "assignment": {"a": 0, "b": 0, "c": 0, "d": 0}}'
    differing: tuple[RetryDifference, ...] = ("number", "quote")
    for difference, told in zip(
        differing, ("This is attempt 3.", "You have given this very answer 2 times"), strict=True
    ):
        method = SearchMethod("tried", feedback="core", retry_difference=difference)
        prompts = search(method, [wrong]).model.prompts
        assert told not in prompts[0] + prompts[1] and told in prompts[2]


def _asks(request: Request) -> bool:
    return request.purpose == "answer"


def _told(request: Request) -> tuple[Any, ...]:
    return tuple((message.role, message.content) for message in request.messages)


def _key(attempt: AttemptRecord) -> str:
    return next(call.key for call in attempt.calls if call.purpose == attempt.kind)
