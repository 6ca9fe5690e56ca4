"""What an assignment lacks, and how its values are shown."""

from __future__ import annotations

from holdtrue.world.answer import Assignment
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.schema import render_answer
from holdtrue.world.seating import SEATING

EVENTS = SCHEDULING.instance(["Talk", "Lunch", "Walk"], {"num_slots": 8})
GRID = LOGIC_GRID.instance(["Ann", "Bob"])


def test_missing_are_required_variables_without_a_value_in_order() -> None:
    assert Assignment({}).missing(EVENTS.variables, EVENTS.required) == ("Talk.start", "Lunch.start", "Walk.start")
    answer = Assignment({"Walk.start": 1, "Talk.duration": 2}, {"Talk.start": "noon"}, ("Lunch.start",))
    assert answer.missing(EVENTS.variables, EVENTS.required) == ("Lunch.start",)


def test_values_are_shown_as_labels_where_there_are_labels() -> None:
    answer = Assignment({"Ann.color": 2, "Ann.pet": 9}, {"Bob.pet": "Cow"})
    assert answer.shown(GRID.variables) == {"Ann.color": "Green", "Ann.pet": "9", "Bob.pet": "Cow"}
    assert Assignment({"Talk.start": 99}).shown(EVENTS.variables) == {"Talk.start": 99}


def test_rendering_leaves_out_what_has_no_value() -> None:
    assert render_answer(EVENTS, {"Walk.start": 2, "Talk.start": 1, "Talk.duration": 3}) == {
        "Talk": {"start": 1, "duration": 3},
        "Walk": {"start": 2},
    }
    assert render_answer(GRID, {"Bob.pet": 0}) == {"Bob": {"pet": "Cat"}}
    assert render_answer(SEATING.instance(["Ann", "Bob"]), {"Bob.seat": 2}) == {"Bob": 2}
    assert render_answer(GRID, {}) == {}
