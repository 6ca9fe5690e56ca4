"""Tests of the laws of decisions under random policies, with partly seen facts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.guard import generated as g
from tests.guard.properties import check_all


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_decisions_are_sound(random: Random) -> None:
    """Stopped calls have reasons, mends are nearest, and records replay."""
    policy = g.policy(random)
    for _ in range(2):
        check_all(g.case(random, policy))


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(12, 2000, 12))])
def test_the_same_holds_of_seeded_cases(first: int) -> None:
    """Check twelve policies; the slow ones take ten to twenty minutes on one processor."""
    for seed in range(first, first + 12):
        random = Random(f"quick {seed}")
        policy = g.policy(random)
        for _ in range(3):
            check_all(g.case(random, policy))
