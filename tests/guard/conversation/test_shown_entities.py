"""A text identifies an entity by texts that tools showed of it and of no other entity of its kind."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.conversation.shown_entities import ShownEntities, shown_records, shown_texts
from holdtrue.guard.conversation.utterance import Utterance
from holdtrue.logic.value_sorts import DATE

SHOWN: dict[str, Any] = {
    "plays": [
        {"play_id": "PF-10", "title": "Twelfth Night", "date": "2026-03-19", "time": "20:00", "area": "circle"},
        {"play_id": "PF-11", "title": "Twelfth Night", "date": "2026-03-20", "time": "20:00", "area": "circle"},
        {"play_id": "PF-12", "title": "The Snow Goose", "date": "2026-03-22", "time": "15:00", "area": "stalls"},
    ],
    "soloists": [{"id": "S-KOV", "name": "Elena Kovacs"}, {"id": "S-BRA", "name": "Jonas Brandt"}],
}
THINGS = ShownEntities(list(shown_records(SHOWN)))


@pytest.mark.parametrize(
    ("text", "id", "expected"),
    [
        ("Twelfth Night on Thursday the nineteenth", "PF-10", True),
        ("Twelfth Night on Thursday the nineteenth", "PF-11", False),
        ("Twelfth Night at eight", "PF-10", False),
        ("the Snow Goose, four seats", "PF-12", True),
        ("four in the stalls", "PF-12", False),
        ("Kovacs, Sat 11 Apr", "S-KOV", True),
        ("Kovacs, Sat 11 Apr", "S-BRA", False),
        ("PF-99 is another", "PF-99", False),
    ],
)
def test_a_thing_is_told_by_what_it_alone_has(text: str, id: str, expected: bool) -> None:
    said = Utterance(text, datetime(2026, 3, 10, 9), "en-US")
    assert THINGS.describes(said, id, {"circle", "stalls"}) is expected


def test_the_day_of_a_thing_is_known() -> None:
    assert list(THINGS.moments(["PF-12"], DATE)) == [datetime(2026, 3, 22).toordinal()]


def test_records_are_found_in_lists_and_in_texts() -> None:
    assert list(shown_records('[{"id": "A-1", "name": "Ann", "age": 3}]')) == [{"id": "A-1", "name": "Ann"}]
    assert not list(shown_records({"id": "A-1", "tags": ["x", "y"]}))


@pytest.mark.parametrize(("count", "read"), [(1, 0), (2, 1), (40, 1), (41, 0)])
def test_a_record_of_one_text_or_of_very_many_describes_nothing(count: int, read: int) -> None:
    assert len([*shown_records({f"field{number}": "text" for number in range(count)})]) == read


def test_values_and_the_names_of_their_fields_are_shown() -> None:
    given = {"free": [{"vet": "Dr. Quill", "hour": "08:45"}], "open": True}
    assert {*shown_texts(given)} == {"Dr. Quill", "08:45", "free", "vet", "hour", "open"}


def test_a_result_may_be_json_in_a_text() -> None:
    assert {*shown_texts('{"vet": "Dr. Quill"}')} == {"vet", "Dr. Quill"}
    assert {*shown_texts("no json")} == {"no json"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_any_result_can_be_added(result: object) -> None:
    assert all(isinstance(text, str) for text in shown_texts(result))
