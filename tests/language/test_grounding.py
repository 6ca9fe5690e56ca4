"""Test which things of an instance a sentence mentions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.grounding import mentions, places
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Nora", "Omar", "Priya", "Ora"])
GRID = LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"])
PLAIN = Domain(
    name="plain",
    attributes=[Attribute("day", low=1, high=5)],
    constraint_types=[
        ConstraintType("apart", (Entity(), Entity()), "{0} and {1} differ", lambda w, a, b: a.day.ne(b.day))
    ],
)


@pytest.mark.parametrize(
    ("sentence", "numbers", "loose"),
    [
        ("from 2 to 14", (2, 14), ()),
        ("the 3rd and the fourth", (3, 4), ()),
        ("one or the first", (), (1,)),
        ("one seat, seat 1", (1,), ()),
        ("zero slots", (0,), ()),
        ("a free seat between them", (), (1,)),
        ("none, anyone, often", (), ()),
    ],
)
def test_numbers(sentence: str, numbers: tuple[int, ...], loose: tuple[int, ...]) -> None:
    found = mentions(TABLE, sentence)
    assert (found.numbers, found.loose) == (numbers, loose)


def test_values_bring_their_attribute() -> None:
    found = mentions(GRID, "Robin's color is not red, and the teachers have no fish")
    assert found.values == (("color", "Red"), ("profession", "Teacher"), ("pet", "Fish"))
    assert found.attributes == ("color",)


@pytest.mark.parametrize(
    ("sentence", "last"), [("the last seat", True), ("it lasts long", False), ("its final slot", True)]
)
def test_a_last_place_is_no_verb(sentence: str, last: bool) -> None:
    assert mentions(TABLE, sentence).last is last


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=50)
def test_any_text_can_be_searched(text: str) -> None:
    for instance in (TABLE, GRID):
        found = mentions(instance, text)
        assert set(found.entities) <= set(instance.entities)
        assert all(label in GRID.context["categories"][attribute] for attribute, label in found.values)


@given(st.lists(st.sampled_from(TABLE.entities), unique=True, min_size=1), st.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_whatever_is_named_is_found(names: list[str], number: int) -> None:
    found = mentions(TABLE, f"{', '.join(names)} and {number}")
    assert found.entities == tuple(names)
    assert found.numbers == (number,)


def test_a_name_inside_a_longer_one_is_not_named_by_it() -> None:
    table = TABLE.domain.instance(["Ann", "Ann Lee", "Bo"])
    assert mentions(table, "Ann Lee sits by Bo, and Ann Lee is last").entities == ("Ann Lee", "Bo")
    assert mentions(table, "Ann Lee sits by Ann").entities == ("Ann Lee", "Ann")


def test_an_attribute_may_be_a_number() -> None:
    assert mentions(PLAIN.instance(["A1", "B1"]), "A1 differs from B1 in its day").attributes == ("day",)


def test_a_name_that_is_a_verb_of_its_sentence_is_not_named() -> None:
    months = {"categories": {"month": ["March", "April", "May", "June"]}}
    grid = LOGIC_GRID.instance(["Will", "Ann", "Bea"], months)
    assert mentions(grid, "Ann's month and Bea's may not coincide").values == ()
    assert mentions(grid, "Ann gets her turn in may").values == (("month", "May"),)
    assert mentions(grid, "the month of Ann will be later than Bea's").entities == ("Ann", "Bea")
    for said in ("will and ann have different months", "ann between will and bea", "both will and ann are in may"):
        assert {"Will", "Ann"} <= set(mentions(grid, said).entities)


def test_a_small_word_is_no_name_beside_the_same_name_written_large() -> None:
    said = "no point in testing it now, so Deploy comes before Testing"
    assert [one.name for one in places(said, ["Deploy", "Testing"])] == ["Deploy", "Testing"]
    assert [one.name for one in places("testing before deploy", ["Deploy", "Testing"])] == ["Testing", "Deploy"]
