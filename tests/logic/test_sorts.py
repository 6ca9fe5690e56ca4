"""Sorts: their bounds, and how values are shown and found."""

from __future__ import annotations

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.sorts import EnumSort, IntSort

COLOR = EnumSort("color", ("Red", "Dark blue", "Straße"))


def test_an_integer_sort_includes_both_bounds() -> None:
    sort = IntSort(-2, 3)
    assert (sort.low, sort.high, sort.size, str(sort), sort.show(3)) == (-2, 3, 6, "-2..3", "3")
    assert IntSort(4, 4).size == 1


def test_an_enumeration_counts_from_zero() -> None:
    assert (COLOR.low, COLOR.high, COLOR.size, str(COLOR)) == (0, 2, 3, "{Red, Dark blue, Straße}")
    assert [COLOR.show(value) for value in range(-1, 4)] == ["-1", "Red", "Dark blue", "Straße", "3"]


@pytest.mark.parametrize(
    ("label", "index"),
    [("Red", 0), (" rED ", 0), ("dark BLUE", 1), ("STRASSE", 2), ("Blue", None), ("", None), ("0", None)],
)
def test_labels_are_found_whatever_their_case(label: str, index: int | None) -> None:
    assert COLOR.index(label) == index


def test_shown_labels_are_found_again() -> None:
    assert [COLOR.index(COLOR.show(value)) for value in range(COLOR.size)] == [0, 1, 2]


def test_impossible_sorts_are_refused() -> None:
    with pytest.raises(DomainError, match=r"an integer sort needs low <= high, got 3\.\.2"):
        IntSort(3, 2)
    with pytest.raises(DomainError, match="the enumeration 'color' has no values"):
        EnumSort("color", ())
    with pytest.raises(DomainError, match="the enumeration 'color' names a value twice: Red, Blue, RED"):
        EnumSort("color", ("Red", "Blue", "RED"))
