"""Operations on known values are exact, and raise a fault if there is no value or it is too large."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from math import trunc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdtrue.rules import comparison, dates, lists, numbers, texts
from holdtrue.rules.lists import MOST_MADE
from holdtrue.rules.numbers import LARGEST_DIGITS, exact
from holdtrue.rules.texts import LONGEST_TEXT
from holdtrue.rules.typed_expressions import Operation
from holdtrue.rules.types import FLAG
from holdtrue.rules.values import Fault, NotSeen, Unseen
from tests.patience import counted

HIDDEN = NotSeen("call.x", FLAG)
NUMBERS = st.integers() | st.fractions()


OPERATIONS = {
    own.name: own
    for module in (comparison, dates, lists, numbers, texts)
    for own in vars(module).values()
    if isinstance(own, Operation)
}


def apply(operation: str, *args: Any) -> Any:
    return OPERATIONS[operation].values(*args)


@given(NUMBERS, NUMBERS)
@example(-7, 2)
@example(7, -2)
@example(Fraction(-7, 2), 1)
def test_whole_quotients_are_rounded_towards_zero_and_leave_the_remainder(left: Any, right: Any) -> None:
    if right == 0:
        for operation in ("divide", "whole_divide", "remainder"):
            with pytest.raises(Fault, match="division by zero"):
                apply(operation, left, right)
        return
    quotient, rest = apply("whole_divide", left, right), apply("remainder", left, right)
    assert quotient == trunc(Fraction(left) / right)
    assert left == quotient * right + rest
    assert abs(rest) < abs(right)
    assert rest * left >= 0
    assert apply("divide", left, right) * right == left


@given(NUMBERS)
@example(Fraction(5, 2))
@example(Fraction(-5, 2))
@example(Fraction(-1, 3))
def test_rounding(value: Any) -> None:
    assert apply("floor", value) <= value < apply("floor", value) + 1
    nearest = apply("round", value)
    assert abs(nearest - value) <= Fraction(1, 2)
    if abs(nearest - value) == Fraction(1, 2):
        assert abs(nearest) > abs(value)
    assert apply("sign", value) * apply("absolute", value) == value


@given(NUMBERS, NUMBERS)
def test_whole_numbers_are_never_fractions(left: Any, right: Any) -> None:
    for operation in ("add", "subtract", "multiply"):
        found = apply(operation, left, right)
        assert isinstance(found, int) or found.denominator > 1


def test_numbers_have_at_most_so_many_digits() -> None:
    large = 10 ** (LARGEST_DIGITS - 1)
    assert exact(large) == large
    assert str(exact(10**LARGEST_DIGITS))  # An accepted number can be shown.
    half = 10 ** (LARGEST_DIGITS // 2 + 10)
    for operation, args in (
        ("multiply", (half, half)),
        ("multiply", (half, -half)),
        ("add", (Fraction(1, half), Fraction(1, half + 1))),
        ("divide", (Fraction(1, half), half)),
        ("whole_divide", (half, Fraction(1, half))),
        ("sum", ((Fraction(1, half), Fraction(1, half + 1)),)),
    ):
        with pytest.raises(Fault, match="a number has over 4,000 digits"):
            apply(operation, *args)


def test_a_sum_of_many_fractions_ends_before_it_fills_the_memory() -> None:
    primes = [Fraction(1, 10**390 + place) for place in range(10_000)]
    with counted() as calls, pytest.raises(Fault, match="digits"):
        apply("sum", tuple(primes))
    assert calls.made < len(primes)
    assert apply("sum", (Fraction(1, 10),) * 10_000) == 1000


def test_lists_and_texts_that_are_made_have_limits() -> None:
    items = (0,) * (MOST_MADE // 2)
    assert len(apply("concatenate", items, items)) == MOST_MADE
    with pytest.raises(Fault, match="a list has over 100,000 items"):
        apply("concatenate", items, (*items, 0))
    with pytest.raises(Fault, match="a list has over 100,000 items"):
        apply("flatten", (items,) * 10_000)
    text = "x" * (LONGEST_TEXT // 2)
    assert len(apply("join", text, text)) == LONGEST_TEXT
    with pytest.raises(Fault, match="a text has over 1,000,000 characters"):
        apply("join", text, text + "x")


@pytest.mark.parametrize(
    ("operation", "args"),
    [
        ("add", (None, 1)),
        ("subtract", (1, None)),
        ("multiply", (None, None)),
        ("divide", (None, 1)),
        ("divide", (1, None)),
        ("whole_divide", (None, 2)),
        ("remainder", (1, None)),
        ("negative", (None,)),
        ("absolute", (None,)),
        ("sign", (None,)),
        ("floor", (None,)),
        ("round", (None,)),
        ("less", (1, None)),
        ("at_most", (None, 1)),
        ("in_list", (1, None)),
        ("in_map", ("a", None)),
        ("concatenate", ((), None)),
        ("size", (None,)),
        ("sum", (None,)),
        ("sum", ((1, None),)),
        ("least", ((None,),)),
        ("greatest", ((1, None),)),
        ("least", ((),)),
        ("flatten", ((None,),)),
        ("join", ("a", None)),
        ("text_less", (None, "a")),
        ("text_at_most", ("a", None)),
        ("text_size", (None,)),
        ("starts_with", (None, "a")),
        ("ends_with", ("a", None)),
        ("contains", ("a", None)),
        ("lower", (None,)),
        ("upper", (None,)),
        ("trim", (None,)),
        ("date_of", (None,)),
        ("time_of", (None,)),
        ("day_start", (None,)),
        ("year", (None,)),
        ("month", (None,)),
        ("day", (None,)),
        ("day_of_year", (None,)),
        ("weekday", (None,)),
        ("hour", (None,)),
        ("minute", (None,)),
        ("second", (None,)),
        ("year", (0,)),
        ("month", (10**9,)),
        ("day", (10**4000,)),
        ("day_of_year", (-5,)),
    ],
)
def test_what_has_no_value_is_a_fault(operation: str, args: tuple[Any, ...]) -> None:
    with pytest.raises(Fault):
        apply(operation, *args)


def test_null_equals_null_alone_and_a_flag_no_number() -> None:
    assert apply("equal", None, None)
    others: tuple[Any, ...] = (0, False, "", (), {})
    for other in others:
        assert not apply("equal", None, other)
    assert not apply("equal", True, 1)
    assert not apply("equal", (False,), (0,))
    assert not apply("equal", {"a": 0}, {"a": False})
    assert apply("equal", Fraction(2), 2)
    assert not apply("equal", "1", 1)
    assert not apply("in_list", True, (1, 2))


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ((1, HIDDEN), (2, 5), False),
        ((HIDDEN, 1), (5, 2), False),
        ((HIDDEN,), (1, 2), False),
        ((1, HIDDEN), (1, 5), None),
        ({"a": HIDDEN, "b": 1}, {"a": 5, "b": 2}, False),
        ({"a": HIDDEN}, {"b": HIDDEN}, False),
        ({"a": HIDDEN}, {"a": 1}, None),
        (({"a": HIDDEN, "b": 1},), ({"a": 1, "b": 2},), False),
        (HIDDEN, 1, None),
        (HIDDEN, HIDDEN, None),
    ],
)
def test_equality_is_settled_by_what_differs_whatever_was_not_seen(left: Any, right: Any, found: bool | None) -> None:
    for one, other in ((left, right), (right, left)):
        if found is None:
            with pytest.raises(Unseen, match=r"call\.x was not seen"):
                apply("equal", one, other)
        else:
            assert apply("equal", one, other) is found


def test_an_item_that_is_found_settles_membership() -> None:
    assert apply("in_list", 1, (HIDDEN, 1)) is True
    with pytest.raises(Unseen):
        apply("in_list", 2, (HIDDEN, 1))
    assert apply("size", (HIDDEN, HIDDEN)) == 2
    for operation in ("sum", "least", "greatest", "flatten"):
        with pytest.raises(Unseen):
            apply(operation, (HIDDEN, 1) if operation != "flatten" else (HIDDEN, ()))


@given(st.dates())
def test_parts_of_dates_are_those_of_the_calendar(day: date) -> None:
    number = day.toordinal()
    assert (apply("year", number), apply("month", number), apply("day", number)) == (day.year, day.month, day.day)
    assert apply("weekday", number) == day.isoweekday() % 7
    assert apply("day_of_year", number) == int(f"{day:%j}")
    assert apply("date_of", apply("day_start", number)) == number


@given(st.datetimes())
def test_parts_of_moments_are_those_of_the_calendar(moment: datetime) -> None:
    seconds = Fraction((moment - datetime(1, 1, 1)) // timedelta(microseconds=1), 10**6)
    assert apply("date_of", seconds) == moment.toordinal()
    assert apply("time_of", seconds) == seconds % 86_400
    parts = (apply("hour", seconds), apply("minute", seconds), apply("second", seconds))
    assert parts == (moment.hour, moment.minute, moment.second)


@given(st.text())
def test_texts_are_changed_in_ascii_and_trimmed_of_white_space(text: str) -> None:
    assert apply("lower", text) == "".join(own.lower() if own.isascii() else own for own in text)
    assert apply("upper", text) == "".join(own.upper() if own.isascii() else own for own in text)
    assert apply("trim", f" \u2003\u00a0\n{text}|") == f"{apply('trim', text + '|')}"
    assert apply("trim", "\x1c") == "\x1c"
    assert apply("text_size", text) == len(text)
