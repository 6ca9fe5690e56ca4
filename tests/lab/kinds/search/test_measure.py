from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kinds.search.measure import measure_search
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.groups import row_json
from holdtrue.record import Usage
from holdtrue.wire import plain_fields
from tests.lab.kinds.search.searched import bad, claim, counted, entry, failure, good, mute, only
from tests.lab.kit.entries import turn


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
    assert [(row.domain, row.difficulty, row.problems, row.failed, counted(row.verified)) for row in rows] == [
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
    assert (first.problems, counted(first.verified)) == (1, (1, 1))
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
    assert (row.problems, row.finished, row.failed, row.trials) == (3, 1, 2, 1)


def test_a_method_that_never_played_has_a_row_of_its_failures() -> None:
    [row, domain] = measure_search([failure("p", method="cd_vgs")]).rows
    assert row.arm == Arm("cegvr", "", "", "", "cd_vgs")
    assert (row.problems, row.failed, row.trials, row.verified, domain.domain) == (1, 1, 0, Rate(0, 0), "linear")
    assert row.costs.calls.per_solve == Estimate(0)


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
        assert sum(row.outcomes.values()) == row.trials
        assert row.converged[-1].hits == row.verified.hits
        hits = [rate.hits for rate in row.converged]
        assert hits == sorted(hits)
        assert row.certified_without_feedback.hits + row.certified_with_feedback.hits == sum(
            row.candidates[o] for o in CandidateOutcome if o.certified
        )


def test_rows_are_made_for_programs_too() -> None:
    row = only(entry("p", good()), entry("q", bad()))
    values = json.loads(json.dumps(row_json(row), default=plain_fields))
    assert values["verified"]["value"] == 0.5
    assert values["revealed"] is False
    assert values["costs"]["calls"]["per_solve"]["value"] == 2.0
    assert values["outcomes"]["certified_sat"] == 1
