from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.suites.json_file import json_text, read_json, write_text


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.json"
    write_text(path, json_text({"name": "Zoë", "places": [1, None]}))
    assert read_json(path) == {"name": "Zoë", "places": [1, None]}
    assert "Zoë" in path.read_text("utf-8")


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"{path}: cannot be read, it is no JSON"):
        read_json(path)


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    below = tmp_path / "file" / "below"
    with pytest.raises(RecordError, match=f"{below}: cannot be read"):
        read_json(below)
    with pytest.raises(RecordError, match=f"{below}: cannot be written"):
        write_text(below, "")
