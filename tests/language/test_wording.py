"""Whether words speak of a given constraint."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.wording import denies, fits, meaning_words, says, spellings
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from tests.lab.suites.drift.instances import INSTANCES, constraints
from tests.language.rota import WEEK, made

GRID = LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"])


@given(st.sampled_from(INSTANCES).flatmap(lambda instance: st.tuples(st.just(instance), constraints(instance))))
@settings(deadline=None, max_examples=100)
def test_a_constraint_s_own_sentence_speaks_of_it(case: tuple[Instance, Constraint]) -> None:
    instance, constraint = case
    sentence = instance.sentence(constraint)
    assert fits(instance, constraint, sentence) and says(instance, constraint, sentence)


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("Ann", True),
        ("Ann and Cy", True),
        ("Ann, 2", True),
        ("Ann, 3", False),
        ("Ann and Bob", False),
        ("the rule about Ann's days", True),
    ],
)
def test_a_constraint_fits_what_names_nothing_else(text: str, fitting: bool) -> None:
    assert fits(WEEK, made("apart", "Ann", "Cy", 2), text) is fitting


def test_values_and_attributes_count_too() -> None:
    red = GRID.constraint("assign", ["Robin", "color", "Red"])
    assert fits(GRID, red, "Robin's red") and fits(GRID, red, "the color of Robin")
    assert not fits(GRID, red, "Robin's blue") and not fits(GRID, red, "the pet of Robin")


def test_a_number_inside_a_name_is_a_part_of_the_name() -> None:
    rooms = SCHEDULING.instance(["Phase 1", "Phase 2"])
    order = rooms.constraint("before", ["Phase 1", "Phase 2"])
    assert fits(rooms, order, "Phase 1 and Phase 2") and not fits(rooms, order, "Phase 1 and 3")


def test_day_2_is_not_2_days() -> None:
    on, apart = made("on_day", "Ann", 2), made("apart", "Ann", "Cy", 2)
    assert fits(WEEK, on, "day 2") and not fits(WEEK, on, "the 2 days")
    assert fits(WEEK, apart, "the 2 days") and not fits(WEEK, apart, "day 2")
    assert fits(WEEK, on, "the 2nd day") and fits(WEEK, on, "Ann, 2") and fits(WEEK, apart, "Ann, 2")


def test_a_relation_said_the_other_way_round_does_not_fit() -> None:
    rooms = SCHEDULING.instance(["Audit", "Demo"])
    order = rooms.constraint("before", ["Audit", "Demo"])
    assert fits(rooms, order, "Demo after Audit") and not fits(rooms, order, "Audit after Demo")


@pytest.mark.parametrize(
    ("text", "worded"),
    [
        ("Ann before Bob", True),
        ("Ann working before Bob", True),
        ("put Ann before Bob", True),
        ("Bob before Ann", False),
        ("Ann after Bob", False),
        ("Ann not before Bob", False),
        ("Ann's holidays and Bob", False),
    ],
)
def test_the_words_must_be_those_in_which_the_domain_says_it(text: str, worded: bool) -> None:
    assert says(WEEK, made("before", "Ann", "Bob"), text) is worded


def test_a_denial_is_not_worded_like_the_statement_nor_the_statement_like_the_denial() -> None:
    on, off = made("on_day", "Dee", 4), made("off_day", "Dee", 4)
    assert says(WEEK, on, "Dee on day 4") and not says(WEEK, off, "Dee on day 4")
    assert says(WEEK, off, "Dee can't work on day 4") and not says(WEEK, on, "Dee can't work on day 4")


def test_meaning_words_are_stems_without_names_and_numbers() -> None:
    assert meaning_words(WEEK, "Please put Ann's and Bob's working days 2 or three apart") == {"work", "day", "apart"}
    assert meaning_words(WEEK, "Ann cannot work, and won't") == {"not", "work"}
    assert denies(WEEK, "Don't put Ann on day 2") and not denies(WEEK, "put Ann on day 2")


@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("Ann must work on day 2", "Ann works on day 2"),
        ("Ann has to sit next to Bob", "Ann must sit next to Bob"),
        ("Ann must be first", "Ann is first"),
        ("Ann should carry it", "Ann carries it"),
        ("Ann must wash up", "Ann washes up"),
        ("Ann and Bob must work", "Ann and Bob work"),
    ],
)
def test_a_duty_is_said_in_more_than_one_way(text: str, also: str) -> None:
    assert next(iter(spellings(text))) == text and also in spellings(text)
