"""Near names differ only in capitals, signs or a plural."""

from __future__ import annotations

import pytest

from holdtrue_claims.fol.naming import name_words, near, thing_identifier


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Platypus", "platypuses"),
        ("Company", "Companies"),
        ("NewYork", "new_york"),
        ("Dish", "dishes"),
        ("Class", "Classes"),
        ("Cat", "cat"),
        ("student", "Students"),
    ],
)
def test_near(one: str, other: str) -> None:
    assert near(one, other) and near(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("tower-a", "tower-b"), ("gas", "ga"), ("Cat", "Car"), ("a+", "b+"), ("+", "-")]
)
def test_not_near(one: str, other: str) -> None:
    assert not near(one, other)


@pytest.mark.parametrize("name", ["Köln", "Straße", "Zoë", "Plus", "Élise", "Łódź", "RedBoat"])
def test_a_name_keeps_its_letters(name: str) -> None:
    assert thing_identifier(name) == name


def test_capitals_begin_words() -> None:
    assert name_words("HTMLPage U2.1 ÉcoleÀParis") == ["HTML", "Page", "U", "2", "1", "École", "À", "Paris"]
