"""The report of runs about assignments: comparisons of methods, overlaps of their failures, and the problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

from holdtrue_lab.figures.cells import divide
from holdtrue_lab.kinds.assignment.metrics import Shape
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey, pooled, shared
from holdtrue_lab.kit.runs import Runs


@dataclass(frozen=True, slots=True)
class Structure:
    """The problems of one domain that at least one method has finished (DRIFT-Bench, table 2).

    Attributes:
        turns: Mean number of turns of a problem, between `shortest` and `longest`.
        entities: Mean number of entities in answers, over the problems with a readable answer; None without one.
        types: The constraint types that were read at least once, sorted.
        final: Mean number of gold constraints at the last turn, over problems with a score for it; None without one.
    """

    suite: str
    domain: str
    problems: int
    turns: float
    shortest: int
    longest: int
    entities: float | None
    types: tuple[str, ...]
    final: float | None


def structures(suite: str, runs: Iterable[Mapping[ProblemKey, Shape]]) -> tuple[Structure, ...]:
    """Return one `Structure` for each domain, sorted by name. A problem in several runs counts once."""
    problems: dict[ProblemKey, Shape] = {}
    for run in runs:
        for asked, shape in run.items():
            problems[asked] = problems[asked] | shape if asked in problems else shape
    domains: dict[str, list[Shape]] = {}
    for shape in problems.values():
        domains.setdefault(shape.domain, []).append(shape)
    return tuple(_structure(suite, domain, shapes) for domain, shapes in sorted(domains.items()))


def _structure(suite: str, domain: str, shapes: Sequence[Shape]) -> Structure:
    turns = [shape.turns for shape in shapes]
    return Structure(
        suite=suite,
        domain=domain,
        problems=len(shapes),
        turns=sum(turns) / len(turns),
        shortest=min(turns),
        longest=max(turns),
        entities=_mean([len(shape.entities) for shape in shapes if shape.entities]),
        types=tuple(sorted(frozenset[str]().union(*(shape.types for shape in shapes)))),
        final=_mean([shape.final for shape in shapes if shape.final is not None]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of the wrong turns of two arms (a method with a model).

    Only turns with a score count, in problems that both arms have finished. `both_wrong` counts the turns that are
    wrong under both. `jaccard` is their share of the turns that are wrong under at least one arm. `first_share` is
    their share of the turns that are wrong under `first`, and `second_share` of those wrong under `second`. Shares are
    in 0..1, or None if there is no such turn.
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
    """Return the overlap of every two arms that share a problem and differ only in the model, or only in the method."""
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
class Report(Runs[FigureRow]):
    """The report of several runs about assignments, with paired tests of their methods."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons", "overlaps", "structures")

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The paired tests of methods by accuracy."""
        return compare(self.plays, every_pair=True)

    @cached_property
    def overlaps(self) -> tuple[Overlap, ...]:
        return overlaps(self.plays)

    @cached_property
    def structures(self) -> tuple[Structure, ...]:
        return structures(self.suite, (run.measured.problems for run in self.runs))
