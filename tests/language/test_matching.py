from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import ConstraintError
from holdtrue.language.matching import match_sentence
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from tests.lab.suites.drift.instances import INSTANCES, constraints

ROUND, RECTANGULAR, WEEK, GRID = INSTANCES


@given(st.sampled_from(INSTANCES).flatmap(lambda instance: st.tuples(st.just(instance), constraints(instance))))
@settings(deadline=None, max_examples=200)
def test_reads_back_what_the_instance_writes(case: tuple[Instance, Constraint]) -> None:
    instance, constraint = case
    sentence = instance.sentence(constraint)
    for spelling in (sentence, f"  {sentence}. ", sentence.upper(), sentence.lower().replace(" ", "   ")):
        assert match_sentence(instance, spelling) == constraint


@given(st.text(alphabet=string.ascii_letters + " '.0123456789", max_size=60))
@settings(deadline=None, max_examples=200)
def test_other_words_are_no_constraint(text: str) -> None:
    assert match_sentence(ROUND, text) is None


@pytest.mark.parametrize(
    ("instance", "sentence", "code"),
    [
        (ROUND, "Ann must sit next to Zoe", "unknown_entity"),
        (ROUND, "Ann must sit next to Ann", "same_entity"),
        (ROUND, "Ann must sit at position 9", "out_of_range"),
        (ROUND, "Ann must sit at position -1", "out_of_range"),
        (ROUND, "Ann must sit at position three", "out_of_range"),
        (ROUND, "Ann and Bob must sit on the same side of the table", "not_applicable"),
        (GRID, "Ann is assigned Purple in category color", "unknown_value"),
        (GRID, "Ann is assigned Cat in category color", "unknown_value"),
        (GRID, "Ann has a different shoe than Bob", "unknown_attribute"),
    ],
)
def test_known_wording_with_a_wrong_argument_is_an_error(instance: Instance, sentence: str, code: str) -> None:
    with pytest.raises(ConstraintError) as caught:
        match_sentence(instance, sentence)
    assert caught.value.code == code


def test_a_repeated_argument_must_repeat() -> None:
    assert match_sentence(GRID, "Ann's pet value comes before Bob's pet value") is not None
    assert match_sentence(GRID, "Ann's pet value comes before Bob's color value") is None


def test_a_curly_apostrophe_is_one() -> None:
    expected = GRID.constraint("ordered", ["Ann", "Bob", "pet"])
    assert match_sentence(GRID, "Ann\u2019s pet value comes before Bob\u2019s pet value") == expected


def test_names_that_contain_the_wording_are_found() -> None:
    events = BUILTIN["scheduling"].instance(["Ann and Bo", "Cy", "Cy and Ann", "Bo"])
    found = match_sentence(events, "Ann and Bo and Cy and Ann cannot be simultaneous")
    assert found == events.constraint("not_simultaneous", ["Ann and Bo", "Cy and Ann"])


def test_values_that_look_like_numbers_keep_their_kind() -> None:
    domain = Domain(
        name="rooms",
        attributes=[Attribute("floor", low=1, high=9), Attribute("code", values=["7", "8"])],
        constraint_types=[
            ConstraintType(
                "has", (Entity(), AttributeName(), ValueOf(1)), "{}'s {} is {}", lambda w, a, c, v: a[c].eq(v)
            ),
            ConstraintType("near", (Entity(), Integer(1, 9)), "{0} is near floor {1}", lambda w, a, k: a.floor.eq(k)),
        ],
    )
    rooms = domain.instance(["Ann"])
    assert match_sentence(rooms, "Ann's code is 7") == rooms.constraint("has", ["Ann", "code", "7"])
    assert match_sentence(rooms, "Ann's floor is 7") == rooms.constraint("has", ["Ann", "floor", 7])
    assert match_sentence(rooms, "ann is near floor 3") == rooms.constraint("near", ["Ann", 3])


@pytest.mark.parametrize("unit", ["'s a", "a's b value comes before ", "has a different than ", "x"])
def test_hostile_sentences_are_read_quickly(unit: str) -> None:
    for length in (900, 5000):
        assert match_sentence(GRID, (unit * length)[:length]) is None


SHOWS = Domain(
    "shows",
    attributes=[Attribute("day", low=1, high=31)],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 31)), "{0} is on day {1}", lambda w, a, day: a.day.eq(day)),
        ConstraintType("before", (Entity(), Entity()), "{0} is before {1}", lambda w, a, b: a.day < b.day),
    ],
).instance(["Gala", "Yahoo!", "Wait...", "What?"])


@pytest.mark.parametrize("marks", [".", "!", "!!!", "...", "\u2026", "?!", ".!", " !", "!" * 400])
def test_the_marks_that_close_a_sentence_are_no_part_of_it(marks: str) -> None:
    assert match_sentence(SHOWS, f"Gala is on day 3{marks}") == SHOWS.constraint("on", ["Gala", 3])
    for name in ("Yahoo!", "Wait...", "What?"):
        assert match_sentence(SHOWS, f"Gala is before {name}{marks}") == SHOWS.constraint("before", ["Gala", name])
    with pytest.raises(ConstraintError, match="argument 2 of before: 'Nobody' is none of"):
        match_sentence(SHOWS, f"Gala is before Nobody{marks}")


@pytest.mark.parametrize("name", ["Yahoo!", "Wait...", "What?"])
def test_a_name_that_closes_a_sentence_keeps_its_marks(name: str) -> None:
    for article in ("", "the "):
        sentence = f"Gala is before {article}{name}"
        assert match_sentence(SHOWS, sentence) == SHOWS.constraint("before", ["Gala", name])


@pytest.mark.parametrize("marks", ["?", "??", "!?", "?.", "?..."])
def test_what_is_asked_is_not_stated(marks: str) -> None:
    with pytest.raises(ConstraintError):
        match_sentence(SHOWS, f"Gala is on day 3{marks}")
