"""What a message was read as is held against gold by canonical constraints, and what is doubtful is kept apart."""

from __future__ import annotations

import pytest

from holdtrue.record import ReadingRecord
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain
from holdtrue_lab.kinds.readings.entry import ReadingScore
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kinds.readings.scoring import score_reading

SEATS = Instance(find_domain("seating"), ["Ann", "Bob", "Cy", "Dee"], {})
NEXT, LEFT = SEATS.constraint("adjacent", ["Ann", "Bob"]), SEATS.constraint("left_of", ["Cy", "Dee"])


def read(status: str, type: str, *args: str, confidence: float = 0.9, act: str = "states") -> ReadingRecord:
    return ReadingRecord("said", status, type, args, confidence, act=act)


def score(*readings: ReadingRecord) -> ReadingScore:
    gold = (SEATS.canonical(NEXT), SEATS.canonical(LEFT))
    item = MessageItem("seating/m", "seating", "multi", "terse", "f", "said", SEATS, gold, ())
    return score_reading(item, readings)


def test_a_constraint_is_right_in_any_spelling_and_counts_once() -> None:
    found = score(
        read("accepted", "adjacent", "Bob", "Ann", confidence=0.7),
        read("accepted", "adjacent", "Ann", "Bob", confidence=0.8),
        read("accepted", "left_of", "Cy", "Dee", act="amends"),
    )
    assert found.correct and found.with_doubtful and found.missed == ()
    assert (found.right, found.wrong, found.gold) == (2, 0, 2)
    assert [(own.confidence, own.right) for own in found.judged] == [(0.8, True), (0.9, True)]


def test_what_is_doubtful_is_not_accepted_and_yet_judged() -> None:
    found = score(
        read("accepted", "adjacent", "Ann", "Bob"),
        read("doubtful", "adjacent", "Ann", "Bob", confidence=0.2),
        read("doubtful", "left_of", "Cy", "Dee", confidence=0.4),
    )
    assert not found.correct and found.with_doubtful
    assert (found.doubtful, found.doubtful_right, found.missed) == (1, 1, ())
    assert [(own.confidence, own.right) for own in found.judged] == [(0.9, True), (0.4, True)]


def test_what_is_wrong_missed_rejected_or_taken_back_is_counted() -> None:
    found = score(
        read("accepted", "left_of", "Dee", "Cy"),
        read("accepted", "adjacent", "Ann", "Bob", act="withdraws"),
        ReadingRecord("said", "rejected", reason="unread"),
    )
    assert not found.correct and not found.with_doubtful
    assert (found.right, found.wrong) == (0, 1)
    assert found.missed == ("adjacent(Ann, Bob)", "left_of(Cy, Dee)")
    assert (found.rejected, found.taken_back, found.doubtful) == (1, 1, 0)


@pytest.mark.parametrize("status", ["accepted", "doubtful"])
def test_with_doubtful_needs_all_and_nothing_else(status: str) -> None:
    found = score(
        read("accepted", "adjacent", "Ann", "Bob"),
        read(status, "left_of", "Cy", "Dee"),
        read("doubtful", "left_of", "Dee", "Cy"),
    )
    assert not found.with_doubtful
