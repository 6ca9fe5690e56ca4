"""Spellings of one word meet, and words that look alike stay apart."""

from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.retell import similarity
from holdtrue.kinds.claims.prompts.spelling import one_spelling


@pytest.mark.parametrize(
    "one, other",
    [
        ("practises", "practice"),
        ("practising", "practicing"),
        ("advice", "advised"),
        ("organise", "organizes"),
        ("organization", "organisation"),
        ("analyse", "analyzing"),
        ("colour", "colors"),
        ("neighbours", "neighbor"),
        ("favourite", "favorite"),
        ("travelled", "traveled"),
        ("cancelling", "canceling"),
        ("modeller", "modeler"),
        ("recalled", "recall"),
    ],
)
def test_the_same_word(one: str, other: str) -> None:
    assert similarity(f"Mia {one}", f"Mia {other}") == 1


@pytest.mark.parametrize(
    "one, other",
    [
        ("price", "prize"),
        ("rice", "rise"),
        ("filled", "filed"),
        ("hour", "horse"),
        ("tour", "tore"),
        ("organic", "organise"),
        ("mechanics", "mechanises"),
        ("basic", "basis"),
        ("critics", "crises"),
        ("scour", "score"),
        ("polled", "poled"),
        ("journal", "jornal"),
    ],
)
def test_another_word(one: str, other: str) -> None:
    assert similarity(f"Mia {one}", f"Mia {other}") == 0.5


@pytest.mark.parametrize("word", ["price", "prize", "four", "hour", "called", "music", "resource", "courage", "bell"])
def test_most_words_have_one_spelling(word: str) -> None:
    assert one_spelling(word) == word
