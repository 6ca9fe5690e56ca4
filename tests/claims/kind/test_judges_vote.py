from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_claims.kind.prompts.judges import Judgement, is_settled, vote

S, P, U, X = SoftVerdict.SUPPORTED, SoftVerdict.PLAUSIBLE, SoftVerdict.UNSUPPORTED, SoftVerdict.UNCERTAIN
# Hundredths, as judges give them: their sums can be compared exactly.
JUDGEMENTS = st.lists(
    st.builds(Judgement, st.sampled_from(SoftVerdict), st.integers(0, 100).map(lambda n: n / 100)), max_size=7
)


def naive(judgements: list[Judgement]) -> SoftVerdict:
    """The winner by exact fractions, one verdict held against all others."""
    weight = {
        v: sum(Fraction(round(j.confidence * 100), 100) for j in judgements if j.verdict is v) for v in SoftVerdict
    }
    for verdict in SoftVerdict:
        if weight[verdict] > 0 and all(
            weight[verdict] > weight[other] for other in SoftVerdict if other is not verdict
        ):
            return verdict
    return X


@pytest.mark.parametrize(
    ("judgements", "verdict", "confidence"),
    [
        ([], X, 0.0),
        ([Judgement(S, 0.8)], S, 0.8),
        ([Judgement(S, 0.9), Judgement(S, 0.9), Judgement(U, 1.0)], S, 0.6),
        # Two judges who hardly believe themselves do not outweigh a sure one.
        ([Judgement(S, 0.2), Judgement(S, 0.2), Judgement(U, 0.9)], U, 0.3),
        ([Judgement(S, 0.5), Judgement(U, 0.5)], X, 0.0),
        # Added as floats, 0.1 + 0.2 is more than 0.3.
        ([Judgement(S, 0.1), Judgement(S, 0.2), Judgement(U, 0.3)], X, 0.0),
        ([Judgement(P, 0.0), Judgement(P, 0.0)], X, 0.0),
        ([Judgement(X, 0.7), Judgement(P, 0.6)], X, 0.35),
    ],
)
def test_the_verdict_with_most_confidence_behind_it_wins(
    judgements: list[Judgement], verdict: SoftVerdict, confidence: float
) -> None:
    found = vote(judgements)
    assert found.verdict is verdict
    assert found.confidence == pytest.approx(confidence)


@settings(deadline=None)
@given(JUDGEMENTS)
def test_it_agrees_with_exact_sums(judgements: list[Judgement]) -> None:
    assert vote(judgements).verdict is naive(judgements)


@settings(deadline=None)
@given(JUDGEMENTS)
def test_it_is_bounded_and_every_judge_is_counted(judgements: list[Judgement]) -> None:
    found = vote(judgements)
    assert 0 <= found.confidence <= 1
    assert sum(found.counts.values()) == len(judgements)
    assert list(found.counts) == [verdict for verdict in SoftVerdict if verdict in found.counts]


@settings(deadline=None)
@given(JUDGEMENTS, st.lists(st.builds(Judgement, st.sampled_from(SoftVerdict), st.floats(0, 1)), max_size=4))
def test_where_the_vote_is_settled_no_further_judge_changes_it(
    judgements: list[Judgement], more: list[Judgement]
) -> None:
    if is_settled(judgements, len(more)):
        assert vote([*judgements, *more]).verdict is vote(judgements).verdict


@settings(deadline=None)
@given(JUDGEMENTS, st.integers(0, 4))
def test_a_vote_that_is_not_settled_can_still_turn(judgements: list[Judgement], left: int) -> None:
    if judgements and not is_settled(judgements, left) and vote(judgements).confidence:
        turned = {vote([*judgements, *[Judgement(other, 1.0)] * left]).verdict for other in SoftVerdict}
        assert turned != {vote(judgements).verdict}
