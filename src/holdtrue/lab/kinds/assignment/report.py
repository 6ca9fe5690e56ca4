"""The report of runs about assignments: their rows, and how methods compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from holdtrue.lab.kinds.assignment.measured import measure_run
from holdtrue.lab.kinds.assignment.overlap import Overlap, overlaps
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.structure import Structure, structures
from holdtrue.lab.kit.comparison import Comparison, compare
from holdtrue.lab.kit.runs import Runs, read_runs


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


def read_report(suite: str, folders: Sequence[Path]) -> Report:
    """Read and measure the runs of this suite in these folders, and return their report; raises as `read_runs` does."""
    return Report(suite=suite, runs=read_runs(folders, measure_run))
