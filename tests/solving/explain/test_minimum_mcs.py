from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain import relaxation
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import Mcs, MinimumMcs, Unknown
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, possible
from tests.solving.explain.drawn import BACKGROUND, SAT, both, theories, tiring
from tests.solving.explain.naive import Theory, cost, early_first

STAR = {"zero": A.eq(0), "one": A >= 1, "two": A >= 2, "colour": C.eq(1), "three": A.eq(3)}
"""The first one is in the way of three others: keeping it costs three, setting it aside one."""


@pytest.mark.parametrize("plain", [relaxation.PLAIN, 0], ids=["easy", "thorough"])
@both(70, 20)
def test_it_is_the_preferred_of_the_cheapest_corrections(
    engine: Engine, examples: int, plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaxation, "PLAIN", plain)

    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.data(), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], data: st.DataObject, fixed: dict[str, int]) -> None:
        order = data.draw(st.permutations(list(soft)))
        weights = {id: data.draw(st.integers(1, 3)) for id in soft if data.draw(st.booleans())}
        result = minimum_mcs(engine, soft, AMPLE, order, weights=weights, fixed=fixed)
        corrections = Theory(VARIABLES, BACKGROUND, soft, fixed).mcses()
        best = min(corrections, key=lambda ids: (cost(ids, weights), early_first(ids, order)))
        assert isinstance(result, MinimumMcs)
        assert result.set_aside == best
        assert result.kept == tuple(id for id in soft if id not in best)
        assert result.cost == cost(best, weights)
        assert all(evaluate(soft[id], result.witness) for id in result.kept)

    law()


@pytest.mark.parametrize("weights", [{"zero": 0}, {"zero": -1}, {"zero": 0.5}, {"nobody": 1}])
def test_weights_are_positive_integers_of_what_is_there(weights: dict[str, int]) -> None:
    with pytest.raises(InputError, match=next(iter(weights))):
        minimum_mcs(SAT, STAR, AMPLE, weights=weights)


@pytest.mark.parametrize("plain", [relaxation.PLAIN, 0], ids=["easy", "thorough"])
def test_out_of_time_it_is_not_called_minimum(plain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaxation, "PLAIN", plain)
    whole = tiring()
    assert isinstance(minimum_mcs(whole, STAR, AMPLE), MinimumMcs)
    fresh = [tiring(answers) for answers in range(whole.asked)]
    results = [minimum_mcs(engine, STAR, AMPLE) for engine in fresh]
    assert results[0] == Unknown("tired")
    assert not any(isinstance(result, MinimumMcs) for result in results)
    kept = [result.set_aside for result in results if isinstance(result, Mcs)]
    assert kept == ([] if plain else [("one", "two", "three")] * len(kept))
    assert bool(kept) is not bool(plain), "the greedy one stands by where it takes long"
    assert isinstance(minimum_mcs(SAT, STAR, Budget(timeout_s=0.0)), Unknown)


def greedily(soft: dict[str, Formula], order: list[str], fixed: dict[str, int]) -> set[str]:
    kept: set[str] = set()
    for id in order:
        if possible(VARIABLES, (*BACKGROUND, soft[id], *(soft[other] for other in kept)), fixed):
            kept.add(id)
    return kept


@both(80, 25)
def test_it_keeps_what_the_naive_way_keeps(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.randoms(use_true_random=False), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], random: st.DataObject, fixed: dict[str, int]) -> None:
        order = list(soft)
        random.shuffle(order)  # type: ignore[attr-defined]
        result = greedy_mss(engine, soft, AMPLE, order, fixed=fixed)
        assert isinstance(result, Mcs)
        kept = greedily(soft, order, fixed)
        assert result.kept == tuple(id for id in soft if id in kept)
        assert result.set_aside == tuple(id for id in soft if id not in kept)
        assert all(evaluate(soft[id], result.witness) for id in kept)

    law()


def test_the_order_decides_and_unnamed_ids_come_last() -> None:
    soft = {"low": A <= 1, "colour": C.eq(1), "high": A >= 2}
    for order, aside in [(None, "high"), (["high"], "low"), (["low", "high"], "high")]:
        result = greedy_mss(SAT, soft, AMPLE, order)
        assert isinstance(result, Mcs)
        assert result.set_aside == (aside,)


def test_a_conflict_that_the_last_statement_closes_takes_two_questions() -> None:
    soft = {"low": A <= 1, "colour": C.eq(2), "other": B.eq(0), "high": A >= 2}
    result = greedy_mss(tiring(2), soft, AMPLE)
    assert isinstance(result, Mcs)
    assert result.set_aside == ("high",)


def test_out_of_time_nothing_is_called_maximal() -> None:
    soft = {"zero": A.eq(0), "one": A >= 1, "two": A >= 2, "low": B < 0, "high": B > 0}
    whole = tiring()
    assert isinstance(greedy_mss(whole, soft, AMPLE), Mcs)
    for answers in range(whole.asked):
        assert greedy_mss(tiring(answers), soft, AMPLE) == Unknown("tired")
