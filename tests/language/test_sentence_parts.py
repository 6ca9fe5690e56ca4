"""Sentences are taken apart into statements that each stand alone, and nothing is put into them that was not said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.names import names_of
from holdtrue.language.part_search import PartSearch
from holdtrue.language.references import Context
from holdtrue.language.sentence_parts import Split, context_of, join_topics, split_statements
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain

SEATING = Instance(
    find_domain("seating"),
    ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"],
    {"num_entities": 6, "table_shape": "rectangular"},
)
PLAN = Instance(find_domain("scheduling"), ["Demo", "Lunch Break", "Review"], {"num_slots": 8, "max_duration": 3})
GRID = Instance(find_domain("logic_grid"), ["Ann", "Bob", "Cy"], {"categories": {"pet": ["Cat", "Dog", "Owl"]}})


def split(instance: Instance, *sentences: str) -> list[str]:
    """Return the statements of a message, sentence by sentence."""
    context, said = Context(), []
    for sentence in sentences:
        found = split_statements(instance, sentence, context)
        said += [one.text for one in found.statements]
        context = found.context
    return said


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        ("Ann has seat 1, Bob has seat 2", ["Ann has seat 1", "Bob has seat 2"]),
        ("Ann sits beside Bob and has seat 3", ["Ann sits beside Bob", "Ann has seat 3"]),
        ("Ann in seat 1 with Bob right next to her", ["Ann in seat 1", "Bob right next to Ann"]),
        ("Neither Ann nor Bob can sit next to Cy", ["Ann can not sit next to Cy", "Bob can not sit next to Cy"]),
        ("Ann can't sit next to Bob or Cy", ["Ann can't sit next to Bob", "Ann can't sit next to Cy"]),
        ("Ann and Bob both have to sit opposite Cy", ["Ann have to sit opposite Cy", "Bob have to sit opposite Cy"]),
        ("Ann and Bob take seats 2 and 5", ["Ann take seats 2", "Bob take seats 5"]),
        ("Keep Ann away from Bob, and same goes for Cy", ["Keep Ann away from Bob", "Keep Cy away from Bob"]),
        ("Dee, who has seat 4, must not sit by Eve", ["Dee has seat 4", "Dee must not sit by Eve"]),
        ("Of Ann and Bob, the former has seat 1 and the latter seat 6", ["Ann has seat 1", "Bob seat 6"]),
        ("Of Ann, Bob and Cy, Bob has seat 1 and the other two sit by Dee",
         ["Bob has seat 1", "Ann sit by Dee", "Cy sit by Dee"]),
        ("Among Ann, Bob and Cy, Cy has seat 1", ["Cy has seat 1"]),
        ("Both of Ann and Bob must not sit by Dee", ["Ann must not sit by Dee", "Bob must not sit by Dee"]),
        ("All three of Ann, Bob and Cy sit by Dee", ["Ann sit by Dee", "Bob sit by Dee", "Cy sit by Dee"]),
        ("Of the three kids, Ann, Bob and Cy, I want Ann in seat 1", ["I want Ann in seat 1"]),
        ("Ann, Bob, Cy: Ann has seat 1 and the other two sit together", ["Ann has seat 1", "Bob and Cy sit together"]),
    ],
)  # fmt: skip
def test_each_statement_stands_alone(sentence: str, statements: list[str]) -> None:
    assert split(SEATING, sentence) == statements


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann and Bob sit next to each other",
        "Leave two seats between Ann and Bob",
        "Ann or Bob has seat 1",  # an alternative is no two statements
        "Do not put Ann in seat 1 and Bob in seat 2",  # what is denied may be both together
        "If Ann has seat 1, Bob has seat 2",
        "Ann has seat 1, or Bob has seat 2",
        "Ann has seat 1, unless Bob has seat 2",
        "So long as Ann has seat 1, Bob has seat 2",
        "At least one of Ann and Bob sits by Cy",
        "Exactly two of Ann, Bob and Cy sit by Dee",
        "Just one out of the kids Ann, Bob and Cy has seat 2",
        "Bob must sit next to Ann",
        "Ann has seat 1",
        "",
    ],
)
def test_what_states_one_thing_or_leaves_it_open_is_left_whole(sentence: str) -> None:
    assert split(SEATING, sentence) == [sentence]


def test_words_refer_to_the_sentences_before() -> None:
    assert split(PLAN, "The Demo starts in slot 2", "It takes 3 slots")[1] == "Demo takes 3 slots"
    assert split(PLAN, "Demo comes before Review", "They must not overlap")[1] == "Demo and Review must not overlap"
    assert split(SEATING, "Ann has seat 1", "Thanks a lot!")[1] == "Thanks a lot!"


def test_a_heading_belongs_to_all_that_stands_under_it() -> None:
    starts = ["Start slots: Demo 2", "Start slots: Review 5"]
    assert split(PLAN, "Start slots: Demo 2, Review 5") == starts


def test_a_topic_put_as_a_question_belongs_to_its_answer() -> None:
    assert join_topics(SEATING, ["Ann in seat 2?", "No way"]) == ["Ann in seat 2: No way"]
    assert join_topics(SEATING, ["Ann?", "Seat six", "Bob has seat 1"]) == ["Ann: Seat six", "Bob has seat 1"]
    for asked in (["Is Ann in seat 2?", "No way"], ["Ann in seat 2?", "Bob has seat 2"], ["Ann in seat 2?"]):
        assert join_topics(SEATING, asked) == asked


def test_a_name_that_is_not_sure_is_told() -> None:
    context = split_statements(SEATING, "Ann and Bob sit side by side", Context()).context
    (she,) = split_statements(SEATING, "She has seat 2", context).statements
    assert she.guessed == ("Ann",)


def test_what_was_agreed_last_can_be_referred_to() -> None:
    context = context_of(SEATING, [Constraint("at_position", ("Cy", 3))])
    assert split_statements(SEATING, "and Bob sits next to her", context).statements[0].text == "Bob sits next to Cy"


def test_one_value_after_another_is_of_the_same_entity() -> None:
    assert split(GRID, "Ann: not the cat, not the owl") == ["Ann: not the Cat", "Ann not the Owl"]
    assert split(GRID, "No dogs for Ann or Bob") == ["No dogs for Ann", "No dogs for Bob"]


def test_parts_that_state_nothing_are_told_as_dropped() -> None:
    found = split_statements(SEATING, "Of Ann and Bob, the former has seat 1", Context())
    assert [one.text for one in found.statements] == ["Ann has seat 1"]
    assert found.dropped == ("Of Ann and Bob",)


WORDS = [
    *"and but or she both neither nor so not 2 between them , ; : who too Ann Bob Cy if 's \ua000".split(" "),
    *("has seat", "sits next to", "the latter", "the same goes for"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.lists(st.sampled_from(WORDS), max_size=8))
def test_nobody_is_named_who_was_not_named(first: list[str], second: list[str]) -> None:
    """Whatever the words, statements have no names but those of the message, and no placeholder is left in them."""
    context, text = Context(), " ".join([*first, *second])
    known = {one.name for one in names_of(SEATING).find(text)}
    for sentence in (" ".join(first), " ".join(second)):
        found: Split = split_statements(SEATING, sentence, context)
        context = found.context
        for one in found.statements:
            assert {name.name for name in names_of(SEATING).find(one.text)} <= known
            assert "\ua000" in text or not re.search("[\ua000-\ua48c]", one.text)


SINGLE = st.one_of(
    st.builds("{} has seat {}".format, st.sampled_from(["Ann", "Bob", "Cy"]), st.integers(1, 6)),
    st.builds("{} sits opposite {}".format, st.sampled_from(["Ann", "Bob"]), st.sampled_from(["Cy", "Dee"])),
    st.builds("{} must not be beside {}".format, st.sampled_from(["Eve", "Bob"]), st.sampled_from(["Fay", "Dee"])),
)


@given(st.lists(SINGLE, min_size=2, max_size=4), st.sampled_from([", ", " and ", ", and ", "; ", ", but ", " while "]))
def test_joined_statements_come_apart_again(singles: list[str], joiner: str) -> None:
    assert split(SEATING, joiner.join(singles)) == singles


@pytest.mark.parametrize("first", ["Ann sits opposite Cy", "Ann sits next to Cy", "Ann must not be beside Cy"])
@pytest.mark.parametrize("second", ["Bob has seat 1", "Bob sits next to Dee", "Bob cannot have seat 2"])
def test_what_is_said_of_the_last_name_is_a_statement_of_its_own(first: str, second: str) -> None:
    assert split(SEATING, f"{first} and {second}") == [first, second]


HOSTILE = [
    "she sits by Bob, " * 10,
    "Ann and " * 40,
    "so" * 190,
    "starts: " + "1" * 300 + "z",
    "neither Ann nor " * 20,
    "'s " * 120,
    ", and it, or both" * 20,
    "x, " * 120,
    "Ann 2 and " * 30,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_sentences_are_taken_apart_in_few_steps(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Candidates are what costs time: they are found for few texts, and no pattern backtracks without end."""
    asked: list[str] = []
    whole = PartSearch.complete

    def counted(self: PartSearch, said: str) -> bool:
        asked.append(said)
        return whole(self, said)

    monkeypatch.setattr(PartSearch, "complete", counted)
    split_statements(SEATING, text, Context().heard("\ua0000\ua000 by \ua0001\ua000", ()))
    assert len(set(asked)) < 600
