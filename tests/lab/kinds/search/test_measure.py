from __future__ import annotations

import json
import random
import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.kinds.search.record import CandidateOutcome, SearchStep
from holdtrue.record import Usage
from holdtrue.wire import plain_fields
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.measure import measure_search
from holdtrue_lab.kinds.search.metrics import (
    CANDIDATES,
    CONVERGED,
    COUNT,
    DISPUTED,
    KEPT,
    OUTCOMES,
    PARTIAL,
    PER_SOLVE,
    PER_TRIAL,
    PRECISION,
    RECALL,
    REPEATED,
    SAT,
    TOLD,
    UNTOLD,
    VERIFIED,
)
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.groups import row_json
from tests.lab.kinds.search.searched import (
    OUTSIDE,
    ROUND_1,
    UNDECIDED,
    bad,
    claim,
    counted,
    entry,
    failure,
    good,
    mute,
    only,
)
from tests.lab.kit.entries import turn


def step(round: int, mends: int = 1) -> SearchStep:
    return SearchStep(round, mends=mends)


def test_trials_are_counted_against_gold() -> None:
    row = only(
        entry("p", good(), turns=2),
        entry("p", bad(), bad(), turn=2, turns=2),
        entry("q", claim(True), gold="unsat"),
        entry("r", bad(), gold="unsat"),
        entry("s", bad(), good()),
    )
    assert (row.problems, row.finished, row.failed, COUNT(row)) == (4, 4, 0, 5)
    assert counted(VERIFIED(row)) == (3, 5)
    assert counted(SAT(row)) == (2, 3)
    assert counted(RECALL(row)) == (1, 2)
    assert DISPUTED(row) == 0


def test_every_claim_counts_for_precision_also_one_that_was_not_the_last() -> None:
    row = only(
        entry("p", claim(False), claim(False), good()),
        entry("q", claim(True), gold="unsat"),
        entry("r", ({}, UNDECIDED, ROUND_1), gold="unsat"),
        entry("s", mute(), bad()),
    )
    assert counted(PRECISION(row)) == (2, 4)
    assert counted(RECALL(row)) == (1, 2)


def test_what_the_method_certified_and_gold_does_not_is_disputed_and_wrong() -> None:
    row = only(entry("p", good(), correct=False), entry("q", good()))
    assert (DISPUTED(row), counted(VERIFIED(row))) == (1, (1, 2))
    assert counted(CONVERGED(row)[-1]) == (1, 2)


def test_outcomes_are_counted_by_trial_and_by_candidate() -> None:
    row = only(
        entry("p", mute(), claim(False), ({"x": 12, "y": 0}, OUTSIDE, ROUND_1), good()),
        entry("q", bad(), exhausted="tokens"),
        entry("r", ({}, UNDECIDED, ROUND_1)),
        entry("s", bad()),
    )
    found = {outcome.value: times for outcome, times in OUTCOMES(row).items() if times}
    assert found == {"certified_sat": 1, "budget_exceeded": 1, "verifier_unknown": 1, "failed_certification": 1}
    assert {outcome.value: times for outcome, times in CANDIDATES(row).items() if times} == {
        "failed_schema": 1,
        "false_unsat_claim": 1,
        "rejected_domain": 1,
        "certified_sat": 1,
        "failed_certification": 2,
        "verifier_unknown": 1,
    }
    assert list(OUTCOMES(row)) == list(CandidateOutcome)


def test_costs_are_by_trial_and_by_solve() -> None:
    spent = Usage(1, 100, 20, 0.5)
    row = only(
        entry("p", bad(), good(), turns=2, usage=spent, solver_calls=3, solver_s=3.0),
        entry("p", bad(), bad(), bad(), bad(), turn=2, turns=2, usage=spent, solver_calls=5, solver_s=4.0),
        entry("q", good(), turns=2, usage=spent, solver_calls=1, solver_s=0.5),
        entry("q", good(), turn=2, turns=2, usage=spent, solver_calls=1, solver_s=0.5),
    )
    assert [cost(row).value for cost in PER_TRIAL.values()] == pytest.approx([2, 40, 240, 1.0, 3.0, 2.5])
    assert [cost(row).value for cost in PER_SOLVE.values()] == pytest.approx([8 / 3, 160 / 3, 320, 4 / 3, 4.0, 10 / 3])
    assert PER_TRIAL["calls"](row).of == 2
    assert PER_TRIAL["calls"](row).low is not None
    assert row.asks_model


def test_without_a_solve_there_is_no_cost_of_one() -> None:
    row = only(entry("p", bad()), entry("q", bad(), bad()))
    assert PER_SOLVE["calls"](row) == Estimate(2)
    assert PER_TRIAL["calls"](row).value == 1.5


def test_convergence_is_by_round_up_to_the_rounds_of_the_budget() -> None:
    row = only(
        entry("p", good()),
        entry("q", bad(), bad(), bad(step(2)), good(step(2, 2))),
        entry("r", bad(), bad(), good(step(2))),
        entry("s", bad(), bad(step(2)), bad(step(3))),
    )
    assert [counted(rate) for rate in CONVERGED(row)] == [(1, 4), (3, 4), (3, 4)]
    assert counted(UNTOLD(row)) == (1, 6)
    assert counted(TOLD(row)) == (2, 5)


def test_a_method_with_one_call_has_as_many_points_as_the_others() -> None:
    row = only(entry("p", good(), method="one_shot"), entry("q", bad(), method="one_shot"))
    assert [counted(rate) for rate in CONVERGED(row)] == [(1, 2)] * 3


def test_repeats_are_found_by_what_was_answered_in_the_same_trial() -> None:
    row = only(
        entry("p", bad(x=1, y=2), bad(y=2, x=1), bad(x=2, y=1), mute(), mute(), claim(False), claim(False), turns=2),
        entry("p", bad(x=1, y=2), turn=2, turns=2),
    )
    assert counted(REPEATED(row)) == (2, 6)


def test_what_was_asked_in_part_is_counted() -> None:
    part = SearchStep(2, mends=1, asked=("x",))
    assert counted(PARTIAL(only(entry("p", bad(), bad(part), good(part))))) == (2, 3)


def test_variables_outside_the_conflict_are_kept() -> None:
    one, both = SearchStep(1, conflict=("c1",), revise=("x",)), SearchStep(2, conflict=("c1",), revise=("x", "y"))
    row = only(
        entry("p", bad(one, x=0, y=0, z=0, w=0), bad(both, x=0, y=0, z=0, w=1), bad(x=9)),
        entry("q", bad(one), claim(False, SearchStep(1)), good()),
    )
    assert KEPT(row).candidates == 3
    assert KEPT(row).share.value == pytest.approx(0.5)
    assert KEPT(row).by_size == {2: 0.5, 4: 0.625}


def test_where_there_was_no_conflict_nothing_is_kept() -> None:
    kept = KEPT(only(entry("p", bad()), entry("q", good())))
    assert (kept.candidates, kept.share.value, kept.by_size) == (0, None, {})


@hypothesis_settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(1, 6), max_size=4), min_size=1, max_size=4))
def test_the_median_share_is_that_of_all_candidates(revised: list[list[int]]) -> None:
    values, names = dict.fromkeys("abcdef", 0), tuple("abcdef")
    row = only(
        *(
            entry(f"p{i}", *(bad(SearchStep(1, conflict=("c",), revise=names[:size]), **values) for size in sizes))
            for i, sizes in enumerate(revised)
            if sizes
        ),
        entry("none", good()),
    )
    shares = [1 - size / 6 for sizes in revised for size in sizes]
    assert KEPT(row).share.value == (pytest.approx(statistics.median(shares)) if shares else None)


def test_intervals_are_drawn_by_problem() -> None:
    """Ten problems whose three trials always agree say no more than ten trials, not thirty."""
    entries = [entry(f"p{i}", good() if i < 5 else bad(), turn=turn, turns=3) for i in range(10) for turn in (1, 2, 3)]
    once = [replace(each, turns=1) for each in entries if each.turn == 1]
    clustered, single = VERIFIED(only(*entries)), VERIFIED(only(*once))
    assert (clustered.low, clustered.high) == (single.low, single.high)


def test_rows_are_by_domain_and_by_difficulty() -> None:
    measured = measure_search(
        [
            entry("p", good(), difficulty="hard"),
            entry("q", bad(), difficulty="easy"),
            entry("r", bad(), difficulty="easy", domain="sudoku4"),
            failure("s", domain="sudoku4"),
        ]
    )
    rows = (*measured.rows, *measured.bins)
    assert [(row.domain, row.difficulty, row.problems, row.failed, counted(VERIFIED(row))) for row in rows] == [
        (None, None, 4, 1, (1, 3)),
        ("linear", None, 2, 0, (1, 2)),
        ("sudoku4", None, 2, 1, (0, 1)),
        (None, "easy", 2, 0, (0, 2)),
        (None, "hard", 1, 0, (1, 1)),
    ]


def test_rewritten_problems_are_in_no_row_and_do_not_hide_their_failures_there() -> None:
    measured = measure_search(
        [
            entry("p", good()),
            entry("p~scaled", bad(), variant="scaled", base="p"),
            entry("p", good(), method="cd_vgs"),
            failure("p~scaled", method="cd_vgs"),
        ]
    )
    first, second = [row for row in measured.rows if (row.domain, row.difficulty) == (None, None)]
    assert (first.problems, counted(VERIFIED(first))) == (1, (1, 1))
    assert (second.problems, second.failed) == (1, 0)
    assert [len(arm.plays) for arm in measured.plays] == [2, 1]


def test_an_arm_with_nothing_but_rewritten_problems_has_no_row() -> None:
    measured = measure_search([entry("p~scaled", good(), variant="scaled", base="p")])
    assert (measured.rows, len(measured.plays[0].plays)) == ((), 1)


def test_unfinished_problems_do_not_count_and_a_failure_only_where_nothing_was_played() -> None:
    row = only(
        entry("p", good(), turns=2),
        failure("p", 2),
        entry("q", good()),
        failure("q", 1),
        failure("r", 1),
    )
    assert (row.problems, row.finished, row.failed, COUNT(row)) == (3, 1, 2, 1)


def test_a_method_that_never_played_has_a_row_of_its_failures() -> None:
    [row, domain] = measure_search([failure("p", method="cd_vgs")]).rows
    assert row.arm == Arm("cegvr", "", "", "", "cd_vgs")
    assert (row.problems, row.failed, COUNT(row), VERIFIED(row), domain.domain) == (1, 1, 0, Rate(0, 0), "linear")
    assert PER_SOLVE["calls"](row) == Estimate(0)


def test_a_witness_that_was_revealed_is_marked() -> None:
    hidden, shown = (only(entry("p", good(), method=f"cd_vgs_core_rank{mark}")) for mark in ("", "+witness"))
    assert (hidden.title, hidden.revealed) == ("cd_vgs_core_rank", False)
    assert (shown.title, shown.revealed) == ("cd_vgs_core_rank (witness revealed)", True)


def test_controls_and_single_calls_are_known() -> None:
    free = Usage()
    measured = measure_search(
        [
            entry("p", claim(False), method="always_unsat", usage=free),
            entry("p", good(), method="one_shot"),
            entry("p", good(), method="cd_vgs"),
            entry("p", good(), method="own"),
            entry("p", bad(), good(), method="other"),
        ]
    )
    assert [arm.asks_model for arm in measured.plays] == [False, True, True, True, True]
    assert [arm.single for arm in measured.plays] == [False, True, False, True, False]
    assert [row.asks_model for row in measured.bins][:2] == [False, True]


def test_plays_tell_problems_with_the_same_id_apart() -> None:
    one, two = (measure_search([entry("p", good(), message=text)]).plays[0].plays for text in ("x = 1", "x = 2"))
    assert one.keys() != two.keys()
    assert {id for id, _ in (*one, *two)} == {"p"}


def test_what_is_no_search_is_passed_over() -> None:
    assert measure_search([turn("p", 1)]).rows == ()


TRIALS = st.lists(st.sampled_from([good(), bad(), mute(), claim(False), claim(True)]), min_size=1, max_size=4)


def journal(drawn: list[tuple[int, int, list[object]]]) -> list[SearchEntry]:
    return [
        entry(f"p{problem}", *candidates, turn=turn, turns=2, gold="unsat" if problem % 2 else "sat")  # type: ignore[arg-type]
        for problem, turn, candidates in drawn
    ]


@hypothesis_settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 2), TRIALS), max_size=8, unique_by=lambda each: each[:2]),
    st.randoms(use_true_random=False),
)
def test_rows_do_not_depend_on_the_order_of_entries(
    drawn: list[tuple[int, int, list[object]]], shuffle: random.Random
) -> None:
    entries = journal(drawn)
    shuffled = shuffle.sample(entries, len(entries))
    first, second = measure_search(entries), measure_search(shuffled)
    assert first.rows == second.rows
    assert first.plays == second.plays
    for row in first.rows:
        assert sum(OUTCOMES(row).values()) == COUNT(row)
        assert CONVERGED(row)[-1].hits == VERIFIED(row).hits
        hits = [rate.hits for rate in CONVERGED(row)]
        assert hits == sorted(hits)
        assert UNTOLD(row).hits + TOLD(row).hits == sum(CANDIDATES(row)[o] for o in CandidateOutcome if o.certified)


def test_rows_are_made_for_programs_too() -> None:
    row = only(entry("p", good()), entry("q", bad()))
    values = json.loads(json.dumps(row_json(row), default=plain_fields))
    assert values["verified"]["value"] == 0.5
    assert values["revealed"] is False
    assert values["costs"]["calls"]["per_solve"]["value"] == 2.0
    assert values["outcomes"]["certified_sat"] == 1
