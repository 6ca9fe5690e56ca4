"""The benchmark of the guard: all wordings of its rules give the same findings, and it prints whether limits
are met.
"""

from __future__ import annotations

import pytest

from bench import guard
from bench.policies import rental_twin
from bench.policies.rental import (
    broken_by_cedar,
    broken_by_cel,
    broken_by_holdtrue,
    broken_by_python,
    cedar_given,
    cedar_ids,
    cedar_text,
    cel_given,
    cel_programs,
    rental,
)
from bench.policies.rental_calls import CASES

cedarpy = pytest.importorskip("cedarpy", reason="cedarpy is not installed, which only measures")


@pytest.mark.parametrize("name", CASES)
def test_policy_python_cedar_and_cel_find_the_same_rules_broken(name: str) -> None:
    policy, changes = rental(), CASES[name]
    ours = broken_by_holdtrue(policy, changes)
    policies = cedarpy.PolicySet.from_str(cedar_text())
    assert broken_by_python(changes) == ours
    assert broken_by_cedar(policies, cedar_given(policy, changes)) == ours & set(cedar_ids())
    assert broken_by_cel(cel_given(policy, changes)) == ours & cel_programs().keys()


def test_every_rule_is_broken_by_some_call() -> None:
    policy = rental()
    assert len(policy.rules) == 38
    assert [rule.id for rule in policy.rules] == list(rental_twin.RULES)
    assert set().union(*(broken_by_holdtrue(policy, changes) for changes in CASES.values())) == set(rental_twin.RULES)


def test_a_quick_run_prints_every_row_and_whether_limits_are_met(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guard, "first_load_ms", lambda runs: [700.0] * runs)
    monkeypatch.setattr(guard, "analyses", lambda runs: iter(["policy check"] * runs))
    guard.main(["--turns", "2", "--analysis-s", "0.2"])
    printed = capsys.readouterr().out
    assert printed.count("(limit ") == 3
    assert all(row in printed for row in ("first load", "load, 38 rules", "cedarpy, from text", "cel-python", "saw,"))
    assert all(row in printed for row in ("block, and mend", "replay", "Decision.to_json", "load average"))


@pytest.mark.slow
def test_whole_policies_are_analysed_and_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATH", "RETAIL"):  # which take longest
        monkeypatch.setattr(guard, name, guard.WEBSHOP)
    lines = list(guard.analyses(2))
    assert [own.split(",")[0] for own in lines] == ["policy check"] * 2 + ["policy diff"] * 2
