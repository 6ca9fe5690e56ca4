from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pytest

from holdtrue_lab.figures.significance import benjamini_hochberg, holm, paired
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.pairs import corrected, rivals
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kit.arms import arm


def methods(found: Sequence[Comparison]) -> list[tuple[str, str, bool]]:
    return [(each.arm.method, each.other.method, each.strongest) for each in found]


def test_problems_count_once_each_and_turns_in_the_accuracies() -> None:
    direct = arm("direct", {"p": [1, 0, 0, 0], "q": [1, 0], "r": [1]})
    repair = arm("drift_repair", {"p": [1, 1, 1, 0], "q": [1, 1], "s": [0]})
    [found] = compare([[direct, repair]])
    assert (found.turns, found.accuracy, found.other_accuracy) == (6, 5 / 6, 2 / 6)
    assert found.lift == pytest.approx(1.5)
    assert found.paired == paired([0.75, 1.0], [0.25, 0.5])
    assert found.q == found.paired.p


def test_turns_without_a_score_under_one_arm_play_no_part() -> None:
    direct = arm("direct", {"p": [1, -1, 0], "q": [-1, -1]})
    cot = arm("cot", {"p": [1, 1, -1], "q": [1, 1]})
    [found] = compare([[direct, cot]])
    assert (found.turns, found.paired.problems, found.paired.difference) == (1, 1, 0.0)


def test_direct_may_be_the_strongest_and_is_then_met_once() -> None:
    found = compare([[arm("project", {"p": [1, 1]}), arm("direct", {"p": [1, 0]}), arm("cot", {"p": [0, 0]})]])
    assert methods(found) == [("project", "direct", True), ("cot", "direct", True)]


def test_without_direct_the_strongest_baseline_is_left() -> None:
    assert methods(compare([[arm("cot", {"p": [1]}), arm("project", {"p": [1]})]])) == [("project", "cot", True)]
    assert compare([[arm("mus_repair", {"p": [1]}), arm("project", {"p": [1]})]]) == ()


def test_only_the_method_may_differ() -> None:
    direct = arm("direct", {"p": [1, 0]})
    for other in (
        arm("cot", {"p": [1, 1]}, model="n"),
        arm("cot", {"p": [1, 1]}, protocol="upstream"),
        arm("cot", {"p": [1, 1]}, said=1),  # another problem of the same name
        arm("cot", {"q": [1, 1]}),
        arm("cot", {}),
    ):
        assert compare([[direct, other]]) == ()
    assert len(compare([[direct, arm("cot", {"p": [1, 1]})]])) == 1


def test_runs_are_pooled_and_the_first_play_stands() -> None:
    cot = arm("cot", {"p": [1], "q": [1], "r": [1]})
    [found] = compare([[arm("direct", {"p": [0]}), cot], [arm("direct", {"p": [1], "q": [1]})], []])
    assert (found.paired.problems, found.other_accuracy) == (2, 0.5)


def test_a_method_that_checks_in_one_run_is_no_baseline() -> None:
    own = arm("own", {"p": [1]})
    lazy = ArmPlays(own.arm, True, own.plays)
    assert methods(compare([[lazy, arm("project", {"p": [1]})]])) == [("project", "own", True)]
    assert compare([[lazy, arm("project", {"p": [1]})], [own]]) == ()


def test_all_comparisons_of_a_model_are_one_family() -> None:
    rng = random.Random(1)
    chances = {"direct": 0.5, "cot": 0.55, "mus_repair": 0.7}
    runs = [
        [
            arm(method, {f"p{n}": [int(rng.random() < chance) for _ in range(5)] for n in range(40)}, model=model)
            for method, chance in chances.items()
        ]
        for model in ("m", "n")
    ]
    found = compare(runs)
    assert {each.arm.model for each in found} == {"m", "n"}
    for model in ("m", "n"):
        family = [each for each in found if each.arm.model == model]
        raw = [each.paired.p for each in family]
        assert [each.q for each in family] == benjamini_hochberg(raw)
        assert [each.holm for each in family] == holm(raw)
    assert any(each.q > each.paired.p for each in found)
    assert compare([]) == ()


def test_every_pair_is_there_once_and_in_the_family_of_the_planned_ones() -> None:
    rng = random.Random(2)
    methods_of_run = ("direct", "cot", "mus_repair", "drift_repair", "project")
    arms = [
        arm(name, {f"p{n}": [int(rng.random() < 0.6) for _ in range(4)] for n in range(20)}) for name in methods_of_run
    ]
    control = replace(arm("random_legal", {f"p{n}": [0, 1] for n in range(20)}), asks_model=False)
    planned, every = compare([[*arms, control]]), compare([[*arms, control]], every_pair=True)
    assert methods(every[: len(planned)]) == methods(planned) and all(each.planned for each in every[: len(planned)])
    rest = every[len(planned) :]
    assert not any(each.planned or each.strongest for each in rest)
    pairs = [frozenset((each.arm.method, each.other.method)) for each in every]
    assert len(set(pairs)) == len(pairs)
    assert {frozenset(pair) for pair in combinations(methods_of_run, 2)} <= set(pairs)
    assert {frozenset(("mus_repair", "drift_repair")), frozenset(("drift_repair", "project"))} <= set(
        pairs[len(planned) :]
    )
    assert not any("random_legal" in pair for pair in pairs[len(planned) :]), "controls only meet who is planned"
    assert [each.holm for each in every] == holm([each.paired.p for each in every])
    assert [each.q for each in every] == benjamini_hochberg([each.paired.p for each in every])
    assert [each.paired for each in every[: len(planned)]] == [each.paired for each in planned]


def played(method: str, model: str = "m", *, asks_model: bool = True, problem: str = "p") -> ArmPlays[Play]:
    plays = {(problem, 0): Play("d", 1, {1: True})}
    return ArmPlays(Arm("suite", model, "protocol", "llm", method), False, plays, asks_model=asks_model)


def pairs(*arms: ArmPlays[Play]) -> list[tuple[str, str]]:
    return [(pair.arm.arm.method, pair.other.arm.method) for pair in rivals(arms)]


def test_every_two_of_the_same_settings_the_earlier_one_second() -> None:
    found = pairs(played("one"), played("two"), played("three"))
    assert found == [("two", "one"), ("three", "one"), ("three", "two")]


def test_other_models_are_apart_and_controls_are_left_out() -> None:
    control = played("control", asks_model=False)
    assert pairs(played("one"), played("one", "n"), control, played("two")) == [("two", "one")]


def test_who_has_no_problem_in_common_is_not_compared() -> None:
    assert pairs(played("one"), played("two", problem="q")) == []


@dataclass(frozen=True)
class Part:
    p: float
    holm: float = 0.0


@dataclass(frozen=True)
class Trial:
    arm: Arm
    p: float | None
    part: Part
    revealed: bool = False
    q: float = 0.0


def drawn(model: str, p: float | None, *, revealed: bool = False) -> Trial:
    return Trial(Arm("suite", model, "protocol", "llm", f"method {p}"), p, Part(p or 0.0), revealed)


def test_a_family_is_all_tests_of_a_figure_with_one_model_and_settings() -> None:
    found = [drawn("m", 0.01), drawn("n", 0.02), drawn("m", 0.04), drawn("m", None), drawn("n", 0.03)]
    adjusted = corrected(found, "q", lambda each: each.p, by=benjamini_hochberg)
    ours, theirs = benjamini_hochberg([0.01, 0.04]), benjamini_hochberg([0.02, 0.03])
    assert [each.q for each in adjusted] == [ours[0], theirs[0], ours[1], 0.0, theirs[1]]
    assert [each.p for each in adjusted] == [each.p for each in found], "nothing else changes, nor does the order"


def test_what_answers_another_question_is_another_family() -> None:
    found = [drawn("m", 0.01), drawn("m", 0.02, revealed=True), drawn("m", 0.03)]
    adjusted = corrected(found, "part.holm", lambda each: each.part.p, apart=lambda each: each.revealed)
    together = holm([0.01, 0.03])
    assert [each.part.holm for each in adjusted] == [together[0], 0.02, together[1]]
