"""Texts that may be two names of one thing, and texts that cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.call_commitments import are_alike, comparable, differ_surely


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


WORDS = st.text(alphabet="abcxyz ", min_size=1, max_size=12).filter(lambda own: own.strip() != "")


@given(WORDS, WORDS)
def test_what_differs_surely_is_not_alike_and_nothing_differs_from_itself(one: str, other: str) -> None:
    assert not (differ_surely(one, other) and are_alike(one, other))
    assert not differ_surely(one, one) and (comparable(one) == "" or are_alike(one, one))
