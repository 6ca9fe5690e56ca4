"""Tests that texts count as equal, different or undecided by their letters."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.call_commitments import are_alike, comparable, differ_surely, is_short_for
from holdtrue.language.requests.operation import Operation
from holdtrue.logic.value_sorts import WEEKDAYS
from tests.guard.conversation.shop import guard

T = "Table.SendConfirmation"
FRIDAY = "2026-03-06"


@pytest.mark.parametrize(
    ("said", "called", "kind"),
    [
        ("john.doe@x.org", "John.Doe@x.org", "allow"),
        ("john.doe@x.org", "john-doe@x.org", "block"),
        ("ann@x.org", "joe.ann@x.org", "block"),
        ("ann@x.org", "ann@x.org.evil.com", "block"),
        ("80 Quay Street", "18 Quay Street", "block"),
        ("0161 555 0142", "0161 555 0124", "block"),
        ("0161 555 0142", "01615550142", "allow"),
        ("0161 555 0142", "+44 161 555 0142", "ask"),
        ("C3", "C5", "block"),
        ("Flight 123", "Flight 1234", "block"),
        ("A+", "A-", "ask"),
        ("C++", "C", "ask"),
        ("!!!", "???", "ask"),
        ("York", "New York", "ask"),
        ("San Fran", "San Francisco", "allow"),
        ("Vegas", "Las Vegas", "allow"),
        ("St. Mary's", "st marys", "allow"),
        ("7 pm", "19:00", "ask"),
        ("7:00", "19:00", "ask"),
    ],
)
async def test_texts_are_told_apart_as_surely_as_letters_can(said: str, called: str, kind: str) -> None:
    talk = guard({"so": {"email": said}}).conversation("c")
    await talk.heard(user="so")
    assert (await talk.check(T, {"email": called})).kind == kind


@pytest.mark.parametrize(
    ("unwanted", "called", "kind"),
    [
        ("Dr. Lee", "dr lee", "block"),
        ("Doctor Lee", "Dr. Lee", "ask"),
        ("Doctor Lee", "Priya Moss", "allow"),
        ("Pedro", "Lucia", "allow"),
    ],
)
async def test_what_may_be_the_unwanted_by_another_name_is_asked_about(unwanted: str, called: str, kind: str) -> None:
    talk = guard().conversation("c")
    await talk.commit("Table.name", unwanted, relation="not")
    call: dict[str, Any] = {"day": FRIDAY, "guests": 4, "name": called}
    assert (await talk.check("Table.Reserve", call)).kind == kind


WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)


@given(WORDS, st.integers(0, 9999), st.integers(0, 9999))
def test_two_numbers_of_one_street_differ_and_one_does_not_from_itself(street: str, one: int, other: int) -> None:
    assert differ_surely(f"{one} {street}", f"{other} {street}") is (one != other)


@given(st.text(max_size=20), st.text(max_size=20))
def test_telling_apart_takes_no_sides_and_never_parts_what_is_written_alike(one: str, other: str) -> None:
    assert differ_surely(one, other) is differ_surely(other, one)
    assert is_short_for(one, other) is is_short_for(other, one)
    assert not differ_surely(one, one)
    if comparable(one) == comparable(other) and "@" not in one + other:
        assert not differ_surely(one, other)


@given(st.dates(), st.sampled_from(WEEKDAYS), st.sampled_from(["is", "not"]))
def test_a_day_of_the_week_is_kept_by_just_the_dates_that_fall_on_it(day: date, name: str, relation: str) -> None:
    async def play() -> None:
        talk = guard().conversation("c")
        await talk.commit("Table.day", name, relation=relation)  # type: ignore[arg-type]
        decision = await talk.check("Table.Reserve", {"day": day.isoformat(), "guests": 4}, mend=False)
        falls = f"{day:%A}" == name
        assert (decision.kind == "allow") is (falls is (relation == "is"))

    asyncio.run(play())


async def test_all_days_of_a_name_are_excluded_and_a_later_date_takes_their_place() -> None:
    not_then = Operation("set", "Table", "", "day", "not", "Wednesday")
    then = {"day": "2026-03-18"}
    talk = guard({"not on a Wednesday": [not_then], "on the 18th after all": then}).conversation("c")
    await talk.heard(user="not on a Wednesday")
    decision = await talk.check("Table.Reserve", {"day": "2026-03-18", "guests": 4})
    assert (decision.kind, decision.disputed) == ("block", ("day",))
    assert (await talk.check("Table.Reserve", {"day": "2026-03-17", "guests": 4})).kind == "allow"
    await talk.heard(user="on the 18th after all")
    assert (await talk.check("Table.Reserve", {"day": "2026-03-18", "guests": 4})).kind == "allow"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("SD", "San Diego", True),
        ("Saint Mary", "St Mary", True),
        ("Nurse Abara", "Nurse Holt", False),
        ("Dr. Moss", "Dr. Lindqvist", False),
        ("Hotel Adlon", "Hotel Adler", True),
        ("Olive Lounge", "Cloud Nine", False),
    ],
)
def test_two_things_are_not_alike_for_being_of_a_kind(one: str, other: str, alike: bool) -> None:
    assert are_alike(one, other) is alike is are_alike(other, one)


LETTERS = st.text(alphabet="abcxyz ", min_size=1, max_size=12).filter(lambda own: own.strip() != "")


@given(LETTERS, LETTERS)
def test_what_differs_surely_is_not_alike_and_nothing_differs_from_itself(one: str, other: str) -> None:
    assert not (differ_surely(one, other) and are_alike(one, other))
    assert not differ_surely(one, one) and (comparable(one) == "" or are_alike(one, one))
