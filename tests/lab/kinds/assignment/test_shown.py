from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.record import AnswerStatus, EventRecord, ReadingRecord, Satisfiability, Trigger
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.shown import ShownTurn, show_conversation, show_problems
from holdtrue_lab.kit.journal import Journal, read_entries
from holdtrue_lab.kit.page import as_page
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.shown import SHOWN, find_sides, read_turns
from tests.lab.conftest import METHODS, MODELS, read_report
from tests.lab.kit.entries import RESPECTING, failure, settings, turn, verdict

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


def test_a_broken_commitment_is_told_where_it_was_made_and_where_it_was_broken() -> None:
    made, broke = conversation(turn("p", 2, BREAKING, correct=False))
    [mark] = broke.breaks
    assert (mark.id, mark.sentence, mark.made, mark.turn, mark.delivered) == ("C001", AGREED.sentence, 1, 2, True)
    assert made.broken_since(AGREED) == [mark]
    assert broke.broken_since(NEXT) == []
    held = broke.commitments(broke.record.holds)
    assert [(each.id, each.made, each.broken) for each in held] == [("C001", 1, True), ("C002", 2, False)]
    assert broke.values == [("A", "1", True)]
    assert (broke.correct, broke.wrong_because) == (False, "drift")


def test_what_only_an_attempt_broke_is_told_apart() -> None:
    made, mended = conversation(turn("p", 2, BREAKING, RESPECTING))
    assert [mark.delivered for mark in mended.breaks] == [False]
    assert made.broken_since(AGREED) == mended.breaks
    assert not any(broken for _, _, broken in mended.values)
    assert [mended.verdict(attempt) for attempt in mended.record.attempts] == [
        ['The answer breaks C001: "A must sit at position 2" (turn 1).'],
        ["The answer keeps every commitment."],
    ]


def test_an_answer_that_was_held_back_delivers_no_break() -> None:
    _, held = conversation(turn("p", 2, BREAKING, correct=False, delivered=None))
    assert [mark.delivered for mark in held.breaks] == [False]


def test_under_the_published_protocol_only_the_final_ledger_is_known() -> None:
    first = turn("p", 2, BREAKING, BREAKING, correct=False)
    _, shown = conversation(replace(first, record=replace(first.record, variant="upstream")))
    assert [bool(shown.verdict(attempt)) for attempt in shown.record.attempts] == [False, True]
    assert [mark.delivered for mark in shown.breaks] == [True]


def test_a_gap_a_conflict_and_what_was_set_aside_or_not_read_are_shown() -> None:
    gap = turn("p", 2, correct=False, gaps=1)
    _, shown = conversation(gap)
    assert (shown.wrong_because, shown.breaks) == ("ledger_gap", [])
    unsat = replace(verdict(Satisfiability.UNSAT, AnswerStatus.RESPECTING), mus=("C001", "C002"))
    entry = turn("p", 2, unsat, correct=False, projected=True)
    reading = ReadingRecord("mumble", "rejected", reason="nothing fits")
    detail = replace(entry.record.detail, set_aside=("C001",))
    _, shown = conversation(replace(entry, record=replace(entry.record, detail=detail, readings=(reading,))))
    assert [each.made for each in shown.commitments(("C001", "C002"))] == [1, 2]
    assert shown.coverage.gaps() == ['not read: "mumble" (nothing fits)']


def test_long_texts_are_cut_and_say_how_much(tmp_path: Path) -> None:
    entry = turn("p", 1, turns=1)
    long = replace(entry.record.attempts[0], text="x" * (SHOWN + 7), answer=None)
    with Journal(tmp_path, settings(problems=1)) as journal:
        journal.append(replace(entry, record=replace(entry.record, attempts=(long,))))
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
            assert [turn.record.user_message for turn in talk.turns] == list(problem.messages)


def test_problems_of_the_same_name_that_ask_something_else_are_kept_apart(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        with Journal(folder, settings(problems=1, model=f"sim/{folder.name}")) as journal:
            for number in (1, 2):
                entry = turn("p", number, model=f"sim/{folder.name}")
                journal.append(replace(entry, record=replace(entry.record, user_message=f"{folder.name} {number}")))
    problems = show_problems(read_report(folders), 9)
    assert {problem.messages for problem in problems} == {("first 1", "first 2"), ("second 1", "second 2")}
    assert all(len(problem.conversations) == 1 for problem in problems)


def test_a_method_that_began_after_the_run_was_measured_is_left_to_the_next_report(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=1, methods=("direct", "cot"))) as journal:
        for number in (1, 2):
            journal.append(turn("p", number))
        report = read_report([tmp_path])
        journal.append(turn("p", 1, method="cot"))
        [problem] = show_problems(report, 9)
    assert [talk.side.method for talk in problem.conversations] == ["direct"]
