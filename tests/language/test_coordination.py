"""Joined names come apart where each can be meant, and stay together where that is not clear."""

from __future__ import annotations

import pytest

from holdtrue.language.coordination import denies, names_in, says_each, take_apart

A, B, C = "\ua0000\ua000", "\ua0001\ua000", "\ua0002\ua000"
RED, BLUE = "\ua0010\ua001", "\ua0011\ua001"


def always(text: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (f"neither {A} nor {B} can go", [f"{A} can not go", f"{B} can not go"]),
        (f"neither {A} nor {B} sits", [f"{A} does not sit", f"{B} does not sit"]),
        (f"both {A} and {B} go", [f"{A} go", f"{B} go"]),
        (f"{A}, {B} and {C} go", [f"{A} go", f"{B} go", f"{C} go"]),
        (f"no {RED} or {BLUE} for {A}", [f"no {RED} for {A}", f"no {BLUE} for {A}"]),
        (f"{A} and {B} take 2 and 5", [f"{A} take 2", f"{B} take 5"]),
        (f"{A} and {B} have {RED} and {BLUE}", [f"{A} have {RED}", f"{B} have {BLUE}"]),
        (f"{A} before {B} before {C}", [f"{A} before {B}", f"{B} before {C}"]),
        (f"{A} or {B} goes", []),  # an alternative
        (f"{A} goes", []),
        ("", []),
    ],
)
def test_names_are_taken_apart(text: str, made: list[str]) -> None:
    assert take_apart(text, always) == made


def test_names_that_make_no_whole_sentence_each_are_taken_in_pairs() -> None:
    made = take_apart(f"{A}, {B} and {C} differ", lambda text: len(names_in(text)) == 2)
    assert made == [f"{A} and {B} differ", f"{A} and {C} differ", f"{B} and {C} differ"]


def test_nothing_is_taken_apart_that_is_not_whole_then() -> None:
    assert take_apart(f"{A} and {B} meet", lambda text: False) == []


def test_the_small_questions() -> None:
    assert names_in(f"{A} and {RED} and {A}") == [A]
    assert says_each(f"both {A} and {B} go") and not says_each(f"{A} and {B} go to both sides")
    assert denies("he can't") and not denies("he can")
