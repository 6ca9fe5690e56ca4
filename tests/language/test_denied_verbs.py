"""A verb is denied or affirmed only where its denial is plain, and twice is once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.denied_verbs import affirmed, denied, denies_its_verb


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (" has the dog", " does not have the dog"),
        (" goes there", " does not go there"),
        (" must have seat 2", " must not have seat 2"),
        (" has to go last", " has to not go last"),
        (" can have seat 2", " can not have seat 2"),
    ],
)
def test_a_plain_verb_is_denied(said: str, other: str) -> None:
    assert (denied(said), denies_its_verb(said), affirmed(said)) == (other, False, None)


@pytest.mark.parametrize("said", [" can't go", " cannot go", " can\u2019t go", " can not go"])
def test_every_way_to_write_a_denial_is_taken_back(said: str) -> None:
    assert (affirmed(said), denies_its_verb(said), denied(said)) == (" can go", True, None)


@pytest.mark.parametrize("said", [" never has it", " starts no later than 3", " starts not before 3", " isn't not it"])
def test_what_is_denied_in_another_way_is_left(said: str) -> None:
    assert (denied(said), affirmed(said), denies_its_verb(said)) == (None, None, None)


@given(
    st.sampled_from(["must", "is", "should", "will"]), st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,3}", fullmatch=True)
)
def test_a_denial_of_a_denial_is_what_was_said(verb: str, rest: str) -> None:
    said = f" {verb} {rest}"
    if (other := denied(said)) is not None and affirmed(other) is not None:
        assert affirmed(other) == said
