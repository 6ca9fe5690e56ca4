"""Sorts have bounds and show their values, and ranges of results are exact."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdtrue.errors import DomainError
from holdtrue.logic import intervals
from holdtrue.logic.intervals import EVERYTHING, Range
from holdtrue.logic.sorts import EnumSort, IntSort, Sort, bounded, drawn_from, first_values, within

COLOR = EnumSort("color", ("Red", "Dark blue", "Straße"))


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


def test_impossible_sorts_are_refused() -> None:
    with pytest.raises(DomainError, match=r"an integer sort needs low <= high, got 3\.\.2"):
        IntSort(3, 2)
    with pytest.raises(DomainError, match="the enumeration 'color' has no values"):
        EnumSort("color", ())
    with pytest.raises(DomainError, match="the enumeration 'color' names a value twice: Red, Blue, RED"):
        EnumSort("color", ("Red", "Blue", "RED"))


FAR = 60
"""So many values near an open end represent all others."""


def _range(low: int | None, size: int, open_above: bool) -> Range:
    return low, None if open_above else (low or 0) + size


ends = st.none() | st.integers(-6, 6)
ranges = st.builds(_range, ends, st.integers(0, 7), st.booleans())
divisors = ranges.filter(lambda own: (own[0] is not None and own[0] > 0) or (own[1] is not None and own[1] < 0))


def values(own: Range) -> range:
    low, high = own
    return range(-FAR if low is None else low, (FAR if high is None else high) + 1)


def contains(own: Range, value: int) -> bool:
    low, high = own
    return (low is None or low <= value) and (high is None or value <= high)


def euclidean(dividend: int, divisor: int) -> tuple[int, int]:
    """The definition, literally."""
    rest = next(rest for rest in range(abs(divisor)) if (dividend - rest) % divisor == 0)
    return (dividend - rest) // divisor, rest


BINARY: list[tuple[Callable[[Range, Range], Range], Callable[[int, int], int]]] = [
    (intervals.added, lambda a, b: a + b),
    (intervals.multiplied, lambda a, b: a * b),
    (lambda one, other: intervals.lowest((one, other)), min),
    (lambda one, other: intervals.greatest((one, other)), max),
]


@pytest.mark.parametrize(("of_ranges", "of_values"), BINARY)
@given(ranges, ranges)
def test_open_ranges_have_all_results_and_no_end_that_is_not_reached(
    of_ranges: Callable[[Range, Range], Range], of_values: Callable[[int, int], int], one: Range, other: Range
) -> None:
    found = of_ranges(one, other)
    results = {of_values(a, b) for a, b in product(values(one), values(other))}
    assert all(contains(found, result) for result in results)
    assert all(end in results for end in found if end is not None)


@given(st.integers(-4, 4), ranges)
def test_multiples_absolute_values_and_unions(factor: int, own: Range) -> None:
    for found, of_value in (
        (intervals.scaled(factor, own), lambda value: factor * value),
        (intervals.absolute(own), abs),
        (intervals.joined((own, (3, 3))), lambda value: value),
    ):
        assert all(contains(found, of_value(value)) for value in values(own))
        assert all(end == 3 or end in {of_value(value) for value in values(own)} for end in found if end is not None)


@given(ranges, divisors)
@example((None, -1), (1, None))
@example((0, 3), (None, -2))
def test_quotients_are_exact_also_with_open_ends(dividend: Range, divisor: Range) -> None:
    found = intervals.divided(dividend, divisor)
    results = {euclidean(a, b)[0] for a, b in product(values(dividend), values(divisor))}
    assert all(contains(found, result) for result in results)
    assert all(end in results for end in found if end is not None)


@given(ranges, divisors)
@example((7, 8), (5, 5))
@example((2, 4), (5, 9))
@example((0, None), (1, 4))
def test_remainders_are_within_their_range(dividend: Range, divisor: Range) -> None:
    found = intervals.remaining(dividend, divisor)
    assert all(contains(found, euclidean(a, b)[1]) for a, b in product(values(dividend), values(divisor)))


@pytest.mark.parametrize(
    ("dividend", "divisor", "found"),
    [
        ((7, 8), (5, 5), (2, 3)),
        ((2, 4), (5, 9), (2, 4)),
        ((2, 6), (5, 9), (0, 6)),
        ((-1, 6), (5, 9), (0, 8)),
        ((0, None), (1, 4), (0, 3)),
        ((0, 3), (None, -1), (0, 3)),
        (EVERYTHING, (2, None), (0, None)),
        ((1, 2), (0, 3), EVERYTHING),
    ],
)
def test_what_is_known_of_remainders(dividend: Range, divisor: Range, found: Range) -> None:
    assert intervals.remaining(dividend, divisor) == found


def test_nothing_is_known_of_what_may_be_divided_by_zero() -> None:
    for divisor in ((0, 3), (-2, 0), (-1, 1), EVERYTHING, (None, 4), (-4, None)):
        assert intervals.divided((1, 2), divisor) == EVERYTHING
