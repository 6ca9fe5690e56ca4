from __future__ import annotations

import pytest

from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.kinds.claims.comparison import Perturbed, perturbed
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.measure import measure_claims
from tests.lab.kinds.claims.claimed import ENTAILED, POSSIBLE, SUPPORTED, WRONG, answer, check, counted, entry


def changed(base: str, way: str, attempt: ClaimAttempt, gold: str = "B", method: str = "verge") -> ClaimEntry:
    return entry(f"{base}~{way}", attempt, gold=gold, method=method, perturbs=base, perturbation=way)


def measured(*entries: ClaimEntry) -> list[Perturbed]:
    return list(perturbed([measure_claims(entries).plays]))


def test_pairs_are_counted_over_all_and_by_the_way_of_changing() -> None:
    found = measured(
        entry("p", answer("A", check(ENTAILED))),
        changed("p", "inversion", answer("B", check(ENTAILED, SUPPORTED))),
        changed("p", "threshold", answer("A", check(WRONG))),
        entry("q", answer("B")),
        changed("q", "inversion", answer("B", check(POSSIBLE))),
        entry("alone", answer("A")),
        changed("gone", "inversion", answer("B")),
    )
    assert [row.perturbation for row in found] == [None, "inversion", "threshold"]
    assert [row.pairs for row in found] == [3, 2, 1]
    assert [counted(row.original) for row in found] == [(2, 3), (1, 2), (1, 1)]
    assert [counted(row.changed) for row in found] == [(2, 3), (2, 2), (0, 1)]
    assert [counted(row.both) for row in found] == [(1, 3), (1, 2), (0, 1)]
    assert [counted(row.stayed) for row in found] == [(2, 3), (1, 2), (1, 1)]
    assert [counted(row.verified) for row in found] == [(2, 4), (1, 3), (1, 1)]
    assert found[2].score.value == 0.0
    first = check(ENTAILED, SUPPORTED).score
    assert found[1].score.value == pytest.approx((first + 0.7) / 2)
    assert found[0].score.value == pytest.approx((first / 2 + 0.7) / 2)  # an original counts once


def test_no_answer_twice_is_not_the_same_answer() -> None:
    [whole, _] = measured(entry("p", answer(None)), changed("p", "inversion", answer(None)))
    assert (counted(whole.stayed), counted(whole.both), whole.verified.value) == ((0, 1), (0, 1), None)


def test_methods_are_apart_and_runs_are_joined() -> None:
    one = measure_claims([entry("p", answer("A")), entry("p", answer("A"), method="cot")]).plays
    two = measure_claims([changed("p", "inversion", answer("B"))]).plays
    assert [(row.arm.method, row.pairs) for row in perturbed([one, two])] == [("verge", 1), ("verge", 1)]


def test_originals_that_two_runs_name_alike_count_for_nothing() -> None:
    one = measure_claims([entry("p", answer("A"), problem_lines=["One."])]).plays
    two = measure_claims(
        [entry("p", answer("A"), problem_lines=["Other."]), changed("p", "inversion", answer("B"))]
    ).plays
    assert perturbed([one, two]) == ()
    assert len(perturbed([two])) == 2
