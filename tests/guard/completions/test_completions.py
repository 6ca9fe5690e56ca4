"""Test proofs over unseen values by random rules: a naive twin enumerates the completions, and none may refute a proof.

The long trial prints how much was decided. With `RULES`, `PAIRS` and `FIRST` in the environment it checks other
numbers, and begins elsewhere:

    RULES=50000 python -m pytest -m slow -s tests/guard/completions
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.policy_file import PolicyError
from tests.guard.completions.random_rules import KINDS, RuleMaker, altered, as_json, drawn, policy, seen
from tests.guard.completions.twin import Expr, Hidden, Twin, World, text
from tests.slow import first_of

RULES, PAIRS = int(os.environ.get("RULES", 10_000)), int(os.environ.get("PAIRS", 400))
FIRST = int(os.environ.get("FIRST", 0))
MOST = 300
"""So many completions are enumerated of one rule; of those that have more, some are drawn."""
EXPECTED = {"holds": True, "broken": False}
Truths = tuple[bool | None, ...]


def truths_of(
    nodes: Sequence[Expr], call: Any, facts: Mapping[tuple[Any, ...], Any], random: Random, differing: int = 99
) -> tuple[set[Truths], bool]:
    """Return the truths that rules have together in completions, and whether these are all; `differing` are enough."""
    found: set[Truths] = set()
    for world, most in ((World(), MOST), (World(random), MOST // 4)):
        for _ in range(most):
            found.add(tuple(Twin(world, call, facts, KINDS).truth(own) for own in nodes))
            if len(found) >= differing:
                return found, False
            if not world.next():
                return found, True
    return found, False


def check_decisions(seed: int, counts: Counter[str]) -> None:
    """Check the findings on 40 pairs of a rule and a call, of which a part was not seen."""
    random = Random(f"completions {seed}")
    rules = {f"r{place}": RuleMaker(random).make("bool", random.randint(2, 4)) for place in range(20)}
    try:
        own = policy(rules)
    except PolicyError:  # A key that is written is asked of a map that is written without it.
        counts["policies refused"] += 1
        return
    for _ in range(2):
        facts, records = seen(random, own)
        call = drawn(random, "Call", "call", hide := random.choice((0.0, 0.0, 0.4)))
        decision = own.check("send", as_json(call), facts, partial=hide > 0, mend=False, budget=Budget(60))
        kept = []
        for finding in decision.findings:
            if finding.rule not in rules:
                continue
            expected = EXPECTED.get(finding.status)
            rule = [rules[finding.rule]]
            truths, whole = truths_of(rule, call, records, random, differing=2)
            settled = len(truths) == 1 and (None,) not in truths and (whole or expected is not None)
            counts["rules"] += 1
            counts[f"{finding.status} by {finding.by}"] += 1
            counts["settled by all completions"] += settled
            counts["settled by all completions, and left undecided"] += settled and expected is None
            if expected is not None:
                assert truths == {(expected,)}, (seed, finding, text(rules[finding.rule]), call, records)
            kept.append(finding.status == "holds")
        assert (decision.kind == "allow") is all(kept)


def check_pair(seed: int, counts: Counter[str]) -> None:
    """Check what the analysis says of two rules, and a comparison of policies that have one each."""
    random = Random(f"pair {seed}")
    one = RuleMaker(random).make("bool", random.randint(1, 3))
    other = altered(random, one) if random.random() < 0.7 else RuleMaker(random).make("bool", random.randint(1, 2))
    call, budget = Hidden("call", "Call"), Budget(2)
    truths, _ = truths_of([one, other], call, {}, random)
    compared = compare_policies(policy({"r0": one}), policy({"r0": other}), budget=budget)
    counts["pairs"] += 1
    counts[f"same: {compared.same}"] += 1
    if compared.same:
        assert all((left is True) is (right is True) for left, right in truths), (seed, text(one), text(other))
    for fault in analyse_policy(policy({"r0": one, "r1": other}), budget=budget).faults:
        counts[fault.kind] += 1
        place = int(fault.rule[1:])
        refuted = {
            "always holds": any(own[place] is False for own in truths),
            "never holds": any(own[place] is True for own in truths),
            "implied": any(own[1 - place] is True and own[place] is not True for own in truths),
            "contradictory": (True, True) in truths,
        }
        assert not refuted.get(fault.kind), (seed, fault.kind, fault.rule, text(one), text(other))


@pytest.mark.parametrize("seed", first_of(range(8), 3))
def test_decisions_hold_in_every_completion(seed: int) -> None:
    check_decisions(seed, Counter())


@pytest.mark.parametrize("seed", first_of(range(6), 2))
def test_the_analysis_holds_of_every_call(seed: int) -> None:
    check_pair(seed, Counter())


@pytest.mark.slow
def test_many_rules_and_pairs_are_never_proved_wrongly() -> None:
    counts = Counter[str]()
    for check, counted, most in ((check_decisions, "rules", RULES), (check_pair, "pairs", PAIRS)):
        seed = FIRST
        while counts[counted] < most:
            check(seed, counts)
            seed += 1
    print("", *(f"{count:>8,} {name}" for name, count in sorted(counts.items())), sep="\n")
