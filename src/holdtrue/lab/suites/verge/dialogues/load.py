"""The dialogues that come with the package."""

from __future__ import annotations

from pathlib import Path

from holdtrue.lab.kinds.claims.dialogue import Dialogue, read_dialogue
from holdtrue.lab.kit.json_file import read_json


def load_dialogues(folder: Path | None = None) -> tuple[Dialogue, ...]:
    """The dialogues in a folder's JSON files, by name; without a folder our own. Raises `RecordError`."""
    files = sorted((folder or Path(__file__).parent).glob("*.json"))
    return tuple(read_dialogue(read_json(file), file.name) for file in files)
