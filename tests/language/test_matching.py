from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import ConstraintError
from holdtrue.language.matching import match_sentence
from holdtrue.language.readers import GoldExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.sentences import split_sentences
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


async def test_hands_out_the_turn_s_own_constraints() -> None:
    table = INSTANCES[0]
    first, second = table.constraint("adjacent", ["Ann", "Bob"]), table.constraint("at_position", ["Cy", 2])
    reader = GoldExtractor({1: [first], 2: [second]})
    read = await reader.read(table, "whatever is said", MessageContext(2))
    assert [(reading.constraint, reading.status, reading.sentence) for reading in read.readings] == [
        (second, "accepted", "Cy must sit at position 2")
    ]
    assert (await reader.read(table, "", MessageContext(3))).readings == ()
    assert read.calls == ()


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("", []),
        ("  \n . ", []),
        ("Ann sits at 3", ["Ann sits at 3"]),
        ("Zyx Yahoo! is on day 6 instead", ["Zyx Yahoo! is on day 6 instead"]),
        ("Wait! is Ann on day 2?", ["Wait!", "is Ann on day 2?"]),
        ("Thanks so much for all of that! is on day 6", ["Thanks so much for all of that!", "is on day 6"]),
        ("No way! Ann is on day 6", ["No way!", "Ann is on day 6"]),
        ("Hi! 👋 Ann is first 🎉 Bob 🙂 is last", ["Hi! 👋", "Ann is first 🎉", "Bob 🙂 is last"]),
        ("As follows: 1. Ann is first. 2. Bob is 3.", ["As follows:", "Ann is first", "Bob is 3"]),
        ("Dear all, (a) Ann goes at 8 p.m. (b) Bob stays.", ["Dear all,", "Ann goes at 8 p.m", "Bob stays"]),
        ("✅ Ann is first\n❌ Bob is.", ["✅ Ann is first", "❌ Bob is"]),
        ("A must sit next to B. Also, C must sit at position 3.", ["A must sit next to B", "C must sit at position 3"]),
        ("Also, and also, Ann is first.", ["Ann is first"]),
        ("Ann is first; Bob is last! Is Cy here?", ["Ann is first", "Bob is last!", "Is Cy here?"]),
        ("- Ann is first\n- Bob is last\n\n* Cy", ["Ann is first", "Bob is last", "Cy"]),
        ("1. Ann is first.\n2. Bob is last.\n3) Cy", ["Ann is first", "Bob is last", "Cy"]),
        ("Dr. Lee sits by Mrs. Poe, e.g. at 3. Bob is last.", ["Dr. Lee sits by Mrs. Poe, e.g. at 3", "Bob is last"]),
        ("Leave 3.5 m. No. 5 is free. No.", ["Leave 3.5 m", "No. 5 is free", "No"]),
        ("John F. Kennedy sits. Put B next to C. D is last.", ["John F. Kennedy sits", "Put B next to C", "D is last"]),
        ("Start at 3 p.m. sharp. End at 4 p.m. Bob speaks.", ["Start at 3 p.m. sharp", "End at 4 p.m", "Bob speaks"]),
        ('She said "Ann first." Then she left.', ['She said "Ann first."', "Then she left"]),
        ("Forget that. Instead, Ann is last.", ["Forget that", "Instead, Ann is last"]),
    ],
)
def test_splits(message: str, sentences: list[str]) -> None:
    assert split_sentences(message) == sentences


def test_a_name_that_begins_like_a_connective_stays_whole() -> None:
    message = "Plus One sits by Ann. And Also Plus One is not last. Plus, Ann is first."
    parts = ["Plus One sits by Ann", "Plus One is not last", "Ann is first"]
    assert split_sentences(message, ["Ann", "Plus One"]) == parts
    assert split_sentences(message)[0] == "One sits by Ann"


@given(st.text(alphabet="aB. \n;!?-*1'\"é,", max_size=60))
@settings(deadline=None, max_examples=150)
def test_loses_no_word_and_repeats_none(message: str) -> None:
    # Bullets, list numbers and connectives may go, letters other than theirs may not.
    letters = [letter for sentence in split_sentences(message) for letter in sentence if letter in "aBé"]
    assert letters == [letter for letter in message if letter in "aBé"]


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=150)
def test_sentences_are_trimmed_and_not_empty(message: str) -> None:
    assert all(sentence == sentence.strip() and sentence for sentence in split_sentences(message))


@pytest.mark.parametrize("unit", [".", "and ", "a.", "a. ", "\n", "'", ". Also, ", "🙂", "a 🙂"])
def test_is_linear(unit: str) -> None:
    # Quadratic work on that much would take minutes.
    split_sentences(unit * (200_000 // len(unit)) + "x")
