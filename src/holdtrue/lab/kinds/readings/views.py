"""Ask a model for its view of every message of dialogues, and keep the views in a file to go on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.readings.fitting import context_of
from holdtrue.lab.kinds.readings.kept_lines import read_kept
from holdtrue.lab.kinds.readings.problem import Dialogue
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading
from holdtrue.models.chat import ChatModel

Place = tuple[str, int]
"""A message: its dialogue, and its place in it from 0."""


def read_views(path: Path) -> dict[Place, SlotReading]:
    """Return the views in a file, none where there is no such file. Raises `RecordError` for a line that does not fit.

    A last line that was cut when the process was killed is left out.
    """
    return read_kept(path, _read_view, "this is no view of a message")


def _read_view(record: Any) -> tuple[Place, SlotReading]:
    events = tuple(SlotEvent(**own) for own in record["events"])
    return (str(record["dialogue"]), int(record["message"])), SlotReading(events)


async def ask_views(
    model: ChatModel, dialogues: Sequence[Dialogue], path: Path, locale: str, told: Callable[[int, int], None]
) -> dict[Place, SlotReading]:
    """Return the views of all messages, those that the file has not with a call each, and each kept at once.

    `told` hears how many of how many there are. Raises `ModelError`.
    """
    found = read_views(path)
    places = [(own, place) for own in dialogues for place in range(own.turns)]
    with path.open("a", encoding="utf-8") as file:
        for number, (dialogue, place) in enumerate(places, 1):
            key = (dialogue.id, place)
            if key not in found:
                context = SlotContext.of(context_of(dialogue, place, locale))
                view = await ask_view(model, dialogue.world, dialogue.messages[place].user, context)
                found[key] = SlotReading(view.events)
                record = {"dialogue": key[0], "message": key[1], "events": [asdict(own) for own in found[key].events]}
                file.write(json.dumps(record) + "\n")
                file.flush()
            told(number, len(places))
    return found
