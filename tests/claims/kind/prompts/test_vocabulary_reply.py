"""What is read of a reply: no name of a predicate denies anything."""

from __future__ import annotations

import pytest

from holdtrue_claims.fol.vocabulary import ANY, Predicate
from holdtrue_claims.kind.prompts.vocabulary_reply import only_positive


def said(name: str, meaning: str, places: int = 1) -> Predicate:
    return Predicate(name, (ANY,) * places, meaning)


@pytest.mark.parametrize(
    ("name", "meaning", "turned", "means"),
    [
        ("DoesNotWorkAsVolunteer", "x does not work as a volunteer", "WorkAsVolunteer", "x work as a volunteer"),
        ("IsNotATrainee", "x is not a trainee", "IsTrainee", "x is a trainee"),
        ("MayNotEnter", "x may not enter", "MayEnter", "x may enter"),
        ("CannotSwim", "x cannot swim", "CanSwim", "x can swim"),
        ("DoesntSmoke", "x doesn't smoke", "Smoke", "x smoke"),
    ],
)
def test_what_denies_becomes_what_it_denies(name: str, meaning: str, turned: str, means: str) -> None:
    assert only_positive([said(name, meaning)]) == (said(turned, means),)


def test_it_is_left_out_where_another_one_says_so_already() -> None:
    works, not_works = said("WorksHere", "x works here"), said("DoesNotWorkHere", "x does not work here")
    assert only_positive([not_works, works]) == (works,)
    assert only_positive([not_works], known=[works]) == ()
    assert only_positive([not_works, not_works]) == (said("WorkHere", "x work here"),)


def test_what_denies_nothing_stays_as_it_is() -> None:
    plain = (
        *(said("Notary", "x is a notary"), said("Knots", "x ties knots"), said("Likes", "x likes y", 2)),
        *(said("Banned", "x may not enter"), said("Unpaid", "x is not paid"), said("Forbidden", "x cannot be done")),
    )
    assert only_positive(plain) == plain


def test_a_name_that_is_nothing_but_a_denial_is_left_out() -> None:
    assert only_positive([said("DoesNot", "x does not")]) == ()
