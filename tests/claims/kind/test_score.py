from __future__ import annotations

import statistics
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.acceptance import Score, claim_score, score_values
from holdtrue_claims.kind.settings import Weights

VALUES = st.lists(st.sampled_from([0.0, 0.7, 0.9, 1.0]) | st.floats(0, 1), min_size=1, max_size=12)
VERDICTS: list[ClaimVerdict | SoftVerdict] = [*ClaimVerdict, *SoftVerdict]
POSSIBLE, ENTAILED = ClaimVerdict.POSSIBLE, ClaimVerdict.ENTAILED


@settings(deadline=None)
@given(VALUES)
def test_it_is_the_published_equation(values: list[float]) -> None:
    mean, deviation = statistics.mean(values), statistics.pstdev(values)
    score = score_values(values)
    assert score.mean == pytest.approx(mean)
    assert score.deviation == pytest.approx(deviation, abs=1e-9)
    assert score.score == pytest.approx(mean * max(0.5, 1.0 - deviation / (mean + 0.01)), abs=1e-9)


def test_only_entailed_supported_and_possible_claims_are_worth_something() -> None:
    worth = {verdict: claim_score([verdict]).score for verdict in VERDICTS}
    assert {verdict: value for verdict, value in worth.items() if value} == {
        ClaimVerdict.ENTAILED: 1.0,
        SoftVerdict.SUPPORTED: 0.9,
        ClaimVerdict.POSSIBLE: 0.7,
    }


def test_weights_are_settings() -> None:
    weights = Weights(entailed=0.8, supported=0.6, possible=0.4, other=0.2)
    assert [weights.value(verdict) for verdict in (ENTAILED, SoftVerdict.SUPPORTED, POSSIBLE)] == [0.8, 0.6, 0.4]
    assert claim_score([ClaimVerdict.CONTRADICTORY, SoftVerdict.PLAUSIBLE], weights).mean == pytest.approx(0.2)


@pytest.mark.parametrize("weight", [-0.1, 1.5, float("nan")])
def test_weights_outside_their_bounds_are_refused(weight: float) -> None:
    with pytest.raises(SettingsError, match="possible"):
        Weights(possible=weight)


def test_an_answer_without_claims_is_worth_nothing() -> None:
    assert claim_score([]) == Score(0.0, 0.0, 0.0)


def test_equal_mixes_score_the_same() -> None:
    mixed: list[ClaimVerdict | SoftVerdict] = [ENTAILED, SoftVerdict.SUPPORTED, POSSIBLE, ClaimVerdict.CONTRADICTORY]
    assert len({claim_score(order) for order in permutations(mixed)}) == 1


MIXES: dict[str, ClaimVerdict | SoftVerdict] = {
    "E": ENTAILED,
    "S": SoftVerdict.SUPPORTED,
    "P": POSSIBLE,
    "-": ClaimVerdict.CONTRADICTORY,
}
# By hand from equations 5 and 6, with the deviation of the whole population.
BY_HAND = """
E 1.0000  S .9000  P .7000  - .0000  EE 1.0000  EP .7017  ES .9005  SP .7012  E- .2500  PPP .7000  EPP .6603  EEP .7601
SSP .7402  ESP .7434  EES .9200  E-- .1667  P- .1750  EEE- .3750  ESP- .3250  EEEEEEEEE- .6033
""".split()


@pytest.mark.parametrize(("mix", "score"), list(zip(BY_HAND[::2], map(float, BY_HAND[1::2]), strict=True)))
def test_scores_are_those_computed_by_hand(mix: str, score: float) -> None:
    assert claim_score([MIXES[each] for each in mix]).score == pytest.approx(score, abs=5e-5)
