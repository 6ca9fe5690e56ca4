"""Sentences are split into statements that can be read alone and add nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.names import names_of
from holdtrue.language.part_search import PartSearch
from holdtrue.language.references import Context
from holdtrue.language.sentence_parts import Split, split_statements
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain

SEATING = Instance(
    find_domain("seating"),
    ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"],
    {"num_entities": 6, "table_shape": "rectangular"},
)


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


WORDS = [
    *"and but or she both neither nor so not 2 between them , ; : who too Ann Bob Cy if 's \ua000".split(" "),
    *("has seat", "sits next to", "the latter", "the same goes for"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.lists(st.sampled_from(WORDS), max_size=8))
def test_nobody_is_named_who_was_not_named(first: list[str], second: list[str]) -> None:
    """Statements have only names of the message, and no placeholders."""
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
    """Candidates take the most time: they are computed for few texts, and no pattern backtracks forever."""
    asked: list[str] = []
    whole = PartSearch.complete

    def counted(self: PartSearch, said: str) -> bool:
        asked.append(said)
        return whole(self, said)

    monkeypatch.setattr(PartSearch, "complete", counted)
    split_statements(SEATING, text, Context().heard("\ua0000\ua000 by \ua0001\ua000", ()))
    assert len(set(asked)) < 600
