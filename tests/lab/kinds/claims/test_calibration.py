"""The 95% intervals of a report cover planted effects of feedback as often as they say, over 100 runs."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from holdtrue_lab.figures.significance import paired
from holdtrue_lab.figures.statistics import clustered
from tests.lab.kinds.claims.planted import bakers, measured, pair, play
from tests.lab.kinds.claims.test_planted_effects import ABLATIONS, COT, GOLD, MENDED, NAME, WRONG

RUNS, ITEMS = 100, 30
# Of 100 intervals that cover with a probability of 0.95, fewer than 90 or all of them do so in 2 of 100 trials.
FEWEST, MOST = 90, 99


def exact_coverage(intervals: list[tuple[float, float]], p: float) -> float:
    """The probability that the interval of a number of hits, drawn with probability `p`, covers `p`."""
    of = len(intervals) - 1
    return sum(
        comb(of, hits) * p**hits * (1 - p) ** (of - hits)
        for hits, (low, high) in enumerate(intervals)
        if low <= p <= high
    )


def test_intervals_of_so_few_items_can_cover_the_planted_effects() -> None:
    """Of 30 items few rates are possible, so that some effects are covered less often than in 95 of 100 runs.

    These are not such effects, by the intervals of all possible outcomes.
    """
    effects, rates = [], []
    for hits in range(ITEMS + 1):
        test = paired([1.0] * hits + [0.0] * (ITEMS - hits), [0.0] * ITEMS)
        [rate] = clustered([([1] * hits + [0] * (ITEMS - hits), [1] * ITEMS)])
        assert rate.low is not None and rate.high is not None
        effects.append((test.low, test.high))
        rates.append((rate.low, rate.high))
    for mended in MENDED.values():
        assert 0.94 < exact_coverage(rates, 1 - WRONG * (1 - mended)) < 0.98
        assert 0.94 < exact_coverage(effects, WRONG * mended) < 0.98


@pytest.mark.slow
async def test_intervals_cover_the_planted_effects_of_feedback() -> None:
    methods, items = (COT, *ABLATIONS), bakers(ITEMS)
    accuracy: Counter[str] = Counter()
    effect: Counter[str] = Counter()
    for seed in range(RUNS):
        found = measured(await play(f"{NAME}@{seed}", methods, items, GOLD), methods)
        rows = {row.arm.method: row for row in found.rows if row.domain is None}
        arms = {each.arm.method: each for each in found.plays}
        for kind, mended in MENDED.items():
            rate = rows[kind].accuracy
            assert rate.low is not None and rate.high is not None
            accuracy[kind] += rate.low <= 1 - WRONG * (1 - mended) <= rate.high
            test = pair(arms, kind, "cot").test()
            effect[kind] += test.low <= WRONG * mended <= test.high
    print(f"covered in {RUNS} runs: accuracy {dict(accuracy)}, difference to cot {dict(effect)}")
    for covered in (*accuracy.values(), *effect.values()):
        assert FEWEST <= covered <= MOST
