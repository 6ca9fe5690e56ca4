"""The words of a limit say which end of a range is given, and what says nothing of it leaves both open."""

from __future__ import annotations

import pytest

from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.range_sides import given_end
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain

PLAN = Instance(find_domain("scheduling"), ["Demo", "Review"], {"num_slots": 8, "max_duration": 3})


@pytest.mark.parametrize(
    ("sentence", "side"),
    [
        ("Demo starts in slot 4 or later", "earliest"),
        ("Demo can't start any sooner than slot 4", "earliest"),
        ("Demo may not begin before slot 4", "earliest"),
        ("from slot 4 onwards for Demo", "earliest"),
        ("Demo by slot 4 at the latest", "latest"),
        ("Demo starts no later than slot 4", "latest"),
        ("don't let Demo start after slot 4", "latest"),
        ("Demo in slot 4 or earlier", "latest"),
        ("Demo in slot 4", None),
        ("Demo not before slot 2 and not after slot 4", None),
    ],
)
def test_the_end_is_told_by_words(sentence: str, side: str | None) -> None:
    assert given_end(PLAN, sentence) == side


def test_only_the_range_on_that_side_can_be_meant() -> None:
    assert candidates(PLAN, "Demo starts no later than slot 4").single["within"] == [("Demo", 1, 4)]
    assert candidates(PLAN, "Demo starts in slot 4 or later").single["within"] == [("Demo", 4, 8)]
    assert len(candidates(PLAN, "Demo somewhere in the window to 4").single["within"]) > 1
