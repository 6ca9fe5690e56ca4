from __future__ import annotations

from dataclasses import replace

from holdtrue.record import AnswerStatus, CallRecord, ReplyKind, Satisfiability, Trigger, Usage
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.row import Cost, DriftRow, Fired
from holdtrue_lab.kit.entry import Entry
from tests.lab.kit.entries import DRIFTING, RESPECTING, turn, verdict

UNSAT = verdict(Satisfiability.UNSAT, AnswerStatus.VIOLATING, Trigger.UNSAT_LEDGER, Trigger.ANSWER_LEDGER_CONFLICT)
UNPARSED = verdict(Satisfiability.SAT, AnswerStatus.UNPARSED, Trigger.ANSWER_PARSE_FAILED)


def only(entries: list[Entry]) -> DriftRow:
    return next(row for row in measure_run(entries).rows if row.domain is None)


def test_repaired_turns_are_told_by_the_trigger_of_their_first_attempt() -> None:
    row = only(
        [
            turn("p", 1, DRIFTING, UNSAT, RESPECTING, correct=True, first_correct=False),
            turn("p", 2, DRIFTING, UNSAT, correct=False),
            turn("q", 1, UNSAT, RESPECTING, correct=True),  # fires two triggers, and counts for both
            turn("q", 2, DRIFTING, correct=False),  # was not asked again
            turn("r", 1, DRIFTING, RESPECTING, scored=False),
        ]
    )
    drift, unsat = (row.after_retry[code] for code in (Trigger.ANSWER_LEDGER_CONFLICT, Trigger.UNSAT_LEDGER))
    assert (drift.turns, drift.accuracy.hits, drift.accuracy.of, drift.sat.hits, drift.sat.of) == (4, 2, 3, 3, 4)
    assert (unsat.turns, unsat.accuracy.hits, unsat.accuracy.of, unsat.sat.hits, unsat.sat.of) == (1, 1, 1, 1, 1)
    assert row.after_retry[Trigger.ANSWER_PARSE_FAILED].accuracy == Rate(0, 0)
    assert row.triggers[Trigger.ANSWER_LEDGER_CONFLICT] == Fired(first=5, final=2, events=7)
    assert row.triggers[Trigger.UNSAT_LEDGER] == Fired(first=1, final=1, events=3)


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


def test_cost_is_per_turn_and_measuring_is_apart() -> None:
    row = only([turn("p", 1, DRIFTING, RESPECTING), turn("p", 2)])
    assert row.cost == Cost(calls=1.5, prompt_tokens=15.0, completion_tokens=1.5, seconds=0.75)
    assert row.measuring == Cost(calls=1.0, prompt_tokens=5.0, completion_tokens=5.0, seconds=0.25)


def test_the_cost_is_what_the_record_says_it_is() -> None:
    entry = turn("p", 1, DRIFTING, RESPECTING)
    reading = (CallRecord("e", "extract", Usage(2, 100, 7, 1.5)),)
    record = replace(entry.record, extraction=reading)
    row = only([replace(entry, record=record)])
    usage = record.usage
    assert row.cost == Cost(usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.latency_s)


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
