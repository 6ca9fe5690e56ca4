from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.record import AnswerStatus, EventRecord, Satisfiability, Trigger
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.shown import ShownTurn, show_conversation, show_problems
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.page import as_page
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.shown import SHOWN, read_turns
from tests.lab.conftest import read_report
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import RESPECTING, turn, verdict

BREAKING = replace(
    verdict(Satisfiability.SAT, AnswerStatus.VIOLATING, Trigger.ANSWER_LEDGER_CONFLICT), violated=("C001",)
)
AGREED = EventRecord("added", "C001", 1, "at_position", ("A", 2), "A must sit at position 2")
NEXT = EventRecord("added", "C002", 2, "at_position", ("B", 1), "B must sit at position 1")


def conversation(second: AssignmentEntry) -> list[ShownTurn]:
    """A commitment is made in the first turn; then comes the given one, which makes another."""
    first = turn("p", 1)
    made = replace(first, record=replace(first.record, events=(AGREED,), holds=("C001",)))
    later = replace(second, record=replace(second.record, events=(NEXT,), holds=("C001", "C002")))
    return show_conversation([made, later])


def test_what_only_an_attempt_broke_is_told_apart() -> None:
    made, mended = conversation(turn("p", 2, BREAKING, RESPECTING))
    assert [mark.delivered for mark in mended.breaks] == [False]
    assert made.broken_since(AGREED) == mended.breaks
    assert not any(broken for _, _, broken in mended.values)
    assert [mended.verdict(attempt) for attempt in mended.record.attempts] == [
        ['The answer breaks C001: "A must sit at position 2" (turn 1).'],
        ["The answer keeps every commitment."],
    ]


def test_under_the_published_protocol_only_the_final_ledger_is_known() -> None:
    first = turn("p", 2, BREAKING, BREAKING, correct=False)
    _, shown = conversation(replace(first, record=replace(first.record, variant="upstream")))
    assert [bool(shown.verdict(attempt)) for attempt in shown.record.attempts] == [False, True]
    assert [mark.delivered for mark in shown.breaks] == [True]


def test_long_texts_are_cut_and_say_how_much(tmp_path: Path) -> None:
    entry = turn("p", 1, turns=1)
    long = replace(entry.record.attempts[0], text="x" * (SHOWN + 7), answer=None)
    write_run(tmp_path, [replace(entry, record=replace(entry.record, attempts=(long,)))])
    page = as_page(read_report([tmp_path]), 1)
    assert f"<pre>{'x' * SHOWN}… 7 more characters are in the journal</pre>" in page


def test_values_of_several_attributes_are_named() -> None:
    entry = turn("p", 1)
    several = replace(entry.record.attempts[0], answer={"QA.start": 2, "QA.duration": 3, "v1.2.start": 4})
    [shown] = show_conversation([replace(entry, record=replace(entry.record, attempts=(several,)))])
    assert shown.values == [("QA", "start 2, duration 3", False), ("v1.2", "start 4", False)]


def test_every_break_of_a_real_run_is_told_on_both_sides(folders: list[Path]) -> None:
    talks: dict[tuple[str, str], list[AssignmentEntry]] = {}
    for entry in read_entries(folders[0]):
        assert isinstance(entry, AssignmentEntry)
        talks.setdefault((entry.problem, entry.method), []).append(entry)
    found = 0
    for entries in talks.values():
        shown = show_conversation(entries)
        for entry, here in zip(entries, shown, strict=True):
            for id in entry.record.final.verdict.violated:
                [mark] = [each for each in here.breaks if each.id == id]
                made = shown[mark.made - 1]
                [maker] = [each for each in made.record.events if each.id == id and made.is_first(each)]
                assert mark in made.broken_since(maker)
                found += 1
            assert [each.id for each in here.commitments(here.record.holds)] == list(entry.record.holds)
    assert found > 10


def test_a_journal_that_went_away_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=str(tmp_path / JOURNAL_FILE)):
        list(read_turns(tmp_path, {"p"}, AssignmentEntry))


def test_problems_of_the_same_name_that_ask_something_else_are_kept_apart(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        model = f"sim/{folder.name}"
        played = [turn("p", number, model=model) for number in (1, 2)]
        said = [replace(own.record, user_message=f"{folder.name} {own.turn}") for own in played]
        write_run(folder, [replace(own, record=record) for own, record in zip(played, said, strict=True)], model=model)
    problems = show_problems(read_report(folders), 9)
    assert {problem.messages for problem in problems} == {("first 1", "first 2"), ("second 1", "second 2")}
    assert all(len(problem.conversations) == 1 for problem in problems)
