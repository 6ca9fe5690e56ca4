"""A small shop with a guard: what tests of conversations share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from holdtrue.guard import make_policy
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import Store
from holdtrue.language.requests.operation import Act, Do, Operation, RequestContext, RequestReading

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
    """Return the policy of a restaurant: its tools, and whatever else a test wants to say.

    Its readers read what a test is about, so that a call that nobody asked for is told alone.
    """
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
    return make_policy("table", now=NOW, tools=tools, **{"unfounded": "tell", **parts})


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


Said = Mapping[str, Any] | Sequence[Operation]


class ScriptedReader:
    """A reader that reads what a test wrote down for each message, and nothing in any other.

    What is written down are operations, or values of arguments of one act, where None frees an argument.
    """

    name = "scripted"

    def __init__(self, readings: Mapping[str, Said], *, confidence: float = 1.0, act: str = "Table") -> None:
        self.readings, self.confidence, self.act = readings, confidence, act
        self.asked: list[str] = []

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        self.asked.append(message)
        found = self.readings.get(message, ())
        if not isinstance(found, Mapping):
            return RequestReading(tuple(found))
        return RequestReading(tuple(self._settled(message, name, value) for name, value in found.items()))

    def _settled(self, message: str, name: str, value: Any) -> Operation:
        do: Do = "free" if value is None else "set"
        return Operation(do, self.act, "", name, value=value, quote=message, confidence=self.confidence)


def guard(readings: Mapping[str, Said] | None = None, *, store: Store | None = None, **settings: Any) -> Guard:
    """Return a guard of the restaurant, whose reader reads what is written down."""
    own = settings.pop("policy", None) or policy()
    return Guard(own, reader=ScriptedReader(readings or {}), store=store, **settings)


def at(text: str) -> datetime:
    """Return a moment."""
    return datetime.fromisoformat(text)
