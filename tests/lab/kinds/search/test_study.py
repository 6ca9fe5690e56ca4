"""Simulated solvers of known skill: the tests find what was planted, and little else.

Every call succeeds with a probability of the problem's own; arms draw independently. One of them makes a single call,
the others up to 16, four in each round, and what was planted adds to each call after the first round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from holdtrue_lab.figures.significance import holm, mcnemar, sign_permutation
from holdtrue_lab.kinds.search.metrics import MEASURE as measure_search
from holdtrue_lab.kinds.search.metrics import PER_SOLVE, VERIFIED
from holdtrue_lab.kinds.search.report import compare_searches
from tests.lab.kinds.search.searched import bad, entry, good
from tests.lab.kit.arms import Numbers

ARMS = (
    "one_shot",
    "multi_no_feedback",
    "multi_generic_feedback",
    "multi_unsat_core_feedback",
    "cd_vgs_core_rank",
    "cd_vgs",
)
SINGLE, BLIND, OURS = ARMS[0], ARMS[1], ARMS[-1]
PAIRS = tuple(combinations(ARMS, 2))
ALIKE = tuple(pair for pair in PAIRS if SINGLE not in pair)
PROBLEMS, SEEDS, K, CALLS = 500, 3, 4, 16
REPLICATIONS, RESAMPLES, LEVEL = 1000, 2000, 0.05
SKILL = (0.7, 7.0)
"""The beta distribution of a call's success over problems: 9% on average, next to none for many."""
EFFECT = 0.02
"""Two points more for each call that is told of a failure, which verify 9.5 points more of the trials."""

Trials = tuple[Numbers, Numbers]
"""Whether each trial was verified, and its calls; of shape (seeds, problems, replications)."""


def search(rng: np.random.Generator, skill: Numbers, *, calls: int = CALLS, effect: float = 0.0) -> Trials:
    """Trials of searches that stop at the first success; `skill` is a call's, of shape (problems, replications)."""
    shape = (SEEDS, *skill.shape)
    first = rng.geometric(np.maximum(skill, 1e-9), shape)
    later = K + rng.geometric(np.minimum(np.maximum(skill, 1e-9) + effect, 1.0), shape)
    needed = np.where(first <= K, first, later)
    return needed <= calls, np.minimum(needed, calls)


def draw_skill(rng: np.random.Generator, replications: int, problems: int = PROBLEMS) -> Numbers:
    return rng.beta(*SKILL, (problems, replications))


def play(
    seed: int, replications: int, *, planted: Sequence[str] = (), own: bool = False, problems: int = PROBLEMS
) -> dict[str, Trials]:
    """All arms on the same problems; `own`: each finds half of them as hard as if they were other ones."""
    rng = np.random.default_rng(seed)
    skill = draw_skill(rng, replications, problems)
    found = {}
    for arm in ARMS:
        mine = np.where(rng.random(skill.shape) < 0.5, skill, draw_skill(rng, replications, problems)) if own else skill
        calls = 1 if arm == SINGLE else CALLS
        found[arm] = search(rng, mine, calls=calls, effect=EFFECT if arm in planted else 0.0)
    return found


@dataclass(frozen=True)
class PairTests:
    """For every pair of arms the p-values of all replications, and the share of problems that only one solved."""

    mcnemar: Mapping[tuple[str, str], list[float]]
    flips: Mapping[tuple[str, str], list[float]]
    discordant: Mapping[tuple[str, str], float]


def compared(arms: Mapping[str, Trials]) -> PairTests:
    """The tests of `compare_searches`, for all replications at once."""
    rates = {arm: verified.mean(axis=0) for arm, (verified, _) in arms.items()}
    solved = {arm: rate > 0.5 for arm, rate in rates.items()}
    exact, flipped, discordant = {}, {}, {}
    for one, two in PAIRS:
        only_one = (solved[one] & ~solved[two]).sum(axis=0)
        only_two = (solved[two] & ~solved[one]).sum(axis=0)
        exact[one, two] = [mcnemar(*each) for each in zip(only_one.tolist(), only_two.tolist(), strict=True)]
        discordant[one, two] = float((only_one + only_two).mean() / len(solved[one]))
        flipped[one, two] = flip_signs(rates[one] - rates[two])
    return PairTests(exact, flipped, discordant)


def flip_signs(differences: Numbers) -> list[float]:
    """A p-value for each column; some at a time, which the processor's cache can hold."""
    parts = [differences[:, start : start + 250] for start in range(0, differences.shape[1], 250)]
    return [p for part in parts for p in sign_permutation(part, RESAMPLES)]


def adjusted(p_values: Mapping[tuple[str, str], Sequence[float]]) -> dict[tuple[str, str], Numbers]:
    """After Holm over the pairs of each replication."""
    families = [holm(family) for family in zip(*p_values.values(), strict=True)]
    return {pair: np.array(column) for pair, column in zip(p_values, zip(*families, strict=True), strict=True)}


def any_rejected(
    p_values: Mapping[tuple[str, str], Sequence[float] | Numbers], pairs: Sequence[tuple[str, str]]
) -> float:
    """In how many replications at least one of these pairs was called different."""
    return float((np.array([p_values[pair] for pair in pairs]) <= LEVEL).any(axis=0).mean())


@pytest.mark.slow
def test_arms_that_are_alike_are_seldom_told_apart() -> None:
    found = compared(play(1, REPLICATIONS))
    errors = any_rejected(adjusted(found.mcnemar), ALIKE), any_rejected(adjusted(found.flips), ALIKE)
    raw = any_rejected(found.mcnemar, ALIKE)
    least = min(found.discordant[pair] for pair in ALIKE)
    print(
        f"\n{len(ALIKE)} of {len(PAIRS)} pairs alike, discordant {least:.1%}: family-wise error "
        f"McNemar {errors[0]:.1%}, sign flips {errors[1]:.1%}; McNemar without Holm {raw:.1%}"
    )
    assert least > 0.1
    assert max(errors) <= 0.065
    assert raw > 0.1, "a family that needs no adjustment shows nothing"


@pytest.mark.slow
def test_arms_that_are_alike_on_average_alone_are_seldom_told_apart() -> None:
    """Each arm is better at other problems. Then trials of one problem go together, and may not count one by one."""
    arms = play(3, REPLICATIONS, own=True)
    found = compared(arms)
    errors = any_rejected(adjusted(found.mcnemar), ALIKE), any_rejected(adjusted(found.flips), ALIKE)
    single = {}
    for one, two in PAIRS:
        first, second = (arms[arm][0].reshape(-1, REPLICATIONS) for arm in (one, two))
        counts = (first & ~second).sum(axis=0).tolist(), (second & ~first).sum(axis=0).tolist()
        single[one, two] = [mcnemar(*each) for each in zip(*counts, strict=True)]
    by_trial = any_rejected(adjusted(single), ALIKE)
    print(
        f"\neach arm with problems of its own: family-wise error McNemar {errors[0]:.1%}, sign flips {errors[1]:.1%}; "
        f"McNemar with each trial by itself {by_trial:.1%}"
    )
    assert min(found.discordant[pair] for pair in ALIKE) > 0.1
    assert max(errors) <= 0.065
    assert by_trial > 0.065, "the reason for one outcome for each problem"


@pytest.mark.slow
def test_a_planted_effect_is_found() -> None:
    found = compared(play(2, REPLICATIONS, planted=(OURS,)))
    pair = (BLIND, OURS)
    exact, flips = adjusted(found.mcnemar), adjusted(found.flips)
    power = any_rejected(exact, [pair]), any_rejected(flips, [pair])
    same = [each for each in ALIKE if OURS not in each]
    errors = any_rejected(exact, same), any_rejected(flips, same)
    print(
        f"\n{EFFECT:.0%} a call planted, discordant {found.discordant[pair]:.1%}: power McNemar {power[0]:.1%}, sign "
        f"flips {power[1]:.1%}; family-wise error over the {len(same)} pairs alike {errors[0]:.1%}, {errors[1]:.1%}"
    )
    assert found.discordant[pair] > 0.1
    assert min(power) > 0.8
    assert max(errors) <= 0.065


def test_the_study_tests_what_a_report_shows() -> None:
    """One replication by way of a journal."""
    problems = 60
    arms = play(8, 1, planted=(OURS,), problems=problems)
    measured = measure_search(
        entry(
            f"p{problem:02}",
            *[bad()] * (int(calls[seed, problem, 0]) - 1),
            good() if verified[seed, problem, 0] else bad(),
            turn=seed + 1,
            turns=SEEDS,
            method=arm,
        )
        for arm, (verified, calls) in arms.items()
        for problem in range(problems)
        for seed in range(SEEDS)
    )
    found: Any = {(each.other.method, each.arm.method): each for each in compare_searches([measured.plays])}
    study = compared(arms)
    assert tuple(found) == PAIRS
    assert {pair: [each.solved.p] for pair, each in found.items()} == study.mcnemar
    shares = {
        pair: (each.solved.only_arm + each.solved.only_other) / each.paired.problems for pair, each in found.items()
    }
    assert shares == pytest.approx(study.discordant)
    holms = adjusted(study.mcnemar)
    assert {pair: each.solved.holm for pair, each in found.items()} == pytest.approx(
        {p: float(q[0]) for p, q in holms.items()}
    )
    flips = {pair: each.paired.p for pair, each in found.items()}
    assert flips == pytest.approx({pair: p for pair, [p] in study.flips.items()}, abs=0.05)
    for row in measured.rows:
        if (row.domain, row.told["difficulty"]) == (None, None):
            verified, calls = arms[row.arm.method]
            assert VERIFIED(row).hits == verified.sum()
            assert PER_SOLVE["calls"](row).value == pytest.approx(calls.sum() / verified.sum())
