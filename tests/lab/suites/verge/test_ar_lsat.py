"""Records of AR-LSAT become items with sentences, and survive writing and reading."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.suites.verge.files import load_verge, write_items
from tests.data import DATA

FILE = DATA / "ar_lsat" / "dev.json"
needs_file = pytest.mark.skipif(not FILE.is_file(), reason="the records of AR-LSAT are not beside the repository")
RECORD = {
    "id": "ar_lsat_1",
    "context": "Two boys share three lockers. Juan must have a locker, at 9 a.m. or later. Fred has locker 3.",
    "question": "Which one of the following could be true?",
    "options": ["A) Juan has locker 1.", "B) Juan has locker 3."],
    "answer": "A",
}


def load(folder: Path, dataset: str | None = None, **changes: object) -> list[str]:
    path = folder / "records.json"
    path.write_text(json.dumps([{**RECORD, **changes}]), encoding="utf-8")
    (item,) = load_verge(path, dataset)
    return [item.dataset, *item.sentences]


def test_a_record_is_known_by_its_id_and_split_into_sentences(tmp_path: Path) -> None:
    said = [
        "Two boys share three lockers.",
        "Juan must have a locker, at 9 a.m. or later.",
        "Fred has locker 3.",
    ]
    assert load(tmp_path) == ["ar_lsat", *said]
    assert load(tmp_path, "ar_lsat", id="mine") == ["ar_lsat", *said]
    assert load(tmp_path, id="mine") == [""]
    assert load(tmp_path, options=[*RECORD["options"], "F) neither"]) == [""]  # somebody else's


def test_what_is_no_such_record_is_refused_where_it_has_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="the options are ABF, not ABCDE"):
        load(tmp_path, "ar_lsat", options=[*RECORD["options"], "F) neither"])
    with pytest.raises(RecordError, match="the context has no sentence"):
        load(tmp_path, "ar_lsat", context=" ")


def test_announced_conditions_are_sentences_and_halves_of_one_are_not(tmp_path: Path) -> None:
    context = (
        'There are two songs: "One" and "Two." They obey the following conditions: Each is sung: Ann sings; Bob hums.'
    )
    assert load(tmp_path, context=context)[1:] == [
        'There are two songs: "One" and "Two."',
        "They obey the following conditions:",
        "Each is sung: Ann sings; Bob hums.",
    ]


@needs_file
def test_the_published_records_are_read_whole(tmp_path: Path) -> None:
    items = load_verge(FILE)
    assert len(items) == 231
    assert {item.dataset for item in items} == {"ar_lsat"}
    assert all(item.gold is None and len(item.sentences) > 1 for item in items)
    assert Counter("".join(item.options) for item in items) == {"ABCDE": 231}
    for item in items:
        assert "".join("".join(item.sentences).split()) == "".join(item.context.split())
    write_items(items, tmp_path / "items.jsonl")
    assert load_verge(tmp_path / "items.jsonl") == items
