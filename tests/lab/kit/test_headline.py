"""What one method adds to another, from either side."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue_lab.figures.significance import Paired, paired
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.headline import gain_words

ONE, TWO, OTHER = (Arm("suite", "m", "protocol", "llm", method) for method in ("one", "two", "other"))


@dataclass(frozen=True)
class Compared:
    arm: Arm
    other: Arm
    only_arm: int
    only_other: int
    paired: Paired
    mcnemar: float = 0.25
    holm: float = 0.5


FOUND = Compared(TWO, ONE, 3, 1, paired([1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 0]))


def test_it_is_told_from_the_side_of_what_is_added_to() -> None:
    words = gain_words(FOUND, ONE, "6 questions", done="right")
    assert words.startswith("+33.3 pp, paired over 6 questions [")
    assert "; 3 right by it alone, 1 by the other alone: McNemar p 0.2500, after Holm 0.5000" in words
    turned = gain_words(FOUND, TWO, "6 questions", done="solved", aside=" at the same budget")
    assert turned.startswith("-33.3 pp at the same budget, paired")
    assert "; 1 solved by it alone, 3 by the other alone" in turned
