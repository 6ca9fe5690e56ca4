"""Files that are there whole, or as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdtrue.files import write_whole
from tests.models.disk import no_file_beyond


def test_the_new_text_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    for text in ("long and old", "new é"):
        write_whole(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    with no_file_beyond(100), pytest.raises(OSError, match="File too large"):
        write_whole(path, "x" * 1000)
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "it.txt", "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]


def test_two_at_a_time_leave_one_whole_text(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    texts = [str(number) * 10_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_whole(path, text), texts * 5))
    assert path.read_text(encoding="utf-8") in texts
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]
