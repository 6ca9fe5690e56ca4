"""What may hold for a whole sentence makes all of its parts doubtful."""

from __future__ import annotations

import pytest

from holdtrue.language.part_checks import UNREAD_PART, hold_together, not_sure_of
from holdtrue.language.reading import Reading
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain

TABLE = Instance(find_domain("seating"), ["Ann", "Bob", "Cy"], {})
SEAT = Reading("Ann has seat 1 and Bob has seat 2", "accepted", Constraint("at_position", ("Ann", 1)), 0.9)


def test_a_name_that_is_not_sure_makes_its_reading_doubtful() -> None:
    assert not_sure_of(SEAT, ()) == SEAT
    assert not_sure_of(SEAT, ("Bob",)) == SEAT
    assert (not_sure_of(SEAT, ("Ann",)).status, not_sure_of(SEAT, ("Ann",)).confidence) == ("doubtful", 0.4)


def test_what_holds_one_part_back_may_hold_for_the_others() -> None:
    held = Reading(SEAT.sentence, "rejected", None, 0.0, "an opinion", held_back=True)
    assert [one.status for one in hold_together(TABLE, SEAT.sentence, [held, SEAT], ())] == ["rejected", "doubtful"]
    lost = Reading(SEAT.sentence, "rejected", None, 0.0, "names nobody")
    assert hold_together(TABLE, SEAT.sentence, [lost, SEAT], ()) == [lost, SEAT]


def test_a_part_that_states_nothing_may_hold_the_others_back() -> None:
    assert hold_together(TABLE, SEAT.sentence, [SEAT], ("what a day",))[0] == SEAT
    assert hold_together(TABLE, SEAT.sentence, [SEAT], ("Cy thinks so",))[0].status == "doubtful"


@pytest.mark.parametrize(
    "part", ["Cy must never go last", "one more thing: Cy's in seat 3", "they can\u2019t overlap", "whereas Bob shall"]
)
def test_a_part_that_demands_something_is_told_where_nothing_was_read_in_it(part: str) -> None:
    seat, unread = hold_together(TABLE, SEAT.sentence, [SEAT], (part,))
    assert seat == SEAT and (unread.status, unread.code) == ("rejected", UNREAD_PART)
    assert unread.reason == f'nothing was read in "{part}"'


@pytest.mark.parametrize("part", ["the party is tomorrow", "Cy is too loud", "pass the mustard", "as far as I can"])
def test_a_remark_demands_nothing(part: str) -> None:
    assert hold_together(TABLE, SEAT.sentence, [SEAT], (part,)) == [SEAT]
