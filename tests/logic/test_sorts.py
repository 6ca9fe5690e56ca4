"""Sorts: their bounds, and how values are shown and found."""

from __future__ import annotations

import re

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.sorts import EnumSort, IntSort, Sort, bounded, drawn_from, first_values, within

COLOR = EnumSort("color", ("Red", "Dark blue", "Straße"))


def test_an_integer_sort_includes_both_bounds() -> None:
    sort = IntSort(-2, 3)
    assert (sort.low, sort.high, sort.size, str(sort), sort.show(3)) == (-2, 3, 6, "-2..3", "3")
    assert IntSort(4, 4).size == 1


@pytest.mark.parametrize(
    ("sort", "text", "inside", "outside", "first"),
    [
        (IntSort(), "any integer", [-(10**30), 0, 10**30], [], [0, 1]),
        (IntSort(3), "3..", [3, 10**30], [2, -(10**30)], [3, 4]),
        (IntSort(None, 10), "..10", [10, -(10**30)], [11], [9, 10]),
        (IntSort(-1, 2), "-1..2", [-1, 0, 2], [-2, 3], [-1, 0]),
        (IntSort(7, 7), "7..7", [7], [6, 8], [7]),
        (COLOR, "{Red, Dark blue, Straße}", [0, 2], [-1, 3], [0, 1]),
    ],
    ids=str,
)
def test_sorts_with_and_without_ends(
    sort: Sort, text: str, inside: list[int], outside: list[int], first: list[int]
) -> None:
    assert str(sort) == text
    for holder in (sort, within(sort)):
        assert all(value in holder for value in inside)
        assert not any(value in holder for value in outside)
    assert list(first_values(sort, 2)) == first
    assert all(value in sort for value in drawn_from(sort))
    if sort.size is not None:
        assert sort.size == len(sort.values) and bounded(sort) == (sort.values[0], sort.values[-1])
        assert drawn_from(sort) == sort.values


@pytest.mark.parametrize("sort", [IntSort(), IntSort(0), IntSort(None, 0)], ids=str)
def test_what_has_no_end_has_no_size_and_is_never_listed(sort: IntSort) -> None:
    assert sort.size is None and len(drawn_from(sort)) == 1_000
    for ask in (lambda: sort.values, lambda: bounded(sort)):
        with pytest.raises(DomainError, match=re.escape(f"the values of an open sort ({sort}) cannot be listed")):
            ask()


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
