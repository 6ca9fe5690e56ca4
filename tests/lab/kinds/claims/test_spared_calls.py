"""Calls that are not made change no verdict: the same items with and without, by a model that fails at many steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue_claims.claim_record import CheckRecord, FormalizationRecord
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs
from tests.lab.kinds.claims.planted import play

FAILING = "sim/claims:wrong=0.3,misread=0.4,weaken=0.2,mistype=0.3,confuse=0.4,bridge=0.5"
PLAYED = ("verge", "verge_no_routing", "all_soft", "cot")


def sparing_nothing(method: ClaimMethod) -> ClaimMethod:
    check = replace(method.check, stop_early=False, formal=replace(method.check.formal, stop_early=False))
    return replace(method, name=f"{method.name}_all", check=check)


def verdicts(check: CheckRecord | None) -> object:
    if check is None:
        return None
    claims = [
        (each.text, each.verdict, each.route, each.premises, formula(each.formalization)) for each in check.claims
    ]
    return claims, check.joint.verdict, check.score, check.accepted, check.supported, check.proved


def formula(made: FormalizationRecord | None) -> object:
    return None if made is None else (made.formula, made.refused)


def calls(entry: ClaimEntry) -> int:
    record = entry.record
    own = sum(len(attempt.calls) for attempt in record.attempts)
    return own + len(record.measuring)


def saved(entry: ClaimEntry) -> int:
    checks = [each.check for each in entry.record.attempts if each.check is not None and each.kind != "best"]
    return sum(sum(each.saved.values()) for each in checks)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(("seed", "count"), [(1, 1), pytest.param(2, 6, marks=SLOW), pytest.param(3, 6, marks=SLOW)])
async def test_published_verdicts_are_the_same_without_the_calls_that_are_spared(seed: int, count: int) -> None:
    items = generate_pairs(seed, count)
    spared = [METHODS[name] for name in PLAYED]
    entries = await play(f"{FAILING}@{seed}", [*spared, *map(sparing_nothing, spared)], items, ClaimSettings())
    by = {(entry.method, entry.problem): entry for entry in entries}
    for name in PLAYED:
        pairs = [(by[name, item.id], by[f"{name}_all", item.id]) for item in items]
        for some, whole in pairs:
            assert [verdicts(each.check) for each in some.record.attempts] == [
                verdicts(each.check) for each in whole.record.attempts
            ]
            assert some.score == whole.score
            # What was spared is counted, to the call.
            assert calls(some) + saved(some) == calls(whole)
            assert saved(whole) == 0
    assert sum(map(saved, entries)) > 0
