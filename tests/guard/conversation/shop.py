"""A small shop with a guard: what tests of conversations share."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from holdtrue.guard import make_policy
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import Store
from holdtrue.language.reading import Extraction, MessageContext, Reading, SettledSlot

NOW = "2026-03-02T09:00:00"
TEXT = {"type": "string"}
FOUR_ON_FRIDAY = [
    {
        "id": "FOUR",
        "on": "Table.Reserve",
        "hold": "call.day == date('2026-03-06') && call.guests == 4",
        "say": "For four on Friday.",
    }
]
"""A rule for tests of mends, for no mend rests on how words were read."""


def policy(**parts: Any) -> Policy:
    """Return the policy of a restaurant: its tools, and whatever else a test wants to say."""
    find = {
        "name": "Table.Find",
        "description": "Find free tables",
        "parameters": _listed("day", "guests", need=["day"]),
    }
    reserve = {
        "name": "Table.Reserve",
        "description": "Reserve a table",
        "parameters": _listed("day", "time", "guests", "name", "area", need=["day", "guests"]),
    }
    mail = {"name": "Table.SendConfirmation", "description": "Mail it", "parameters": _listed("email", need=["email"])}
    tools = {
        "definitions": [find, reserve, mail],
        "reads": ["Table.Find"],
        "writes": ["Table.Reserve", "Table.SendConfirmation"],
        "errors": ["error"],
        **parts.pop("tools", {}),
    }
    return make_policy("table", now=NOW, tools=tools, **parts)


def _listed(*names: str, need: list[str]) -> dict[str, Any]:
    types: dict[str, dict[str, Any]] = {
        "day": {**TEXT, "format": "date", "description": "Day of the reservation"},
        "time": {**TEXT, "format": "time", "description": "Time of the reservation"},
        "guests": {"type": "integer", "description": "Number of guests", "minimum": 1, "maximum": 20},
        "name": {**TEXT, "description": "Name of the guest"},
        "area": {**TEXT, "enum": ["inside", "terrace"], "description": "Where to sit", "default": "inside"},
        "email": {**TEXT, "description": "Address of mail"},
    }
    return {"type": "object", "properties": {name: types[name] for name in names}, "required": need}


class ScriptedReader:
    """A reader that reads what a test wrote down for each message, and nothing in any other."""

    name = "scripted"

    def __init__(self, readings: Mapping[str, Mapping[str, Any]], *, confidence: float = 1.0) -> None:
        self.readings, self.confidence = readings, confidence
        self.asked: list[str] = []

    async def read(self, world: Any, message: str, context: MessageContext) -> Extraction:
        self.asked.append(message)
        found = []
        for slot, value in self.readings.get(message, {}).items():
            settled = SettledSlot(f"Table.{slot}", value)
            act = "states" if value is not None else "frees"
            found.append(Reading(message, "accepted", None, self.confidence, act=act, slot=settled))  # type: ignore[arg-type]
        return Extraction(tuple(found))


def guard(
    readings: Mapping[str, Mapping[str, Any]] | None = None, *, store: Store | None = None, **settings: Any
) -> Guard:
    """Return a guard of the restaurant, whose reader reads what is written down."""
    own = settings.pop("policy", None) or policy()
    return Guard(own, reader=ScriptedReader(readings or {}), store=store, **settings)


def at(text: str) -> datetime:
    """Return a moment."""
    return datetime.fromisoformat(text)
