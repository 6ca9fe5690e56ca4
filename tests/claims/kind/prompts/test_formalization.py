"""Tests of translating sentences to formulas: the prompt, and replies of any form."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.formalization import (
    Formalization,
    Refused,
    formalize,
    formula_schema,
    read_formalization,
    reply_formula,
)
from holdtrue_claims.kind.prompts.offered import Offer

WORDS = Vocabulary(
    (Entity("Mia", "person"), Entity("Tom", "person")),
    (Predicate("Dancer", (ANY,), "x is a dancer"), Predicate("Teaches", (ANY, ANY), "x teaches y")),
    (Function("rank", ("person",), 1, 3, distinct=True, meaning="rank of x"),),
)


def asked(reply: str, sentence: str = "Mia dances.", refused: Refused | None = None) -> tuple[Formalization, Request]:
    requests: list[Request] = []

    def answer(request: Request) -> str:
        requests.append(request)
        return reply

    asking = Asking(ScriptModel(answer))
    found = asyncio.run(
        formalize(asking, WORDS, sentence, temperature=1.0, sample=2, purpose="refine", refused=refused)
    )
    assert [call.purpose for call in asking.calls] == ["refine"]
    return found, requests[0]


def test_a_formula_of_the_vocabulary_is_sound() -> None:
    found, request = asked('{"formula": "Dancer(Mia)"}')
    assert (found.text, found.sound, found.alerts) == ("Dancer(Mia)", True, ())
    assert (request.temperature, request.sample) == (1.0, 2)


def test_the_sentence_comes_last_and_what_comes_before_is_the_same_for_all() -> None:
    _, one = asked("", "Mia dances.")
    _, other = asked("", "Tom\ndances.")
    assert one.messages[:-1] == other.messages[:-1]
    assert one.messages[-1].content.replace("Mia dances.", "Tom dances.") == other.messages[-1].content
    assert one.messages[-1].content.endswith("Sentence: Mia dances.")


def test_what_was_refused_is_shown_with_the_reason() -> None:
    _, request = asked("", refused=Refused("Dancer(Tom)", "it is about another person"))
    assert "Dancer(Tom)" in request.messages[-1].content
    assert "it is about another person" in request.messages[-1].content


@pytest.mark.parametrize(
    "text, kind",
    [
        ("Singer(Mia)", "undeclared"),
        ("Teaches(Mia)", "arity_clash"),
        ("Dancer(x)", "free_variable"),
        ("rank(Mia) < Tom", "sort_clash"),
        ("Dancer(rank(Mia))", "function"),
        ("Dancer(Mia", None),
        ("Mia dances.", "unparsed"),
        ("", "unparsed"),
    ],
)
def test_faults_are_told_once(text: str, kind: str | None) -> None:
    found = read_formalization(text, WORDS)
    assert found.sound is (kind is None)
    assert [alert.kind for alert in found.alerts] == [kind or "brackets_repaired"]


def test_things_that_the_sentence_does_not_name_cannot_be_written() -> None:
    _, request = asked("", "If people teach, they dance.")
    bare = Vocabulary((), WORDS.predicates, WORDS.functions)
    assert request.schema == formula_schema(Offer(bare, some=False, counts=False, sums=False))
    pattern = re.compile(str(request.schema and request.schema["properties"]["formula"]["pattern"]))
    assert pattern.fullmatch("forall x (exists y (Teaches(x, y)) -> Dancer(x))")
    assert not pattern.fullmatch("Dancer(Mia)")
    assert not pattern.fullmatch("exists x (Dancer(x))")


@pytest.mark.parametrize("reply", ['{"formula": "Dancer(Mia)"}', "<think>hm</think> ```{'formula': 'Dancer(Mia)'}```"])
def test_formulas_in_replies(reply: str) -> None:
    assert reply_formula(reply) == "Dancer(Mia)"


def test_a_reply_without_an_object_is_the_formula() -> None:
    assert reply_formula(" Dancer(Mia)\n") == "Dancer(Mia)"


PIECES = ("forall x (", "exists", "Dancer(", "Mia", ")", "rank(", "(assert ", "(=> ", "((x Thing))", "-", "1", "∀", "∈")
pieces = st.sampled_from((*PIECES, '"', ","))
texts = st.text(max_size=40) | st.lists(pieces, max_size=14).map(" ".join)


@given(texts)
@settings(max_examples=200, deadline=None)
def test_reading_never_fails(text: str) -> None:
    for reply in (text, json.dumps({"formula": text}), '{"formula": ' + text):
        found = read_formalization(reply_formula(reply), WORDS)
        assert found.sentence is not None or found.alerts
        assert all(alert.position is None or 0 <= alert.position <= len(found.text) for alert in found.alerts)
