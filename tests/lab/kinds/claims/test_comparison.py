from __future__ import annotations

from typing import Any

from holdtrue_lab.kinds.claims.comparison import compare_claims
from holdtrue_lab.kinds.claims.measure import ClaimPlay
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.plays import ArmPlays


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
