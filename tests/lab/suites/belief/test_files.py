from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.suites.belief.files import dialogues_text, load_dialogues, write_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues


def spoil(where: str, value: object) -> Callable[[dict[str, Any]], object]:
    """Return a function that puts the value at a place such as "dialogues/0/id"."""

    def change(record: dict[str, Any]) -> None:
        *path, last = (int(step) if step.isdecimal() else step for step in where.split("/"))
        inner: Any = record
        for step in path:
            inner = inner[step]
        inner[last] = value

    return change


FAULTS = [
    ("suite", "drift", r"suite: Input should be 'belief'"),
    ("dialogues/0", 3, r"dialogues\.0: "),
    ("dialogues/0/id", None, r"dialogues\.0\.id: "),
    ("dialogues/0/atoms", ["a", "A"], r"dialogues\[0\]: .*named twice"),
    ("dialogues/0/premises/1/type", "whenever", r"dialogues\[0\]: premises\[1\]: unknown constraint type 'whenever'"),
    ("dialogues/0/questions/1/args", [], r"dialogues\[0\]: questions\[1\]: "),
    ("dialogues/0/questions", [], r"dialogues\.0\.questions: .* at least 1 item"),
    ("dialogues/0/questions/2/label", "YES", r"dialogues\.0\.questions\.2\.label: "),
    ("dialogues/0/premises/0/text", " ", r"dialogues\[0\]: a premise is a sentence, a text, not ' '"),
    ("dialogues/0/questions/2/id", "q0", r"dialogues\[0\]: case .*: query 1 and query 3 have the same id"),
    ("dialogues/0/questions/2/depends_on", [2], r"questions\[2\]\.depends_on: only earlier"),
    ("dialogues/0/questions/2/depends_on", [True], r"questions\.2\.depends_on\.0: "),
]


@pytest.mark.parametrize(("where", "value", "fault"), FAULTS)
def test_a_fault_is_named_with_file_and_place(tmp_path: Path, where: str, value: object, fault: str) -> None:
    record = json.loads(dialogues_text("stress", generate_dialogues(7, 1)))
    spoil(where, value)(record)
    path = tmp_path / "dialogues_stress.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RecordError, match=f"{path}: .*{fault}"):
        load_dialogues(path)


def test_what_is_no_file_of_dialogues(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no dialogues here"):
        load_dialogues(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        load_dialogues(tmp_path / "dialogues_stress.json")
    (tmp_path / "dialogues_stress.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(RecordError, match="cannot be read"):
        load_dialogues(tmp_path)


def test_an_id_met_twice_is_an_error(tmp_path: Path) -> None:
    (case,) = generate_dialogues(7, 1)
    write_dialogues([case, replace(case, domain="random")], tmp_path)
    with pytest.raises(RecordError, match=r"dialogues_stress\.json: id: 'belief_stress_0000' is there"):
        load_dialogues(tmp_path)
