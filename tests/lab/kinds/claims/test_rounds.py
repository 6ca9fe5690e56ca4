from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.lab.kinds.claims.facts import Answered, Checked, facts_of
from holdtrue.lab.kinds.claims.rounds import convergence_of, kept
from tests.lab.kinds.claims.claimed import ENTAILED, POSSIBLE, WRONG, answer, check, counted, entry, joint, only

BAD, FAIR, GOOD = check(WRONG), check(POSSIBLE), check(ENTAILED)
SPLIT = check(ENTAILED, together=joint("conflict"))


def test_an_item_that_stopped_keeps_its_best() -> None:
    found = only(
        entry("p", answer("B", FAIR), answer("C", BAD), answer("A", GOOD)),
        entry("q", answer("A", GOOD)),
        entry("r", answer("A", FAIR), answer("B", BAD), answer("A", FAIR, kind="best", calls=())),
        entry("s", answer("B", BAD), answer("A", GOOD)),
    ).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(2, 4), (3, 4), (4, 4)]
    assert [counted(each.said) for each in found.rounds] == [(2, 4), (1, 3), (1, 1)]
    assert [each.score.value for each in found.rounds] == pytest.approx([2.4 / 4, 3.4 / 4, 3.7 / 4])
    assert (counted(found.fell), counted(found.rose)) == ((0, 4), (2, 4))
    assert found.played.value == 2.0
    assert (found.accuracy.of, found.accuracy.tau, found.score.tau) == (3, 1.0, 1.0)
    assert found.accuracy.p == pytest.approx(1 / 3)


def test_answers_that_are_refined_without_a_check_replace_each_other() -> None:
    found = only(
        entry(
            "p",
            answer("A"),
            answer("A", kind="refine"),
            answer("B", BAD, kind="refine"),
            method="self_refine",
        ),
        entry("q", answer("A", BAD), method="self_refine"),
    ).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(2, 2), (2, 2), (1, 2)]
    assert [each.score.of for each in found.rounds] == [1, 1, 2]
    assert found.score.of == 0
    assert counted(found.fell) == (1, 2)
    assert found.accuracy.tau is not None
    assert found.accuracy.tau < 0


def test_samples_are_no_rounds() -> None:
    found = only(
        entry(
            "p",
            *(answer(option, kind="sample") for option in "BBA"),
            answer("A", GOOD, kind="vote", calls=()),
            method="self_consistency",
        )
    ).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(1, 1)]


def test_items_without_gold_play_no_part() -> None:
    found = only(entry("p", answer("A", GOOD), answer("A", GOOD), gold=None), entry("q", answer("A", GOOD))).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(1, 1)]


def test_an_accepted_answer_is_kept_even_if_one_that_clashes_had_a_better_score() -> None:
    fine = check(ENTAILED, ENTAILED, ENTAILED, POSSIBLE)
    item = facts_of(entry("p", answer("B", SPLIT), answer("A", fine)))
    assert fine.accepted
    assert fine.score < SPLIT.score
    assert [each.right for each in kept(item.rounds)] == [False, True]


CHECKED = st.builds(
    lambda score, accepted: Checked((), score, accepted, accepted),
    st.sampled_from([0.0, 0.3, 0.5, 0.8]),
    st.booleans(),
)
ROUNDS = st.lists(st.builds(Answered, st.booleans(), st.none() | CHECKED), min_size=1, max_size=5)


@hypothesis_settings(max_examples=60, deadline=None)
@given(ROUNDS)
def test_what_is_kept_is_the_best_so_far(rounds: list[Answered]) -> None:
    for last, found in enumerate(kept(rounds), start=1):
        verified = [each for each in rounds[:last] if each.checked is not None]
        if not verified:
            assert found is rounds[last - 1]
            continue
        ranks = [(each.checked.accepted, each.checked.score) for each in verified if each.checked is not None]
        assert found is verified[ranks.index(max(ranks))]


def test_no_items_have_no_rounds() -> None:
    found = convergence_of([])
    assert (found.rounds, found.fell.value, found.played.value, found.score.tau) == ((), None, None, None)
