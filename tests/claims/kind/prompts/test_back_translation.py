"""Tests of translating formulas back into sentences, and of the similarity of two sentences."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.vocabulary import ANY, Entity, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.back_translation import back_translate, similarity

WORDS = Vocabulary((Entity("Mia", "person"),), (Predicate("Dancer", (ANY,), "x is a dancer"),))


@pytest.mark.parametrize("reply", ['{"sentence": "Mia is\\n a dancer."}', "Mia is a dancer.\n"])
def test_a_formula_in_words(reply: str) -> None:
    asking = Asking(ScriptModel([reply]))
    assert asyncio.run(back_translate(asking, WORDS, "Dancer(Mia)")) == "Mia is a dancer."
    assert [call.purpose for call in asking.calls] == ["retell"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("Mia practises daily.", "daily, Mia is practising"),
        ("If someone is a dancer, then they practise daily.", "All dancers practise daily."),
        ("No dancer sings.", "If someone is a dancer, they do not sing."),
        ("Mia doesn't sing.", "Mia does not sing."),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert similarity(one, other) >= 0.7


@pytest.mark.parametrize(
    "one, other",
    [
        ("Mia practises daily at the opera.", "Mia does not practise daily at the opera."),
        ("Mia sings and dances.", "Tom rows and swims."),
        ("Mia teaches Tom.", "Mia is a dancer."),
        ("The boat is second.", "The boat is third."),
    ],
)
def test_something_else(one: str, other: str) -> None:
    assert similarity(one, other) < 0.7


words = st.sampled_from(["mia", "tom", "sings", "dances", "not", "no", "or", "some", "all", "the", "boats"])
sentences = st.lists(words, max_size=7).map(" ".join)


@given(sentences, sentences | st.text(max_size=20))
@settings(max_examples=60, deadline=None)
def test_laws(one: str, other: str) -> None:
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, other) == similarity(other, one)
    assert similarity(one, one) == similarity(" ".join(reversed(one.split())), one) == 1


def test_a_name_in_one_word_is_the_name_in_several() -> None:
    assert similarity("Parcel C is replaced.", "ParcelC is replaced") == 1.0
    assert similarity("The blue jay is old.", "BlueJay is old") == 1.0
