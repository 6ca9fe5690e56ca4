"""What one method adds to another, in words: a comparison told from the side of either."""

from __future__ import annotations

from typing import Protocol

from holdtrue.figures.cells import p_value, points, points_interval
from holdtrue.figures.significance import Paired
from holdtrue.lab.kit.arm import Arm


class Compared(Protocol):
    """Two methods on the same problems: how many just one of them has right, and how far apart they are."""

    @property
    def arm(self) -> Arm: ...
    @property
    def other(self) -> Arm: ...
    @property
    def only_arm(self) -> int: ...
    @property
    def only_other(self) -> int: ...
    @property
    def paired(self) -> Paired: ...
    @property
    def mcnemar(self) -> float: ...
    @property
    def holm(self) -> float: ...


def is_between(each: Compared, one: Arm, two: Arm) -> bool:
    """Whether it holds these two against each other, in whichever order."""
    return {each.arm, each.other} == {one, two}


def gain_words(each: Compared, base: Arm, over: str, *, done: str, aside: str = "") -> str:
    """What the other method adds to `base`: `over` so many problems, which it has `done` alone; `aside` says how."""
    turned, paired = each.arm == base, each.paired
    difference = -paired.difference if turned else paired.difference
    low, high = (-paired.high, -paired.low) if turned else (paired.low, paired.high)
    only, other = (each.only_other, each.only_arm) if turned else (each.only_arm, each.only_other)
    return (
        f"{points(difference)} pp{aside}, paired over {over} {points_interval(low, high)}; {only} {done} by it alone, "
        f"{other} by the other alone: McNemar p {p_value(each.mcnemar)}, after Holm {p_value(each.holm)}"
    )
