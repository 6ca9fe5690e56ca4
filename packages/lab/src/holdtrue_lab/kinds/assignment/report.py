"""The report of runs about assignments: their rows, how methods compare, and how far they fail at the same turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

from holdtrue_lab.figures.cells import divide
from holdtrue_lab.kinds.assignment.row import DriftRow
from holdtrue_lab.kinds.assignment.structure import Structure, structures
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.plays import ArmPlays, Play, pooled, shared
from holdtrue_lab.kit.runs import Runs


@dataclass(frozen=True, slots=True)
class Overlap:
    """The wrong turns of two arms, over the problems that both have finished, and there the turns that both scored.

    `both_wrong` are wrong under both; `jaccard` is their share of those wrong under either, `first_share` of
    those wrong under `first`, `second_share` under `second`: in 0..1, None where there is none.
    """

    first: Arm
    second: Arm
    problems: int
    turns: int
    first_wrong: int
    second_wrong: int
    both_wrong: int
    jaccard: float | None
    first_share: float | None
    second_share: float | None


def overlaps(runs: Sequence[Sequence[ArmPlays[Play]]]) -> tuple[Overlap, ...]:
    """Return the overlap of every two arms that differ only in the model or only in the method, and share a problem."""
    found = (_overlap(first, second) for first, second in combinations(pooled(runs), 2) if _alike(first, second))
    return tuple(overlap for overlap in found if overlap.problems)


def _alike(first: ArmPlays[Play], second: ArmPlays[Play]) -> bool:
    one, two = first.arm, second.arm
    return replace(one, model=two.model) == two or replace(one, method=two.method) == two


def _overlap(first: ArmPlays[Play], second: ArmPlays[Play]) -> Overlap:
    both = shared(first, second)
    turns = [(one.right[turn], two.right[turn]) for one, two, scored in both for turn in scored]
    first_wrong = sum(not one for one, _ in turns)
    second_wrong = sum(not two for _, two in turns)
    both_wrong = sum(not one and not two for one, two in turns)
    either_wrong = first_wrong + second_wrong - both_wrong
    return Overlap(
        first=first.arm,
        second=second.arm,
        problems=len(both),
        turns=len(turns),
        first_wrong=first_wrong,
        second_wrong=second_wrong,
        both_wrong=both_wrong,
        jaccard=divide(both_wrong, either_wrong),
        first_share=divide(both_wrong, first_wrong),
        second_share=divide(both_wrong, second_wrong),
    )


@dataclass(frozen=True, kw_only=True)
class Report(Runs[DriftRow]):
    """Several runs about assignments side by side, with paired tests of methods."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons", "overlaps", "structures")

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The paired tests of methods, on accuracy."""
        return compare(self.plays, every_pair=True)

    @cached_property
    def overlaps(self) -> tuple[Overlap, ...]:
        return overlaps(self.plays)

    @cached_property
    def structures(self) -> tuple[Structure, ...]:
        return structures(run.measured.problems for run in self.runs)
