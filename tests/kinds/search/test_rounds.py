from __future__ import annotations

import itertools
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.search.record import SearchAttempt, SearchStep
from holdtrue.kinds.search.rounds import best, rank
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord


def failure(
    attempt: int,
    answer: Mapping[str, int] | None,
    status: AnswerStatus = AnswerStatus.VIOLATING,
    *,
    violated: int = 0,
    outside: int = 0,
) -> SearchAttempt:
    def ids(count: int) -> tuple[str, ...]:
        return tuple(f"c{number}" for number in range(count))

    verdict = VerdictRecord(Satisfiability.UNKNOWN, status, violated=ids(violated), background=ids(outside))
    return SearchAttempt(attempt, "candidate", "", answer, verdict, step=SearchStep(1))


"""From the best to the worst; ids of attempts say nothing of it."""


def test_a_candidate_given_again_counts_once_and_stands_behind_others_like_it() -> None:
    first, second, again = failure(1, {"x": 1}, violated=2), failure(2, {"x": 2}, violated=2), failure(3, {"x": 1})
    assert best([first, second, again], 3) == (second, first)
    better = failure(4, {"x": 3}, violated=1)
    assert best([first, better, failure(5, {"x": 3}, violated=1)], 1) == (better,)


def test_claims_are_one_candidate_and_texts_that_could_not_be_read_are_many() -> None:
    claims = [failure(number, {}) for number in (1, 2)]
    texts = [failure(number, None, AnswerStatus.UNPARSED) for number in (3, 4)]
    assert [one.attempt for one in best([*texts, *claims], 9)] == [1, 3, 4]


def test_a_claim_that_nobody_could_decide_is_still_a_claim() -> None:
    undecided = failure(1, {}, AnswerStatus.UNDECIDED)
    unread, assignment = failure(2, None, AnswerStatus.UNPARSED), failure(3, {"x": 1}, violated=9, outside=9)
    assert best([unread, undecided, assignment], 3) == (assignment, undecided, unread)


DRAWN = st.builds(
    lambda value, violated, outside: (value, violated, outside),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(0, 2),
)


@settings(deadline=None, max_examples=60)
@given(drawn=st.lists(DRAWN, max_size=6), n=st.integers(0, 7))
def test_the_best_are_different_and_none_left_out_is_better(drawn: list[tuple[int, int, int]], n: int) -> None:
    # One assignment always breaks the same.
    known = {value: (violated, outside) for value, violated, outside in drawn}
    failures = [
        failure(number, {"x": value}, violated=known[value][0], outside=known[value][1])
        for number, (value, _, _) in enumerate(drawn, 1)
    ]
    chosen = best(failures, n)
    assert len(chosen) == min(n, len(known))
    assert len({tuple((one.answer or {}).items()) for one in chosen}) == len(chosen)
    for better, worse in itertools.pairwise(chosen):
        assert rank(better)[:3] <= rank(worse)[:3]
    for left in failures:
        if left.answer not in [one.answer for one in chosen] and chosen:
            assert rank(chosen[-1])[:3] <= rank(left)[:3]
