"""A small restaurant with a guard, shared by the tests of conversations."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from holdtrue.errors import StoreError
from holdtrue.guard import make_policy
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import NewEvent, Store, StoredEvent, chain_fault
from holdtrue.guard.store.memory import MemoryStore
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
    """Return the policy of a restaurant with its tools. `parts` replace or add settings.

    An unfounded call is only reported, because the scripted readers read nothing but the subject of a test.
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


Utterance = Mapping[str, Any] | Sequence[Operation]


class ScriptedReader:
    """A reader that returns the reading in `readings` for each message, and nothing for any other message.

    A reading is a list of operations, or values of arguments of one act. The value None frees an argument.
    """

    name = "scripted"

    def __init__(self, readings: Mapping[str, Utterance], *, confidence: float = 1.0) -> None:
        self.readings, self.confidence = readings, confidence
        self.asked: list[str] = []

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        self.asked.append(message)
        found = self.readings.get(message, ())
        if not isinstance(found, Mapping):
            return RequestReading(tuple(found))
        return RequestReading(tuple(self._settled(message, name, value) for name, value in found.items()))

    def _settled(self, message: str, name: str, value: Any) -> Operation:
        do: Do = "free" if value is None else "set"
        return Operation(do, "Table", "", name, value=value, quote=message, confidence=self.confidence)


def guard(readings: Mapping[str, Utterance] | None = None, *, store: Store | None = None, **settings: Any) -> Guard:
    """Return a guard of the restaurant with a scripted reader."""
    own = settings.pop("policy", None) or policy()
    return Guard(own, reader=ScriptedReader(readings or {}), store=store, **settings)


def at(text: str) -> datetime:
    """Return a moment."""
    return datetime.fromisoformat(text)


class FailingStore(MemoryStore):
    """A store that fails as a test says: before it writes, after it has written, or when it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.fails: Exception | None = None
        self.fails_late: Exception | None = None
        self.fails_reading: Exception | None = None
        self.slow_s = 0.0

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        await asyncio.sleep(self.slow_s)
        if self.fails is not None:
            raise copy.copy(self.fails)  # Its traceback would hold the conversation.
        found = await super().append(tenant, conversation, after, events)
        if self.fails_late is not None:
            raise copy.copy(self.fails_late)
        return found

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        if self.fails_reading is not None:
            raise copy.copy(self.fails_reading)
        return await super().read(tenant, conversation, after)

    async def told(self) -> list[str]:
        """Return the text of each stored message, and the kind of every other event."""
        events = await self.read("", "c")
        assert chain_fault(events) is None
        return [own.content.get("user") or own.content.get("assistant") or own.kind for own in events]


FULL = StoreError("the disk is full")
