"""The 95% intervals of a report cover planted effects of feedback as often as they say, over 100 runs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.lab.kinds.claims.planted import bakers, measured, pair, play
from tests.lab.kinds.claims.test_planted_effects import ABLATIONS, COT, GOLD, MENDED, NAME, WRONG

RUNS, ITEMS = 100, 30
# Of 100 intervals that cover with a probability of 0.95, fewer than 90 or all of them do so in 2 of 100 trials.
FEWEST, MOST = 90, 99


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
