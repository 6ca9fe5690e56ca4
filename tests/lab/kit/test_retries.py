"""Retries are counted by the keys of requests and by answers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.record import (
    DRAWN,
    RETRIED,
    AnswerStatus,
    AttemptRecord,
    CallRecord,
    Satisfiability,
    TurnRecord,
    Usage,
    VerdictRecord,
)
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kit.flat import RETRY_COLUMNS
from holdtrue_lab.kit.retries import Retry, RetryCounts, find_retries
from tests.lab.kit.entries import turn as made_turn

KINDS = (*sorted(RETRIED), "sample", "vote", "fallback")
WRONG, RIGHT = AnswerStatus.VIOLATING, AnswerStatus.RESPECTING


def attempt(kind: str, key: str, text: str, status: AnswerStatus = WRONG) -> AttemptRecord:
    calls = (CallRecord(f"critique of {key}", "critique", Usage(1)), CallRecord(key, kind, Usage(1)))
    return AttemptRecord(1, kind, text, None, VerdictRecord(Satisfiability.SAT, status), calls)


def entry(*attempts: AttemptRecord, problem: str = "p", turn: int = 1) -> AssignmentEntry:
    base = made_turn(problem, turn)
    record: TurnRecord = TurnRecord(  # type: ignore[type-arg]
        turn, "", "mine", "sim/x", "stated", "gold", tuple(attempts), None, detail=base.record.detail
    )
    return AssignmentEntry("drift", problem, "seating", "mine", turn, 2, record, None)


ATTEMPTS = st.builds(
    attempt, st.sampled_from(KINDS), st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from((WRONG, RIGHT))
)


def naive(turn: AssignmentEntry) -> list[Retry]:
    """Return the retries of a turn by comparing each attempt with all earlier ones."""
    found = []
    made = turn.record.attempts
    for place, each in enumerate(made):
        if each.kind not in RETRIED:
            continue
        before = made[:place]
        found.append(
            Retry(
                each.kind,
                further=any(other.kind in RETRIED for other in before),
                identical=any(each.calls[-1].key == call.key for other in before for call in other.calls),
                same=any(each.text == other.text for other in before),
                mends=each.verdict.answer is RIGHT and all(other.verdict.answer is WRONG for other in before),
            )
        )
    return found


@given(st.lists(ATTEMPTS, max_size=6))
def test_retries_are_found_as_by_looking_back(attempts: list[AttemptRecord]) -> None:
    made = entry(attempt("answer", "a", "x"), *attempts)
    assert find_retries(made) == naive(made)
    counted = {name: read(_Row(made)) for name, (_, read) in RETRY_COLUMNS.items() if not isinstance(read, str)}
    twin = naive(made)
    assert counted == {
        "retries": len(twin),
        "identical_retries": sum(each.identical for each in twin),
        "same_answer_retries": sum(each.same for each in twin),
    }


class _Row:
    def __init__(self, entry: AssignmentEntry) -> None:
        self.entry = entry


@given(st.lists(st.lists(ATTEMPTS, max_size=4), min_size=1, max_size=5))
def test_rows_sum_what_turns_have(turns: list[list[AttemptRecord]]) -> None:
    made = [entry(attempt("answer", "a", "x"), *each, problem=f"p{n % 2}", turn=n) for n, each in enumerate(turns, 1)]
    counts = RetryCounts()
    assert list(counts.watch(made)) == made
    twins = [naive(each) for each in made]
    rows = {row.kind: row for row in counts.rows()}
    assert set(rows) == {retry.kind for each in twins for retry in each} <= RETRIED.difference(DRAWN)
    for kind, row in rows.items():
        ours = [retry for each in twins for retry in each if retry.kind == kind]
        assert (row.turns, row.retried) == (len(made), sum(any(r.kind == kind for r in each) for each in twins))
        assert (row.identical.hits, row.identical.of) == (sum(r.identical for r in ours), len(ours))
        assert row.identical_further.of == sum(r.further for r in ours)
        assert row.same.hits == sum(r.same for r in ours)
    mended = [sum(row.mended[place] for row in rows.values()) for place in range(3)]
    first = [next((n for n, r in enumerate(each) if r.mends), None) for each in twins]
    assert mended == [first.count(0), first.count(1), sum(n is not None and n > 1 for n in first)]
