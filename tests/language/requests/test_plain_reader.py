"""Without a model only two things are read: an answer to the one question, and a choice by its name."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from holdtrue.language.requests.operation import Act, Argument, RequestContext
from holdtrue.language.requests.plain_reader import SAID, PlainReader
from holdtrue.logic.value_sorts import DATE
from holdtrue.rules.types import FLAG, Name, Number, Type

QUESTIONS = {"ill": "Were you ill?", "guests": "How many come?", "day": "On which day?"}
TYPES: dict[str, Type] = {"ill": FLAG, "guests": Number(), "day": DATE, "why": Name("", ("broken", "too_late"))}


async def read(message: str, assistant: str = "", **others: Type) -> dict[str, Any]:
    said = Act(SAID, "", (SAID,), {name: Argument(SAID, name, type) for name, type in TYPES.items()})
    act = Act("book", "", ("book",), {name: Argument("book", name, type) for name, type in others.items()})
    context = RequestContext(1, datetime(2026, 3, 2, 9), assistant=assistant, questions=QUESTIONS)
    found = await PlainReader().read_requests({SAID: said, "book": act}, message, context)
    assert all((own.do, own.act) == ("set", SAID) for own in found.operations)
    return {own.argument: own.value for own in found.operations}


@pytest.mark.parametrize(
    ("assistant", "message", "expected"),
    [
        ("I see. Were you ill?", "Yes", {"ill": True}),
        ("Were you ill?", "no, thanks", {"ill": False}),
        ("Were you ill?", "yes, but only for a day", {}),
        ("Were you ill? Anything else?", "no", {}),
        ("", "yes", {}),
        ("How many come?", "four of us", {"guests": 4}),
        ("How many come?", "four or five", {}),
        ("How many come?", "not four", {}),
        ("On which day?", "on 6 March", {"day": "2026-03-06"}),
    ],
)
async def test_an_answer_to_the_question_that_was_asked_last_is_read(
    assistant: str, message: str, expected: dict[str, Any]
) -> None:
    assert await read(message, assistant) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("It came too late.", {"why": "too_late"}),
        ("It is broken and too late", {}),
        ("It is not broken", {}),
        ("It is brokenhearted", {}),
    ],
)
async def test_a_choice_is_read_by_its_own_letters(message: str, expected: dict[str, Any]) -> None:
    assert await read(message) == expected


async def test_a_choice_that_another_argument_has_as_well_is_not_read() -> None:
    assert await read("It is broken", state=Name("", ("new", "broken"))) == {}


async def test_what_no_model_reads_is_told_unless_it_is_a_yes_or_a_courtesy() -> None:
    reader, context = PlainReader(), RequestContext(1, datetime(2026, 3, 2, 9))
    told = [(await reader.read_requests({}, own, context)).unread != () for own in ("thanks", "yes", "a table for 4")]
    assert told == [False, False, True]
