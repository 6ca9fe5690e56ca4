"""Messages are read with their instances and gold, and errors name the place of a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.suites.reading.files import load_items
from tests.lab.suites.reading.messages import FREE, GONE, OWN, write_messages


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("domain", "chess", "unknown domain 'chess'"),
        ("entities", ["Mei", 3], "entities[1]: a text"),
        ("entities", ["Mei", "mei"], "named twice"),
        ("message", None, "message: a text"),
        ("gold", [["assign", "Mei", "pet", "Horse"]], "gold[0]: "),
        ("gold", [[]], "gold[0]: unknown constraint type"),
        ("gold", ["assign"], "gold[0]: a list"),
        ("gold", None, "gold: a list"),
        ("before", [["likes", "Mei"]], "before[0]: unknown constraint type"),
        ("id", 7, "id: a text"),
        ("kind", 7, "kind: a text"),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(tmp_path: Path, field: str, value: Any, says: str) -> None:
    with pytest.raises(RecordError, match=r"messages\.jsonl, line 2") as caught:
        load_items(write_messages(tmp_path, OWN, {**FREE, field: value}))
    assert says in str(caught.value)


def test_other_lines_are_left_alone_in_a_folder_and_refused_in_a_file(tmp_path: Path) -> None:
    path = write_messages(tmp_path, OWN, {"note": "nothing here"}, GONE)
    assert len(load_items(tmp_path)) == 2
    with pytest.raises(RecordError, match="line 2: this is no message"):
        load_items(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(RecordError, match="line 1: no JSON"):
        load_items(path)


def test_an_id_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="line 2: id: 'logic_grid/own' is there twice"):
        load_items(write_messages(tmp_path, OWN, OWN))


def test_a_folder_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there are no messages"):
        load_items(tmp_path)
