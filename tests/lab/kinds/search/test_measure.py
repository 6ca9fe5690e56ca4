from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.kinds.search.record import SearchStep
from holdtrue_lab.figures.statistics import Estimate
from holdtrue_lab.kinds.search.metrics import (
    CONVERGED,
    DISPUTED,
    KEPT,
    PER_SOLVE,
    PER_TRIAL,
    PRECISION,
    RECALL,
    VERIFIED,
)
from holdtrue_lab.kinds.search.metrics import MEASURE as measure_search
from tests.lab.kinds.search.runs import failure
from tests.lab.kinds.search.searched import (
    MUTE,
    UNDECIDED,
    bad,
    claim,
    counted,
    entry,
    good,
    only,
)


def test_every_claim_counts_for_precision_also_one_that_was_not_the_last() -> None:
    row = only(
        entry("p", claim(False), claim(False), good()),
        entry("q", claim(True), gold="unsat"),
        entry("r", UNDECIDED, gold="unsat"),
        entry("s", MUTE, bad()),
    )
    assert counted(PRECISION(row)) == (2, 4)
    assert counted(RECALL(row)) == (1, 2)


def test_what_the_method_certified_and_gold_does_not_is_disputed_and_wrong() -> None:
    row = only(entry("p", good(), correct=False), entry("q", good()))
    assert (DISPUTED(row), counted(VERIFIED(row))) == (1, (1, 2))
    assert counted(CONVERGED(row)[-1]) == (1, 2)


def test_without_a_solve_there_is_no_cost_of_one() -> None:
    row = only(entry("p", bad()), entry("q", bad(), bad()))
    assert PER_SOLVE["calls"](row) == Estimate(2)
    assert PER_TRIAL["calls"](row).value == 1.5


def test_a_method_with_one_call_has_as_many_points_as_the_others() -> None:
    row = only(entry("p", good(), method="one_shot"), entry("q", bad(), method="one_shot"))
    assert [counted(rate) for rate in CONVERGED(row)] == [(1, 2)] * 3


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


def test_rewritten_problems_are_in_no_row_and_do_not_hide_their_failures_there() -> None:
    measured = measure_search(
        [
            entry("p", good()),
            entry("p~scaled", bad(), variant="scaled", base="p"),
            entry("p", good(), method="cd_vgs"),
            failure("p~scaled", method="cd_vgs"),
        ]
    )
    first, second = [row for row in measured.rows if (row.domain, row.told["difficulty"]) == (None, None)]
    assert (first.problems, counted(VERIFIED(first))) == (1, (1, 1))
    assert (second.problems, second.failed) == (1, 0)
    assert [len(arm.plays) for arm in measured.plays] == [2, 1]


def test_an_arm_with_nothing_but_rewritten_problems_has_no_row() -> None:
    measured = measure_search([entry("p~scaled", good(), variant="scaled", base="p")])
    assert (measured.rows, len(measured.plays[0].plays)) == ((), 1)


def test_a_witness_that_was_revealed_is_marked() -> None:
    hidden, shown = (only(entry("p", good(), method=f"cd_vgs_core_rank{mark}")) for mark in ("", "+witness"))
    assert (hidden.title, hidden.told["revealed"]) == ("cd_vgs_core_rank", False)
    assert (shown.title, shown.told["revealed"]) == ("cd_vgs_core_rank (witness revealed)", True)
