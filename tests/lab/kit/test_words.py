from __future__ import annotations

import pytest

from holdtrue_lab.kit.words import Number, capitalized, listed
from tests.lab.suites.drift.named import CARDINALS, ORDINALS


def test_a_list_in_words() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b"], "or") == "a or b"


def test_only_the_first_letter_changes() -> None:
    assert capitalized("the ferry to Rum") == "The ferry to Rum"


@pytest.mark.parametrize(
    ("value", "bare", "ordinal", "counted"),
    [
        (0, "0", "0th", "0 seats"),
        (1, "1", "1st", "1 seat"),
        (2, "2", "2nd", "2 seats"),
        (3, "3", "3rd", "3 seats"),
        (4, "4", "4th", "4 seats"),
        (11, "11", "11th", "11 seats"),
        (12, "12", "12th", "12 seats"),
        (13, "13", "13th", "13 seats"),
        (21, "21", "21st", "21 seats"),
        (112, "112", "112th", "112 seats"),
        (-2, "-2", "-2th", "-2 seats"),
    ],
)
def test_in_digits(value: int, bare: str, ordinal: str, counted: str) -> None:
    number = Number(value)
    assert (f"{number}", f"{number:th}", f"{number:seat}") == (bare, ordinal, counted)


def test_in_words_up_to_twelve() -> None:
    assert [f"{Number(value, spelled=True)}" for value in range(14)] == [*CARDINALS, "13"]
    assert [f"{Number(value, spelled=True):th}" for value in range(14)] == [*ORDINALS, "13th"]
    assert [f"{Number(value, spelled=True):slot}" for value in range(3)] == ["zero slots", "one slot", "two slots"]
