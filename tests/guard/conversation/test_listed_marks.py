"""The values of a call are marked in a text, and those that stand in the place of them for another one."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.listed_marks import marks_in
from holdtrue.guard.conversation.said import Said
from holdtrue.guard.conversation.shown_things import ShownThings
from tests.guard.conversation.shop import NOW, TEXT

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
SHOWN = ShownThings(
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
    marks = marks_in(Said(text, datetime.fromisoformat(NOW), "en-US"), GROOM, CALL, SHOWN)
    assert [text[each.start : each.end] for each in marks if each.is_own] == own
    assert [text[each.start : each.end] for each in marks if not each.is_own] == rivals
