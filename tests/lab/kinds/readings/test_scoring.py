"""What a message was read as is held against gold by canonical constraints, and what is doubtful is kept apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.record import ReadingRecord
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain
from holdtrue_lab.kinds.readings.calibration import calibration_of
from holdtrue_lab.kinds.readings.entry import Judged, ReadingScore
from holdtrue_lab.kinds.readings.playing import score_reading
from holdtrue_lab.kinds.readings.problem import MessageItem

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


CONSTRAINTS = st.lists(st.lists(st.builds(Judged, st.floats(0, 1), st.booleans()), max_size=6), min_size=1, max_size=5)


def test_a_perfect_reader_has_no_error() -> None:
    found = calibration_of([[Judged(1.0, True)] * 5, [Judged(0.0, False)] * 5])
    assert found.error == 0
    assert [own.constraints for own in found.bins] == [5, 5]


def test_the_error_is_the_mean_distance_weighed_by_constraints() -> None:
    found = calibration_of([[Judged(0.95, True), Judged(0.95, False)], [Judged(0.65, True), Judged(0.65, True)]])
    assert found.error == pytest.approx((2 * 0.45 + 2 * 0.35) / 4)
    assert calibration_of([[], []]).error is None


@given(CONSTRAINTS)
def test_bins_and_thresholds_count_every_constraint_once(judged: list[list[Judged]]) -> None:
    constraints = [own for each in judged for own in each]
    found = calibration_of(judged)
    assert sum(own.constraints for own in found.bins) == len(constraints)
    assert all(own.low <= (own.mean or 0) <= own.high + 1e-9 for own in found.bins)
    for own in found.thresholds:
        taken = [each for each in constraints if each.confidence >= own.at]
        assert (own.covered.hits, own.covered.of) == (len(taken), len(constraints))
        assert (own.risk.hits, own.risk.of) == (sum(not each.right for each in taken), len(taken))
