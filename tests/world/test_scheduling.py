"""Each scheduling constraint against the facts, written down a second time with sets of occupied slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.evaluate import compile_formula, evaluate
from holdtrue.world.scheduling import SCHEDULING

SLOTS, LONGEST = 6, 3
DAY = SCHEDULING.instance(["A", "B"], {"num_slots": SLOTS, "max_duration": LONGEST})
Event = range
"""The slots that an event occupies."""


def _days() -> Iterator[tuple[Event, Event, dict[str, int]]]:
    """Yield all pairs of events, also with ends after the last slot."""
    events = list(product(range(1, SLOTS + 1), range(1, LONGEST + 1)))
    for (a, long_a), (b, long_b) in product(events, repeat=2):
        values = {"A.start": a, "A.duration": long_a, "B.start": b, "B.duration": long_b}
        yield range(a, a + long_a), range(b, b + long_b), values


def _free_between(first: Event, second: Event) -> int | None:
    """Return the free slots between two events, or None if they overlap."""
    if set(first) & set(second):
        return None
    earlier, later = sorted((first, second), key=lambda event: event[0])
    return len(range(earlier[-1] + 1, later[0]))


def _agrees(kind: str, args: list[Any], holds: Callable[[Event, Event], bool]) -> None:
    check = compile_formula(DAY.formula(DAY.constraint(kind, args)))
    for a, b, values in _days():
        assert check(values) == holds(a, b), (kind, args, values)


def test_before_means_over_when_the_other_starts() -> None:
    _agrees("before", ["A", "B"], lambda a, b: max(a) < min(b))
    _agrees("before", ["B", "A"], lambda a, b: max(b) < min(a))


@pytest.mark.parametrize("slot", range(1, SLOTS + 1))
def test_at_time_is_the_start(slot: int) -> None:
    _agrees("at_time", ["A", slot], lambda a, b: a[0] == slot)


def test_not_simultaneous_is_about_starts_only() -> None:
    _agrees("not_simultaneous", ["A", "B"], lambda a, b: a[0] != b[0])


@pytest.mark.parametrize(("first", "last"), list(product(range(1, SLOTS + 1), repeat=2)))
def test_within_takes_its_bounds_in_either_order(first: int, last: int) -> None:
    window = set(range(first, last + 1)) | set(range(last, first + 1))
    _agrees("within", ["B", first, last], lambda a, b: b[0] in window)
    there, back = DAY.constraint("within", ["B", first, last]), DAY.constraint("within", ["B", last, first])
    assert DAY.canonical(there) == DAY.canonical(back)


@pytest.mark.parametrize("slots", range(1, LONGEST + 1))
def test_duration_is_the_length(slots: int) -> None:
    _agrees("duration", ["A", slots], lambda a, b: len(a) == slots)


@pytest.mark.parametrize("slots", range(SLOTS + 1))
def test_gap_counts_free_slots_in_either_order(slots: int) -> None:
    def far_enough(a: Event, b: Event) -> bool:
        free = _free_between(a, b)
        return free is not None and free >= slots

    _agrees("gap", ["A", "B", slots], far_enough)
    _agrees("gap", ["B", "A", slots], far_enough)


def test_events_end_by_the_last_slot_and_may_overlap() -> None:
    laws = [compile_formula(formula) for formula in DAY.background]
    for a, b, values in _days():
        assert all(law(values) for law in laws) == (max(*a, *b) <= SLOTS)
    assert all(law({"A.start": 2, "A.duration": 2, "B.start": 2, "B.duration": 2}) for law in laws)


def test_a_start_is_required_and_a_duration_is_not() -> None:
    assert DAY.required == ["A.start", "B.start"]
    assert str(DAY.variables["A.start"].sort) == f"1..{SLOTS}"
    assert str(DAY.variables["A.duration"].sort) == f"1..{LONGEST}"


@pytest.mark.parametrize(("count", "slots"), [(1, 6), (5, 6), (6, 7), (9, 10)])
def test_the_setting_has_defaults(count: int, slots: int) -> None:
    day = SCHEDULING.instance([f"E{number}" for number in range(count)])
    assert day.context == {"num_slots": slots, "max_duration": 3}


@pytest.mark.parametrize("context", [{"num_slots": 0}, {"max_duration": 0}, {"num_slots": True}, {"max_duration": "2"}])
def test_the_setting_has_limits(context: dict[str, Any]) -> None:
    with pytest.raises(DomainError, match="scheduling"):
        SCHEDULING.instance(["A"], context)


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("at_time", ["A", 0]),
        ("at_time", ["A", SLOTS + 1]),
        ("duration", ["A", LONGEST + 1]),
        ("within", ["A", 0, 2]),
        ("gap", ["A", "B", -1]),
        ("gap", ["A", "B", SLOTS + 1]),
    ],
)
def test_slots_that_the_day_does_not_have_are_refused(kind: str, args: list[Any]) -> None:
    with pytest.raises(ConstraintError) as error:
        DAY.constraint(kind, args)
    assert error.value.code == "out_of_range"


@pytest.mark.parametrize(("kind", "symmetric"), [("not_simultaneous", True), ("gap", True), ("before", False)])
def test_one_spelling_for_symmetric_types(kind: str, symmetric: bool) -> None:
    more = [1] if kind == "gap" else []
    there, back = DAY.constraint(kind, ["A", "B", *more]), DAY.constraint(kind, ["B", "A", *more])
    assert (DAY.canonical(there) == DAY.canonical(back)) == symmetric
    both_ways = [evaluate(DAY.formula(there), v) == evaluate(DAY.formula(back), v) for _, _, v in _days()]
    assert all(both_ways) == symmetric
