"""Values are found however a user writes their number, day or time, and ordinary words are left alone."""

from __future__ import annotations

import pytest

from holdtrue.language.value_spelling import respell_values
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain

GRID = Instance(
    find_domain("logic_grid"),
    ["Ann", "Bob"],
    {
        "categories": {
            "floor": ["1", "2", "4"],
            "place": ["First", "Second", "Third"],
            "day": ["Tuesday", "Wednesday", "Saturday"],
            "time": ["7am", "8am", "10am"],
        }
    },
)


@pytest.mark.parametrize(
    ("message", "spelled"),
    [
        ("Ann -> floor two", "Ann -> floor 2"),
        ("Ann lives on the 4th floor", "Ann lives on the 4 floor"),
        ("Ann lives on the second floor", "Ann lives on the 2 floor"),
        ("Ann came 2nd", "Ann came Second"),
        ("In place number three, Ann", "In place Third, Ann"),
        ("not tues for Ann", "not Tuesday for Ann"),
        ("Ann: Sat.", "Ann: Saturday"),
        ("Ann comes at 7 a.m. sharp", "Ann comes at 7am sharp"),
    ],
)
def test_other_forms_of_a_value_are_spelled_like_it(message: str, spelled: str) -> None:
    assert respell_values(GRID, message) == spelled


@pytest.mark.parametrize(
    "message", ["Ann sat by Bob", "they wed last year", "two of them", "Ann has 4 cats", "at half past seven", ""]
)
def test_what_is_no_value_stays(message: str) -> None:
    assert respell_values(GRID, message) == message


RACE = Instance(
    find_domain("logic_grid"),
    ["Ann", "Bob"],
    {"categories": {"finish": ["1st", "2nd", "3rd"], "start": ["8:45", "9:30", "4:15 pm"]}},
)
AGES = Instance(
    find_domain("logic_grid"), ["Ann", "Bob"], {"categories": {"age": ["Nine", "Ten"], "pet": ["Cat", "Dog"]}}
)


@pytest.mark.parametrize(
    ("message", "spelled"),
    [
        ("Ann's the half past nine one", "Ann's the 9:30 one"),
        ("Ann starts at a quarter to nine", "Ann starts at 8:45"),
        ("Ann is picked up at quarter past four", "Ann is picked up at 4:15 pm"),
        ("Ann third", "Ann 3rd"),
        ("Ann came in number two", "Ann came in 2nd"),
        ("Ann did not take first place", "Ann did not take 1st place"),
        ("The third one across the line was Ann", "The 3rd one across the line was Ann"),
        ("first, Ann has it", "first, Ann has it"),
    ],
)
def test_times_and_places_in_words_are_values(message: str, spelled: str) -> None:
    assert respell_values(RACE, message) == spelled


def test_a_number_is_a_value_where_nothing_else_is_counted() -> None:
    assert respell_values(AGES, "Ann is 10") == "Ann is Ten"
    assert respell_values(AGES, "Ann is 10.5, $9 and 9-10") == "Ann is 10.5, $9 and 9-10"


@pytest.mark.parametrize(
    ("message", "spelled"),
    [
        ("Ann is forty-two", "Ann is 42"),
        ("ann turned forty two", "ann turned 42"),
        ("Ann is forty", "Ann is 40"),
        ("Bob's nineteen", "Bob's 19"),
        ("forty-three of them", "forty-three of them"),
        ("Ann doesn't have the rubies", "Ann doesn't have the Ruby"),
    ],
)
def test_great_numbers_in_words_and_plurals_in_ies_are_values(message: str, spelled: str) -> None:
    gems = Instance(
        find_domain("logic_grid"), ["Ann", "Bob"], {"categories": {"age": ["19", "40", "42"], "gem": ["Ruby", "Opal"]}}
    )
    assert respell_values(gems, message) == spelled
