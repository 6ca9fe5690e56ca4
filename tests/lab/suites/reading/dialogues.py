"""Three dialogues with a clinic and a taxi, written by hand, in the form of the shared ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.readings.problem import Dialogue
from holdtrue.lab.suites.reading.files import load_items
from tests.language.slots.worlds import TOOLS, WRITES


def event(kind: str, slot: str, value: Any = None, source: str = "stated", *surface: str) -> dict[str, Any]:
    service, _, name = slot.partition(".")
    found = {"id": f"e{slot}{value}", "kind": kind, "service": service, "slot": name, "source": source}
    return found if value is None else {**found, "value": value, "surface": [str(value), *surface]}


def turn(number: int, system: str | None, user: str, *events: dict[str, Any]) -> dict[str, Any]:
    return {"turn": number, "system": system, "user": user, "intents": {}, "events": list(events), "calls": []}


def dialogue(name: str, *turns: dict[str, Any], seen: bool = True) -> dict[str, Any]:
    return {
        "id": name,
        "today": "2023-05-05",
        "services": ["Clinic", "Taxi"],
        "seen": {"Clinic": seen, "Taxi": True},
        "tools": [{**tool, "writes": tool["name"] in WRITES} for tool in TOOLS],
        "turns": list(turns),
    }


BOOKED = dialogue(
    "one",
    turn(0, None, "I need a dentist in Aldermoor", event("add", "Clinic.town", "Aldermoor")),
    turn(
        1,
        "Ines Falk is one. On which day, and at what time?",
        "Fine. On May 9th at half past two",
        event("add", "Clinic.dentist_name", "Ines Falk", "accepted"),
        event("add", "Clinic.day", "2023-05-09", "stated", "May 9th"),
        event("add", "Clinic.hour", "14:30", "stated", "half past two"),
    ),
    turn(2, "May 9th at 2:30 pm?", "Actually make it 3 pm", event("amend", "Clinic.hour", "15:00", "stated", "3 pm")),
    turn(3, "Booked. Anything else?", "No, thanks!"),
)
FREED = dialogue(
    "two",
    turn(0, None, "Find me an orthodontist", event("add", "Clinic.speciality", "Orthodontist")),
    turn(1, "In which town?", "Any town will do", event("waive", "Clinic.town")),
    turn(2, "On which day?", "on the same day as my taxi", event("add", "Clinic.day", "2023-05-12", "carried")),
    seen=False,
)
TAXI = dialogue(
    "three",
    turn(0, None, "A taxi to Long Field please", event("add", "Taxi.address", "Long Field")),
    turn(1, "From where?", "From Aldermoor", event("add", "Taxi.pickup_place", "Aldermoor")),
)
DIALOGUES = (BOOKED, FREED, TAXI)


def load_dialogues(source: Path) -> list[Dialogue]:
    return [own for own in load_items(source) if isinstance(own, Dialogue)]


def write(folder: Path, *dialogues: Mapping[str, Any]) -> Path:
    """Write the dialogues, and a file beside them that has none, as the shared folder does."""
    lines = [json.dumps(each) + "\n" for each in dialogues or DIALOGUES]
    (folder / "dialogues.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "mutants.jsonl").write_text('{"dialogue": "one", "call": "c1"}\n', encoding="utf-8")
    return folder
