"""Several runs, held against each other."""

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
    """Several runs side by side, and what comes of holding them against each other."""

    TOLD: ClassVar[tuple[str, ...]] = ("comparisons", "overlaps", "structures")

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Of accuracy."""
        return compare(self.plays)

    @cached_property
    def overlaps(self) -> tuple[Overlap, ...]:
        return overlaps(self.plays)

    @cached_property
    def structures(self) -> tuple[Structure, ...]:
        return structures(run.measured.problems for run in self.runs)


def read_report(suite: str, folders: Sequence[Path]) -> Report:
    """Read, measure and compare the runs of this suite in these folders; raises what `read_runs` raises."""
    return Report(suite=suite, runs=read_runs(folders, measure_run))
