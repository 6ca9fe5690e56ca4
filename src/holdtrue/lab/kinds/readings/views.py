"""Ask a model for its view of every message of dialogues, and keep views in a file of lines to go on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.readings.fitting import context_of
from holdtrue.lab.kinds.readings.problem import Dialogue
from holdtrue.lab.kit.json_file import read_lines
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading
from holdtrue.models.chat import ChatModel

K = TypeVar("K")
V = TypeVar("V")


def read_kept(path: Path, read: Callable[[Any], tuple[K, V]], fault: str) -> dict[K, V]:
    """Return what a file has kept, by the keys that `read` gives with the value of a line; {} where there is no file.

    Raises `RecordError` with the line and the `fault` for a line that `read` cannot take. A last line that was cut when
    the process was killed is taken off the file.
    """
    if not path.exists():
        return {}
    _drop_cut_line(path)
    found: dict[K, V] = {}
    for where, line in read_lines(path):
        try:
            key, value = read(line)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{where}: {fault}: {error!r:.100}") from error
        found[key] = value
    return found


def _drop_cut_line(path: Path) -> None:
    whole = path.read_bytes()
    if not whole.endswith(b"\n"):
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])


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
