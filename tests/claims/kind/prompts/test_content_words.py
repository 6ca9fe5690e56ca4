from __future__ import annotations

import pytest

from holdtrue_claims.kind.prompts.back_translation import similarity
from holdtrue_claims.kind.prompts.content_words import (
    content_list,
    content_words,
    denies,
    has_denial,
    one_spelling,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The students practise daily.", "A student practises daily"),
        ("Everyone is dancing", "dances"),
        ("Mia's books", "the book of Mia"),
        ("She carries it.", "carried"),
        ("She plays", "they play"),
        ("carrying", "carry"),
    ],
)
def test_forms_of_one_word_meet(one: str, other: str) -> None:
    assert content_words(one) == content_words(other) != frozenset()


def test_words_of_grammar_have_no_content() -> None:
    assert content_words("It is not the case?") == {"cas"}
    assert content_words("Therefore it must be so.") == frozenset()
    assert content_words("newest") != content_words("newer")


def test_words_in_order() -> None:
    assert content_list("The cat sees a cat.") == ["cat", "see", "cat"]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Ann is not old.", True),
        ("Neither Ann nor Ben is old.", True),
        ("Ann isn't old.", True),
        ("It is not the case that nobody is old.", False),
        ("Ann is not only old.", False),
        ("Ann is old and notable.", False),
    ],
)
def test_denials(text: str, denied: bool) -> None:
    assert denies(text) is denied
    assert has_denial(text) or not denied


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
