"""Counts, open orders and appositions say nothing by themselves, and a list may only be what a sentence opens with."""

from __future__ import annotations

import pytest

from holdtrue.language.list_topics import speaks_of_some, topic_of, without_asides

A, B, C = (f"\ua000{number}\ua000" for number in range(3))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"all three of {A}, {B} and {C} start late", f"{A}, {B} and {C} start late"),
        (f"{A} and {B}, whichever comes first, two slots apart", f"{A} and {B}, two slots apart"),
        (f"{A} and {B} apart, it doesn't matter which goes first", f"{A} and {B} apart"),
        (f"{A} and {B} two slots apart in either order", f"{A} and {B} two slots apart"),
        (f"{A}, our peacemaker, gets seat 4", f"{A} gets seat 4"),
        (f"{A} first, then {B}", f"{A} first, then {B}"),
        (f"{A}, {B} and {C} sit together", f"{A}, {B} and {C} sit together"),
    ],
)
def test_asides_are_left_out(text: str, left: str) -> None:
    assert without_asides(text) == left


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Of {A}, {B} and {C}, the first has seat 1", (f"Of {A}, {B} and {C}", "the first has seat 1")),
        (f"{A} and {B}: the former before the latter", (f"{A} and {B}", "the former before the latter")),
        (f"{A}, {B} and {C}, the other two wait", (f"{A}, {B} and {C}", "the other two wait")),
        (f"{A} and {B}: opposite sides", None),
        (f"{A}, {B} and {C} start late", None),
    ],
)
def test_a_list_is_a_topic_where_the_rest_speaks_of_its_members(text: str, found: tuple[str, str] | None) -> None:
    assert topic_of(text) == found


def test_some_of_a_list_are_none_of_them() -> None:
    assert speaks_of_some(f"at least one of {A} and {B} has seat 1")
    assert not speaks_of_some(f"not any of {A} and {B} has seat 1")
    assert not speaks_of_some(f"{A} and {B} have seats")
