"""A value is a limit, or is denied, where the words beside it say so, and nowhere else."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.limit_words import relation_of
from holdtrue.language.slots.spans import Span
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import FLAG, TEXT, Number, Type

NUMBER, TIME, DATE = Number(), Calendar("time"), Calendar("date")


def relation(text: str, value: str, type: Type) -> str:
    start = text.index(value)
    return relation_of(text, Span(start, start + len(value), value, "words"), type)


@pytest.mark.parametrize(
    ("text", "value", "type", "expected"),
    [
        ("at most 200 dollars", "200 dollars", NUMBER, "at_most"),
        ("no more than 200", "200", NUMBER, "at_most"),
        ("I don't want to spend more than 200", "200", NUMBER, "at_most"),
        ("my budget is 200", "200", NUMBER, "at_most"),
        ("200 or less", "200", NUMBER, "at_most"),
        ("200 tops", "200", NUMBER, "at_most"),
        ("under 200", "200", NUMBER, "less_than"),
        ("less than 200", "200", NUMBER, "less_than"),
        ("more than 4 of us", "4", NUMBER, "more_than"),
        ("at least 4", "4", NUMBER, "at_least"),
        ("no fewer than 4", "4", NUMBER, "at_least"),
        ("not before 10", "10", TIME, "at_least"),
        ("no earlier than 10 am", "10 am", TIME, "at_least"),
        ("I can't come before 4 pm", "4 pm", TIME, "at_least"),
        ("no later than 3 pm", "3 pm", TIME, "at_most"),
        ("before noon", "noon", TIME, "at_most"),
        ("it has to leave by 8 pm", "8 pm", TIME, "at_most"),
        ("after the 3rd", "3rd", DATE, "at_least"),
        ("the 3rd at the latest", "3rd", DATE, "at_most"),
        ("not on Monday", "Monday", DATE, "not"),
        ("but not Dr. Lee", "Dr. Lee", TEXT, "not"),
        ("anything but the terrace", "terrace", TEXT, "not"),
        ("no vans please", "vans", TEXT, "not"),
        ("200 dollars please", "200 dollars", NUMBER, "is"),
        ("from 10 April until 12 April", "12 April", DATE, "is"),
        ("it is not far, so Monday", "Monday", DATE, "is"),
        ("I do not mind. Dr. Lee is fine", "Dr. Lee", TEXT, "is"),
        ("no terrace", "no terrace", FLAG, "is"),
    ],
)
def test_the_words_beside_a_value_say_what_it_is(text: str, value: str, type: Type, expected: str) -> None:
    assert relation(text, value, type) == expected
