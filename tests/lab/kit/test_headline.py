"""The headline words the gain of one method over another, from either side."""

from __future__ import annotations

from dataclasses import replace

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import comparison_of
from holdtrue_lab.kit.headline import gain_words
from holdtrue_lab.kit.pairs import Pair
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kit.arms import arm

ONE, TWO, OTHER = (Arm("suite", "m", "protocol", "llm", method) for method in ("one", "two", "other"))


RIGHT = {ONE: [0, 0, 0, 1, 1, 0], TWO: [1, 1, 1, 0, 1, 0]}


def played(own: Arm) -> ArmPlays[Play]:
    return arm(own.method, {f"p{n}": [right] for n, right in enumerate(RIGHT[own])})


FOUND = replace(comparison_of(Pair(played(TWO), played(ONE))), arm=TWO, other=ONE)


def test_it_is_told_from_the_side_of_what_is_added_to() -> None:
    words = gain_words(FOUND, ONE, "6 questions", done="right")
    assert words.startswith("+33.3 pp, paired over 6 questions [")
    assert "; 3 right by it alone, 1 by the other alone: McNemar p 0.6250, after Holm 0.6250" in words
    turned = gain_words(FOUND, TWO, "6 questions", done="solved", aside=" at the same budget")
    assert turned.startswith("-33.3 pp at the same budget, paired")
    assert "; 1 solved by it alone, 3 by the other alone" in turned
