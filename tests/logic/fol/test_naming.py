"""Near names differ in capitals, signs or a plural, and in nothing else."""

from __future__ import annotations

import pytest

from holdtrue.logic.fol.naming import near


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
