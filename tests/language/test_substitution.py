"""Sentences that only say what is different."""

from __future__ import annotations

import pytest

from holdtrue.language.substitution import substitute
from holdtrue.world.instance import Constraint
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from tests.language.rota import WEEK, made

ON, BEFORE, APART = made("on_day", "Ann", 2), made("before", "Ann", "Bob"), made("apart", "Ann", "Cy", 2)


@pytest.mark.parametrize(
    ("agreed", "stated", "displaced", "found"),
    [
        (ON, "put Ann on day 3", None, made("on_day", "Ann", 3)),
        (ON, "Change Ann's day to 3", None, made("on_day", "Ann", 3)),
        (ON, "Ann on day 3", "day 2", made("on_day", "Ann", 3)),
        (ON, "day 3", "day 2", made("on_day", "Ann", 3)),
        (ON, "Bob", "Ann", made("on_day", "Bob", 2)),
        (ON, "Bob on day 2", None, made("on_day", "Bob", 2)),
        (BEFORE, "Ann before Cy", "Bob", made("before", "Ann", "Cy")),
        (BEFORE, "Cy", "Ann", made("before", "Cy", "Bob")),
        (APART, "Ann and Bob", "Cy", made("apart", "Ann", "Bob", 2)),
        (APART, "Ann and Cy 3 days apart", None, made("apart", "Ann", "Cy", 3)),
    ],
)
def test_new_names_take_the_place_of_old_ones(
    agreed: Constraint, stated: str, displaced: str | None, found: Constraint
) -> None:
    assert substitute(WEEK, agreed, stated, displaced) == found


@pytest.mark.parametrize(
    ("agreed", "stated", "displaced"),
    [
        (ON, "put Ann on day 2", None),  # nothing is different
        (ON, "put Bob on day 3", None),  # nothing is the same
        (ON, "put Ann on day 9", None),  # no day
        (ON, "put Ann on day 3 or 4", None),  # one place, two numbers
        (ON, "Ann on day 3", "day 4"),  # that was not agreed
        (ON, "Ann on day 3", "the weekend"),  # names nothing
        (ON, "Ann must not work on day 3", None),  # not worded like what was agreed
        (ON, "keep Ann away from day 3", None),
        (BEFORE, "Ann after Cy", "Bob"),
        (BEFORE, "Cy before Ann", "Bob"),  # the other way round
        (BEFORE, "Ann before Cy", "after Bob"),
        (made("off_day", "Ann", 2), "put Ann on day 3", None),
    ],
)
def test_what_is_not_worded_like_what_was_agreed_is_not_guessed(
    agreed: Constraint, stated: str, displaced: str | None
) -> None:
    assert substitute(WEEK, agreed, stated, displaced) is None


def test_values_are_replaced_within_their_attribute() -> None:
    grid = LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"])
    red = grid.constraint("assign", ["Robin", "color", "Red"])
    assert substitute(grid, red, "Robin's color is blue", None) == grid.constraint("assign", ["Robin", "color", "Blue"])
    assert substitute(grid, red, "Robin's pet is the cat", None) is None


def test_the_result_is_in_normal_form() -> None:
    day = SCHEDULING.instance(["Audit"])
    window = day.constraint("within", ["Audit", 2, 4])
    assert substitute(day, window, "Audit in slots 3 to 2", None) == day.constraint("within", ["Audit", 2, 3])
