"""Words that refer back get the names that they stand for, and a name that is not sure is told."""

from __future__ import annotations

import pytest

from holdtrue.language.references import (
    Context,
    Resolved,
    follow_relative,
    left_out,
    relative_clauses,
    resolve,
    same_again,
)

A, B, C = "\ua0000\ua000", "\ua0001\ua000", "\ua0002\ua000"
AFTER_A = Context().heard(f"{A} has seat 2", (f"{A} has seat 2",))
AFTER_BOTH = Context().heard(f"{A} and {B} sit together", (f"{A} and {B} sit together",))


@pytest.mark.parametrize(
    ("text", "context", "resolved"),
    [
        ("she has seat 3", AFTER_A, Resolved(f"{A} has seat 3")),
        (f"{B} sits beside her", AFTER_A, Resolved(f"{B} sits beside {A}")),
        (f"{B} goes on her left", AFTER_A, Resolved(f"{B} goes on {A}'s left")),
        ("they have a side each", AFTER_BOTH, Resolved(f"{A} and {B} have a side each")),
        ("neither of them sits in front", AFTER_BOTH, Resolved(f"neither {A} nor {B} sits in front")),
        ("the former has seat 1", AFTER_BOTH, Resolved(f"{A} has seat 1")),
        ("the latter has seat 1", AFTER_BOTH, Resolved(f"{B} has seat 1")),
        ("she has seat 3", AFTER_BOTH, Resolved(f"{A} has seat 3", (A,))),
    ],
)
def test_the_likeliest_way_comes_first(text: str, context: Context, resolved: Resolved) -> None:
    assert next(resolve(text, context)) == resolved


def test_it_that_stands_for_nothing_is_left() -> None:
    assert list(resolve("see to it that nobody minds", AFTER_A)) == []
    assert list(resolve("it is best that nobody minds", AFTER_A)) == []
    assert list(resolve("the first no, the second yes", AFTER_BOTH)) == []


def test_nothing_is_referred_to_before_anything_was_said() -> None:
    assert list(resolve("she has seat 3", Context())) == []
    assert same_again(f"the same goes for {B}", Context()) is None


@pytest.mark.parametrize("text", [f"and the same goes for {B}", f"so does {B}", f"{B} too", f"ditto for {B}"])
def test_the_same_is_said_of_somebody_else(text: str) -> None:
    assert same_again(text, AFTER_A) == ([f"{B} has seat 2"], ())


def test_of_two_names_it_is_not_sure_which_the_same_is_said_of() -> None:
    context = Context().heard(f"keep {A} off {B}", (f"keep {A} off {B}",))
    assert same_again(f"same for {C}", context) == ([f"keep {C} off {B}"], (C,))


def test_relative_clauses_speak_of_the_name_before_them() -> None:
    assert relative_clauses(f"{A}, who has seat 1, sits by {B}") == f"{A} has seat 1, sits by {B}"
    assert follow_relative(f"which comes before {C}", f"{A} before {B}") == f"{B} comes before {C}"
    assert follow_relative("and so on", f"{A} before {B}") is None


@pytest.mark.parametrize(
    ("said", "text", "stated"),
    [
        (f"{A} has the dog", f"but {B} doesn't", f"{B} does not have the dog"),
        (f"{A} must have seat 2", f"{B} must not", f"{B} must not have seat 2"),
        (f"the {A} is not the cook", f"{B} is", f"the {B} is the cook"),
        (f"{A} isn't the cook", f"and {B} isn't either", f"{B} isn't the cook"),
        (f"{A} has seat 2", f"while {B} does too", f"{B} has seat 2"),
        (f"{A} shall not be the cook", f"whereas {B} shall", f"{B} shall be the cook"),
    ],
)
def test_what_a_verb_alone_leaves_out_was_said_just_before(said: str, text: str, stated: str) -> None:
    assert left_out(text, Context().heard(said, (said,))) == ([stated], ())


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (f"{A} never has the dog", f"while {B} does"),
        (f"{A} starts no later than slot 3", f"but {B} doesn't"),
        (f"{A} starts not before slot 3", f"while {B} does too"),
        (f"nobody but {A} has the dog", f"but {B} does"),
        (f"{A} has seat no 2", f"but {B} doesn't"),
        (f"{A} must have seat 2", f"but {B} may"),
        (f"{A} cannot have seat 2", f"but {B} can"),
        (f"{A} and {B} sit together", f"{C} does"),
        (f"{A} has seat 2", f"{B} owes me"),
    ],
)
def test_what_a_verb_alone_leaves_open_is_left_open(said: str, text: str) -> None:
    assert left_out(text, Context().heard(said, (said,))) is None
