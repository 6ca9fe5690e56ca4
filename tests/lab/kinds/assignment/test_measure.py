from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.record import (
    AnswerStatus,
    Satisfiability,
    Trigger,
    VerdictRecord,
    channel,
)
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, ratios
from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kit.entry import Entry
from tests.lab.kit.entries import turn, verdict
from tests.lab.kit.told import told

UNSAT = verdict(Satisfiability.UNSAT, AnswerStatus.VIOLATING, Trigger.UNSAT_LEDGER, Trigger.ANSWER_LEDGER_CONFLICT)
UNPARSED = verdict(Satisfiability.SAT, AnswerStatus.UNPARSED, Trigger.ANSWER_PARSE_FAILED)
INCOMPLETE = verdict(Satisfiability.SAT, AnswerStatus.INCOMPLETE, Trigger.INCOMPLETE_ASSIGNMENT)
UNDECIDED = verdict(Satisfiability.UNKNOWN, AnswerStatus.UNDECIDED)
VERDICTS = st.builds(verdict, st.sampled_from(Satisfiability), st.sampled_from(AnswerStatus))


def only(entries: list[Entry]) -> Any:
    return next(told(row) for row in measure_run(entries).rows if row.domain is None)


@hypothesis_settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(VERDICTS, st.booleans(), st.booleans(), st.sampled_from(Satisfiability)), max_size=12))
def test_channels_and_the_published_split_are_exclusive_and_whole(
    turns: list[tuple[VerdictRecord, bool, bool, Satisfiability]],
) -> None:
    entries: list[Entry] = [
        turn(f"p{i}", 1, found, correct=right, upstream_correct=upstream, upstream_ledger=ledger)
        for i, (found, right, upstream, ledger) in enumerate(turns)
    ]
    for row in map(told, measure_run(entries).rows):
        wrong = sum(not right for _, right, _, _ in turns)
        assert row.wrong == wrong == sum(share.turns for share in row.channels.values())
        published = (row.upstream_drift, row.upstream_unsat, row.upstream_other)
        assert sum(share.turns for share in published) == sum(not upstream for _, _, upstream, _ in turns)
        if wrong:
            assert sum(share.share or 0 for share in row.channels.values()) == pytest.approx(1)
        for kind, share in row.channels.items():
            assert share.turns == sum(channel(found.outcome) is kind for found, right, _, _ in turns if not right)


def test_depth_is_over_the_problems_that_are_so_long() -> None:
    long: list[Entry] = [turn("p", n, correct=n in (1, 10), turns=10) for n in range(1, 11)]
    other: list[Entry] = [turn("q", n, correct=n == 1, turns=10) for n in range(1, 11)]
    short: list[Entry] = [turn("r", n, correct=True) for n in (1, 2)]
    row = only([*long, *other, *short])
    assert [(d.turn, d.accuracy.hits, d.accuracy.of) for d in row.depth][:3] == [(1, 3, 3), (2, 1, 3), (3, 0, 2)]
    assert row.depth[-1].turn == 10
    kept = only(short).retention
    assert (kept.published, kept.same_problems, kept.problems) == (Estimate(0), Rate(0, 0), 0)


def test_bands_of_accuracy_by_turn_are_the_bootstrap_s_as_published() -> None:
    right = [n % 3 == 0 for n in range(12)]
    entries: list[Entry] = [turn(f"p{n}", number, correct=right[n]) for n in range(12) for number in (1, 2)]
    row = only(entries[:-1])
    [first] = clustered([([int(each) for each in right], [1] * 12)])
    # The last problem has no turn 2; it is drawn all the same, and adds nothing.
    [second] = clustered([([*map(int, right[:-1]), 0], [1] * 11 + [0])])
    assert [point.accuracy for point in row.depth] == [first, second]
    assert {point.accuracy.interval for point in row.depth} == {"bootstrap"}
    assert only([turn("p", 1)]).depth[0].accuracy.interval == "wilson"


def test_both_retentions_by_hand() -> None:
    entries: list[Entry] = [
        *(turn("both_kept", n, turns=10) for n in (1, 10)),
        *(turn("both_lost", n, correct=n == 1, turns=10) for n in (1, 10)),
        *(turn("won", n, correct=n == 10, turns=10) for n in (1, 10)),
        *(turn(f"short{k}", 1, correct=k > 0, turns=4) for k in range(5)),
    ]
    kept = only(entries).retention
    # Turn 10: 2 of 3 right; turn 1: 6 of 8, and 2 of the 3 that have both.
    assert kept.published.value == pytest.approx((2 / 3) / (6 / 8))
    assert (kept.same_problems.hits, kept.same_problems.of, kept.problems) == (2, 2, 3)
    assert kept.published.of == 3


ENDS = st.lists(st.tuples(st.sampled_from((None, False, True)), st.sampled_from((None, False, True))), max_size=9)


@hypothesis_settings(max_examples=40, deadline=None)
@given(ENDS)
def test_retention_is_what_a_naive_count_says(ends: list[tuple[bool | None, bool | None]]) -> None:
    entries: list[Entry] = [
        turn(f"p{n}", number, correct=bool(right), scored=right is not None, turns=10)
        for n, problem in enumerate(ends)
        for number, right in zip((1, 10), problem, strict=True)
    ]
    if not entries:
        return
    kept = only(entries).retention
    first, last = ([right for end in ends if (right := end[place]) is not None] for place in (0, 1))
    both = [(one, two) for one, two in ends if one is not None and two is not None]
    if last and any(first):
        assert kept.published.value == pytest.approx((sum(last) / len(last)) / (sum(first) / len(first)))
    else:
        assert kept.published.value is None
    assert (kept.same_problems.hits, kept.same_problems.of) == (sum(b for _, b in both), sum(a for a, _ in both))
    assert kept.problems == len(both)
    if len(both) == len(ends) and any(first):
        assert kept.published.value == pytest.approx(kept.same_problems.value)


def test_retention_has_the_interval_of_the_bootstrap_over_problems() -> None:
    rng = random.Random(8)
    ends = [(rng.random() < 0.8, rng.random() < 0.4) for _ in range(60)]
    entries: list[Entry] = [
        turn(f"p{n:02}", number, correct=right, turns=10)
        for n, problem in enumerate(ends)
        for number, right in zip((1, 10), problem, strict=True)
    ]
    row = only([*entries, turn("q", 1, correct=True), turn("r", 1, turns=10), turn("r", 10, scored=False, turns=10)])
    last, first = [int(right) for _, right in ends], [int(right) for right, _ in ends]
    [expected] = clustered([([*last, 0, 0], [*first, 0, 0])])
    assert row.retention.same_problems == expected
    assert expected.value == sum(last) / sum(first)
    [published] = ratios([(([*last, 0, 0], [1] * 60 + [0, 0]), ([*first, 1, 1], [1] * 62))])
    assert row.retention.published == published
    assert published.interval == "bootstrap"


def test_retention_may_be_a_gain() -> None:
    kept = only([turn("p", 1, correct=False), turn("p", 10), turn("q", 1), turn("q", 10)]).retention
    assert kept.same_problems.value == kept.published.value == 2.0
    assert kept.same_problems.high is not None
    assert kept.same_problems.high >= 2.0
