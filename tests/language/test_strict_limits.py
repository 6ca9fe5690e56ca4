"""Limits that leave out their own number are said by the number that they mean; those that are denied stay."""

from __future__ import annotations

import pytest

from holdtrue.language.strict_limits import count_on
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain

PLAN = Instance(find_domain("scheduling"), ["Demo", "Review"], {"num_slots": 8, "max_duration": 3})
SEATING = Instance(find_domain("seating"), ["Ann", "Bob"], {})


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("Demo starts after slot 5", "Demo starts from slot 6 on"),
        ("Demo starts any time past 5", "Demo starts from 6 on"),
        ("Demo has to start before slot four", "Demo has to start by slot 3 at the latest"),
        ("leave more than one slot between Demo and Review", "leave at least 2 slot between Demo and Review"),
    ],
)
def test_the_number_that_is_meant_is_said(message: str, meant: str) -> None:
    assert count_on(PLAN, message) == meant


@pytest.mark.parametrize(
    "message",
    [
        "Demo can't start before slot 3",
        "Demo starts no later than slot 5",
        "not after slot 5, please",
        "Demo before Review",
        "Demo starts in slot 5 or after",
        "no more than 2 slots between Demo and Review",
        "Demo before slot 1",
        "after 2 slots Demo begins",
    ],
)
def test_all_else_stays(message: str) -> None:
    assert count_on(PLAN, message) == message


def test_a_domain_without_ranges_has_no_limits_to_count_on() -> None:
    assert count_on(SEATING, "Ann comes after 5 others") == "Ann comes after 5 others"
    assert count_on(SEATING, "more than 2 seats between Ann and Bob") == "at least 3 seats between Ann and Bob"
