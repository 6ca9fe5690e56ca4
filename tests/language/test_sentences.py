from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.sentences import split_sentences
from tests.data import DRIFT, needs_data
from tests.patience import no_hang


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("", []),
        ("  \n . ", []),
        ("Ann sits at 3", ["Ann sits at 3"]),
        ("Zyx Yahoo! is on day 6 instead", ["Zyx Yahoo! is on day 6 instead"]),
        ("Wait! is Ann on day 2?", ["Wait!", "is Ann on day 2?"]),
        ("Thanks so much for all of that! is on day 6", ["Thanks so much for all of that!", "is on day 6"]),
        ("No way! Ann is on day 6", ["No way!", "Ann is on day 6"]),
        ("Hi! 👋 Ann is first 🎉 Bob 🙂 is last", ["Hi! 👋", "Ann is first 🎉", "Bob 🙂 is last"]),
        ("As follows: 1. Ann is first. 2. Bob is 3.", ["As follows:", "Ann is first", "Bob is 3"]),
        ("Dear all, (a) Ann goes at 8 p.m. (b) Bob stays.", ["Dear all,", "Ann goes at 8 p.m", "Bob stays"]),
        ("✅ Ann is first\n❌ Bob is.", ["✅ Ann is first", "❌ Bob is"]),
        ("A must sit next to B. Also, C must sit at position 3.", ["A must sit next to B", "C must sit at position 3"]),
        ("Also, and also, Ann is first.", ["Ann is first"]),
        ("Ann is first; Bob is last! Is Cy here?", ["Ann is first", "Bob is last!", "Is Cy here?"]),
        ("- Ann is first\n- Bob is last\n\n* Cy", ["Ann is first", "Bob is last", "Cy"]),
        ("1. Ann is first.\n2. Bob is last.\n3) Cy", ["Ann is first", "Bob is last", "Cy"]),
        ("Dr. Lee sits by Mrs. Poe, e.g. at 3. Bob is last.", ["Dr. Lee sits by Mrs. Poe, e.g. at 3", "Bob is last"]),
        ("Leave 3.5 m. No. 5 is free. No.", ["Leave 3.5 m", "No. 5 is free", "No"]),
        ("John F. Kennedy sits. Put B next to C. D is last.", ["John F. Kennedy sits", "Put B next to C", "D is last"]),
        ("Start at 3 p.m. sharp. End at 4 p.m. Bob speaks.", ["Start at 3 p.m. sharp", "End at 4 p.m", "Bob speaks"]),
        ('She said "Ann first." Then she left.', ['She said "Ann first."', "Then she left"]),
        ("Forget that. Instead, Ann is last.", ["Forget that", "Instead, Ann is last"]),
    ],
)
def test_splits(message: str, sentences: list[str]) -> None:
    assert split_sentences(message) == sentences


def test_a_name_that_begins_like_a_connective_stays_whole() -> None:
    message = "Plus One sits by Ann. And Also Plus One is not last. Plus, Ann is first."
    parts = ["Plus One sits by Ann", "Plus One is not last", "Ann is first"]
    assert split_sentences(message, ["Ann", "Plus One"]) == parts
    assert split_sentences(message)[0] == "One sits by Ann"


@given(st.text(alphabet="aB. \n;!?-*1'\"é,", max_size=60))
@settings(deadline=None, max_examples=150)
def test_loses_no_word_and_repeats_none(message: str) -> None:
    # Bullets, list numbers and connectives may go, letters other than theirs may not.
    letters = [letter for sentence in split_sentences(message) for letter in sentence if letter in "aBé"]
    assert letters == [letter for letter in message if letter in "aBé"]


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=150)
def test_sentences_are_trimmed_and_not_empty(message: str) -> None:
    assert all(sentence == sentence.strip() and sentence for sentence in split_sentences(message))


@pytest.mark.parametrize("unit", [".", "and ", "a.", "a. ", "\n", "'", ". Also, ", "🙂", "a 🙂"])
def test_is_linear(unit: str) -> None:
    # Quadratic work on that much would take minutes.
    with no_hang():
        split_sentences(unit * (200_000 // len(unit)) + "x")


@needs_data
def test_finds_every_sentence_of_the_development_problems() -> None:
    turns = 0
    for path in sorted((DRIFT / "problems" / "dev").glob("*.json")):
        for turn in json.loads(path.read_text(encoding="utf-8"))["turns"]:
            assert split_sentences(turn["user_message"]) == [made["nl"] for made in turn["new_constraints"]]
            turns += 1
    assert turns == 1438
