"""A text lists just a call where code finds the call in it, and nothing in the place of any of it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.listed_calls import lists_just
from holdtrue.guard.conversation.said import Said
from holdtrue.guard.policy_parts import Tool
from tests.guard.conversation.shop import NOW


def closing(id: str, **properties: dict[str, Any]) -> Tool:
    """Return a tool that closes a street for some works, with its other arguments."""
    parameters = {"type": "object", "properties": {id: {"type": "string"}, **properties}}
    tools = {"definitions": [{"name": "close", "parameters": parameters}], "writes": ["close"]}
    return make_policy("streets", now=NOW, tools={**tools, "types": {"*": {id: "id of work"}}}).tools["close"]


@pytest.mark.parametrize(("extent", "expected"), [("full", True), ("footway", False), ("half", True)])
def test_a_choice_that_is_named_with_another_thing_is_not_this_ones(extent: str, expected: bool) -> None:
    close = closing("work", extent={"type": "string", "enum": ["full", "half", "footway"]})
    said = Said("I close SW/26-150 fully. And the footway for SW/26-151. Ok?", datetime.fromisoformat(NOW), "en-US")
    call = {"work": "SW/26-150", "extent": extent}
    assert lists_just(said, close, call, frozenset()) is expected


@pytest.mark.parametrize(("extent", "expected"), [("full", True), ("half", False), ("footway", False)])
def test_a_choice_in_other_words_stands_beside_no_other_choice(extent: str, expected: bool) -> None:
    close = closing("work", extent={"type": "string", "enum": ["full", "half", "footway"]})
    said = Said("Full closure of SW/26-150 then. Ok?", datetime.fromisoformat(NOW), "en-US")
    assert lists_just(said, close, {"work": "SW/26-150", "extent": extent}, frozenset()) is expected


BLOCKS = """work_no: SW/26-150
date: 3 Dec 2026
night: no

work_no: SW/26-151
date: 4 Dec 2026
night: yes

Shall I close both?"""


@pytest.mark.parametrize(
    ("work", "day", "night", "expected"),
    [
        ("SW/26-150", "2026-12-03", False, True),
        ("SW/26-151", "2026-12-04", True, True),
        ("SW/26-150", "2026-12-04", False, False),
        ("SW/26-151", "2026-12-03", True, False),
        ("SW/26-152", "2026-12-03", True, False),
    ],
)
def test_a_block_of_fields_is_one_item_and_the_no_of_a_field_denies_nothing(
    work: str, day: str, night: bool, expected: bool
) -> None:
    close = closing("work_no", date={"type": "string", "format": "date"}, night={"type": "boolean"})
    call = {"work_no": work, "date": date.fromisoformat(day).toordinal(), "night": night}
    said = Said(BLOCKS, datetime.fromisoformat(NOW), "en-US")
    assert lists_just(said, close, call, frozenset()) is expected


def test_a_choice_with_a_denial_in_its_name_denies_nothing_and_units_may_be_glued_to_numbers() -> None:
    close = closing("work", why={"type": "string", "enum": ["not_needed", "frost"]}, minutes={"type": "integer"})
    call = {"work": "SW/26-150", "why": "not_needed", "minutes": 45}
    said = Said("work=SW/26-150 why='not needed' dur=45m. Ok?", datetime.fromisoformat(NOW), "en-US")
    assert lists_just(said, close, call, frozenset())
    assert not lists_just(said, close, {**call, "minutes": 4}, frozenset())


@pytest.mark.parametrize(
    "text", ["SW/26-150 14:00 ", "14 March 15 March ", "one two three four ", "a: 1\n", "1 and 2, "]
)
def test_a_message_with_more_numbers_than_anybody_reads_lists_nothing(text: str) -> None:
    close = closing("work", start={"type": "string", "format": "time"})
    said = Said((text * 1_000)[:8_000], datetime.fromisoformat(NOW), "en-US")
    assert not lists_just(said, close, {"work": "SW/26-151", "start": 15 * 3600}, frozenset())
