"""Arms (a method with a model) for tests: made by hand, or drawn so that turns of one problem are correlated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.plays import ArmPlays, Play

Numbers = NDArray[Any]
Right = Mapping[str, Sequence[int]]
BASELINES = frozenset({"direct", "cot", "ledger"})


def draw_problems(rng: np.random.Generator, problems: int, replications: int) -> tuple[Numbers, Numbers]:
    """Return for each replication the numbers of turns (4 to 10) of problems, and their ease (0..1, mean 0.45)."""
    shape = (problems, replications)
    return rng.integers(4, 11, shape), rng.beta(1.8, 2.2, shape)


def play(rng: np.random.Generator, turns: Numbers, ease: Numbers, *, kept: float = 1.0, more: float = 0.0) -> Numbers:
    """Return the right turns, each with the probability `kept * ease + more`; half of the problems get another ease."""
    own = np.where(rng.random(ease.shape) < 0.5, ease, rng.beta(1.8, 2.2, ease.shape))
    return rng.binomial(turns, kept * own + more)


def arm(method: str, right: Right, *, model: str = "m", protocol: str = "stated", said: int = 0) -> ArmPlays[Play]:
    """Return a method with the turns of each problem: 1 is right, 0 wrong, -1 without a score."""
    plays = {
        (problem, said): Play(
            "seating", len(turns), {number: bool(hit) for number, hit in enumerate(turns, start=1) if hit >= 0}
        )
        for problem, turns in right.items()
    }
    return ArmPlays(Arm("drift", model, protocol, "llm", method), method in BASELINES, plays)
