"""Names are spelled as the instance spells them, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.respelling import Respelled, respell
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Joaqu\u00edn", "\u00c9mile", "Katarzyna", "Ann", "Bob"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("put Joaquin by bob", "put Joaqu\u00edn by bob"),
        ("emile's right is Bob", "\u00c9mile's right is Bob"),
        *((same, same) for same in ("the anns", "bobs chair", "a boob job", "kat: seat 2, Bob")),
    ],
)
def test_accents_are_certain_and_other_words_stay(said: str, meant: str) -> None:
    assert respell(TABLE, said) == Respelled(meant, {})


@pytest.mark.parametrize("said", ["Katarzna", "Katarzyan", "Kattarzyna", "Katarzina", "Kat"])
def test_a_typing_error_and_a_nickname_are_guesses(said: str) -> None:
    assert respell(TABLE, f"{said}: seat 2") == Respelled("Katarzyna: seat 2", {"Katarzyna": said})
    assert respell(TABLE, f"{said} by joaquin", guess=False).text == f"{said} by Joaqu\u00edn"


async def test_a_guess_makes_a_reading_doubtful_and_an_accent_does_not() -> None:
    said = "Joaquin must sit next to Bob. Kat must sit next to Bob."
    read = await TemplateExtractor().read(TABLE, said, MessageContext())
    doubt = ("doubtful", "'Kat' was taken for 'Katarzyna'")
    assert [(one.status, one.reason) for one in read.readings] == [("accepted", None), doubt]


@given(st.text(max_size=60))
def test_only_names_change(message: str) -> None:
    found = respell(TABLE, message).text
    assert found == message or any(name in found for name in TABLE.entities)
