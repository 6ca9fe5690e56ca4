"""Slots are the arguments of tools, shared within a group."""

from __future__ import annotations

from pydantic import BaseModel

from holdtrue.language.slots.slot_world import slot_world
from holdtrue.rules.tools import read_tools
from tests.language.slots.worlds import clinic, text, tool


def test_tools_of_one_group_share_their_arguments() -> None:
    world = slot_world(
        read_tools(
            [
                tool("Bus.Find", "Find a bus", "start", start=text("From"), seats={"type": "integer"}),
                tool("Bus.Buy", "Buy a ticket", "start", start=text("Where the bus leaves"), seats={"type": "string"}),
            ]
        ),
        writes={"Bus.Buy"},
    )
    start = world.slots["Bus.start"]
    assert start.tools == start.needed_by == ("Bus.Find", "Bus.Buy")
    assert start.writes and start.about == "Where the bus leaves"
    assert not world.slots["Bus.seats"].writes
    assert world.slots["Bus.Buy.seats"].writes  # a text is no number, so these are two slots
    assert world.about == {"Bus": "Find a bus; Buy a ticket"}


def test_a_tool_without_a_dot_is_its_own_group_unless_groups_say_otherwise() -> None:
    tools = read_tools([tool("find", "", "", city=text("City")), tool("book", "", "", city=text("City"))])
    assert set(slot_world(tools).slots) == {"find.city", "book.city"}
    assert set(slot_world(tools, groups={"find": "hotel", "book": "hotel"}).slots) == {"hotel.city"}


def test_what_words_cannot_say_is_named() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "integer"}}}
    world = slot_world(read_tools([tool("Shop.Buy", "", "", what=text("What"), box=inner)]))
    assert set(world.slots) == {"Shop.what"}
    assert world.unread == ("Shop.Buy.box: Shop.Buy.box is not read from words",)


def test_choices_and_flags_have_all_their_values() -> None:
    slots = clinic().slots
    assert slots["Clinic.speciality"].choices == ("General", "Orthodontist", "Surgeon")
    assert slots["Clinic.treats_children"].choices == ("true", "false")
    assert slots["Clinic.day"].choices is slots["Clinic.town"].choices is None


class Trip(BaseModel):
    city: str
    nights: int = 1


def test_a_pydantic_model_is_a_tool() -> None:
    slots = slot_world(read_tools([Trip])).slots
    assert [(slot.id, bool(slot.needed_by)) for slot in slots.values()] == [("Trip.city", True), ("Trip.nights", False)]
