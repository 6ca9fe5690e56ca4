from __future__ import annotations

from dataclasses import replace
from typing import Any

from holdtrue.record import AnswerStatus, ReplyKind, Satisfiability, Trigger
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kinds.assignment.metrics import Fired
from holdtrue_lab.kit.entry import Entry
from tests.lab.kit.entries import DRIFTING, RESPECTING, turn, verdict
from tests.lab.kit.told import told

UNSAT = verdict(Satisfiability.UNSAT, AnswerStatus.VIOLATING, Trigger.UNSAT_LEDGER, Trigger.ANSWER_LEDGER_CONFLICT)
UNPARSED = verdict(Satisfiability.SAT, AnswerStatus.UNPARSED, Trigger.ANSWER_PARSE_FAILED)


def only(entries: list[Entry]) -> Any:
    return next(told(row) for row in measure_run(entries).rows if row.domain is None)


def clipped(entry: AssignmentEntry, place: int) -> AssignmentEntry:
    """The entry with one attempt's answer cut off by the token limit."""
    attempts = list(entry.record.attempts)
    [call] = attempts[place].calls
    attempts[place] = replace(attempts[place], calls=(replace(call, kind=ReplyKind.CUT),))
    return replace(entry, record=replace(entry.record, attempts=tuple(attempts)))


def test_clipped_answers_are_counted_and_the_other_turns_have_an_accuracy() -> None:
    plain = turn("r", 1, correct=True)
    measuring = tuple(replace(call, kind=ReplyKind.CUT) for call in plain.record.measuring)
    row = only(
        [
            clipped(turn("p", 1, UNPARSED, correct=False), 0),
            clipped(turn("p", 2, UNPARSED, RESPECTING, correct=True), 0),  # asking again mended it
            turn("q", 1, correct=True),
            turn("q", 2, correct=False),
            replace(plain, record=replace(plain.record, measuring=measuring)),  # no answer of the method
            clipped(turn("r", 2, scored=False), 0),
        ]
    )
    assert (row.truncation.clipped.hits, row.truncation.clipped.of) == (3, 6)
    assert (row.truncation.accuracy.hits, row.truncation.accuracy.of) == (2, 3)
    assert (row.accuracy.hits, row.accuracy.of) == (3, 5)


def of_kinds(entry: AssignmentEntry, *kinds: str) -> AssignmentEntry:
    attempts = tuple(replace(each, kind=kind) for each, kind in zip(entry.record.attempts, kinds, strict=True))
    return replace(entry, record=replace(entry.record, attempts=attempts))


def test_drawing_samples_and_voting_is_no_retry() -> None:
    drawn = of_kinds(turn("p", 1, DRIFTING, RESPECTING, DRIFTING, correct=False), "sample", "sample", "vote")
    mended = of_kinds(turn("p", 2, DRIFTING, DRIFTING, RESPECTING), "sample", "format", "vote")
    row = only([drawn, mended])
    assert row.repair.retried == 1
    assert row.after_retry[Trigger.ANSWER_LEDGER_CONFLICT].turns == 1
    # The vote of the first turn says again what the first sample said.
    assert row.triggers[Trigger.ANSWER_LEDGER_CONFLICT] == Fired(first=2, final=1, events=3)


def test_a_clipped_critique_is_no_clipped_answer() -> None:
    entry = clipped(turn("p", 1), 0)
    [attempt] = entry.record.attempts
    calls = tuple(replace(call, purpose="critique") for call in attempt.calls)
    entry = replace(entry, record=replace(entry.record, attempts=(replace(attempt, calls=calls),)))
    assert only([entry]).truncation.clipped.hits == 0
