"""The languages of a text are told with care: the one that it is in is always among them."""

from __future__ import annotations

import pytest

from holdtrue.language.slot_values.spelled_numbers import LANGUAGES, languages_of
from holdtrue.language.yes_words import denies

_TEXTS = {
    "en": "I would book the table for the two of you on Friday. Is that right?",
    "de": "Ich würde den Tisch für Freitag um acht reservieren, ist das in Ordnung?",
    "fr": "Je réserve donc la table pour vendredi à huit heures, cela vous convient ?",
    "pt": "Renovo até trinta e um de maio, com catorze colmeias no máximo, posso assinar?",
    "nl": "Dan boek ik de tafel voor vrijdag om acht uur, akkoord?",
}


@pytest.mark.parametrize(("language", "text"), _TEXTS.items())
def test_the_language_of_a_text_is_among_those_that_it_may_be_in(language: str, text: str) -> None:
    assert language in languages_of(text) and languages_of(text) < LANGUAGES


def test_a_short_text_may_be_in_any_language() -> None:
    assert languages_of("Park, 10 rms, ok?") == LANGUAGES


def test_a_word_for_not_is_one_in_its_language() -> None:
    assert denies(_TEXTS["pt"]) and not denies(_TEXTS["pt"], languages_of(_TEXTS["pt"]))
    assert denies("There is no table", languages_of("There is no table for you on Friday evening"))
