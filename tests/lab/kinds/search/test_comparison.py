from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue_lab.kinds.search.metrics import MEASURE as measure_search
from holdtrue_lab.kinds.search.report import compare_searches
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.search.searched import bad, entry, good, plays
from tests.oracles import multipletests, oracle_mcnemar, stats
from tests.slow import first_of

ARMS = ("one_shot", "multi_no_feedback", "multi_generic_feedback", "cd_vgs")


def only(*arms: ArmPlays[Play]) -> Any:
    [found] = compare_searches([arms])
    return found


def drawn(seed: int, methods: tuple[str, ...] = ARMS, problems: int = 20, seeds: int = 3) -> list[ArmPlays[Play]]:
    rng = random.Random(seed)
    names = [f"p{i}" for i in range(problems)]
    return [
        plays(
            method,
            {name: [int(rng.random() < 0.3 + 0.1 * place) for _ in range(seeds)] for name in names},
            calls={name: [rng.randint(1, 16) for _ in range(seeds)] for name in names},
        )
        for place, method in enumerate(methods)
    ]


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


def test_only_trials_of_both_are_compared() -> None:
    found = only(
        plays("multi_no_feedback", {"a": [1, 1, -1], "b": [1], "c": [0]}),
        plays("cd_vgs", {"a": [0, -1, 1], "c": [-1], "d": [1]}),
    )
    assert (found.paired.problems, found.turns, found.mean, found.other_mean) == (1, 1, 0.0, 1.0)


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
    arms = drawn(3, methods)
    found = {(each.arm.method, each.other.method): each for each in compare_searches([arms])}
    [alone] = compare_searches([arms[:2]])
    assert found[methods[1], methods[0]] == alone
    assert [each.revealed for each in found.values()] == [False, True, True]
    assert alone.solved is not None and alone.solved.holm == alone.solved.p


def test_pooled_runs_are_one_arm() -> None:
    first, second = drawn(1, problems=10), drawn(2, problems=20)
    together = compare_searches([first, second])
    assert [each.paired.problems for each in together] == [20] * 6
    assert compare_searches([first, drawn(2, problems=10)]) == compare_searches([first])  # the first one's stands


@pytest.mark.parametrize("seed", first_of(range(3), 0))
def test_all_figures_agree_with_scipy_and_statsmodels(seed: int) -> None:
    arms = drawn(seed, problems=9)
    found: Any = compare_searches([arms])
    exact, flipped = [each.solved.p for each in found], [each.paired.p for each in found]
    assert [each.solved.holm for each in found] == pytest.approx(multipletests(exact, method="holm")[1])
    assert [each.holm for each in found] == pytest.approx(multipletests(flipped, method="holm")[1])
    by_method = {arm.arm.method: arm for arm in arms}
    for each in found:
        one, two = by_method[each.arm.method].plays, by_method[each.other.method].plays
        ours = np.array([[right for right in play.right.values()] for play in one.values()])
        theirs = np.array([[right for right in play.right.values()] for play in two.values()])
        solved, other = ours.sum(axis=1) >= 2, theirs.sum(axis=1) >= 2
        table = [[(solved & other).sum(), (solved & ~other).sum()], [(~solved & other).sum(), (~solved & ~other).sum()]]
        assert each.solved.p == pytest.approx(oracle_mcnemar(table, exact=True).pvalue)
        flips = stats.permutation_test(
            (ours.mean(axis=1), theirs.mean(axis=1)),
            lambda a, b, axis: (a - b).mean(axis=axis),
            permutation_type="samples",
            n_resamples=1 << 10,
            vectorized=True,
        )
        assert each.paired.p == pytest.approx(flips.pvalue)
        spent = [[np.mean(list(play.figures["calls"].values())) for play in arm.values()] for arm in (one, two)]
        differences = np.array(spent[0]) - np.array(spent[1])
        ranked = stats.wilcoxon(differences.round(9), method=stats.PermutationMethod())
        assert each.calls.p == pytest.approx(ranked.pvalue)
        assert each.calls.difference.value == pytest.approx(differences.mean())
        assert each.generated.difference.value == pytest.approx(10 * differences.mean())
        assert each.generated.p == each.calls.p


def test_costs_that_never_differ_have_no_interval() -> None:
    found = only(plays("multi_no_feedback", {"a": [0], "b": [1]}), plays("cd_vgs", {"a": [1], "b": [1]}))
    assert (found.calls.difference.value, found.calls.difference.low, found.calls.p) == (0.0, None, 1.0)


@hypothesis_settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_with_one_trial_flipping_signs_is_mcnemar(pairs: list[tuple[bool, bool]]) -> None:
    found = only(
        plays("multi_no_feedback", {f"p{i}": [one] for i, (one, _) in enumerate(pairs)}),
        plays("cd_vgs", {f"p{i}": [two] for i, (_, two) in enumerate(pairs)}),
    )
    assert found.paired.p == pytest.approx(found.solved.p)


def test_a_journal_is_compared_by_what_it_spent() -> None:
    measured = measure_search(
        [
            entry("p", bad(), bad(), method="multi_no_feedback"),
            entry("q", bad(), good(), method="multi_no_feedback"),
            entry("p", good(), method="cd_vgs"),
            entry("q", bad(), bad(), bad(), good(), method="cd_vgs"),
        ]
    )
    found = only(*measured.plays)
    assert (found.solved.only_arm, found.solved.only_other, found.calls.difference.value) == (1, 0, 0.5)
    assert found.generated.difference.value == 5.0
