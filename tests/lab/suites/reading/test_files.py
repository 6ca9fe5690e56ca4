"""Dialogues are read with their tools and gold, and what does not fit is named with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from tests.lab.suites.reading.dialogues import BOOKED, DIALOGUES, TAXI, load_dialogues, write


def test_a_folder_s_dialogues_are_found_and_other_files_left_alone(tmp_path: Path) -> None:
    found = load_dialogues(write(tmp_path))
    assert [own.id for own in found] == [own["id"] for own in DIALOGUES]
    one = found[0]
    assert one.world.slots["Clinic.day"].writes and one.turns == 4 and one.seen is True
    assert found[1].seen is False
    assert one.messages[1].gold[1].forms == ("2023 05 09", "may 9th")
    assert sorted(next(one.held())) == ["Clinic.town"]
    assert list(one.held())[2]["Clinic.hour"].value == "15:00"
    assert load_dialogues(tmp_path / "dialogues.jsonl")[2].id == "three"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("today",), "tomorrow", "today: a day such as"),
        (("tools",), 3, "tools: a list is needed"),
        (("tools", 0, "name"), None, "tools: tools[0]"),
        (("turns", 0, "user"), None, "turns[0].user"),
        (("turns", 0, "system"), 5, "turns[0].system"),
        (("turns", 0, "events", 0, "kind"), "sets", "turns[0].events[0].kind"),
        (("turns", 0, "events", 0, "value"), [1], "turns[0].events[0].value"),
        (("id",), 7, "id: a text is needed"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, says: str
) -> None:
    record: Any = json.loads(json.dumps(TAXI))
    inner = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(RecordError, match=r"dialogues\.jsonl.*2") as caught:
        load_dialogues(write(tmp_path, BOOKED, record))
    assert says in str(caught.value)


def test_a_dialogue_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="twice"):
        load_dialogues(write(tmp_path, BOOKED, BOOKED))


def test_a_folder_without_dialogues_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no dialogues"):
        load_dialogues(tmp_path)
