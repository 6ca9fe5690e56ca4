from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.kit.json_file import json_text, read_json, read_objects, read_records, write_lines, write_text


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


def test_records_are_a_list_or_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_text('[{"a": 1}, 2]', "utf-8")
    assert read_records(path) == [(f"{path}[0]", {"a": 1}), (f"{path}[1]", 2)]
    path.write_text('{"a": 1}\n\n2\n', "utf-8")
    assert read_records(path) == [(f"{path}, line 1", {"a": 1}), (f"{path}, line 3", 2)]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b'{"a": 1}\n{', "line 2: no JSON"), (b"\xff", "it is no text"), (b"[" * 100_000, "no JSON")],
)
def test_records_that_cannot_be_read_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "records"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"{path}.*{message}"):
        read_records(path)
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path)


def test_objects_are_those_of_all_files_of_a_folder(tmp_path: Path) -> None:
    write_lines(tmp_path / "b.jsonl", [{"name": "Zoë"}])
    write_lines(tmp_path / "a.jsonl", [{"a": 1}, {"a": 2}])
    assert [record for _, record in read_objects(tmp_path)] == [{"a": 1}, {"a": 2}, {"name": "Zoë"}]
    assert [where for where, _ in read_objects(tmp_path / "b.jsonl")] == [f"{tmp_path / 'b.jsonl'}, line 1"]
    write_lines(tmp_path / "b.jsonl", [1])
    with pytest.raises(RecordError, match="line 1"):
        list(read_objects(tmp_path))
