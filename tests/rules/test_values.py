"""Values are read from JSON by their type, exactly and within limits, and an error names the path."""

from __future__ import annotations

import json
from collections import OrderedDict
from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as clock
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar, decimal_places
from holdtrue.rules.types import (
    DURATION,
    FLAG,
    NULL,
    TEXT,
    Field,
    ListOf,
    MapOf,
    Name,
    Nullable,
    Number,
    Record,
    Type,
)
from holdtrue.rules.values import (
    MOST_DIGITS,
    MOST_ITEMS,
    NotSeen,
    Reader,
    ValueFault,
    moment_text,
    read_duration,
    read_moment,
    show,
    to_json,
)

CENTS = Fraction(1, 100)
USD, COUNT, ANY = Number(Amount(unit("USD"), CENTS), Fraction(0), Fraction(500)), Number(WHOLE), Number(NUMBER)
ABSOLUTE, BERLIN = Calendar("moment", "Z"), Calendar("moment", "Europe/Berlin")
CABIN = Name(values=("economy", "business"))
BAG = Record({"weight": Field(ANY), "owner": Field(TEXT, False), "tag": Field(Nullable(TEXT), False)}, "bag")
CALL = Record({"price": Field(USD), "bags": Field(ListOf(BAG, 3)), "fees": Field(MapOf(USD), False)}, "call")


def read(value: Any, type: Type, path: str = "call") -> Any:
    return Reader().read(value, type, path)


@pytest.mark.parametrize(
    ("value", "type", "found"),
    [
        (True, FLAG, True),
        (None, NULL, None),
        (7, COUNT, 7),
        (7.0, COUNT, 7),
        (0.1, ANY, Fraction(1, 10)),
        (1e-7, ANY, Fraction(1, 10_000_000)),
        (1e22, ANY, 10**22),
        (0.1 + 0.2, ANY, Fraction(30000000000000004, 10**17)),
        (Decimal("0.30"), USD, Fraction(3, 10)),
        (Decimal("1E+3"), COUNT, 1000),
        (Fraction(1, 3), ANY, Fraction(1, 3)),
        (12.5, USD, Fraction(25, 2)),
        (500, USD, 500),
        ("x", TEXT, "x"),
        ("größe \U0001f600", TEXT, "größe \U0001f600"),
        ("economy", CABIN, "economy"),
        (None, Nullable(COUNT), None),
        (1, Nullable(COUNT), 1),
        ([1, 2], ListOf(COUNT), (1, 2)),
        ((), ListOf(COUNT), ()),
        ({"a": 1}, MapOf(COUNT), {"a": 1}),
        (OrderedDict(a=1), MapOf(COUNT), {"a": 1}),
        ("0001-01-01", DATE, 1),
        (" 2026-03-01 ", DATE, 739676),
        (date(2026, 3, 1), DATE, 739676),
        ("14:30", TIME, 52_200),
        (clock(14, 30), TIME, 52_200),
        ("0001-01-01T00:00:00.5", MOMENT, Fraction(1, 2)),
        ("0001-01-02T00:00", BERLIN, 83_192),
        ("2026-10-25T02:30+02:00", BERLIN, 63_928_485_000),
        (datetime(2026, 10, 25, 2, 30, fold=1), BERLIN, 63_928_488_600),
        ("0001-01-02T00:00Z", ABSOLUTE, 86_400),
        ("0001-01-02T00:00+02:00", ABSOLUTE, 79_200),
        ("0001-01-02 00:00:00-09:30", ABSOLUTE, 120_600),
        (datetime(1, 1, 2), MOMENT, 86_400),
        (datetime(1, 1, 2, 0, 0, 0, 250_000, tzinfo=UTC), ABSOLUTE, Fraction(345_601, 4)),
        (datetime(1, 1, 2, tzinfo=timezone(timedelta(hours=2))), ABSOLUTE, 79_200),
        ("90m", DURATION, 5400),
        ("PT1H30M", DURATION, 5400),
        (5400, DURATION, 5400),
        (timedelta(minutes=90), DURATION, 5400),
        ({"price": 5, "bags": [], "more": 1}, CALL, {"price": 5, "bags": ()}),
        ({"weight": 1, "owner": None, "tag": None}, BAG, {"weight": 1, "tag": None}),
    ],
)
def test_values_are_read_by_their_type(value: Any, type: Type, found: Any) -> None:
    result = read(value, type)
    assert result == found
    assert not isinstance(result, float | Decimal)
    assert not isinstance(result, Fraction) or result.denominator > 1


@pytest.mark.parametrize(
    ("value", "type", "message"),
    [
        (1, FLAG, "call: it has to be true or false, not 1"),
        ("true", FLAG, "call: it has to be true or false, not 'true'"),
        (True, COUNT, "call: it has to be a whole number, not True"),
        ("7", COUNT, "call: it has to be a whole number, not '7'"),
        (7.5, COUNT, "call: 7.5 is no whole"),
        (float("nan"), ANY, "call: it has to be a number"),
        (float("inf"), ANY, "call: it has to be a number"),
        (12.505, USD, "call: 12.505 is no USD(2)"),
        (-1, USD, "call: it has to be at least 0, not -1"),
        (501, USD, "call: it has to be at most 500, not 501"),
        (5, TEXT, "call: it has to be a text, not 5"),
        ("a\ud800", TEXT, "call: it has half a character, U+D800"),
        ("first", CABIN, "call: it has to be one of economy, business, not 'first'"),
        (0, NULL, "call: it has to be null, not 0"),
        (None, COUNT, "call: it has to be a whole number, not None"),
        ("ab", ListOf(TEXT), "call: it has to be a list, not 'ab'"),
        ([1, "2"], ListOf(COUNT), "call[1]: it has to be a whole number"),
        ([1, 2], ListOf(COUNT, 1), "call: it has 2 items; there can be 1 at most"),
        ([1], ListOf(COUNT, None, 2), "call: it has 1 items; there have to be 2 at least"),
        ([], MapOf(COUNT), "call: it has to be an object, not []"),
        ({"a b": "1"}, MapOf(COUNT), "call['a b']: it has to be a whole number"),
        ({1: 1}, MapOf(COUNT), "call: its keys have to be texts, not 1"),
        ({"\udfff": 1}, MapOf(COUNT), "call: it has half a character, U+DFFF"),
        ({"bags": []}, CALL, "call.price: it is missing"),
        ({"price": 1, "bags": [{"weight": 1}, {"weight": "x"}]}, CALL, "call.bags[1].weight: it has to be a number"),
        ({"price": 1, "bags": [], "fees": {"gold": -5}}, CALL, "call.fees['gold']: it has to be at least 0"),
        ("2026-02-30", DATE, "call: there is no day 2026-02-30"),
        ("2026-03-01T00:00", DATE, "call: it has to be a date, not '2026-03-01T00:00'"),
        (datetime(2026, 3, 1), DATE, "call: it has to be a date"),
        (20260301, DATE, "call: it has to be a date, not 20260301"),
        ("24:00", TIME, "call: it has to be a time"),
        ("noon", TIME, "call: 'noon' is no date, time or moment"),
        ("2026-03-01", MOMENT, "call: it has to be a moment such as 2026-03-01T14:30:00"),
        ("2026-03-01T25:00", MOMENT, "call: there is no time"),
        ("2026-03-01T10:00", ABSOLUTE, "call: this moment needs a zone, such as Z or +02:00"),
        ("2026-03-01T10:00Z", MOMENT, "call: this moment is local, and has no zone or offset"),
        ("2026-03-01T10:00+24:00", BERLIN, "call: there is no offset +24:00"),
        ("2026-10-25T02:30", BERLIN, "were put back: write it with its offset, +02:00 or +01:00"),
        ("2026-03-29T02:30", BERLIN, "call: 2026-03-29T02:30 never was in Europe/Berlin"),
        ("2026-03-01T10:00", Calendar("moment", "Berlin"), "call: 'Berlin' is no place of the time zone database"),
        ("٢٠٢٦-03-01T10:00", MOMENT, "call: it has to be a moment"),
        ("soon", DURATION, "call: it has to be a duration such as PT2H or 90m, not 'soon'"),
        ("P" + "9" * 5000 + "D", DURATION, "call: it has to be a duration such as PT2H or 90m"),
    ],
)
def test_a_malformed_value_is_told_with_its_path(value: Any, type: Type, message: str) -> None:
    with pytest.raises(ValueFault) as found:
        read(value, type)
    assert message in str(found.value)
    assert str(found.value).startswith(f"{found.value.path}: {found.value.message}")


def test_numbers_lists_and_objects_have_limits() -> None:
    assert read(10**MOST_DIGITS - 1, ANY) == 10**MOST_DIGITS - 1
    assert read(Decimal("0E+999999999"), ANY) == 0
    for value in (10**MOST_DIGITS, -(10**4000), 10**5000, Fraction(1, 10**4000), Decimal("1E+999999999")):
        with pytest.raises(ValueFault, match=f"over {MOST_DIGITS} digits"):
            read(value, ANY)
    for value in (Decimal("1E-999999"), Decimal("0." + "1" * 1000)):
        with pytest.raises(ValueFault, match=f"over {MOST_DIGITS} digits"):
            read(value, ANY)
    with pytest.raises(ValueFault, match="it has 10,001 items; there can be 10,000 at most"):
        read([0] * (MOST_ITEMS + 1), ListOf(COUNT))
    with pytest.raises(ValueFault, match="it has 10,001 entries, over 10,000"):
        read({str(place): 0 for place in range(MOST_ITEMS + 1)}, MapOf(COUNT))


def test_what_cannot_be_shown_is_told_all_the_same() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value, type in ((10**5000, FLAG), (10**5000, TEXT), (deep, COUNT), ({"a": 10**5000}, DATE)):
        with pytest.raises(ValueFault, match="that is too large to show"):
            read(value, type)
    with pytest.raises(ValueFault) as found:
        read("x" * 1_000_000, COUNT)
    assert len(str(found.value)) < 200
    while deep:
        deep = deep.pop()  # Nothing that is nested so deep may be left to the collector of rubbish.


def test_what_was_not_seen_stays_so_anywhere() -> None:
    hidden = NotSeen("call.price", USD)
    assert read(hidden, CALL) is hidden
    value = {"price": hidden, "bags": [{"weight": hidden}], "fees": {"a": hidden}}
    assert read(value, CALL) == {"price": hidden, "bags": ({"weight": hidden},), "fees": {"a": hidden}}
    assert show(hidden, USD) == "(not seen: call.price)"
    assert to_json(hidden, USD) is None


NUMBERS = st.one_of(
    st.integers(-(10**40), 10**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False),
)
ZONES = st.timezones().map(str).filter(lambda own: own != "localtime" and not own.startswith("right/"))


def typed_values() -> st.SearchStrategy[tuple[Type, Any]]:
    """Types, with JSON of each."""
    dates = st.dates().map(str)
    times = st.times().map(lambda own: f"{own:%H:%M:%S}")
    moments = st.datetimes().map(datetime.isoformat)
    offsets = st.sampled_from(["Z", "+02:00", "-09:30", "+00:00"])
    leaf = st.one_of(
        st.tuples(st.just(FLAG), st.booleans()),
        st.tuples(st.just(COUNT), st.integers()),
        st.tuples(st.just(ANY), NUMBERS),
        st.tuples(st.just(DURATION), NUMBERS),
        st.tuples(st.just(USD), st.integers(0, 50_000).map(lambda cents: cents / 100)),
        st.tuples(st.just(TEXT), st.text(st.characters(exclude_categories=["Cs"]))),
        st.tuples(st.just(CABIN), st.sampled_from(CABIN.values or ())),
        st.tuples(st.just(DATE), dates),
        st.tuples(st.just(TIME), times),
        st.tuples(st.just(MOMENT), moments),
        st.tuples(st.just(BERLIN), moments),
        st.tuples(st.just(ABSOLUTE), st.tuples(moments, offsets).map("".join)),
    )
    return st.recursive(leaf, _larger, max_leaves=5)


def _larger(own: st.SearchStrategy[tuple[Type, Any]]) -> st.SearchStrategy[tuple[Type, Any]]:
    return st.one_of(
        own.map(lambda one: (Nullable(one[0]), one[1])),
        own.map(lambda one: (Nullable(one[0]), None)),
        st.tuples(own, st.integers(0, 3)).map(lambda pair: (ListOf(pair[0][0]), [pair[0][1]] * pair[1])),
        st.tuples(own, st.lists(st.text("abä '", max_size=3), max_size=3, unique=True)).map(
            lambda pair: (MapOf(pair[0][0]), dict.fromkeys(pair[1], pair[0][1]))
        ),
        st.tuples(own, own).map(
            lambda pair: (
                Record({"a": Field(pair[0][0]), "b": Field(pair[1][0], False), "c": Field(TEXT, False)}),
                {"a": pair[0][1], "b": pair[1][1]},
            )
        ),
    )


@settings(max_examples=800)
@given(typed_values())
@example((ABSOLUTE, "0001-01-02T00:00:00.123456789+02:00"))
@example((DURATION, Decimal("1E-350")))
@example((DURATION, Decimal("9" * 400 + "E-399")))
@example((DURATION, 10**399))
@example((ANY, Decimal("0.12345678901234567890")))
@example((ANY, 5e-324))
@example((ANY, Decimal("1" + "0" * 350 + ".1")))
@example((ANY, Decimal("-1E+399")))
def test_what_is_written_is_read_as_the_same_value(pair: tuple[Type, Any]) -> None:
    type, data = pair
    value = read(data, type)
    assert read(to_json(value, type), type) == value
    assert isinstance(show(value, type), str)


@settings(max_examples=500)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_shortest_decimal_that_is_read_as_it(number: float) -> None:
    value = read(number, ANY)
    assert value == Fraction(repr(number))
    assert float(to_json(value, ANY)) == number
    assert float(json.loads(json.dumps(to_json(value, ANY)))) == number


def test_numbers_that_no_float_says_are_decimals() -> None:
    value = read(Decimal("0.10000000000000000001"), ANY)
    assert to_json(value, ANY) == Decimal("0.10000000000000000001")
    huge = Fraction(10**399 + 1, 2)
    assert str(to_json(huge, ANY)) == f"{10**399 // 2}.5"
    assert read(to_json(huge, ANY), ANY) == huge
    assert to_json(Fraction(10**3999, 2**13_000), ANY) == f"{5**3999}/{2**9001}"
    assert to_json(Fraction(1, 3), ANY) == "1/3"
    assert to_json(Fraction(1, 3), DURATION) == "1/3s"


@pytest.mark.parametrize(
    ("value", "places"),
    [(5, 0), (Fraction(1, 2), 1), (Fraction(1, 8), 3), (Fraction(3, 50), 2), (Fraction(1, 3), None)],
)
def test_decimal_places(value: int | Fraction, places: int | None) -> None:
    assert decimal_places(value) == places


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("24h", 86_400),
        ("1h30m", 5400),
        ("-3s", -3),
        ("1.5h", 5400),
        ("250ms", Fraction(1, 4)),
        ("1us", Fraction(1, 10**6)),
        ("1ns", Fraction(1, 10**9)),
        ("P1D", 86_400),
        ("P2W", 1_209_600),
        ("P1DT2H3M4.5S", Fraction(187_569, 2)),
        ("-PT5M", -300),
        ("", None),
        ("P", None),
        ("PT", None),
        ("P1DT", None),
        ("h", None),
        ("5", None),
        ("5 h", None),
        ("1h ", None),
        ("\u0661h", None),
        ("1.h", None),
        ("--1h", None),
        ("P1Y", None),
    ],
)
def test_durations_are_written_as_cel_or_iso_8601_write_them(text: str, seconds: Fraction | None) -> None:
    assert read_duration(text) == seconds


def test_a_moment_that_no_calendar_shows_is_a_number() -> None:
    for value in (10**15, -1, 10**4000, Fraction(1, 3), -Fraction(1, 2)):
        assert moment_text(value, ABSOLUTE).startswith("moment ")
        assert isinstance(show(value, ABSOLUTE), str)
    assert to_json(10**9, DATE) == "date 1000000000"


def test_values_are_shown_as_people_write_them() -> None:
    assert show({"price": Fraction(25, 2), "bags": ()}, CALL) == "{price: 12.50 USD, bags: []}"
    assert show((None, 3), ListOf(Nullable(COUNT))) == "[null, 3]"
    assert show({"a": True}, MapOf(FLAG)) == "{a: true}"
    assert show(Fraction(1, 3), DURATION) == "1/3 s"
    assert show(739676, DATE) == "2026-03-01"
    assert show("it's", TEXT) == '"it\'s"'


@given(ZONES)
def test_a_moment_of_a_place_with_an_offset_is_the_moment_that_it_is(zone: str) -> None:
    assert read_moment("2026-03-01T10:00Z", Calendar("moment", zone)) == read_moment("2026-03-01T10:00Z", ABSOLUTE)
    with pytest.raises(ValueFault, match="this moment is local, and has no zone or offset"):
        read_moment("2026-03-01T10:00Z", MOMENT)
