from __future__ import annotations

import pytest

from holdtrue_lab.kit.words import Number


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
