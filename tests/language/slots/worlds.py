"""A clinic and a taxi, as tools of an app that no test data knows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from holdtrue.language.reading import MessageContext
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_world import SlotWorld, slot_world
from holdtrue.rules.tools import read_tools

NOW = datetime(2023, 5, 5, 9)
"""A Friday."""


def tool(name: str, about: str, needed: str, **properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": needed.split()}
    return {"name": name, "description": about, "parameters": parameters}


def text(about: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": about, **more}


TOOLS = [
    tool(
        "Clinic.Search",
        "Find a dentist in a town",
        "town",
        town=text("Town where the dentist works"),
        speciality=text("What the dentist does", enum=["General", "Orthodontist", "Surgeon"]),
        treats_children={"type": "boolean", "description": "Whether the dentist treats children"},
    ),
    tool(
        "Clinic.Book",
        "Book an appointment with a dentist",
        "dentist_name day hour",
        dentist_name=text("Name of the dentist"),
        day=text("Day of the appointment", format="date"),
        hour=text("Time of the appointment", format="time"),
        patients={"type": "integer", "minimum": 1, "maximum": 6, "description": "Number of patients"},
    ),
    tool(
        "Taxi.Order",
        "Order a taxi ride",
        "address",
        address=text("Address where the ride goes to"),
        pickup_place=text("Place from which the ride starts"),
    ),
]
WRITES = {"Clinic.Book", "Taxi.Order"}


def clinic() -> SlotWorld:
    return slot_world(read_tools(TOOLS), writes=WRITES)


def context(assistant: str | None = None, **more: Any) -> SlotContext:
    return SlotContext(NOW, assistant, **more)


def heard(assistant: str | None = None, **more: Any) -> MessageContext:
    return MessageContext(assistant=assistant, now=NOW, **more)
