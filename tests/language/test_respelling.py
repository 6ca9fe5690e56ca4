from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.respelling import respell
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Joaqu\u00edn", "\u00c9mile", "Katarzyna", "Mireille", "Martina", "Anna", "Bob"])
WEEK = SCHEDULING.instance(["Job Fair", "Load Test", "Demo"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("put Joaquin by bob", "put Joaqu\u00edn by bob"),
        ("emile's right is Bob", "\u00c9mile's right is Bob"),
    ],
)
def test_accents_are_certain(said: str, meant: str) -> None:
    assert (respell(TABLE, said).text, respell(TABLE, said).guessed) == (meant, {})


@pytest.mark.parametrize(
    ("said", "meant", "guessed"),
    [
        ("Mirielle: seat 2", "Mireille: seat 2", {"Mireille": "Mirielle"}),
        ("Mireile: seat 2", "Mireille: seat 2", {"Mireille": "Mireile"}),
        ("Kat: seat 2", "Katarzyna: seat 2", {"Katarzyna": "Kat"}),
        ("Anan: seat 2", "Anna: seat 2", {"Anna": "Anan"}),
        ("Marina: seat 2", "Martina: seat 2", {"Martina": "Marina"}),
    ],
)
def test_what_may_be_somebody_else_is_a_guess(said: str, meant: str, guessed: dict[str, str]) -> None:
    assert (respell(TABLE, said).text, respell(TABLE, said).guessed) == (meant, guessed)


@pytest.mark.parametrize(
    "said", ["Ann by Bob", "the annas", "a boob job", "Dem: seat 2", "bobs chair", "kat: seat 2, Bob"]
)
def test_other_words_stay_as_they_are(said: str) -> None:
    assert respell(TABLE, said).text == said


def test_without_guesses_only_accents_are_added() -> None:
    assert respell(TABLE, "Kat by joaquin", guess=False).text == "Kat by Joaqu\u00edn"


def test_names_of_several_words_are_compared_as_a_whole() -> None:
    assert respell(WEEK, "Job Fiar: 3 slots").text == "Job Fair: 3 slots"
    assert respell(WEEK, "Load Text opens at 2").text == "Load Test opens at 2"
    assert respell(WEEK, "the job at the fair").text == "the job at the fair"


@given(st.text(max_size=60))
def test_only_names_change(message: str) -> None:
    found = respell(TABLE, message)
    if not any(name in found.text for name in TABLE.entities):
        assert found.text == message


async def test_a_guess_makes_a_reading_doubtful_and_an_accent_does_not() -> None:
    read = await TemplateExtractor().read(
        TABLE, "Joaquin must sit next to Bob. Marina must sit next to Bob.", MessageContext()
    )
    assert [(one.status, one.reason) for one in read.readings] == [
        ("accepted", None),
        ("doubtful", "'Marina' was taken for 'Martina'"),
    ]
