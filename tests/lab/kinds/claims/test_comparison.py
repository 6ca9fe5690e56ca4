from __future__ import annotations

import random
from typing import Any

import pytest

from holdtrue_lab.kinds.claims.comparison import compare_claims
from holdtrue_lab.kinds.claims.measure import ClaimPlay, measure_claims
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.plays import ArmPlays
from tests.lab.kinds.claims.claimed import ENTAILED, POSSIBLE, answer, check, entry
from tests.oracles import multipletests, oracle_mcnemar, stats
from tests.slow import first_of

ARMS = ("direct", "cot", "self_refine", "verge")


def plays(
    method: str,
    right: dict[str, bool],
    *,
    model: str = "m",
    protocol: str = "fol",
    asks_model: bool = True,
    said: int = 0,
    perturbation: str = "",
) -> ArmPlays[ClaimPlay]:
    found = {(item, said): ClaimPlay("folio", 1, {1: its}, variant=perturbation) for item, its in right.items()}
    return ArmPlays(Arm("verge", model, protocol, "llm", method), False, found, asks_model=asks_model)


def drawn(seed: int, items: int = 20) -> list[ArmPlays[ClaimPlay]]:
    rng = random.Random(seed)
    return [
        plays(
            method,
            {f"p{n}": rng.random() < 0.3 + 0.15 * place for n in range(items)},
        )
        for place, method in enumerate(ARMS)
    ]


def only(*arms: ArmPlays[ClaimPlay]) -> Any:
    [found] = compare_claims([arms])
    return found


def test_a_pair_is_compared_on_the_items_of_both() -> None:
    found = only(
        plays("cot", {"a": True, "b": False, "c": False, "d": True, "x": True}),
        plays("verge", {"a": True, "b": True, "c": True, "d": False, "y": True}),
    )
    assert (found.arm.method, found.other.method, found.paired.problems) == ("verge", "cot", 4)
    assert (found.accuracy, found.other_accuracy) == (0.75, 0.5)
    assert (found.solved.only_arm, found.solved.only_other, found.paired.problems) == (2, 1, 4)
    assert found.solved.p == found.solved.holm == found.solved.q == found.holm == 1.0
    assert found.paired.difference == 0.25


@pytest.mark.parametrize("seed", first_of(range(3), 0))
def test_all_figures_agree_with_scipy_and_statsmodels(seed: int) -> None:
    arms = drawn(seed, items=10)
    found: Any = compare_claims([arms])
    assert [(each.arm.method, each.other.method) for each in found] == [
        (later, earlier) for place, earlier in enumerate(ARMS) for later in ARMS[place + 1 :]
    ]
    raw = [each.solved.p for each in found]
    assert [each.solved.holm for each in found] == pytest.approx(multipletests(raw, method="holm")[1])
    assert [each.solved.q for each in found] == pytest.approx(multipletests(raw, method="fdr_bh")[1])
    flipped = [each.paired.p for each in found]
    assert [each.holm for each in found] == pytest.approx(multipletests(flipped, method="holm")[1])
    by_method = {arm.arm.method: arm.plays for arm in arms}
    for each in found:
        one, two = by_method[each.arm.method], by_method[each.other.method]
        cells = [[0, 0], [0, 0]]
        for asked in one:
            cells[not one[asked].right[1]][not two[asked].right[1]] += 1
        assert each.solved.p == pytest.approx(oracle_mcnemar(cells, exact=True).pvalue)
        flips = stats.permutation_test(
            ([play.right[1] for play in one.values()], [play.right[1] for play in two.values()]),
            lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
            permutation_type="samples",
            n_resamples=1 << 10,
            vectorized=True,
        )
        assert each.paired.p == pytest.approx(flips.pvalue)
        assert each.paired.p == pytest.approx(each.solved.p)  # one answer for each item: the same test


def test_only_methods_of_the_same_settings_that_ask_the_model_are_compared() -> None:
    here = {"a": True}
    found = compare_claims(
        [
            [plays("cot", here), plays("verge", here)],
            [plays("direct", here, model="n"), plays("direct", here, protocol="smtlib")],
            [plays("given", here, asks_model=False), plays("self_refine", {"z": True})],
        ]
    )
    assert [(each.arm.method, each.other.method) for each in found] == [("verge", "cot")]


def test_changed_items_and_other_items_of_the_same_id_are_not_compared() -> None:
    cot = plays("cot", {"a": True})
    assert compare_claims([[cot, plays("verge", {"a": True}, said=1)]]) == ()
    changed = [plays(method, {"a": True}, perturbation="inversion") for method in ("cot", "verge")]
    assert compare_claims([changed]) == ()


def test_of_two_runs_of_the_same_the_first_one_stands() -> None:
    first, second = drawn(1, items=10), drawn(2, items=20)
    assert [each.paired.problems for each in compare_claims([first, second])] == [20] * 6
    assert compare_claims([first, drawn(2, items=10)]) == compare_claims([first])


def test_a_journal_is_compared() -> None:
    measured = measure_claims(
        [
            entry("p", answer("B", check(POSSIBLE)), method="cot"),
            entry("q", answer("A"), method="cot"),
            entry("p", answer("A", check(ENTAILED)), method="verge"),
            entry("q", answer("A"), method="verge"),
            entry("r", answer("A"), gold=None, method="verge"),
        ]
    )
    found = only(*measured.plays)
    assert (found.paired.problems, found.solved.only_arm, found.solved.only_other) == (2, 1, 0)
