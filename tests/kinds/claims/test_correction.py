from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.claims.correction import by_confidence, correct
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import BackgroundConflict, Mcs, MinimumMcs, Unknown
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, possible
from tests.solving.explain.drawn import theories
from tests.solving.explain.naive import Theory
from tests.solving.explain.tiring import Tiring

SAT = SatEngine(VARIABLES)
CONFIDENCE = st.dictionaries(
    st.sampled_from([f"c{number}" for number in range(1, 7)]), st.sampled_from([0.2, 0.5, 0.9])
)


def algorithm_1(soft: dict[str, Formula], confidence: dict[str, float]) -> tuple[str, ...]:
    """What the published loop sets aside: claims sorted by confidence, each kept if it can be."""
    kept: list[str] = []
    for id in sorted(soft, key=lambda id: confidence.get(id, 0.0), reverse=True):
        if possible(VARIABLES, [soft[other] for other in (*kept, id)]):
            kept.append(id)
    return tuple(id for id in soft if id not in kept)


@settings(deadline=None, max_examples=60)
@given(theories(), CONFIDENCE)
def test_the_greedy_correction_is_the_published_one_and_nothing_of_it_can_be_spared(
    soft: dict[str, Formula], confidence: dict[str, float]
) -> None:
    found = correct(SAT, soft, confidence, AMPLE)
    assert type(found) is Mcs
    assert found.set_aside == algorithm_1(soft, confidence)
    assert found.set_aside in Theory(VARIABLES, (), soft).mcses()
    assert all(evaluate(soft[id], found.witness) for id in found.kept)


@settings(deadline=None, max_examples=40)
@given(theories(), CONFIDENCE)
def test_the_minimum_correction_is_a_smallest_one(soft: dict[str, Formula], confidence: dict[str, float]) -> None:
    found = correct(SAT, soft, confidence, AMPLE, minimum=True)
    assert isinstance(found, MinimumMcs)
    assert found.cost == len(found.set_aside) == len(Theory(VARIABLES, (), soft).mcses()[0])
    assert all(evaluate(soft[id], found.witness) for id in found.kept)


def test_the_greedy_one_can_be_larger_than_need_be() -> None:
    soft = {"high": A >= 2, "one": A <= 1, "none": A <= 0}
    greedy, least = (correct(SAT, soft, {"high": 0.9}, AMPLE, minimum=minimum) for minimum in (False, True))
    assert isinstance(greedy, Mcs)
    assert isinstance(least, MinimumMcs)
    assert (greedy.set_aside, least.set_aside) == (("one", "none"), ("high",))


def test_out_of_time_there_is_none() -> None:
    assert isinstance(correct(Tiring(SAT, 0), {"high": A >= 2}, {}, AMPLE), Unknown)


def test_where_the_background_is_impossible_there_is_none() -> None:
    assert isinstance(correct(SatEngine(VARIABLES, [A.eq(9)]), {"high": A >= 2}, {}, AMPLE), BackgroundConflict)


def test_the_most_confident_come_first_and_equals_keep_their_order() -> None:
    assert by_confidence("abcd", {"b": 0.5, "d": 0.9, "c": 0.5}) == ["d", "b", "c", "a"]
