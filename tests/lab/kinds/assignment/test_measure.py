from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.record import (
    AnswerStatus,
    Channel,
    Satisfiability,
    Trigger,
    TurnOutcome,
    VerdictRecord,
    channel,
)
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, ratios
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.row import DriftRow, Fired, Ledger, Repair, Retention, Share
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from tests.lab.kit.entries import DRIFTING, RESPECTING, failure, turn, verdict

UNSAT = verdict(Satisfiability.UNSAT, AnswerStatus.VIOLATING, Trigger.UNSAT_LEDGER, Trigger.ANSWER_LEDGER_CONFLICT)
UNPARSED = verdict(Satisfiability.SAT, AnswerStatus.UNPARSED, Trigger.ANSWER_PARSE_FAILED)
INCOMPLETE = verdict(Satisfiability.SAT, AnswerStatus.INCOMPLETE, Trigger.INCOMPLETE_ASSIGNMENT)
UNDECIDED = verdict(Satisfiability.UNKNOWN, AnswerStatus.UNDECIDED)
EACH = {
    Channel.CONTRADICTION: UNSAT,
    Channel.UNPARSED: UNPARSED,
    Channel.INCOMPLETE: INCOMPLETE,
    Channel.UNDECIDED: UNDECIDED,
    Channel.DRIFT: DRIFTING,
    Channel.LEDGER_GAP: RESPECTING,
}
VERDICTS = st.builds(verdict, st.sampled_from(Satisfiability), st.sampled_from(AnswerStatus))


def only(entries: list[Entry]) -> DriftRow:
    return next(row for row in measure_run(entries).rows if row.domain is None)


@pytest.mark.parametrize(("expected", "found"), EACH.items())
def test_a_wrong_turn_has_one_channel(expected: Channel, found: VerdictRecord) -> None:
    row = only([turn("p", 1, found, correct=False)])
    assert {kind: share.turns for kind, share in row.channels.items() if share.turns} == {expected: 1}


@hypothesis_settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(VERDICTS, st.booleans(), st.booleans(), st.sampled_from(Satisfiability)), max_size=12))
def test_channels_and_the_published_split_are_exclusive_and_whole(
    turns: list[tuple[VerdictRecord, bool, bool, Satisfiability]],
) -> None:
    entries: list[Entry] = [
        turn(f"p{i}", 1, found, correct=right, upstream_correct=upstream, upstream_ledger=ledger)
        for i, (found, right, upstream, ledger) in enumerate(turns)
    ]
    for row in measure_run(entries).rows:
        wrong = sum(not right for _, right, _, _ in turns)
        assert row.wrong == wrong == sum(share.turns for share in row.channels.values())
        published = (row.upstream_drift, row.upstream_unsat, row.upstream_other)
        assert sum(share.turns for share in published) == sum(not upstream for _, _, upstream, _ in turns)
        if wrong:
            assert sum(share.share or 0 for share in row.channels.values()) == pytest.approx(1)
        for kind, share in row.channels.items():
            assert share.turns == sum(channel(found.outcome) is kind for found, right, _, _ in turns if not right)


def test_the_published_split_follows_the_published_ledger() -> None:
    row = only(
        [
            turn("p", 1, DRIFTING, correct=False),
            turn("p", 2, UNPARSED, correct=False),
            turn("q", 1, RESPECTING, correct=False, upstream_ledger=Satisfiability.UNSAT),
            turn("q", 2, RESPECTING, correct=False, upstream_ledger=Satisfiability.UNKNOWN),
            turn("r", 1, INCOMPLETE, correct=False, upstream_correct=True),
        ]
    )
    assert row.upstream_drift == Share(2, 0.5)
    assert row.upstream_unsat == Share(1, 0.25)
    assert row.upstream_other == Share(1, 0.25)
    assert (row.accuracy.hits, row.upstream_accuracy.hits, row.scored) == (0, 1, 5)


def test_alarms_are_those_of_the_first_attempt() -> None:
    row = only(
        [
            turn("p", 1, DRIFTING, RESPECTING, correct=True, first_correct=False),  # caught, and fixed
            turn("p", 2, DRIFTING, DRIFTING, correct=False, first_correct=True),  # false alarm, and harmed
            turn("q", 1, RESPECTING, correct=False),  # missed
            turn("q", 2, RESPECTING, correct=True),
            turn("r", 1, DRIFTING, DRIFTING, correct=False),  # caught, and not fixed
        ]
    )
    assert (row.alarm.precision.hits, row.alarm.precision.of) == (2, 3)
    assert (row.alarm.recall.hits, row.alarm.recall.of) == (2, 3)
    assert row.repair == Repair(retried=3, fixed=1, harmed=1, still_right=1, still_wrong=2)
    assert row.triggers[Trigger.ANSWER_LEDGER_CONFLICT] == Fired(first=3, final=2, events=5)
    assert row.triggers[Trigger.UNSAT_LEDGER] == Fired(0, 0, 0)


def test_the_ledger_is_measured_against_gold() -> None:
    row = only(
        [
            turn("p", 1, phantoms=2, gaps=0, churn=(0, 0)),
            turn("p", 2, phantoms=1, gaps=3, churn=(2, 6)),
            turn("q", 1, phantoms=0, gaps=0, churn=(1, 4)),
        ]
    )
    assert (row.ledger.churn.hits, row.ledger.churn.of) == (3, 10)
    assert row.ledger == Ledger(3, 3, 2, 1, row.ledger.churn)


def test_depth_is_over_the_problems_that_are_so_long() -> None:
    long: list[Entry] = [turn("p", n, correct=n in (1, 10), turns=10) for n in range(1, 11)]
    other: list[Entry] = [turn("q", n, correct=n == 1, turns=10) for n in range(1, 11)]
    short: list[Entry] = [turn("r", n, correct=True) for n in (1, 2)]
    row = only([*long, *other, *short])
    assert [(d.turn, d.accuracy.hits, d.accuracy.of) for d in row.depth][:3] == [(1, 3, 3), (2, 1, 3), (3, 0, 2)]
    assert row.depth[-1].turn == 10
    assert only(short).retention == Retention(Estimate(0), Rate(0, 0), 0)


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
        turn(f"p{n}", number, correct=right, turns=10)
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


def test_undecided_turns_are_counted_and_not_hidden() -> None:
    row = only([turn("p", 1, UNDECIDED, correct=False), turn("p", 2), turn("q", 1, scored=False)])
    assert (row.turns, row.scored, row.decided) == (3, 2, 2)
    assert row.outcomes[TurnOutcome.UNDECIDED] == 1
    assert sum(row.outcomes.values()) == row.turns


def test_projected_and_abstained_turns_have_their_shares() -> None:
    row = only([turn("p", 1, projected=True), turn("p", 2, delivered=None, correct=False)])
    assert (row.projected.hits, row.projected.of) == (1, 2)
    assert (row.abstained.hits, row.abstained.of) == (1, 2)


def test_each_method_has_a_row_of_all_and_rows_by_domain() -> None:
    rows = measure_run(
        [
            turn("p", 1, method="direct"),
            turn("p", 1, method="cot", extractor="gold"),
            turn("q", 1, method="direct", domain="scheduling", correct=False),
        ]
    ).rows
    assert [(row.arm.method, row.domain, row.turns) for row in rows] == [
        ("direct", None, 2),
        ("direct", "scheduling", 1),
        ("direct", "seating", 1),
        ("cot", None, 1),
        ("cot", "seating", 1),
    ]
    assert [(row.arm.gold, row.oracle) for row in rows] == [(False, False)] * 3 + [(True, False)] * 2


def test_a_failure_counts_until_the_problem_is_tried_again() -> None:
    entries: list[Entry] = [turn("p", 1), failure("p", 2), failure("q")]
    assert (only(entries).failed, only(entries).problems, only(entries).finished) == (2, 2, 0)
    again = only([*entries, turn("p", 2)])
    assert (again.failed, again.problems, again.finished) == (1, 2, 1)


def test_a_method_that_only_failed_has_a_row() -> None:
    rows = measure_run([failure("p", method="cot"), turn("p", 1)]).rows
    assert [(row.arm.method, row.domain, row.failed, row.turns) for row in rows] == [
        ("direct", None, 0, 1),
        ("direct", "seating", 0, 1),
        ("cot", None, 1, 0),
        ("cot", "seating", 1, 0),
    ]
    assert rows[2].arm == Arm("drift", "", "", "", "cot")
    assert rows[2].accuracy.value is None


def test_no_entries_no_rows() -> None:
    assert measure_run([]).rows == ()


def test_domains_add_up() -> None:
    rng = random.Random(3)
    entries: list[Entry] = [
        turn(
            f"{domain}{n}",
            number,
            rng.choice(list(EACH.values())),
            correct=rng.random() < 0.5,
            first_correct=rng.random() < 0.5,
            phantoms=rng.randint(0, 2),
            domain=domain,
        )
        for domain in ("seating", "scheduling", "logic_grid")
        for n in range(5)
        for number in (1, 2)
    ]
    whole, *parts = measure_run(entries).rows
    readers: tuple[Callable[[DriftRow], int], ...] = (
        lambda r: r.turns,
        lambda r: r.accuracy.hits,
        lambda r: r.wrong,
        lambda r: r.channels[Channel.DRIFT].turns,
        lambda r: r.repair.harmed,
        lambda r: r.ledger.phantoms,
        lambda r: r.alarm.recall.of,
    )
    for read in readers:
        assert read(whole) == sum(read(part) for part in parts)
