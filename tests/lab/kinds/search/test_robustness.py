from __future__ import annotations

import pytest

from holdtrue_lab.figures.significance import paired
from holdtrue_lab.kinds.search.report import Robustness, robustness
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.search.searched import plays
from tests.oracles import multipletests

VARIANTS = {"a2": ("scaled", "a"), "b2": ("scaled", "b"), "a3": ("renamed", "a"), "z2": ("scaled", "z")}


def arm(method: str = "cd_vgs", **verified: list[int]) -> ArmPlays[Play]:
    return plays(method, verified, variants=VARIANTS)


def shift(found: Robustness) -> tuple[str, int, float, float]:
    return found.variant, found.paired.problems, found.base, found.rewritten


def test_rewritten_problems_are_held_against_their_originals() -> None:
    renamed, scaled = robustness([[arm(a=[1, 1, 0], b=[1, 1], a2=[1, 0, 0], b2=[0, 1], a3=[1, 1, 1], z2=[1])]])
    assert shift(scaled)[:2] == ("scaled", 2)
    assert shift(scaled)[2:] == pytest.approx((5 / 6, 5 / 12))
    assert shift(renamed)[:2] == ("renamed", 1)
    assert shift(renamed)[2:] == pytest.approx((2 / 3, 1.0))
    assert scaled.paired == paired([1 / 3, 1 / 2], [2 / 3, 1])
    assert scaled.paired.difference == pytest.approx(-5 / 12)


def test_originals_may_be_in_another_run() -> None:
    [found] = robustness([[arm(a2=[1])], [arm(a=[0], b=[1])]])
    assert shift(found) == ("scaled", 1, 0.0, 1.0)


def test_an_original_that_could_be_either_of_two_is_none() -> None:
    two = plays("cd_vgs", {"a": [1]}, said=1)
    assert robustness([[arm(a=[0], a2=[1])], [two]]) == ()


def test_each_arm_is_measured_by_itself_and_controls_are_not() -> None:
    control = plays("solver_only", {"a": [1], "a2": [1]}, variants=VARIANTS, asks_model=False)
    found = robustness([[arm("one_shot", a=[1], a2=[0]), arm("cd_vgs", a=[1], a2=[1]), control, arm("own", a=[1])]])
    assert [(each.arm.method, each.paired.difference) for each in found] == [("one_shot", -1.0), ("cd_vgs", 0.0)]


@pytest.mark.slow
def test_all_shifts_of_one_model_are_a_family() -> None:
    many: dict[str, list[int]] = {f"p{i}": [1] for i in range(8)}
    scaled: dict[str, list[int]] = {f"p{i}s": [int(i < 2)] for i in range(8)}
    turned: dict[str, list[int]] = {f"p{i}t": [int(i < 1)] for i in range(8)}
    variants = {name: ("scaled" if name.endswith("s") else "turned", name[:-1]) for name in (*scaled, *turned)}
    made = plays("cd_vgs", {**many, **scaled, **turned}, variants=variants)
    alone = plays("cd_vgs", {**many, **scaled}, variants=variants, model="n")
    *both, single = robustness([[made, alone]])
    assert [each.holm for each in both] == pytest.approx(
        multipletests([each.paired.p for each in both], method="holm")[1]
    )
    assert both[1].holm == 2 * both[1].paired.p
    assert single.holm == single.paired.p
