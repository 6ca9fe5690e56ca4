from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.content import content_list, content_runs, content_words, denies, has_denial


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


def test_words_in_order_and_in_runs() -> None:
    assert content_list("The cat sees a cat.") == ["cat", "see", "cat"]
    runs = [{"head", "api"}, {"hear"}, {"pat"}, {"kim"}]
    assert [set(run) for run in content_runs("The head of the api? We hear from Pat. Kim")] == runs


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
