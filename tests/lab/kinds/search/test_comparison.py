from __future__ import annotations

from typing import Any

import pytest

from holdtrue_lab.kinds.search.report import compare_searches
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.search.searched import plays

ARMS = ("one_shot", "multi_no_feedback", "multi_generic_feedback", "cd_vgs")


def only(*arms: ArmPlays[Play]) -> Any:
    [found] = compare_searches([arms])
    return found


def test_a_problem_is_solved_by_the_majority_of_its_trials() -> None:
    found = only(
        plays("multi_no_feedback", {"a": [1, 1, 0], "b": [1, 0, 0], "c": [1, 1, 1], "d": [0, 0, 0]}),
        plays("cd_vgs", {"a": [0, 1, 0], "b": [1, 1, 1], "c": [1, 1, 0], "d": [1, 1, 0]}),
    )
    assert (found.arm.method, found.other.method) == ("cd_vgs", "multi_no_feedback")
    assert (found.paired.problems, found.turns, found.solved.arm, found.solved.other) == (4, 12, 3, 2)
    assert (found.solved.only_arm, found.solved.only_other) == (2, 1)
    assert (found.mean, found.other_mean) == pytest.approx((8 / 12, 6 / 12))
    assert found.paired.difference == pytest.approx(2 / 12)
    assert found.solved.p == found.solved.holm == 1.0


def test_every_two_arms_are_compared_once_within_the_same_settings() -> None:
    here = {"a": [1], "b": [0]}
    found = compare_searches(
        [
            [plays(method, here) for method in ARMS],
            [plays("cd_vgs", here, model="n"), plays("one_shot", here, model="n", protocol="2x2")],
            [plays("solver_only", here, asks_model=False), plays("multi_no_feedback", {"z": [1]})],
        ]
    )
    assert [(each.arm.method, each.other.method) for each in found] == [
        (later, earlier) for place, earlier in enumerate(ARMS) for later in ARMS[place + 1 :]
    ]
    assert [each.matched for each in found] == [False] * 3 + [True] * 3


def test_the_same_id_in_another_run_is_another_problem() -> None:
    arms = plays("multi_no_feedback", {"a": [1]}), plays("cd_vgs", {"a": [1]}, said=1)
    assert compare_searches([arms]) == ()
    assert only(*arms, plays("cd_vgs", {"a": [0]})).paired.problems == 1


def test_arms_with_a_revealed_witness_are_a_family_of_their_own() -> None:
    methods = ("multi_no_feedback", "cd_vgs_core_rank", "cd_vgs_core_rank+witness")
    arms = [plays(name, {f"p{n}": [int(n < 3 * place)] for n in range(9)}) for place, name in enumerate(methods)]
    found = {(each.arm.method, each.other.method): each for each in compare_searches([arms])}
    [alone] = compare_searches([arms[:2]])
    assert found[methods[1], methods[0]] == alone
    assert [each.revealed for each in found.values()] == [False, True, True]
    assert alone.solved is not None and alone.solved.holm == alone.solved.p
