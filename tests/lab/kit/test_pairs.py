"""Which methods are held against each other, and which of their tests are corrected together."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue_lab.figures.significance import benjamini_hochberg, holm
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.pairs import corrected, rivals
from holdtrue_lab.kit.plays import ArmPlays, Play


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
