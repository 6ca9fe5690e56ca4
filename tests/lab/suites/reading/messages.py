"""Six messages about a logic grid, written by hand: some in the domain's wording, some that rules cannot read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PETS = {"categories": {"color": ["Red", "Blue", "Green"], "pet": ["Cat", "Dog", "Bird"]}}


def message(name: str, kind: str, said: str, *gold: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "domain": "logic_grid",
        "kind": kind,
        "style": "terse",
        "family": name,
        "entities": ["Mei", "Tomasz", "Rafael"],
        "context": PETS,
        "message": said,
        "gold": list(gold),
        "before": [],
        "note": "",
        **more,
    }


OWN = message("own", "single", "Mei is assigned Cat in category pet.", ["assign", "Mei", "pet", "Cat"])
BOTH = message(
    "both",
    "multi",
    "Mei is assigned Cat in category pet. Tomasz is assigned Blue in category color.",
    ["assign", "Mei", "pet", "Cat"],
    ["assign", "Tomasz", "color", "Blue"],
    style="formal",
)
FREE = message("free", "single", "the dog is none other than Rafael's", ["assign", "Rafael", "pet", "Dog"])
HEDGED = message("hedged", "hedged", "Maybe Mei is assigned Cat in category pet.")
GONE = message(
    "gone", "hedged", "Forget that Mei is assigned Cat in category pet.", before=[["assign", "Mei", "pet", "Cat"]]
)
THREE = message(
    "three", "odd", "Mei is assigned Red in category color", ["assign", "Mei", "color", "Red"], style="chatty"
)
MESSAGES = (OWN, BOTH, FREE, HEDGED, GONE, THREE)


def write_messages(folder: Path, *messages: Mapping[str, Any]) -> Path:
    """Write the messages, and return their file."""
    path = folder / "messages.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in messages or MESSAGES), encoding="utf-8")
    return path
