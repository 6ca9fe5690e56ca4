"""Properties of decisions under random policies: types, rules, calls, and facts of which a part was seen."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.guard import generated as g
from tests.guard.properties import Counts, check_all

CASES = 20_000
CALLS = 10
"""So many calls are decided on under each policy, since making a policy takes longer."""


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_decisions_are_sound(random: Random) -> None:
    """Whatever is allowed or blocked is so for all that may turn out, mends are nearest, and records replay."""
    policy = g.policy(random)
    for _ in range(2):
        check_all(g.case(random, policy), random, Counts())


@pytest.mark.parametrize("seed", range(12))
def test_the_same_holds_of_seeded_cases(seed: int) -> None:
    random = Random(f"quick {seed}")
    policy = g.policy(random)
    for _ in range(3):
        check_all(g.case(random, policy), random, Counts())


@pytest.mark.slow
def test_the_same_holds_of_twenty_thousand_cases() -> None:
    """Check 20,000 cases, and print how often what was checked; ten to twenty minutes on one processor.

        python -m pytest -m slow -s tests/guard/test_properties.py

    `CASES=n` in the environment checks another number, and `FIRST=n` begins at another policy, so that several can
    share the work. What fails is told with its seed: `Random("slow 17")` makes the policy, and its cases in turn.
    """
    counts = Counts()
    first, cases = int(os.environ.get("FIRST", "0")), int(os.environ.get("CASES", CASES))
    seed = first
    while counts.of["cases"] < cases:
        random = Random(f"slow {seed}")
        policy = g.policy(random)
        for place in range(CALLS):
            try:
                check_all(g.case(random, policy), random, counts)
            except AssertionError as error:
                error.add_note(f"case {place} of policy {seed}")
                raise
        seed += 1
    print(f"\n{counts}\n{seed - first:>8,} policies")
    assert counts.of["cases"] >= cases
