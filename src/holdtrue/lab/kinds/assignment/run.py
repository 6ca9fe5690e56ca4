"""One run of problems with assignments, read and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.assignment.measured import measure_run
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.structure import Shape
from holdtrue.lab.kit.folder import Run, named, open_folder, planned, progress
from holdtrue.lab.kit.journal import read_entries
from holdtrue.lab.kit.plays import Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport(Run[DriftRow]):
    """What one run came to, with the shapes of its problems."""

    shapes: Mapping[Asked, Shape]

    def to_json(self) -> dict[str, Any]:
        """The run for programs: rates with counts and intervals, shares in 0..1."""
        return {**self.standing(), "rows": [{**asdict(row), "oracle": row.arm.oracle} for row in self.rows]}


def read_run(folder: Path) -> RunReport:
    """Read and measure a run's folder, also of a run that is still going on.

    Raises `RecordError` where the folder is missing, is no run's, or holds no turn yet.
    """
    settings = open_folder(folder)
    measured = measure_run(read_entries(folder))
    finished, failed = progress(folder, settings, measured.rows)
    return RunReport(
        folder=folder,
        settings=settings,
        planned=planned(settings),
        finished=finished,
        failed=failed,
        rows=tuple(named(row, settings) for row in measured.rows),
        plays=measured.plays,
        shapes=measured.shapes,
    )
