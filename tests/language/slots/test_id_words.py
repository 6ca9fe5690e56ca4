"""An id is read wherever it stands, where the app asks for one id alone, and no amount is made of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from holdtrue.language.reading import MessageContext
from holdtrue.language.slots.id_words import find_ids
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


FORMS = ("email", "phone", "plate", "name")


def settled(message: str) -> dict[str, object]:
    """Return what is found in a message for an app that asks for a value of each form."""
    listed = {"type": "object", "properties": {name: {"type": "string"} for name in FORMS}}
    world = slot_world(read_tools([{"name": "Contact", "parameters": listed}]))
    return {own.slot.name: own.value for _, own in find_ids(world, message, [])}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Great, it's lena@harrow.example", {"email": "lena@harrow.example"}),
        ("it's a.b+c@x-y.co.uk.", {"email": "a.b+c@x-y.co.uk"}),
        ("to a@x.org, or to b@x.org", {}),
        ("It's 0161 555 0142", {"phone": "0161 555 0142"}),
        ("call +44 7700 900123 please", {"phone": "+44 7700 900123"}),
        ("(030) 555 0142", {"phone": "(030) 555 0142"}),
        ("on 2026-05-12 at 10", {}),
        ("from 10.05.2026 to 12.05.2026", {}),
        ("12 of us, for 3 nights", {}),
        ("KT58 LMN needs new tyres", {"plate": "KT58 LMN"}),
        ("brakes on 7XQR219 are squealing", {"plate": "7XQR219"}),
        ("I NEED 2 TYRES", {}),
        ("at 10 AM", {}),
    ],
)
def test_what_a_value_looks_like_says_of_what_it_is(message: str, expected: dict[str, object]) -> None:
    assert settled(message) == expected


@pytest.mark.parametrize("message", ["our PO number is 5561", "PO: 5561", "the po is 5561, thanks"])
async def test_what_is_called_by_the_name_of_a_slot_is_its_value(message: str) -> None:
    found = await read(message, po={**TEXT, "description": "Number for the books"}, amount={"type": "number"})
    assert found == {"po": "5561"}


async def test_a_name_before_a_number_of_things_names_none() -> None:
    found = await read("order 3 chairs", order=TEXT, chairs={"type": "integer", "description": "How many chairs"})
    assert "order" not in found
