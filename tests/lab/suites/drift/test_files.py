from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.logic.evaluate import evaluate
from holdtrue_lab.suites.drift.files import load_problem, load_problems, problem_text, read_problem, write_problems
from tests.data import DRIFT, needs_data
from tests.lab.kinds.assignment.gold import gold_until

RECORD: dict[str, Any] = {
    "problem_id": "scheduling_000",
    "domain": "scheduling",
    "num_entities": 2,
    "entities": ["Docs", "QA"],
    "turns": [
        {
            "turn_number": 1,
            "user_message": "Docs has duration 2.",
            "new_constraints": [{"type": "duration", "args": ["Docs", 2], "nl": "Docs has duration 2"}],
            "cumulative_constraints": [{"type": "duration", "args": ["Docs", 2], "nl": "Docs has duration 2"}],
            "gold_solution": {"Docs": {"start": 1, "duration": 2}, "QA": {"start": 1, "duration": 1}},
            "is_satisfiable": True,
        }
    ],
    "num_slots": 5,
    "max_duration": 3,
    "split": "dev",
}


def test_writes_what_it_read() -> None:
    assert json.loads(problem_text(read_problem(RECORD))) == RECORD
    bare = copy.deepcopy(RECORD)
    del bare["split"], bare["max_duration"]
    del bare["turns"][0]["gold_solution"]
    assert json.loads(problem_text(read_problem(bare))) == bare


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("domain",), "cooking", "domain: 'cooking'"),
        (("domain",), ["seating"], "domain: "),
        (("problem_id",), 3, "problem_id"),
        (("entities",), "Docs", "entities"),
        (("entities",), [1, 2], "entities"),
        (("entities",), ["Docs", "docs"], "setting"),
        (("num_slots",), 0, "num_slots"),
        (("split",), 1, "split"),
        (("turns",), {}, "turns"),
        (("turns", 0), 7, "turns[0]"),
        (("turns", 0, "turn_number"), 2, "turns[0].turn_number: expected 1"),
        (("turns", 0, "user_message"), None, "turns[0].user_message"),
        (("turns", 0, "new_constraints"), None, "turns[0].new_constraints"),
        (("turns", 0, "new_constraints", 0, "type"), "lasts", "turns[0].new_constraints[0]: unknown constraint"),
        (("turns", 0, "new_constraints", 0, "args"), ["Docs"], "turns[0].new_constraints[0]: duration takes 2"),
        (("turns", 0, "new_constraints", 0, "args"), "Docs", "turns[0].new_constraints[0].args"),
        (("turns", 0, "cumulative_constraints"), [], "turns[0].cumulative_constraints"),
        (("turns", 0, "gold_solution"), {"Docs": 1}, "turns[0].gold_solution"),
        (("turns", 0, "gold_solution"), "none", "turns[0].gold_solution"),
    ],
)
def test_errors_name_the_file_and_the_field(
    tmp_path: Path, place: tuple[str | int, ...], value: object, words: str
) -> None:
    record = copy.deepcopy(RECORD)
    target: Any = record
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    path = tmp_path / "scheduling_000.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        load_problems(tmp_path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 100_000, b"3"])
def test_a_file_that_is_no_problem_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "seating_000.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="seating_000"):
        load_problem(path)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no problems"):
        load_problems(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "dev").write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(RecordError, match="dev"):
        write_problems([read_problem(RECORD)], tmp_path)


@needs_data
def test_the_development_problems_survive_byte_for_byte_and_their_witnesses_hold(tmp_path: Path) -> None:
    folder = DRIFT / "problems"
    problems = load_problems(folder)
    assert len(problems) == 204
    written = write_problems(problems, tmp_path)
    assert [path.name for path in written] == sorted(path.name for path in (folder / "dev").glob("*.json"))
    assert all(path.read_bytes() == (folder / "dev" / path.name).read_bytes() for path in written)
    turns = 0
    for problem in problems:
        instance = problem.make_instance()
        for turn in problem.turns:
            assert turn.witness is not None
            formulas = (*instance.background, *map(instance.formula, gold_until(problem, instance, turn.number)))
            assert all(evaluate(formula, turn.witness) for formula in formulas)
            turns += 1
    assert turns == 1438


@needs_data
def test_reworded_problems_have_the_labels_of_the_plain_ones() -> None:
    plain = {problem.id: problem for problem in load_problems(DRIFT / "problems")}
    for reworded in load_problems(DRIFT / "reworded"):
        assert [turn.gold for turn in reworded.turns] == [turn.gold for turn in plain[reworded.id].turns]
