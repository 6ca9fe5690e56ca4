"""What the files of all conversations have to stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st

from holdtrue.conversation.conversation import Conversation
from holdtrue.errors import InfrastructureError, RecordError, SettingsError
from tests.models.disk import no_file_beyond


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
    loaded.save(file)
    once = file.read_text(encoding="utf-8")
    load().save(file)
    assert file.read_text(encoding="utf-8") == once


def kept_where_the_disk_is_full(file: Path, session: Conversation) -> None:
    """Save to a disk that is full: the old file stays, and nothing is left beside it."""
    before = file.read_bytes()
    with no_file_beyond(100), pytest.raises(InfrastructureError, match="cannot be saved: File too large"):
        session.save(file)
    assert file.read_bytes() == before and [one.name for one in file.parent.iterdir()] == [file.name]
