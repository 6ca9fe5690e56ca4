"""Checks for the files of all kinds of conversations."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

from holdtrue.conversation.conversation import Conversation
from holdtrue.errors import InfrastructureError, InputError, RecordError, SettingsError
from tests.models.disk import no_file_beyond

Kept = TypeVar("Kept", bound=Conversation)
Step = TypeVar("Step")
Play = Callable[[Kept, Sequence[Step]], Awaitable[Sequence[object]]]
Change = Callable[[dict[str, Any]], object]


async def play_steps(
    steps: Iterable[Step], do: Callable[[Step], Awaitable[Iterable[object]]], state: Callable[[], object]
) -> list[object]:
    """Do the steps in order, and return the results of each and the state after it.

    A refused step gives the text of its error.
    """
    found: list[object] = []
    for step in steps:
        try:
            found += await do(step)
        except InputError as error:
            found.append(str(error))
        found.append(state())
    return found


async def goes_on_where_loaded(
    file: Path,
    kept: Kept,
    load: Callable[[], Kept],
    play: Play[Kept, Step],
    before: Sequence[Step],
    after: Sequence[Step],
) -> None:
    """Save a conversation between two series of steps, and load it: it goes on as the one that was kept."""
    await play(kept, before)
    kept.save(file)
    loaded = load()
    assert await play(kept, after) == await play(loaded, after)
    assert _saved_text(kept, file) == _saved_text(loaded, file)


def _saved_text(session: Conversation, file: Path) -> str:
    session.save(file)
    return file.read_text(encoding="utf-8")


def refused_where_changed(file: Path, change: Change, load: Callable[[], Conversation], says: str) -> None:
    """Change the JSON of the file. Loading must fail with the file's name and the place, which matches `says`."""
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(RecordError, match=rf"{re.escape(file.name)}: .*{says}"):
        load()


def refused_where_cut(data: st.DataObject, file: Path, load: Callable[[], Conversation]) -> None:
    """Change a character of the file, or take it out: the file is refused, or is another whole conversation."""
    text = file.read_text(encoding="utf-8")
    place = data.draw(st.integers(0, len(text) - 1))
    changed = text[:place] + data.draw(st.sampled_from(["", "0", '"', "x"])) + text[place + 1 :]
    file.write_text(changed, encoding="utf-8")
    try:
        loaded = load()
    except (RecordError, SettingsError):
        return
    once = _saved_text(loaded, file)
    assert _saved_text(load(), file) == once


def kept_where_the_disk_is_full(file: Path, session: Conversation) -> None:
    """Save to a full disk: the old file stays, and no other file remains."""
    before = file.read_bytes()
    with no_file_beyond(100), pytest.raises(InfrastructureError, match="cannot be saved: File too large"):
        session.save(file)
    assert file.read_bytes() == before and [one.name for one in file.parent.iterdir()] == [file.name]
