"""An id is read wherever it stands, where the app asks for one id alone, and no amount is made of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from holdtrue.language.reading import MessageContext
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from holdtrue.language.slots.slot_world import slot_world
from holdtrue.rules.tools import read_tools

TEXT = {"type": "string"}


async def read(message: str, **properties: Any) -> dict[str, Any]:
    tool = {"name": "Parcel.Redeliver", "parameters": {"properties": properties, "required": []}}
    world = slot_world(read_tools([tool]), writes={"Parcel.Redeliver"})
    found = await ScoredSlotReader().read(world, message, MessageContext(now=datetime(2026, 3, 2, 9)))
    return {own.slot.slot.partition(".")[2]: own.slot.value for own in found.readings if own.slot is not None}


@pytest.mark.parametrize(
    ("message", "id"),
    [
        ("P-100", "P-100"),
        ("My parcel number is P-100.", "P-100"),
        ("it's about 4711823, please bring it on Friday evening", "4711823"),
        ("#AB12/9 hasn't come", "AB12/9"),
        ("bring it on the 9th at 7pm", None),
        ("I have 2 of them, 5kg each", None),
        ("write to me at kim7@example.org", None),
        ("P-100 or P-200, I am not sure", None),
    ],
)
async def test_a_word_with_digits_and_letters_or_of_many_digits_is_an_id(message: str, id: str | None) -> None:
    found = await read(message, parcel_number=TEXT, day={**TEXT, "format": "date"}, tip={"type": "number"})
    assert found.get("parcel_number") == id
    assert found.get("tip") != 4711823


async def test_two_ids_are_left_to_what_else_is_known() -> None:
    found = await read("P-100", parcel_number=TEXT, order_id=TEXT)
    assert not {"parcel_number", "order_id"} <= found.keys()
