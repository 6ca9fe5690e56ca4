from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kinds.assignment.report import Report, read_report
from holdtrue.lab.kinds.assignment.shown import show_problems
from holdtrue.lab.kit.journal import Journal, read_entries
from holdtrue.lab.kit.settings import JOURNAL_FILE
from holdtrue.lab.kit.shown import find_sides, read_turns
from tests.lab.conftest import METHODS, MODELS
from tests.lab.kit.entries import failure, settings, turn

NAMES = ["p", "p1", 'p"1', 'p\\"1', "", "naïve", "\ud800"]


def test_exactly_the_turns_of_the_wanted_problems_are_read(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        for number in (1, 2):
            for name in NAMES:
                journal.append(turn(name, number))
        journal.append(failure("p"))
    with (tmp_path / JOURNAL_FILE).open("ab") as file:
        file.write(b'{"suite":"drift","problem":"p","dom')
    for name in NAMES:
        naive = [
            entry for entry in read_entries(tmp_path) if isinstance(entry, AssignmentEntry) and entry.problem == name
        ]
        assert list(read_turns(tmp_path, {name}, AssignmentEntry)) == naive
        assert len(naive) == 2
    assert list(read_turns(tmp_path, {}, AssignmentEntry)) == []


def test_a_journal_that_went_away_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=str(tmp_path / JOURNAL_FILE)):
        list(read_turns(tmp_path, {"p"}, AssignmentEntry))


def test_a_problem_is_shown_with_all_that_played_it(report: Report) -> None:
    sides = find_sides(report)
    assert [(side.model, side.method) for side in sides.values()] == [(m, method) for m in MODELS for method in METHODS]
    problems = show_problems(report, 2)
    assert len(problems) == 2
    assert len({problem.domain for problem in problems}) == 2
    for problem in problems:
        assert [talk.side for talk in problem.conversations] == list(sides.values())
        for talk in problem.conversations:
            assert [turn.message for turn in talk.turns] == list(problem.messages)


def test_problems_of_the_same_name_that_ask_something_else_are_kept_apart(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        with Journal(folder, settings(problems=1, model=f"sim/{folder.name}")) as journal:
            for number in (1, 2):
                entry = turn("p", number, model=f"sim/{folder.name}")
                journal.append(replace(entry, record=replace(entry.record, user_message=f"{folder.name} {number}")))
    problems = show_problems(read_report("drift", folders), 9)
    assert {problem.messages for problem in problems} == {("first 1", "first 2"), ("second 1", "second 2")}
    assert all(len(problem.conversations) == 1 for problem in problems)


def test_a_method_that_began_after_the_run_was_measured_is_left_to_the_next_report(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=1, methods=("direct", "cot"))) as journal:
        for number in (1, 2):
            journal.append(turn("p", number))
        report = read_report("drift", [tmp_path])
        journal.append(turn("p", 1, method="cot"))
        [problem] = show_problems(report, 9)
    assert [talk.side.method for talk in problem.conversations] == ["direct"]
