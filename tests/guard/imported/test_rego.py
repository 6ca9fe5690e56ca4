"""Policies in Rego are imported or refused by line, and decide as an evaluator of Rego does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.facts import Facts, Seen
from holdtrue.guard.imported.imported_policy import import_policy
from tests.guard.imported.desk import TOOLS, Case, cases, random_call
from tests.guard.imported.random_rego import random_package
from tests.guard.imported.rego_evaluator import evaluate

pytest.importorskip("regopy", reason="regopy is not installed, which compiles Rego")
CASES = cases("rego")
CALLS = 120
ARGUMENTS = ("args", "arguments", "params", "parameters")


def random_user(random: Random) -> dict[str, Any]:
    role = random.choice(["admin", "clerk", "guest"])
    return {
        "role": role,
        "admin": random.random() < 0.5,
        "roles": random.sample(["clerk", "guest"], random.randint(0, 2)),
    }


def trial(text: str, seed: int, calls: int = CALLS) -> set[str]:
    """The decisions on random calls: equal ones by their name, and pairs of others."""
    random, policy, decisions = Random(seed), import_policy(text, TOOLS).policy, set[str]()
    made = [(*random_call(random), random_user(random)) for _ in range(calls)]
    inputs = [
        {"tool": tool, "tool_name": tool, "user": user, **dict.fromkeys(ARGUMENTS, arguments)}
        for tool, arguments, user in made
    ]
    for (tool, arguments, user), found in zip(made, evaluate(text, inputs), strict=True):
        allowed = found.get("allow", "\nallow" not in text)
        theirs = "allow" if allowed and not found.get("deny") else "block"
        record = {"user": {**user, "roles": tuple(user["roles"])}}
        facts = Facts.none().with_record("input", (), Seen(record, "the app"))
        ours = policy.check(tool, arguments, facts, mend=False).kind
        decisions.add(ours if ours == theirs else f"{ours} for {theirs}")
    return decisions


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_policies_are_imported_or_refused_by_line(case: Case) -> None:
    found = import_policy(case.text, TOOLS)
    assert tuple(sorted({own.line for own in found.omissions})) == case.refused


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_decisions_are_those_of_rego(case: Case) -> None:
    found = trial(case.text, 3)
    assert "allow for block" not in found
    assert case.refused or found == {"allow", "block"}


def test_random_packages_decide_as_rego_does() -> None:
    _random_packages(range(4))


@pytest.mark.slow
def test_many_random_packages_decide_as_rego_does() -> None:
    _random_packages(range(4, 124))


def _random_packages(seeds: range) -> None:
    for seed in seeds:
        text = random_package(Random(seed))
        reasons = {own.reason for own in import_policy(text, TOOLS).omissions}
        assert reasons <= {"no call of these tools makes it true"}, text
        assert trial(text, seed) <= {"allow", "block"}, (seed, text)


def test_faults_of_the_text_are_told_with_their_line() -> None:
    with pytest.raises(InputError, match="line 2: "):
        import_policy("package agent\nallow if {", TOOLS)
    with pytest.raises(InputError, match="a rule allow or deny"):
        import_policy("package agent\nviolation if true", TOOLS)
