"""A text lists a call if it has all of the call's values, and no rival of any of them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.call_listing import lists_just
from holdtrue.guard.conversation.listing_marks import marks_in
from holdtrue.guard.conversation.shown_entities import ShownEntities
from holdtrue.guard.conversation.utterance import Utterance
from holdtrue.guard.policy_parts import Tool
from tests.guard.conversation.shop import NOW, TEXT


def closing(id: str, **properties: dict[str, Any]) -> Tool:
    """Return a tool that closes a street for some works, with its other arguments."""
    parameters = {"type": "object", "properties": {id: {"type": "string"}, **properties}}
    tools = {"definitions": [{"name": "close", "parameters": parameters}], "writes": ["close"]}
    return make_policy("streets", now=NOW, tools={**tools, "types": {"*": {id: "id of work"}}}).tools["close"]


@pytest.mark.parametrize(("extent", "expected"), [("full", True), ("footway", False), ("half", True)])
def test_a_choice_that_is_named_with_another_thing_is_not_this_ones(extent: str, expected: bool) -> None:
    close = closing("work", extent={"type": "string", "enum": ["full", "half", "footway"]})
    said = Utterance(
        "I close SW/26-150 fully. And the footway for SW/26-151. Ok?", datetime.fromisoformat(NOW), "en-US"
    )
    call = {"work": "SW/26-150", "extent": extent}
    assert lists_just(said, close, call, frozenset()) is expected


@pytest.mark.parametrize(("extent", "expected"), [("full", True), ("half", False), ("footway", False)])
def test_a_choice_in_other_words_stands_beside_no_other_choice(extent: str, expected: bool) -> None:
    close = closing("work", extent={"type": "string", "enum": ["full", "half", "footway"]})
    said = Utterance("Full closure of SW/26-150 then. Ok?", datetime.fromisoformat(NOW), "en-US")
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
    said = Utterance(BLOCKS, datetime.fromisoformat(NOW), "en-US")
    assert lists_just(said, close, call, frozenset()) is expected


def test_a_choice_with_a_denial_in_its_name_denies_nothing_and_units_may_be_glued_to_numbers() -> None:
    close = closing("work", why={"type": "string", "enum": ["not_needed", "frost"]}, minutes={"type": "integer"})
    call = {"work": "SW/26-150", "why": "not_needed", "minutes": 45}
    said = Utterance("work=SW/26-150 why='not needed' dur=45m. Ok?", datetime.fromisoformat(NOW), "en-US")
    assert lists_just(said, close, call, frozenset())
    assert not lists_just(said, close, {**call, "minutes": 4}, frozenset())


@pytest.mark.parametrize(
    "text", ["SW/26-150 14:00 ", "14 March 15 March ", "one two three four ", "a: 1\n", "1 and 2, "]
)
def test_a_message_with_more_numbers_than_anybody_reads_lists_nothing(text: str) -> None:
    close = closing("work", start={"type": "string", "format": "time"})
    said = Utterance((text * 1_000)[:8_000], datetime.fromisoformat(NOW), "en-US")
    assert not lists_just(said, close, {"work": "SW/26-151", "start": 15 * 3600}, frozenset())


FIELDS: dict[str, Any] = {
    "pet": TEXT, "day": {**TEXT, "format": "date"}, "start": {**TEXT, "format": "time"},
    "care": {**TEXT, "enum": ["bath", "nail_trim"]}, "blood": {**TEXT, "enum": ["A+", "A-"]},
}  # fmt: skip
GROOM = make_policy(
    "pets",
    now=NOW,
    tools={
        "definitions": [{"name": "groom", "parameters": {"type": "object", "properties": FIELDS}}],
        "writes": ["groom"],
        "types": {"*": {"pet": "id of pet"}},
    },
).tools["groom"]
CALL = {"pet": "P-0412", "day": date(2026, 3, 12).toordinal(), "start": 9 * 3600, "care": "bath", "blood": "A+"}
SHOWN = ShownEntities(
    [{"pet": "P-0412", "name": "Bella", "vet": "Dr Kerr"}, {"pet": "P-0413", "name": "Max", "vet": "Dr Kerr"}]
)


@pytest.mark.parametrize(
    ("text", "own", "rivals"),
    [
        ("P-0412 and P-0413 of BK-77", ["P-0412"], ["P-0413"]),
        ("pet 0412, pet 0413", ["0412"], ["0413"]),
        ("four one two oh or oh four one two", ["oh four one two"], ["four one two oh"]),
        ("Bella, then Max, with Dr Kerr", ["Bella"], ["Max"]),
        ("on 12 March, or 13/3/2026", ["12 March"], ["13/3/2026"]),
        ("at 9.00 or 10.30", ["9.00"], ["10.30"]),
        ("10.30 each, at nine", ["nine"], []),
        ("a bath or a nail trim, blood A+", ["bath"], ["nail trim"]),
        ("Friday or Thursday", [], ["Friday"]),
    ],
)
def test_values_of_a_call_and_their_rivals_are_marked(text: str, own: list[str], rivals: list[str]) -> None:
    marks = marks_in(Utterance(text, datetime.fromisoformat(NOW), "en-US"), GROOM, CALL, SHOWN)
    assert [text[each.start : each.end] for each in marks if each.is_own] == own
    assert [text[each.start : each.end] for each in marks if not each.is_own] == rivals
