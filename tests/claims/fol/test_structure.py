"""A structure evaluates sentences by their plain meaning; a value is unknown only if it depends on missing facts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.meaning import settled, state
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary_check import check
from tests.claims.fol.typed import WORDS, holds, sentences, structures


@given(sentences, structures())
@settings(max_examples=150)
def test_a_whole_structure_gives_every_sentence_its_plain_truth(sentence: fol.Sentence, where: Structure) -> None:
    try:
        plain = holds(sentence, where, {})
    except KeyError:  # a value that the structure's table of numbers does not have
        return
    assert where.truth(sentence) is plain


@given(sentences, structures(), st.data())
@settings(max_examples=150)
def test_what_holds_of_a_part_holds_of_the_whole(sentence: fol.Sentence, where: Structure, data: Any) -> None:
    kept = data.draw(st.lists(st.sampled_from(sorted(where.facts, key=str)), max_size=20).map(set))
    part = Structure(WORDS, where.things, {fact: value for fact, value in where.facts.items() if fact in kept})
    told = part.truth(sentence)
    if told is not None:
        assert where.truth(sentence) in (told, None)


def test_a_part_tells_something() -> None:
    """The law above would hold of what is never known too."""
    part = Structure(WORDS, {"Ann": frozenset({"guest"})}, {("Came", ("Ann",)): 1, ("nights", ("Ann",)): 3})
    for text, told in (
        ("Came(Ann)", True),
        ("Open and not Came(Ann)", False),
        ("Open or Came(Ann)", True),
        ("Open", None),
        ("Open -> Came(Ann)", True),
        ("forall x in guest Came(x)", True),
        ("nights(Ann) * nights(Ann) = 9", True),
        ("if(Open, 3, nights(Ann)) = 3", True),
        ("if(Open, 2, nights(Ann)) = 3", None),
        ("count x in guest (Came(x)) = 1", True),
        ("sum x in guest (nights(x) where Came(x)) = 3", True),
        ("sum x in guest (nights(x) where Open) = 3", None),
        ("0 * weight(Ann) = 0 kg", True),
    ):
        assert part.truth(state(read_fol(text).sentence or fol.Or(()), WORDS).sentence) is told, text


@given(sentences)
@settings(max_examples=150)
def test_text_is_read_as_what_was_written(sentence: fol.Sentence) -> None:
    read = read_fol(write_fol(sentence))
    assert read.alerts == ()
    assert read.sentence == sentence


@given(sentences)
@settings(max_examples=150)
def test_what_is_drawn_keeps_to_the_vocabulary(sentence: fol.Sentence) -> None:
    assert check(WORDS, settled(sentence, WORDS), write_fol(sentence)) == ()


def test_an_evaluation_can_be_ended() -> None:
    tried = 0

    def at_each() -> None:
        nonlocal tried
        tried += 1
        if tried > 1_000:
            raise TimeoutError

    things = {f"?{place}": frozenset[str]() for place in range(100)}
    sentence = read_fol("forall x (forall y (forall z (x = x or y = z)))").sentence
    assert sentence is not None
    with pytest.raises(TimeoutError):
        Structure(WORDS, things, {}).truth(sentence, at_each)


def test_facts_are_shown_in_their_units() -> None:
    facts: dict[Any, Any] = {
        ("Came", ("Ann",)): 1,
        ("price", ("Ann",)): Fraction(25, 2),
        ("nights", ("Ann",)): 3,
        ("arrived", ("Ann",)): 739676,
        ("boss", ("Ann",)): "Bob",
        ("Big", (Fraction(70),)): 0,
    }
    shown = Structure(WORDS, {"Ann": frozenset({"guest"}), "Bob": frozenset({"guest"})}, facts).shown()
    assert shown == {
        "Came(Ann)": 1,
        "price(Ann)": "12.50 EUR",
        "nights(Ann)": 3,
        "arrived(Ann)": "2026-03-01",
        "boss(Ann)": "Bob",
        "Big(70 kg)": 0,
    }


@pytest.mark.parametrize("text", ["Came(Eve)", "forall y Came(x)", "Came(Ann) and Ann < Bob", "nights(Ann) = Ann"])
def test_what_has_no_meaning_is_refused(text: str) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    where = Structure(WORDS, {"Ann": frozenset(), "Bob": frozenset()}, {("Came", ("Ann",)): 1, ("nights", ("Ann",)): 1})
    with pytest.raises(FormulaError):
        where.truth(sentence)
